"""Which pieces of the evidence say most of a question's words: the few of many that are looked at closely."""

from collections.abc import Sequence

from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import best_likeness

BESIDE_WEIGHT = 0.6  # of a word that stands beside a piece, against 1 within it
PASSAGE_WEIGHT = 0.3  # of a word elsewhere in its passage
RANK_COST = 0.01  # what each place further down costs


def preselect(parsed: ParsedQuestion, pieces: Sequence[Unit], limit: int) -> list[Unit]:
    """Return the pieces that say most of the question's words, their own counting most, best first."""
    words = [word.key for word in parsed.words]
    shared: dict[frozenset[str], list[float]] = {}  # of headings and passages, which many pieces have

    def likenesses(keys: frozenset[str]) -> list[float]:
        return [best_likeness(word, keys) for word in words]

    def shared_likenesses(keys: frozenset[str]) -> list[float]:
        if keys not in shared:
            shared[keys] = likenesses(keys)
        return shared[keys]

    def overlap(unit: Unit) -> float:
        rows = zip(
            likenesses(unit.word_keys),
            likenesses(unit.neighbour_keys),
            shared_likenesses(unit.heading_keys),
            shared_likenesses(unit.passage_keys),
            strict=True,
        )
        found = sum(
            max(own, BESIDE_WEIGHT * max(beside, above), PASSAGE_WEIGHT * whole)
            for own, beside, above, whole in rows
        )
        return found - RANK_COST * unit.evidence.n

    return sorted(pieces, key=lambda unit: -overlap(unit))[:limit]
