"""What differs between two runs, as values."""

from typing import Literal

from core.domain import Outcome, Passage, Sentence, SubQuestion, Value

Change = Literal["same", "changed", "added", "removed"]


class SentenceChange(Value):
    """A sentence before and after; None where there is none. `words` are pieces of the changed ones."""

    change: Change
    before: Sentence | None = None
    after: Sentence | None = None
    sources_changed: bool = False  # it says the same, but rests on other passages


class PartChange(Value):
    """A part of the plan before and after, with what was found for it."""

    change: Change
    before: SubQuestion | None = None
    after: SubQuestion | None = None
    found_before: str = ""
    found_after: str = ""
    reused: bool = False  # taken from an earlier run


class Cost(Value):
    """What a run took. Tokens are those of served models."""

    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0


class Side(Value):
    """One of the two runs."""

    run: str
    question: str
    started: float = 0.0
    outcome: Outcome | None = None
    engine: str = ""
    answer: str = ""
    supported: int = 0  # sentences
    sentences: int = 0
    cost: Cost = Cost()


class RunComparison(Value):
    """What differs between two runs, the earlier one first, and why."""

    before: Side
    after: Side
    sentences: tuple[SentenceChange, ...] = ()
    gained: tuple[Passage, ...] = ()
    lost: tuple[Passage, ...] = ()
    kept: int = 0
    parts: tuple[PartChange, ...] = ()
    why: tuple[str, ...] = ()

    def summary_lines(self) -> tuple[str, ...]:
        """Return why the runs differ and how their answers do, a line each."""
        lines = [f"Compared with run {self.before.run}: {_outcomes(self)}.", *self.why]
        for change in self.sentences:
            old = f"“{change.before.text}”" if change.before else ""
            new = f"“{change.after.text}”" if change.after else ""
            if change.change == "changed":
                lines.append(f"Changed: {old} became {new}")
            elif change.change != "same":
                lines.append(f"{'New' if change.after else 'Gone'}: {old or new}")
        lines += [f"Evidence gained: {passage.document_title}" for passage in self.gained]
        lines += [f"Evidence lost: {passage.document_title}" for passage in self.lost]
        return tuple(dict.fromkeys(lines))

    @property
    def same(self) -> bool:
        """Say whether the answers say the same."""
        return all(change.change == "same" for change in self.sentences)


def _outcomes(found: RunComparison) -> str:
    before, after = found.before.outcome, found.after.outcome
    return f"{before.value if before else 'unfinished'}, then {after.value if after else 'unfinished'}"
