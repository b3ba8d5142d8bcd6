"""Compares proposers of the next question over the same questions and the same library."""

from collections.abc import Mapping, Sequence

from core.domain import Value
from core.learning.exploration import Explorer
from core.learning.trajectories import Known, Trajectory, checked
from core.learning.trajectory_collector import Loop, greedy_trajectory


class ProposerScore(Value):
    """Scores of a decomposer, as means over the questions.

    `collected`: share of the gold passages read; `complete`: questions all of whose gold passages were read.
    """

    questions: int
    collected: float
    complete: float
    exact: float
    f1: float
    rounds: float
    calls: float


def compare(
    loops: Mapping[str, Loop], explorer: Explorer, questions: Sequence[Known]
) -> dict[str, ProposerScore]:
    """Attempt every question once with each loop. Raises TrainingError, LLMError."""
    asked = checked(questions)
    return {
        name: mean_score([greedy_trajectory(loop, explorer, known) for known in asked])
        for name, loop in loops.items()
    }


def mean_score(attempts: Sequence[Trajectory]) -> ProposerScore:
    count = max(1, len(attempts))
    return ProposerScore(
        questions=len(attempts),
        collected=round(sum(attempt.collected for attempt in attempts) / count, 4),
        complete=round(sum(attempt.complete for attempt in attempts) / count, 4),
        exact=round(sum(attempt.exact for attempt in attempts) / count, 4),
        f1=round(sum(attempt.f1 for attempt in attempts) / count, 4),
        rounds=round(sum(len(attempt.rounds) for attempt in attempts) / count, 2),
        calls=round(sum(attempt.calls for attempt in attempts) / count, 2),
    )
