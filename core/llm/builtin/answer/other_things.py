"""Whether a sentence is about another thing or another day than the one that a question gives."""

import re
from collections.abc import Iterable

from core.llm.builtin.answer.clause_values import sentence_at
from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import FIGURE_KINDS, ParsedQuestion, attribute, names
from core.llm.builtin.answer.quoting import value_span
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.word_matching import keys_of, matches_any, words_of
from core.text.codes import THING_CODE
from core.text.periods import find_periods, frequency_of

_DIGITS = re.compile(r"\d+")
_JOINED = re.compile(r"\s*(?:,|/|&|[-–]|and|or|to|und|oder|bis|[和与及、至到])+\s*(?:the\s+)?", re.IGNORECASE)
_OWNER = re.compile(
    r"\s+of\s+(?:(?:an?|the|all|each|every|our|their|its|your)\s+)?(?P<owner>[\w-]+(?:\s[\w-]+)?)"
)
_THAT_OF = re.compile(rf"\b(?:that|those){_OWNER.pattern}")
_LEAP_YEAR = "2000"  # of days that stand without a year


def is_of_other_thing(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a sentence is about another thing or day than the one the question gives by its code or
    date: passage and titles name others and not that one, or the value stands beside a similar code ("on PA-2
    it takes 35 minutes" says nothing of PA-1)."""
    unit, asked = scored.unit, _codes(parsed.question)
    stated = _codes(f"{unit.titles} {unit.evidence.text}")
    if _other_codes(asked, stated | _parts_of(asked, stated)):
        return True
    if _is_owned_by_another(parsed, unit.text):
        return True
    if (days := _days(parsed.question)) and (others := _days_of(unit)) and days.isdisjoint(others):
        return True
    span = value_span(parsed, scored) if asked else None
    if span is None or not (parsed.kind in FIGURE_KINDS or re.search(r"\d", unit.text[slice(*span)])):
        return False
    nearest = _codes_before(unit, span[0], _kinds(asked)) or _codes(sentence_at(unit.text, span))
    return asked.isdisjoint(nearest) and not _kinds(asked).isdisjoint(_kinds(nearest))


def _is_owned_by_another(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether what is asked of a thing is in a sentence only as that of others: "the core temperature of
    a Harbour loaf" is not that of rolls. A code, or a noun for what has a name, may be the thing itself."""
    asked = attribute(parsed)
    owner = _OWNER.match(parsed.question, asked[-1].end) if asked and parsed.language == "en" else None
    if owner is None:
        return False
    own = keys_of(owner["owner"])
    named = any(names(word, parsed.question) for word in parsed.words if word.key in own)
    places = [word for word in words_of(text) if word.key == asked[-1].key]
    owners = [_OWNER.match(text, word.end) for word in places]
    others = [found["owner"] for found in owners if found is not None and keys_of(found["owner"])]
    if not others or len(others) < len(places):
        return False
    others += [found["owner"] for found in _THAT_OF.finditer(text)]
    return not any(matches_any(key, own) for other in others for key in keys_of(other)) and not any(
        THING_CODE.search(other) or (named and other.islower()) for other in others
    )


def _codes_before(unit: Unit, place: int, kinds: frozenset[str]) -> frozenset[str]:
    """Return the codes of these kinds that stand together ("PA-1, PA-2 and PA-4") nearest before a place of
    a sentence, in it or in the sentences before it: what follows is said of them."""
    before = unit.evidence.text[: unit.start + place]
    found = [match for match in THING_CODE.finditer(before) if _kind(match[0]) in kinds]
    together = found[-1:]
    for code in reversed(found[:-1]):
        if not _JOINED.fullmatch(before[code.end() : together[0].start()]):
            break
        together.insert(0, code)
    return frozenset(code[0] for code in together)


def _other_codes(asked: frozenset[str], stated: frozenset[str]) -> bool:
    """Say whether codes are stated and none is asked for, or none of a kind of which one is."""
    if not stated or asked <= stated:
        return False
    kinds = [frozenset(code for code in asked if _kind(code) == kind) for kind in _kinds(asked)]
    return bool(asked) and (
        asked.isdisjoint(stated)
        or any(kind.isdisjoint(stated) and not _kinds(kind).isdisjoint(_kinds(stated)) for kind in kinds)
    )


def _parts_of(asked: frozenset[str], stated: frozenset[str]) -> frozenset[str]:
    """Return the codes that a longer one holds between hyphens, or that hold a stated one: "TXN-98765" is
    "TXN-98765-2024"."""
    return frozenset(
        code
        for code in asked
        for other in stated
        if f"-{code}-" in f"-{other}-" or f"-{other}-" in f"-{code}-"
    )


def _codes(text: str) -> frozenset[str]:
    return frozenset(THING_CODE.findall(text))


def _kind(code: str) -> str:
    """Return a code without its figures: PA-1 and PA-2 are of one kind."""
    return _DIGITS.sub("#", code)


def _kinds(codes: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_kind, codes))


def _days_of(unit: Unit) -> frozenset[str]:
    """Return the days that a passage names, and those of the nearest of its headings and titles that names
    any: an entry of a log belongs to its own day, not to all days of the log."""
    piece = unit.evidence
    above = (*reversed(piece.heading), f"{piece.source} {piece.name} {piece.date}")
    return _days(piece.text) | next((days for days in map(_days, above) if days), frozenset[str]())


def _days(text: str) -> frozenset[str]:
    """Return the days of the year that a text names, "03-21"."""
    periods = (found.period for found in find_periods(text, year=_LEAP_YEAR))
    return frozenset(period[5:] for period in periods if frequency_of(period) == "daily")
