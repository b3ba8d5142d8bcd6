"""Which pieces of the evidence say most of a question's words: the few of many that are looked at closely."""

from collections.abc import Sequence

from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import best_likeness

AROUND, WHOLE = 0.6, 0.3  # what a word counts that stands beside a piece, or elsewhere in its passage
RANK = 0.01  # what each place further down costs


def most_said(asked: ParsedQuestion, pieces: Sequence[Unit], limit: int) -> list[Unit]:
    """Return the pieces that say most of the question's words, their own counting most, best first."""
    words = [word.key for word in asked.words]
    shared: dict[frozenset[str], list[float]] = {}  # of headings and passages, which many pieces have

    def said(keys: frozenset[str]) -> list[float]:
        return [best_likeness(word, keys) for word in words]

    def said_by_shared(keys: frozenset[str]) -> list[float]:
        if keys not in shared:
            shared[keys] = said(keys)
        return shared[keys]

    def told(unit: Unit) -> float:
        rows = zip(
            said(unit.own_keys),
            said(unit.beside_keys),
            said_by_shared(unit.above_keys),
            said_by_shared(unit.whole_keys),
            strict=True,
        )
        found = sum(
            max(own, AROUND * max(beside, above), WHOLE * whole) for own, beside, above, whole in rows
        )
        return found - RANK * unit.evidence.n

    return sorted(pieces, key=lambda unit: -told(unit))[:limit]
