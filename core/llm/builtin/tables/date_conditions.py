"""Conditions that a question sets on dates: "in March 2025", "10 to 14 March", "since 1 April 08:00"."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import Word, key_of, matches_any, words_of
from core.llm.builtin.tables.extremes import HIGH, LOW
from core.llm.builtin.tables.figure_conditions import Condition
from core.llm.builtin.tables.time_spans import End, ends_of
from core.text.identifiers import as_words
from core.text.periods import Dated, find_periods

TEMPORAL = frozenset({"date", "datetime"})
MOMENT = frozenset({"day", "date", "time"})  # words that ask when something was
_STARTS = frozenset(
    ("start", "started", "begin", "began", "beginning", "from", "beginn", "anfang", "von", "début", "开始")
)
_ENDS = frozenset(
    ("end", "ended", "stop", "stopped", "finish", "finished", "until", "to", "ende", "bis", "fin", "结束")
)
_YEAR_OF = re.compile(r"\b((?:19|20)\d\d) ([a-z]{3,})", re.IGNORECASE)
_YEARS = re.compile(r"\byears?\b|年|연도", re.IGNORECASE)
_AGGREGATED = re.compile(
    r"\b(?:average|mean|median|totals?|sum|altogether|add(?:ed)?)\b|平均|总|合计|中位", re.IGNORECASE
)
_EXTREME = re.compile(rf"\b(?:{HIGH}|{LOW})\b", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|und|et)\s*", re.IGNORECASE)
_SPAN = re.compile(r"\s*(?:to|until|till|through|up to|bis|jusqu'[aà]|到|至|[-–—~])\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|from|zwischen|vom|von|entre|du)\s+(?:the\s+)?$|从\s*$", re.IGNORECASE)
_FROM_ON = re.compile(
    r"\b(?:since|from|starting(?: on| from)?|seit|ab|depuis)\s+(?:the\s+)?$|自\s*$", re.IGNORECASE
)
_AFTER = re.compile(r"\b(?:after|later than|nach|après)\s+(?:the\s+)?$", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|earlier than|vor|avant)\s+(?:the\s+)?$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|up to|through|by|bis|jusqu'au)\s+(?:the\s+)?$", re.IGNORECASE)
_WITHIN = re.compile(r"\s*(?:的|这)?(?:之间|期间|这段时间|时间段|内|间)")
_BEHIND_AFTER = re.compile(r"^\s*(?:以后|之后|以来|起)")
_BEHIND_BEFORE = re.compile(r"^\s*(?:以前|之前)")


def start_and_end(card: TableCard) -> tuple[ColumnCard, ColumnCard] | None:
    """Return the columns of a row's start and end, None where there are none or more than one of them."""
    times = [column for column in card.columns if column.type in TEMPORAL]
    starts = [column for column in times if _STARTS & _name_of(column)]
    ends = [column for column in times if _ENDS & _name_of(column)]
    if len(starts) != 1 or len(ends) != 1 or starts == ends or starts[0].type != ends[0].type:
        return None
    return starts[0], ends[0]


def _name_of(column: ColumnCard) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", as_words(column.name).lower()))


def conditions_on_dates(
    parsed: ParsedQuestion, card: TableCard, about: Collection[str] = ()
) -> list[Condition]:
    """Return conditions on the table's column of years, or on its dates: from one day on, before another. A
    year that only says which table is meant sets none ("the 2025 audit"); `about` are the words of its title.
    """
    if _only_calls(parsed, about):
        return []
    if not parsed.years:
        return _of_the_only_year(parsed, card)
    years = [word for word in parsed.words if word.key in parsed.years]
    column = next((c for c in card.columns if c.type == "integer" and _YEARS.search(c.name)), None)
    if column is not None:
        year_keys = frozenset(word.key for word in years)
        values = tuple(int(word.key) for word in years)
        if _is_span_of_years(parsed.question, years):
            return [
                Condition(column, values[:1], "", year_keys, ">="),
                Condition(column, values[1:], "", year_keys, "<="),
            ]
        return [Condition(column, values, words=year_keys)]
    dated = _dated(parsed, card)
    return _within(parsed, dated, find_periods(parsed.question, min(parsed.years))) if dated else []


def _dated(parsed: ParsedQuestion, card: TableCard) -> ColumnCard | None:
    """Return the column of days whose name the question says most of, else the first; None where there is
    none, or it says as much of two: "due for calibration" of a column for either."""
    dated = [c for c in card.columns if c.type in TEMPORAL]
    question_keys = {word.key for word in parsed.words}
    counts = [(sum(matches_any(w.key, question_keys) for w in words_of(c.name)), c) for c in dated]
    most = max((count for count, _ in counts), default=0)
    named = [c for count, c in counts if count == most]
    return None if not named or (most and len(named) > 1) else named[0]


def _of_the_only_year(parsed: ParsedQuestion, card: TableCard) -> list[Condition]:
    """Return the conditions of a day or month without a year, on days that are all of one year."""
    dated = _dated(parsed, card)
    if dated is None or not dated.first or dated.first[:4] != dated.last[:4]:
        return []
    return _within(parsed, dated, find_periods(parsed.question, dated.first[:4]))


def lies_outside(condition: Condition) -> bool:
    """Say whether a condition asks for days before the first or after the last of the column, of which the
    table cannot tell anything."""
    first, last = condition.column.first, condition.column.last
    if not first or condition.other or condition.bound or not condition.values:
        return False
    if condition.part == "year":
        return not any(int(first[:4]) <= int(value) <= int(last[:4]) for value in condition.values)
    value = str(condition.values[0])
    if condition.operator in (">=", ">"):
        return value[:10] > last[:10]
    return condition.operator in ("<", "<=") and value[:10] <= first[:10] and value < first


def _only_calls(parsed: ParsedQuestion, about: Collection[str]) -> bool:
    """Say whether the only period of the question is a year before a word of the table's title, which has
    that year, too."""
    found = _YEAR_OF.findall(parsed.question)
    if len(parsed.years) != 1 or len(found) != 1 or found[0][0] not in about:
        return False
    return key_of(found[0][1].lower()) in about and len(find_periods(parsed.question, found[0][0])) == 1


def _is_span_of_years(question: str, years: Sequence[Word]) -> bool:
    """Say whether two years are the ends of a span over which figures are put together, or the extreme one is
    sought: "highest between 1967 and 2013"."""
    if len(years) != 2 or not (_AGGREGATED.search(question) or _EXTREME.search(question)):
        return False
    joint = question[years[0].end : years[1].start]
    if _SPAN.fullmatch(joint):
        return True
    return bool(_BETWEEN.search(question[: years[0].start]) and _AND.fullmatch(joint))


def _within(parsed: ParsedQuestion, column: ColumnCard, periods: Sequence[Dated]) -> list[Condition]:
    """Return the conditions on a column of dates: the span the question names, or its years one by one."""
    if not periods:
        return []
    text = parsed.question
    if all(len(one.period) == 4 for one in periods) and not _bounded(text, periods[0]):
        years = tuple(int(one.period) for one in periods)
        return [Condition(column, years, "year", _words(parsed, periods[0].start, periods[-1].end))]
    span = ends_of(text, periods)
    if span is None or (column.type == "date" and (span[0].moment or span[1].moment)):
        return []  # no span, or times that the column does not tell: nothing is guessed
    first, last = span
    begin, stop = min(first.start, last.start), max(first.end, last.end)
    before, behind = text[:begin], text[stop:]
    lead = next(
        (p.search(before) for p in (_BETWEEN, _FROM_ON, _AFTER, _BEFORE, _UNTIL) if p.search(before)), None
    )
    around = _WITHIN.match(behind)
    words = _words(parsed, lead.start() if lead else begin, stop + (around.end() if around else 0))

    def bound(end: End, at: datetime, operator: str) -> Condition:
        return Condition(column, (end.written(at),), "", words, operator)

    lower = bound(first, first.begins, ">=")
    up_to = bound(last, last.begins, "<=") if last.moment else bound(last, last.ends, "<")
    if first != last:
        return [lower, up_to]
    if _AFTER.search(before):
        return [bound(first, first.begins, ">") if first.moment else bound(first, first.ends, ">=")]
    if _FROM_ON.search(before) or _BEHIND_AFTER.match(behind):
        return [lower]
    if _BEFORE.search(before) or _BEHIND_BEFORE.match(behind):
        return [bound(first, first.begins, "<")]
    return [up_to] if _UNTIL.search(before) else [lower, bound(last, last.ends, "<")]


def _bounded(text: str, one: Dated) -> bool:
    """Say whether a year is an end of a span: "since 2020"."""
    before, behind = text[: one.start], text[one.end :]
    leads = (_FROM_ON, _AFTER, _BEFORE, _UNTIL)
    marks = (_BEHIND_AFTER, _BEHIND_BEFORE)
    return any(lead.search(before) for lead in leads) or any(mark.match(behind) for mark in marks)


def _words(parsed: ParsedQuestion, start: int, end: int) -> frozenset[str]:
    """Return the words of the question that stand between two places."""
    return frozenset(word.key for word in parsed.words if word.start < end and word.end > start)
