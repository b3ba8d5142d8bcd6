"""Tables whose rows happened at times, and the first and last of these: "when was the last E-217 alarm"."""

import re
from collections.abc import Sequence

from core.domain import Cell, ColumnCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.tables.date_conditions import TEMPORAL, start_and_end
from core.llm.builtin.tables.joining import MAX_LISTED_ROWS
from core.llm.builtin.tables.linking import Linked
from core.llm.builtin.tables.sql_parts import TableSelect
from core.text.sql_quoting import quoted

_SPAN = (
    r"(?! (?:\d|two|three|four|five|six|few|several|days?\b|week|month|quarter|year|half|shift|hour|minute))"
)
_THE = r"(?<!since )(?<!before )(?<!after )\b(?:the|its|their)"
_LAST = re.compile(
    rf"{_THE} (?:last|latest|most recent)\b{_SPAN}|\blast(?: fail)?\W*$|最后一[次个条]|最近一[次个条]"
)
_FIRST = re.compile(rf"{_THE} (?:first|earliest)\b{_SPAN}|\bfirst\W*$|第一[次个条]|首次|最早")
_TIMES = re.compile(
    r"\bhow (?:many times|often)\b|\bwie oft\b|\bcombien de fois\b|(?:多少|几)次", re.IGNORECASE
)
END_WORDS = re.compile(r"^(?:last|latest|recent|first|earliest|最后|最近|第一|首次|最早)$")


def asks_times(question: str) -> bool:
    """Say whether it is asked how many times something happened."""
    return _TIMES.search(question) is not None


def is_log(linked: Linked) -> bool:
    """Say whether the rows of a table happened at times, and the question says which it means."""
    dated = any(column.type in TEMPORAL for column in linked.card.columns)
    return dated and any(one.column.type == "text" or one.operator != "=" for one in linked.conditions)


def end_of_log(parsed: ParsedQuestion, linked: Linked) -> tuple[ColumnCard, str] | None:
    """Return the column of times and the order by which the row comes first that is asked for as the first or
    the last; None where none is, or there are several such columns."""
    low = parsed.question.lower()
    orders = [order for pattern, order in ((_LAST, "DESC"), (_FIRST, "ASC")) if pattern.search(low)]
    both = start_and_end(linked.card)
    dated = [column for column in linked.card.columns if column.type in TEMPORAL]
    times = [both[0]] if both and len(dated) == 2 else dated  # what has an end, too, is dated by its start
    if len(orders) != 1 or len(times) != 1 or parsed.kind in ("count", "yesno") or not is_log(linked):
        return None
    return times[0], orders[0]


def happened(columns: Sequence[ColumnCard], source: str, values: tuple[Cell, ...]) -> TableSelect:
    """Tell what happened in a span and how often, by the first of the columns, with what the others hold: a
    thing the question only calls "the tool" is named."""
    first, *others = (quoted(column.name) for column in columns)
    with_them = "".join(f", string_agg(DISTINCT {name}, ', ' ORDER BY {name}) AS {name}" for name in others)
    return TableSelect(
        f'SELECT {first}{with_them}, count(*) AS "times" {source} GROUP BY {first} '
        f"ORDER BY {len(columns) + 1} DESC, 1 LIMIT {MAX_LISTED_ROWS + 1}",
        values,
        f"what {columns[0].name} was, and how often",
    )
