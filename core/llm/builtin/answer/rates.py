"""Figures that are said for each of something: they do not tell how many there are in all."""

import re

from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import SAME_WORD_LIKENESS, key_of, keys_of, likeness, matches_any

_FOR_EACH = re.compile(r"\b(?:per|each|every) $|每[一个]*$")
_COLUMN_RATE = re.compile(  # a figure for each day or month adds up over the rows
    r"(?:\b(?:per|je|pro|par|por)\s+(?:(?:each|every)\s+)?(?!(?:hour|day|week|month|quarter|year|shift)s?\b)"
    r"|每(?![天日周月年小季班]))(?P<noun>\w+)",
    re.IGNORECASE,
)


def counts_per_one(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether a sentence says of what is counted only how many there are for each of it, "164 particles
    per wafer" not how many wafers; or a row how many are in each of something, "Tablets per pack"."""
    if parsed.kind != "count" or not parsed.counted:
        return False
    if unit.kind == "row":
        named = [name for name, _ in unit.cells if matches_any(parsed.counted, keys_of(name))]
        return bool(named) and all(is_for_each(parsed, name) for name in named)
    places = [word.start for word in unit.words if likeness(parsed.counted, word.key) >= SAME_WORD_LIKENESS]
    return bool(places) and all(_FOR_EACH.search(unit.text[:place]) for place in places)


def is_for_each(parsed: ParsedQuestion, column: str) -> bool:
    """Say whether a column's figure is for each of something that the question does not say: "Tablets per
    pack" does not tell how many tablets there are."""
    rate = _COLUMN_RATE.search(column)
    return rate is not None and key_of(rate["noun"].lower()) not in keys_of(parsed.question)
