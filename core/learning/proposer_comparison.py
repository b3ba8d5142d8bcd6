"""Compares ways of asking the next question over the same questions and the same library."""

from collections.abc import Mapping, Sequence

from core.domain import Value
from core.learning.collection import Loop, greedy_trajectory
from core.learning.exploration import Explorer
from core.learning.trajectories import Known, Trajectory, checked


class Standing(Value):
    """How a decomposer does, as means over the questions.

    `collected`: share of the gold passages read; `complete`: questions all of whose gold passages were read.
    """

    questions: int
    collected: float
    complete: float
    exact: float
    f1: float
    rounds: float
    calls: float


def compare(ways: Mapping[str, Loop], explorer: Explorer, questions: Sequence[Known]) -> dict[str, Standing]:
    """Walk every question once in each way. Raises TrainingError, LLMError."""
    asked = checked(questions)
    return {
        name: standing([greedy_trajectory(loop, explorer, known) for known in asked])
        for name, loop in ways.items()
    }


def standing(walks: Sequence[Trajectory]) -> Standing:
    count = max(1, len(walks))
    return Standing(
        questions=len(walks),
        collected=round(sum(walk.collected for walk in walks) / count, 4),
        complete=round(sum(walk.complete for walk in walks) / count, 4),
        exact=round(sum(walk.exact for walk in walks) / count, 4),
        f1=round(sum(walk.f1 for walk in walks) / count, 4),
        rounds=round(sum(len(walk.rounds) for walk in walks) / count, 2),
        calls=round(sum(walk.calls for walk in walks) / count, 2),
    )
