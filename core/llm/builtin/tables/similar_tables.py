"""Tables of which one question asks the same: what is put together of one of them is not all there is."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from core.domain import TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import matches_any, words_of
from core.llm.builtin.tables.linking import Linked, head_of
from core.llm.builtin.tables.sql_parts import TableSelect
from core.text.sql_quoting import quoted

_ROW_NUMBERS = {", _row FROM": " FROM", " ORDER BY _row": "", " ORDER BY min(_row)": " ORDER BY 1"}
_WHOLE = re.compile(
    r"\b(?:totals?|all|overall|sum|summary|annual|combined|consolidated)\b|合计|总|汇总|全部", re.IGNORECASE
)
Select = Callable[[Linked], TableSelect | None]


def over_similar(
    parsed: ParsedQuestion, linked: Linked, written: TableSelect, others: Iterable[Linked], select: Select
) -> TableSelect | None:
    """Return the query that was `written` over a table, over all tables of its document of which the
    question, by `select`, asks the same; None where rows are counted, put together or listed, and it asks the
    same of a table of another document, or it is not clear which tables are all.

    A table is left out by a word of the question by which the first is called and it is not.
    """
    rivals = [
        other
        for other in others
        if other is not linked and not _is_named_apart(parsed, linked.card, other.card)
    ]
    if not _looks_up(written, linked) and (
        linked.card.unclear_siblings or any(_has_same_columns(linked, written, other) for other in rivals)
    ):
        return None
    own = _without_table(written, linked)
    here = [
        other.card
        for other in rivals
        if other.card.document == linked.card.document
        and (theirs := select(other)) is not None
        and _without_table(theirs, other) == own
    ]
    if not here:
        return written
    if any(_WHOLE.search(card.title) for card in (linked.card, *here)):
        return None  # one of them sums up the others
    every = f"({_rows_of([linked.card, *here])})"
    sql = written.sql.replace(quoted(linked.card.name), every)
    for numbered, plain in _ROW_NUMBERS.items():  # each table numbers its own
        sql = sql.replace(numbered, plain)
    return replace(written, sql=sql)


def _has_same_columns(linked: Linked, written: TableSelect, other: Linked) -> bool:
    """Say whether a table of another document, of another year, plant or revision, or a copy, has rows called
    alike and the columns of the query."""
    used = [one.name for one in linked.card.columns if quoted(one.name) in written.sql]
    theirs = {one.name for one in other.card.columns}
    return (
        other.card.document != linked.card.document
        and head_of(other.card) == head_of(linked.card)
        and theirs.issuperset(used)
    )


def _looks_up(written: TableSelect, linked: Linked) -> bool:
    """Say whether rows are listed one by one, and each value they must have is one that is in the table."""
    equal = [one.operator == "=" for one in linked.conditions]
    return "_row" in written.sql and bool(equal) and all(equal)


def _rows_of(cards: Sequence[TableCard]) -> str:
    """Return the query of the rows of all tables, by the columns that all have."""
    shared = [
        column.name
        for column in cards[0].columns
        if all(any(one.name == column.name for one in card.columns) for card in cards)
    ]
    names = ", ".join(map(quoted, shared))
    return " UNION ALL ".join(f"SELECT {names} FROM {quoted(card.name)}" for card in cards)


def _without_table(written: TableSelect, linked: Linked) -> tuple[object, ...]:
    return written.sql.replace(quoted(linked.card.name), ""), written.parameters


def _is_named_apart(parsed: ParsedQuestion, card: TableCard, other: TableCard) -> bool:
    own = _called(card) - _called(other)
    return any(matches_any(word.key, own) for word in parsed.words)


def _called(card: TableCard) -> set[str]:
    return {word.key for word in words_of(f"{card.document} {card.title}")}
