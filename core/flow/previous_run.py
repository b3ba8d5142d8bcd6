"""What a rerun may reuse of the run before it."""

from dataclasses import dataclass

from core.domain import Level, PartAnswer, Passage, Plan, SubQuestion


@dataclass(frozen=True)
class PreviousRun:
    """The results a rerun may reuse. `stale` says why none of them may be reused, "" if they may."""

    run: str
    read_as: str = ""
    language: str = ""
    level: Level | None = None
    strategy: str = "auto"
    plan: Plan | None = None  # of the first round
    parts: tuple[SubQuestion, ...] = ()  # of all rounds, as planned
    answers: tuple[PartAnswer, ...] = ()
    own: tuple[Passage, ...] = ()  # found for the question as a whole
    loop_passages: tuple[Passage, ...] = ()  # chosen by the knowledge-aware loop
    found: tuple[Passage, ...] = ()  # everything that was looked at
    stale: str = ""
