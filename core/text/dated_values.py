"""Reads dated values from text: who, what, when, how much, in English and Chinese.

A clause must name a period to give a value. A change "by" an amount is no level and gives none, nor does
what is hoped for, planned or expected; an event with a date ("approved on 6 March 2015") counts as one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from core.text.periods import Dated, find_periods, year_named
from core.text.quantities import Quantity, find_quantities
from core.text.sentences import sentence_spans
from core.text.series_names import ClauseSpans, SeriesName, event, name

_HARD = re.compile(r"[;；]")
_CHANGED = re.compile(
    r"(?:\b(?:increas|decreas|rose|ris|fell|fall|grew|grow|drop|declin|improv|gain|lost|chang)\w*\s+(?:by\s+)?"
    r"|\b(?:by|up|down)\s+|(?:增长|增加|提高|上升|下降|减少|降低|提升|上涨)了?\s*(?:约|近)?\s*)(?:about\s+|around\s+)?$",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:\bfrom|由|从)\s*$", re.IGNORECASE)
_TOWARDS = re.compile(r"\bto\b|到|至|为", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:\b(?:revision|version|rev\.?|page|step|figure|table|section|no\.?|number|part)|第)\s*$",
    re.IGNORECASE,
)
_EACH = re.compile(r"各|\beach\b", re.IGNORECASE)
# What is wanted or expected, and where what stands before a number ends: at another number, too.
_EXPECTED = re.compile(
    r"\b(?:hop(?:e|es|ed|ing)|targets?|targeted|goals?|plan|plans|planned|budget|budgeted|expect|expects|expected"
    r"|forecasts?|aims?|aimed|should|will|shall)\b|目标|预计|预期|计划|力争|预算",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(r"[,，](?!\d)|[;；。]|[.!?]\s|\d")
_STEP = re.compile(r"^\s*(?:[-*•]\s+)?\d{1,2}[.)、]\s")


@dataclass(frozen=True)
class DatedValue:
    """One observation; `when` and `amount` as they are written ("" for an event, whose value is 1)."""

    entity: str
    attribute: str
    period: str
    value: float
    unit: str = ""
    when: str = ""
    amount: str = ""
    text: str = ""  # its sentence


def read_values(text: str, year: str = "", lead: str = "") -> list[DatedValue]:
    """Return the dated values of a text in order; `year` is the one it is about, `lead` its heading."""
    rows: list[DatedValue] = []
    year = year or year_named(lead)
    for start, end in sentence_spans(text):
        sentence = _STEP.sub("", text[start:end])
        known = SeriesName("", "")
        for clause in _HARD.split(sentence):
            found = list(_clause(clause, year, lead, known))
            rows += [replace(row, text=sentence) for row in found]
            if found:
                known = SeriesName(found[-1].entity, found[-1].attribute)
            year = year_named(clause) or year
    return rows


def _clause(clause: str, year: str, lead: str, known: SeriesName) -> Iterator[DatedValue]:
    periods = find_periods(clause, year)
    if not periods:
        return
    masked = clause
    for period in periods:
        masked = masked[: period.start] + "□" * (period.end - period.start) + masked[period.end :]
    quantities = find_quantities(masked)
    if not quantities:
        for period, named in event(clause, periods):
            written = clause[period.start : period.end]
            yield DatedValue(named.entity, named.attribute, period.period, 1.0, when=written)
        return
    levels = _levels(clause, masked, periods, quantities)
    marks = ClauseSpans(tuple((p.start, p.end) for p in periods), tuple((q.start, q.end) for q in quantities))
    unit, before = "", known
    for quantity, period in _paired(clause, periods, levels):
        known = name(clause, quantity, marks, lead, known)
        unit = quantity.unit or (unit if known == before else "")
        before = known
        if known.attribute:
            yield DatedValue(
                entity=known.entity,
                attribute=known.attribute,
                period=period.period,
                value=quantity.value,
                unit=unit,
                when=clause[period.start : period.end],
                amount=clause[quantity.start : quantity.end].strip(),
            )


def _levels(clause: str, masked: str, periods: list[Dated], quantities: list[Quantity]) -> list[Quantity]:
    """Leave out changes ("by 3 %"), what is expected, and the start of a "from … to …" that has no date of
    its own. `masked` is the clause without its periods."""
    levels: list[Quantity] = []
    for i, quantity in enumerate(quantities):
        before = clause[: quantity.start]
        if is_no_level(masked[: quantity.start]):
            continue
        after = quantities[i + 1] if i + 1 < len(quantities) else None
        if _FROM.search(before):
            if quantity.upper is not None:
                quantity = replace(quantity, value=quantity.upper)
            elif (
                after
                and _TOWARDS.search(clause[quantity.end : after.start])
                and not any(quantity.end <= p.start < after.start for p in periods)
                and len(periods) == 1
            ):
                continue
        levels.append(quantity)
    return levels


def is_no_level(before: str) -> bool:
    """Say whether what stands before a number makes it a change ("by 3 %"), a number of something, or what is
    hoped for or expected. Periods in the text are masked, so that their figures end nothing."""
    if _CHANGED.search(before) or _NUMBERED.search(before):
        return True
    return _EXPECTED.search(_BOUNDARY.split(before)[-1]) is not None


def _paired(clause: str, periods: list[Dated], quantities: list[Quantity]) -> list[tuple[Quantity, Dated]]:
    """Pair each quantity with its period: one for all, one by one in order, or the nearest."""
    if not quantities:
        return []
    if len(periods) == 1:
        return [(q, periods[0]) for q in quantities]
    if len(quantities) == 1:
        if _EACH.search(clause):
            return [(quantities[0], p) for p in periods]
        return [(quantities[0], min(periods, key=lambda p: _gap(p, quantities[0])))]
    if len(periods) == len(quantities) and (_apart(periods, quantities) or _in_turn(periods, quantities)):
        return list(zip(quantities, periods, strict=True))
    return [(q, _holding(q, periods, quantities[0])) for q in quantities]


def _gap(period: Dated, quantity: Quantity) -> int:
    return period.start - quantity.end if period.start >= quantity.end else quantity.start - period.end


def _apart(periods: list[Dated], quantities: list[Quantity]) -> bool:
    return periods[-1].end <= quantities[0].start or quantities[-1].end <= periods[0].start


def _in_turn(periods: list[Dated], quantities: list[Quantity]) -> bool:
    marks = sorted([(p.start, 0) for p in periods] + [(q.start, 1) for q in quantities])
    return all(a[1] != b[1] for a, b in pairwise(marks))


def _holding(quantity: Quantity, periods: list[Dated], first: Quantity) -> Dated:
    """Return the last period before the quantity, or the first one after it; the other way round where the
    clause gives its `first` amount before any period ("5 in 2021, 7 in 2022 and 9 in 2023, after ...")."""
    before = [p for p in periods if p.end <= quantity.start]
    after = [p for p in periods if p.start >= quantity.end]
    if first.end <= periods[0].start:
        return (after or periods[-1:])[0]
    return before[-1] if before else periods[0]
