"""Turns trajectories into training data: t + 1 samples of a path of t sub-questions, and preference pairs.

PIKE-RAG's Algorithm 3 (arXiv 2501.11551): what is learnt is to ask next what a path to the right answer asked
next, given what had been read, and to stop where it had read enough.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import AliasChoices, Field

from core.domain import Value
from core.errors import TrainingError
from core.learning.trajectories import ReadPiece, Trajectory
from core.tasks import NextQuestion, ProposeNext, Task

Split = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = ("train", "valid", "test")
MIN_PAIR_MARGIN = 0.25  # how much better a path must be for a pair

Render = Callable[[Task], tuple[str, str]]  # system and user text of a task, as a model is served


class Message(Value):
    """A message of a training sample, as chat templates take it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Sample(Value):
    """A conversation in chat format: what was known, and what to ask next (or that it is enough)."""

    messages: tuple[Message, ...]
    question_id: str
    split: Split
    step: int  # 0-based place in the path; the last one stops
    stop: bool
    attempt: int = Field(validation_alias=AliasChoices("attempt", "walk"))  # "walk" before 2026-11-22


class Pair(Value):
    """Two next steps from the same point of one question: that of the better path, and of the worse."""

    prompt: tuple[Message, ...]
    chosen: tuple[Message, ...]
    rejected: tuple[Message, ...]
    question_id: str
    split: Split
    margin: float  # how much better


@dataclass(frozen=True)
class SampledStep:
    """A point of a path: what stood in the context, what had been asked, and what was asked next."""

    context: tuple[ReadPiece, ...]
    asked: tuple[str, ...]
    next: str  # "" to stop


def split_of(question: str) -> Split:
    """Return the split of a question by a hash of its words: the same in every set it may be in."""
    words = " ".join(question.lower().split())
    place = int.from_bytes(hashlib.sha256(words.encode("utf-8")).digest()[:4], "big") % 10
    return "train" if place < 8 else ("valid" if place == 8 else "test")


def value(trajectory: Trajectory) -> float:
    """Return how good a path is (0 to 1): its answer's F1, and the share of gold passages where known."""
    return (trajectory.f1 + trajectory.collected) / 2 if trajectory.question.gold else trajectory.f1


def path(trajectory: Trajectory) -> tuple[SampledStep, ...]:
    """Return the points of a path to the right answer, t + 1 of them for t sub-questions.

    Where the gold passages are known, only questions that found a new one are asked, and it stops with the
    last; what else was read stays in the context, which is what the sampling of contexts is for.
    """
    gold = trajectory.question.gold
    covered: set[tuple[str, ...]] = set()
    steps: list[SampledStep] = []
    asked: list[str] = []
    end = 0
    for place, read in enumerate(trajectory.read):
        new = {chunks for chunks in gold if read.chunk_id in chunks} - covered
        if not new if gold else read.sampled:
            continue
        covered |= new
        steps.append(SampledStep(trajectory.read[:place], tuple(asked), read.asked))
        asked.append(read.asked)
        end = place + 1
    stop = SampledStep(trajectory.read[: end if gold else None], tuple(asked), "")
    return (*steps, stop) if steps else ()


def taken(trajectory: Trajectory) -> tuple[SampledStep, ...]:
    """Return the points of a path in order, each with what was asked there."""
    return tuple(
        SampledStep(trajectory.read[:place], tuple(one.asked for one in trajectory.read[:place]), read.asked)
        for place, read in enumerate(trajectory.read)
    )


@dataclass(frozen=True)
class SampleMaker:
    """Writes points of paths as conversations, in the words a served model will read."""

    render: Render

    def samples(self, trajectories: Sequence[Trajectory]) -> list[Sample]:
        """Return the samples of every path to a right answer, each point once. Raises TrainingError."""
        found: dict[str, Sample] = {}
        for trajectory in trajectories:
            if not (trajectory.right or trajectory.complete):
                continue
            for place, step in enumerate(path(trajectory)):
                messages = (*self._prompt(trajectory, step), _reply(step.next))
                key = messages[1].content  # one way on from each point: that of the first right path
                found.setdefault(
                    key,
                    Sample(
                        messages=messages,
                        question_id=trajectory.question.id,
                        split=split_of(trajectory.question.question),
                        step=place,
                        stop=not step.next,
                        attempt=trajectory.attempt,
                    ),
                )
        if not found:
            raise TrainingError(
                "No path of these trajectories leads to a right answer, so there is nothing to learn from.",
                hint="Collect more attempts (--attempts), or ask questions the library can answer.",
            )
        return list(found.values())

    def pairs(self, trajectories: Sequence[Trajectory]) -> list[Pair]:
        """Return one pair for every point from which a better and a worse path of a question part."""
        points: dict[tuple[str, str], dict[str, tuple[float, SampledStep, Trajectory]]] = defaultdict(dict)
        for trajectory in trajectories:
            worth = value(trajectory)
            for step in (*path(trajectory)[:-1], *taken(trajectory)):
                prompt = self._prompt(trajectory, step)
                steps = points[(trajectory.question.id, prompt[1].content)]
                if step.next not in steps or steps[step.next][0] < worth:
                    steps[step.next] = (worth, step, trajectory)
        return [pair for steps in points.values() if (pair := self._pair(list(steps.values()))) is not None]

    def _pair(self, steps: Sequence[tuple[float, SampledStep, Trajectory]]) -> Pair | None:
        ordered = sorted(steps, key=lambda way: (-way[0], way[1].next))
        (best, better, trajectory), (worst, worse, _) = ordered[0], ordered[-1]
        if best - worst < MIN_PAIR_MARGIN:
            return None
        return Pair(
            prompt=self._prompt(trajectory, better),
            chosen=(_reply(better.next),),
            rejected=(_reply(worse.next),),
            question_id=trajectory.question.id,
            split=split_of(trajectory.question.question),
            margin=round(best - worst, 4),
        )

    def _prompt(self, trajectory: Trajectory, step: SampledStep) -> tuple[Message, ...]:
        known = trajectory.question
        task = ProposeNext(
            question=known.question,
            context=tuple(
                read.evidence.model_copy(update={"n": n}) for n, read in enumerate(step.context, start=1)
            ),
            asked=step.asked,
            language=known.language,
        )
        system, user = self.render(task)
        return (Message(role="system", content=system), Message(role="user", content=user))


def _reply(question: str) -> Message:
    reply = NextQuestion(question=question, enough=not question)
    return Message(role="assistant", content=reply.model_dump_json())
