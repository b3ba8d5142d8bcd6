"""Tables whose rows happened at times, and the first and last of these: "when was the last E-217 alarm"."""

import re
from collections.abc import Sequence

from core.domain import Cell, ColumnCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.tables.date_conditions import TEMPORAL
from core.llm.builtin.tables.joining import MAX_LISTED_ROWS
from core.llm.builtin.tables.linking import Linked
from core.llm.builtin.tables.sql_parts import TableSelect
from core.text.sql_quoting import quoted

_SPAN = (
    r"(?! (?:\d|two|three|four|five|six|few|several|days?\b|week|month|quarter|year|half|shift|hour|minute))"
)
_THE = r"(?<!since )(?<!before )(?<!after )\b(?:the|its|their)"
_LAST = re.compile(rf"{_THE} (?:last|latest|most recent)\b{_SPAN}|\blast\W*$|最后一[次个条]|最近一[次个条]")
_FIRST = re.compile(rf"{_THE} (?:first|earliest)\b{_SPAN}|\bfirst\W*$|第一[次个条]|首次|最早")
END_WORDS = re.compile(r"^(?:last|latest|recent|first|earliest|最后|最近|第一|首次|最早)$")


def is_log(linked: Linked) -> bool:
    """Say whether the rows of a table happened at times, and the question says which it means."""
    dated = any(column.type in TEMPORAL for column in linked.card.columns)
    return dated and any(one.column.type == "text" or one.operator != "=" for one in linked.conditions)


def end_of_log(parsed: ParsedQuestion, linked: Linked) -> tuple[ColumnCard, str] | None:
    """Return the column of times and the order by which the row comes first that is asked for as the first or
    the last; None where none is, or there are several such columns."""
    low = parsed.question.lower()
    orders = [order for pattern, order in ((_LAST, "DESC"), (_FIRST, "ASC")) if pattern.search(low)]
    times = [column for column in linked.card.columns if column.type in TEMPORAL]
    if len(orders) != 1 or len(times) != 1 or parsed.kind in ("count", "yesno") or not is_log(linked):
        return None
    return times[0], orders[0]


def happened(columns: Sequence[ColumnCard], source: str, values: tuple[Cell, ...]) -> TableSelect:
    """Tell what happened in a span and how often, by each of the columns: a thing the question only calls
    "the tool" is told by name."""
    named = ", ".join(quoted(column.name) for column in columns)
    order = ", ".join(str(at) for at in range(1, len(columns) + 1))
    return TableSelect(
        f'SELECT {named}, count(*) AS "times" {source} GROUP BY {named} '
        f"ORDER BY {len(columns) + 1} DESC, {order} LIMIT {MAX_LISTED_ROWS + 1}",
        values,
        f"what {columns[0].name} was, and how often",
    )
