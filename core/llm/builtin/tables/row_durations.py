"""How long what a row tells lasted, where it has its start and its end: "the longest disturbance"."""

import re

from core.domain import Cell
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.tables.date_conditions import start_and_end
from core.llm.builtin.tables.joining import MAX_LISTED_ROWS
from core.llm.builtin.tables.linking import Linked
from core.llm.builtin.tables.listing import naming_columns
from core.llm.builtin.tables.sql_parts import TableSelect
from core.text.sql_quoting import quoted

_LONGEST = re.compile(r"\blongest\b|\blängste[nrs]?\b|最长")
_SHORTEST = re.compile(r"\bshortest\b|\bkürzeste[nrs]?\b|最短")
_ASKED = re.compile(rf"\bdurations?\b|\bdauer\b|时长|{_LONGEST.pattern}|{_SHORTEST.pattern}")
_FUNCTIONS = (
    (re.compile(r"\b(?:average|mean|durchschnitt\w*)\b|平均"), "avg", "mean"),
    (re.compile(r"\b(?:total|sum|altogether|together|overall|insgesamt)\b|总|一共|合计"), "sum", "total"),
)
_WORDS = re.compile(r"^(?:durat|dauer|minut|hour|stund|day|longest|shortest|last|took|take|long|min)$")
_UNITS = (
    (re.compile(r"\b(?:hours?|stunden?)\b|小时"), "hours", 3600.0),
    (re.compile(r"\b(?:days?|tagen?)\b|天"), "days", 86400.0),
    (re.compile(""), "minutes", 60.0),
)


def asks_duration(parsed: ParsedQuestion, linked: Linked) -> bool:
    """Say whether it is asked how long something lasted, and only its start and its end tell."""
    asked = parsed.kind == "duration" or _ASKED.search(parsed.question.lower())
    return bool(asked) and not linked.measures and start_and_end(linked.card) is not None


def is_of_duration(key: str) -> bool:
    """Say whether a word says no more than that a duration is asked for."""
    return _WORDS.match(key) is not None


def durations(linked: Linked, source: str, values: tuple[Cell, ...], low: str) -> TableSelect | None:
    """Return the longest or the shortest of the rows, the sum or the mean of their durations, or each of
    them; rows without an end have none. `low` is the question in small letters."""
    both = start_and_end(linked.card)
    if both is None or linked.card.partial:
        return None
    start, end = (quoted(column.name) for column in both)
    unit, seconds = next((unit, length) for pattern, unit, length in _UNITS if pattern.search(low))
    if both[0].type == "date":
        unit, seconds = "days", 86400.0
    length = f"date_diff('second', {start}::TIMESTAMP, {end}::TIMESTAMP) / {seconds}"
    closed = f"{source}{' AND ' if ' WHERE ' in source else ' WHERE '}{end} IS NOT NULL"
    for pattern, function, called in _FUNCTIONS:
        if pattern.search(low):
            label = quoted(f"{called} duration in {unit}")
            sql = f'SELECT round({function}({length}), 2) AS {label}, count({end}) AS "rows" {closed}'
            return TableSelect(sql, values, f"{called} of the time from {both[0].name} to {both[1].name}")
    texts = [column.name for column in naming_columns(linked)]
    named = [one.column.name for one in linked.conditions if one.operator == "=" and not one.part]
    shown = ", ".join(quoted(name) for name in dict.fromkeys([*texts, *named]))
    select = f"SELECT {shown}, {start}, {end}, round({length}, 2) AS {quoted(f'duration in {unit}')} {closed}"
    for pattern, order in ((_LONGEST, "DESC"), (_SHORTEST, "ASC")):
        if pattern.search(low):
            ranked = f"QUALIFY rank() OVER (ORDER BY {length} {order}) = 1"
            return TableSelect(
                f"{select} {ranked} ORDER BY _row LIMIT {MAX_LISTED_ROWS + 1}", values, "by their duration"
            )
    if not named:
        return None
    return TableSelect(f"{select} ORDER BY _row LIMIT {MAX_LISTED_ROWS + 1}", values, "the rows that match")
