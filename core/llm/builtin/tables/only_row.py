"""Answers a question for all that is known of a thing with the one row a table has of it."""

from collections.abc import Sequence

from core.domain import TableCard
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.tables.linking import link
from core.llm.builtin.tables.sql_parts import TableSelect, where
from core.tasks import Query
from core.text.sql_quoting import quoted

MAX_COLUMNS = 8  # columns that are shown of a row


def only_row(thing: ParsedQuestion, cards: Sequence[TableCard], meaning: Meaning) -> Query:
    """Show the row that a table has of a thing, whole; nothing where it has several or none is named so."""
    for linked in (link(thing, card, meaning) for card in cards):
        named = [one for one in linked.conditions if one.operator == "=" and one.column.type == "text"]
        if linked.rest or len(linked.conditions) != 1 or not named or linked.columns:
            continue
        clause, values = where(linked.conditions)
        columns = ", ".join(quoted(column.name) for column in linked.card.columns[:MAX_COLUMNS])
        table = quoted(linked.card.name)
        single = f"(SELECT count(*) FROM {table}{clause}) = 1"
        sql = f"SELECT {columns}, _row FROM {table}{clause} AND {single} ORDER BY _row"
        return TableSelect(sql, (*values, *values), "the only row of it").query()
    return Query(reason="no table has one row of it")
