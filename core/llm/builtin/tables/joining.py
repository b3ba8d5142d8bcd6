"""Queries over two tables that a key joins: what the other says of a row named in one, and how many of it."""

import re
from collections.abc import Sequence

from core.domain import KeyCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion, focus
from core.llm.builtin.answer.word_matching import Word, is_said, words_of
from core.llm.builtin.tables.extremes import HIGH, LOW
from core.llm.builtin.tables.linking import Linked, called
from core.llm.builtin.tables.sql_parts import TableSelect, where
from core.llm.builtin.tables.value_conditions import mentioned_whole
from core.text.sql_quoting import quoted

_RANKS = re.compile(rf"\b(?:{HIGH}|{LOW})\b|最[高低多少大小长短新旧早晚]")
MAX_LISTED_ROWS = 12  # rows a look-up may bring


def joined(
    parsed: ParsedQuestion, linked: Sequence[Linked], operations: re.Pattern[str]
) -> TableSelect | None:
    """Follow a key that holds between two of the tables; words of `operations` need no place in either."""
    for one in linked:
        if one.conditions:
            found = _counted(parsed, one, linked, operations) or _looked_up(parsed, one, linked, operations)
            if found is not None:
                return found
    return None


def _open(parsed: ParsedQuestion, one: Linked, operations: re.Pattern[str]) -> list[Word]:
    """Return the words that neither the conditions of the table nor what is computed account for."""
    used = {word for condition in one.conditions for word in condition.words}
    return [word for word in parsed.words if word.key not in used and not operations.match(word.key)]


def _counted(
    parsed: ParsedQuestion, one: Linked, linked: Sequence[Linked], operations: re.Pattern[str]
) -> TableSelect | None:
    """Count the rows of a table that point to the row the question names in another: "Metal tracks"."""
    exact = all(mentioned_whole(parsed, value) for condition in one.conditions for value in condition.values)
    if parsed.kind != "count" or not parsed.counted or not exact:
        return None
    for many in linked:
        key = key_between(many.card, one.card.name)
        if key is None or not called(parsed.counted, many.subject) or called(parsed.counted, one.subject):
            continue
        about = many.subject | one.subject | {word.key for word in words_of(many.card.document)}
        left = [word for word in one.rest if word.key != parsed.counted and not operations.match(word.key)]
        if any(not called(word.key, about) for word in left):
            continue
        clause, values = where(one.conditions, "b")
        return TableSelect(
            f'SELECT count(*) AS "rows of {many.card.title}" FROM {quoted(many.card.name)} a '
            f"JOIN {quoted(one.card.name)} b ON a.{quoted(key.column)} = b.{quoted(key.other)}{clause}",
            values,
            f"rows that match, joined over {key.column}",
        )
    return None


def _looked_up(
    parsed: ParsedQuestion, one: Linked, linked: Sequence[Linked], operations: re.Pattern[str]
) -> TableSelect | None:
    """Show what the table a key leads to says of the row that the question names; not of which it is most."""
    if _RANKS.search(parsed.question.lower()):
        return None
    for other in linked:
        key = key_between(one.card, other.card.name)
        if key is None or other.conditions:
            continue
        left = _open(parsed, one, operations)
        about_both = other.subject | one.subject | {w.key for w in words_of(other.card.document)}
        shared = [w for w in left if is_said(w.key, about_both)]
        columns = [c for c in other.columns if c.name not in (key.other,)]
        sought = [w for w in focus(parsed) if w in left][:1]
        about = [w for w in sought if is_said(w.key, other.subject - one.subject)]
        if not about or len(left) - len(shared) > 1 + len(columns):
            continue
        names = names_of(other.card) if not columns else ", ".join(f"b.{quoted(c.name)}" for c in columns[:3])
        if not names:
            continue
        clause, values = where(one.conditions, "a")
        return TableSelect(
            f"SELECT DISTINCT {names} FROM {quoted(one.card.name)} a JOIN {quoted(other.card.name)} b "
            f"ON a.{quoted(key.column)} = b.{quoted(key.other)}{clause} LIMIT {MAX_LISTED_ROWS + 1}",
            values,
            f"joined over {key.column}",
        )
    return None


def key_between(card: TableCard, table: str) -> KeyCard | None:
    """Return the key of a table to another: that of the same name, else the only one.

    Small numbers stand in many columns: values alone would join what has nothing to do with each other.
    """
    keys = [key for key in card.keys if key.table == table]
    same = [key for key in keys if key.column.casefold() == key.other.casefold()]
    return same[0] if same else keys[0] if len(keys) == 1 else None


def names_of(card: TableCard) -> str:
    """Return the SQL of what a row is called: first and last name as one, else its columns of names, else its
    only column of texts."""
    texts = [column for column in card.columns if column.type == "text"]
    named = [column for column in texts if re.search(r"name|title|名", column.name, re.IGNORECASE)]
    named = named or (texts if len(texts) == 1 else [])
    first = next((c for c in named if re.search(r"first|given", c.name, re.IGNORECASE)), None)
    last = next((c for c in named if re.search(r"last|family|sur", c.name, re.IGNORECASE)), None)
    if first is not None and last is not None:
        return f"concat_ws(' ', b.{quoted(first.name)}, b.{quoted(last.name)}) AS {quoted(card.title)}"
    return ", ".join(f"b.{quoted(c.name)}" for c in named[:2])
