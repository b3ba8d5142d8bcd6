"""Collects trajectories: one greedy and many sampled attempts at every question, saved as they are made."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain import Passage, Scope
from core.learning.exploration import Explorer
from core.learning.journal import append, repair
from core.learning.trajectories import (
    FoundCandidate,
    Known,
    ReadPiece,
    Round,
    Trajectory,
    checked,
    read_trajectories,
)
from core.ports import CallLog, Emit
from core.trace import Proposed


class FoundByLoop(Protocol):
    """The result of a run of the knowledge-aware loop."""

    @property
    def passages(self) -> tuple[Passage, ...]: ...


class Loop(Protocol):
    """The knowledge-aware loop as questions are answered with it (Algorithm 1)."""

    def run(self, question: str, scope: Scope, emit: Emit, language: str) -> FoundByLoop: ...


@dataclass(frozen=True)
class LoggedLoop:
    """A loop outside of a run, whose events carry the calls that made them."""

    loop: Loop
    log: CallLog

    def run(self, question: str, scope: Scope, emit: Emit, language: str) -> FoundByLoop:
        """Run as the loop does. Raises LLMError."""
        with self.log.step():
            return self.loop.run(question, scope, self.log.recording(emit), language)


@dataclass(frozen=True)
class Collector:
    """Fills a file with the attempts of a question set; started again, it adds only what is missing."""

    loop: Loop
    explorer: Explorer
    file: Path
    attempts: int = 8

    def collect(
        self, questions: Sequence[Known], on_progress: Callable[[int, int], None] = lambda done, all_: None
    ) -> Iterator[Trajectory]:
        """Yield every attempt, those kept from before first. Raises TrainingError, LLMError."""
        asked = checked(questions)
        repair(self.file)
        by_question: dict[str, list[Trajectory]] = {known.id: [] for known in asked}
        for trajectory in read_trajectories(self.file) if self.file.is_file() else ():
            if trajectory.question.id in by_question:
                by_question[trajectory.question.id].append(trajectory)
        for done, known in enumerate(asked):
            on_progress(done, len(asked))
            earlier = sorted(by_question[known.id], key=lambda one: one.attempt)
            yield from earlier
            yield from self._missing(known, earlier)
        on_progress(len(asked), len(asked))

    def _missing(self, known: Known, earlier: list[Trajectory]) -> Iterator[Trajectory]:
        there = {trajectory.attempt for trajectory in earlier}
        pool = self.explorer.pool(earlier)
        for attempt in range(self.attempts + 1):
            if attempt in there:
                continue
            made = (
                self.explorer.explore(known, attempt, pool)
                if attempt
                else greedy_trajectory(self.loop, self.explorer, known)
            )
            append(self.file, made)
            yield made


def greedy_trajectory(loop: Loop, explorer: Explorer, known: Known) -> Trajectory:
    """Answer as the assistant would, and return that as attempt 0. Raises LLMError."""
    events: list[Proposed] = []

    def keep(event: object) -> None:
        if isinstance(event, Proposed):
            events.append(event)

    found = loop.run(known.question, Scope(), keep, known.language)
    places = {passage.chunk.id: passage for passage in found.passages}
    rounds = [_round(event) for event in events]
    read: list[ReadPiece] = []
    for made, event in zip(rounds, events, strict=True):
        passage = places.get(event.chunk_id)
        if passage is not None:
            statement = not passage.query.endswith(("?", "？"))
            read.append(
                ReadPiece(
                    round=made.number,
                    asked=_nearest(explorer, passage.query, made.proposals) if statement else passage.query,
                    evidence=explorer.evidence(passage.chunk, len(read) + 1),
                    chunk_id=passage.chunk.id,
                )
            )
    calls = [call for event in events for call in event.calls]
    ended = rounds[-1].reason if rounds and rounds[-1].chosen is None else "the rounds are used up"
    engine = calls[0].engine if calls else ""
    made_of = explorer.finish(known, 0, engine, rounds, read, ended or "none was chosen")
    return made_of.model_copy(update={"calls": len(calls)})


def _nearest(explorer: Explorer, atom: str, proposals: Sequence[str]) -> str:
    """Return the proposal that most likely found a statement: the nearest by meaning."""
    vector = explorer.vector(atom)
    return max(proposals, key=lambda proposal: float(explorer.vector(proposal) @ vector))


def _round(event: Proposed) -> Round:
    proposal = event.questions[0] if event.questions else ""
    return Round(
        number=event.round,
        proposals=event.questions,
        candidates=tuple(
            FoundCandidate(text=text, chunk_id="", score=score, proposal=proposal)
            for text, score in zip(event.candidates, event.scores, strict=False)
        ),
        chosen=event.chosen,
        reason=event.reason,
    )
