"""What the rows of a table say: the thing a row is about, the column's name, the name in its cell.

Only names are related: codes, and words with a capital or of Chinese letters. A column of remarks, states or
measures relates nothing, and so does a table whose first column does not name each row once. The fields of a
form say something of the document they are in.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.domain import Cell, Chunk, Table
from core.text.periods import find_dates
from core.text.tokens import is_cjk
from core.text.word_lists import word_list

Rows = Sequence[Sequence[Cell]]
_MAX_NAME_CHARACTERS, _MAX_NAME_WORDS = 60, 6
_MAX_RELATIONS = 400  # relations of a table
_MIN_NAMES_SHARE = 0.8  # of the cells of a column are names
_MIN_FILLED_SHARE = 0.5
FIELD_HEADER = ("field", "value")  # of the table that a form's fields are read as
_MADE_UP = re.compile(r"column \d+(?: \d+)?")
_NOT_A_NAME = re.compile(
    r"[!?;:=<>|]\s|(?<!\b[A-Z])(?<!\b[A-Z][a-z])\.\s|[.!?;]$|^[^\w(\"“]|\d[\d.,]*\s?[%°$€]|\d{4}-\d\d-\d\d|@|://"
)
_NUMBER = re.compile(r"[\d\s.,:/()%+–-]+")
_NO_RELATION = word_list("names", "no_relation")
_NOTHING = re.compile(r"(?:none|not|unknown)\b", re.IGNORECASE)
_STATES = word_list("names", "state")


class RowRelation(NamedTuple):
    """A relation read from one row; the kinds of `subject` and `object` come from their columns."""

    row: int
    subject: str
    predicate: str
    object: str
    kind: str


def relations_of_rows(table: Table, rows: Rows) -> list[RowRelation]:
    """Return what the rows of a table say about the things its first column names."""
    columns = [[_text(row[at]) for row in rows] for at in range(len(table.columns))]
    if len(rows) < 2 or len(columns) < 2 or not _names_rows(table.columns[0].name, columns[0]):
        return []
    return [*_stated(table, columns)][:_MAX_RELATIONS]


def relations_of_fields(table: Table, rows: Rows, document: str) -> list[RowRelation]:
    """Return what the fields of a form say of the `document` they are in, called by its file: its title may
    be somebody's name."""
    if len(table.columns) != 2 or len(rows) < 2:
        return []
    pairs = [(_text(label), _text(value)) for label, value in rows]
    colons = sum(label.endswith((":", "：")) for label, _ in pairs)
    written = tuple(_plain(column.name) for column in table.columns) == FIELD_HEADER
    if not written and colons < _MIN_NAMES_SHARE * len(pairs):
        return []
    fields = [(row, _plain(label).rstrip("："), value) for row, (label, value) in enumerate(pairs)]
    return [
        RowRelation(row, document, label, value, "document")
        for row, label, value in fields
        if _is_label(label) and _is_name(value)
    ]


def _stated(table: Table, columns: Sequence[Sequence[str]]) -> Iterator[RowRelation]:
    kind = _kind(table.columns[0].name)
    for column, cells in zip(table.columns[1:], columns[1:], strict=True):
        if column.type != "text" or not _relates(column.name, cells):
            continue
        for row, (subject, thing) in enumerate(zip(columns[0], cells, strict=True)):
            if _is_name(thing) and thing != subject:
                yield RowRelation(row, subject, _plain(column.name), thing, kind)


def shown_in(chunks: Sequence[Chunk], table: Table) -> dict[int, Chunk]:
    """Return the chunk that shows a row of a table, for each row that one shows."""
    first = table.location.rows[0] if table.location.rows else 0
    found: dict[int, Chunk] = {}
    for chunk in chunks:
        if chunk.table_id == table.id and chunk.location.rows is not None:
            top, bottom = chunk.location.rows
            found |= {row - first: chunk for row in range(top, bottom + 1)}
    return found


def _text(cell: Cell) -> str:
    return " ".join(str(cell).split()) if isinstance(cell, str) else ""


def _plain(header: str) -> str:
    return " ".join(header.split()).lower().rstrip(" :.#")


def _kind(header: str) -> str:
    """Return what a first column's header says its things are; "name" says nothing."""
    plain = _plain(header)
    return "thing" if plain in _NO_RELATION else plain


def _names_rows(header: str, cells: Sequence[str]) -> bool:
    """Say whether a column names each row, and each by a name of its own."""
    named = sum(map(_is_name, cells)) >= _MIN_NAMES_SHARE * len(cells)
    return named and all(cells) and len(set(cells)) == len(cells) and not _MADE_UP.fullmatch(header)


def _relates(header: str, cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    if not _is_label(header):
        return False
    if _plain(header) in map(_plain, cells):
        return False  # a row that was mistaken for the header
    enough = len(filled) >= _MIN_FILLED_SHARE * len(cells)
    return enough and sum(map(_is_name, filled)) >= _MIN_NAMES_SHARE * len(filled)


def _is_label(header: str) -> bool:
    words = _plain(header).split()
    named = bool(words) and len(words) <= 4 and not any(char.isdigit() for char in header)
    return named and words[-1] not in _NO_RELATION


def _is_name(text: str) -> bool:
    if (
        not 2 <= len(text) <= _MAX_NAME_CHARACTERS
        or len(text.split()) > _MAX_NAME_WORDS
        or text.lower() in _STATES
    ):
        return False
    if (
        _NOTHING.match(text)
        or _NOT_A_NAME.search(text)
        or _NUMBER.fullmatch(text)
        or (0, len(text)) in find_dates(text)
    ):
        return False
    return is_cjk(text) or any(char.isupper() for char in text)
