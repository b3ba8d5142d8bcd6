"""Looks up the named columns of the rows that match, and says which columns of a row are shown."""

import re
from collections.abc import Sequence

from core.domain import Cell, ColumnCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion, attribute, sought
from core.llm.builtin.answer.stated_conditions import asks_end, names_end
from core.llm.builtin.answer.word_matching import TRANSLATION_LIKENESS, matches_any, words_of
from core.llm.builtin.tables.date_conditions import TEMPORAL
from core.llm.builtin.tables.figure_conditions import EMPTY, NO_SPAN, bare, identifies
from core.llm.builtin.tables.joining import MAX_LISTED_ROWS
from core.llm.builtin.tables.linking import Linked
from core.llm.builtin.tables.listing import all_called, naming_columns, sentence_columns
from core.llm.builtin.tables.logs import happened
from core.llm.builtin.tables.name_likeness import name_likeness
from core.llm.builtin.tables.sql_parts import TableSelect
from core.llm.builtin.understand.grammar import tagged
from core.text.sql_quoting import quoted


def looked_up(
    parsed: ParsedQuestion, linked: Linked, source: str, values: tuple[Cell, ...]
) -> TableSelect | None:
    """Show the named columns of the rows that match; nothing without a condition or a named column."""
    conditioned = {condition.column.name for condition in linked.conditions}
    wanted = tuple(c for c in linked.columns if c.name not in conditioned and not _only_named(c, parsed))
    if not linked.conditions:
        return all_called(parsed, linked)
    if asks_end(parsed) and (
        began := [one for one in wanted if one.type in TEMPORAL and not names_end(one.name)]
    ):
        ends = [one for one in linked.card.columns if one.type in TEMPORAL and names_end(one.name)]
        if len(ends) != 1:
            return None
        wanted = (ends[0], *(one for one in wanted if one not in (*began, ends[0])))
    if any(one.operator == EMPTY for one in linked.conditions):
        wanted = tuple(dict.fromkeys((*naming_columns(linked), *wanted)))
    if wanted and all(identifies(one) or one.type in TEMPORAL for one in wanted):
        wanted = (*wanted, *sentence_columns(linked))
    if not wanted:
        return None
    if parsed.kind != "yesno" and _names_half(parsed, linked):
        return None
    if any(one.operator not in NO_SPAN and one.column.type in TEMPORAL for one in linked.conditions) and (
        parsed.kind in ("list", "other") and not linked.card.partial
    ):
        ordered = _sought_first(parsed, wanted)
        if ordered[0].type == "text" and not _names_each_row(ordered[0], linked):
            return happened([column for column in ordered if column.type == "text"], source, values)
    sql = (
        f"SELECT {shown_columns(linked, wanted[:4])}, _row {source} ORDER BY _row LIMIT {MAX_LISTED_ROWS + 1}"
    )
    return TableSelect(sql, values, "the rows that match")


def _names_each_row(column: ColumnCard, linked: Linked) -> bool:
    """Say whether a column has another value in each row: what happened is not counted by it."""
    return identifies(column) or len(set(column.samples)) >= max(2, linked.card.rows)


def _names_half(parsed: ParsedQuestion, linked: Linked) -> bool:
    """Say whether values hold a part of the noun that is sought: that names another thing ("alarm" of "the
    alarm limit"). Of "the vacuum counter delivered" they hold all but the verb."""
    equal = [one for one in linked.conditions if one.operator == "="]
    taken = {key for one in equal for key in one.words}
    run = attribute(parsed)
    words = tagged(parsed.question) if parsed.language == "en" else ()
    verbs = {word.start for word in words if word.letter in "vieg"}
    if run and not verbs and any(word.lemma == "do" for word in words):
        verbs = {run[-1].start}  # "what does the test cost"
    noun = [word.key for word in run if word.start not in verbs]
    named = taken | {word.key for one in equal for word in words_of(bare(one.column))}
    return not taken.isdisjoint(noun) and not named.issuperset(noun)


def _sought_first(parsed: ParsedQuestion, wanted: Sequence[ColumnCard]) -> list[ColumnCard]:
    """Return the columns in the order in which the words that say what is sought name them, then the others:
    of "which alarms did the tool send" alarms first."""
    keys = [word.key for word in sought(parsed)]

    def place(column: ColumnCard) -> int:
        own = [word.key for word in words_of(column.name)]
        like = [any(name_likeness(key, one) >= TRANSLATION_LIKENESS for one in own) for key in keys]
        named = (at for at, found in enumerate(like) if found)
        return next(named, len(keys))

    return sorted(wanted, key=place)


def _only_named(column: ColumnCard, parsed: ParsedQuestion) -> bool:
    """Say whether a column is an identifier that the question does not ask for by that word."""
    if not identifies(column):
        return False
    last = words_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column.name))[-1:]
    return not any(matches_any(word.key, parsed.keys) for word in last)


def shown_columns(linked: Linked, wanted: Sequence[ColumnCard]) -> str:
    """Return the columns to show: what the rows are named by, what is asked, and what was compared."""
    named = [condition.column for condition in linked.conditions if condition.operator == "="]
    compared = [one for one in linked.conditions if one.operator not in NO_SPAN]
    figures = [column for one in compared for column in (one.column, one.other) if column is not None]
    label = next((c for c in linked.card.columns if c.type == "text" or c.type in TEMPORAL), None)
    is_called = bool(named) or (bool(compared) and any(column.type == "text" for column in wanted))
    columns = dict.fromkeys([*([label] if label and not is_called else named), *wanted, *figures])
    return ", ".join(quoted(column.name) for column in columns)
