"""Lists what a small table holds: the values of a column, or what its rows are called by."""

from core.domain import ColumnCard
from core.llm.builtin.answer.lists import sought_plural
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import words_of
from core.llm.builtin.tables.counting import state_columns
from core.llm.builtin.tables.joining import MAX_LISTED_ROWS
from core.llm.builtin.tables.linking import Linked, called, head_of, words_about
from core.llm.builtin.tables.name_likeness import is_name
from core.llm.builtin.tables.sql_parts import TableSelect
from core.text.sql_quoting import quoted

SENTENCE_WORDS = 4  # of a cell, in the mean, from which a column tells what a row is about


def all_called(parsed: ParsedQuestion, linked: Linked) -> TableSelect | None:
    """Return the different values of the text column whose name ends in the plural that is sought, or, where
    the rows are called so, of the first text column; nothing for more than are listed, nor where the question
    does not say which table it means by another word of its title or document."""
    plural = [word.key for word in words_of(sought_plural(parsed))][-1:]
    about = words_about(linked.card)
    is_named = any(called(word.key, about) for word in parsed.words if word.key not in plural)
    if not plural or not is_named or parsed.kind not in ("list", "other") or linked.card.partial:
        return None
    texts = [column for column in linked.card.columns if column.type == "text"]
    column = next((one for one in texts if is_name(plural[0], _last_word(one))), None)
    if column is None and texts and is_name(plural[0], head_of(linked.card)):
        column = texts[0]
    if column is None or any(
        word.key not in plural and not called(word.key, about) and not is_name(word.key, _last_word(column))
        for word in parsed.words
    ):
        return None  # "findings in purchasing" are not all of them
    name, table = quoted(column.name), quoted(linked.card.name)
    few = f"(SELECT count(DISTINCT {name}) FROM {table}) BETWEEN 2 AND {MAX_LISTED_ROWS}"
    sql = f"SELECT {name} FROM {table} WHERE {name} IS NOT NULL AND {few} GROUP BY {name} ORDER BY min(_row)"
    return TableSelect(sql, (), f"all that {column.name} holds")


def naming_columns(linked: Linked, most: int = 3) -> tuple[ColumnCard, ...]:
    """Return the columns that tell which row it is: the first ones of text, and the one of its state."""
    bound = {one.column.name for one in linked.conditions}
    texts = [column for column in linked.card.columns if column.type == "text" and column.name not in bound]
    return tuple(dict.fromkeys((*texts[:most], *state_columns(linked)[:1])))


def sentence_columns(linked: Linked) -> tuple[ColumnCard, ...]:
    """Return the columns that tell in some words what a row is about: "description", "text"."""
    return tuple(
        column
        for column in linked.card.columns
        if column.type == "text"
        and column.samples
        and sum(len(value.split()) for value in column.samples) >= SENTENCE_WORDS * len(column.samples)
    )


def _last_word(column: ColumnCard) -> str:
    return next((word.key for word in reversed(words_of(column.name))), "")
