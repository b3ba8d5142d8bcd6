"""Notes under a table of a sheet: they explain its marks and are no rows of it."""

import re
from collections.abc import Sequence

from core.domain import Cell
from core.ingest.parsers.office.sheet_areas import Grid
from core.ingest.parsers.raw_tables import is_figure

_MARK = re.compile(r"^(?:\((?:[a-z]|\d{1,2}|[ivx]{1,4}|\*{1,3})\)|[a-z\d]{1,2}\)|[*∗†‡§¶¹²³⁴-⁹]{1,3})\s*\S")
_NAMED = re.compile(r"^[^\W\d_]+\s*[:：]\s*\S")  # "Source: Eurostat"
_MIN_NAMED_ROWS_SHARE = 0.7  # share of the rows above whose first cell says what they are
_MAX_REMARK_CELLS_SHARE = 0.4  # share of a row's cells that a line of remarks fills at most
_MIN_SENTENCE_CHARACTERS = 40  # characters of a remark that ends as a sentence does


def without_notes(rows: Grid) -> tuple[Grid, list[str]]:
    """Return the rows of a table, and the notes that stand below them, from the top.

    A note is a text alone in its row: with a mark, named by a word and a colon, or a sentence. Below it come
    only notes, above it rows of several cells. Texts scattered over several last rows are one note.
    """
    end = _strewn(rows)
    notes = [" ".join(dict.fromkeys(_texts(row))) for row in rows[end:]]
    while end > 2 and (note := _note(rows[end - 1])):
        notes.insert(0, note)
        end -= 1
    several = sum(len(_filled(row)) > 1 for row in rows[:end])
    return (rows[:end], notes) if 2 * several > end else (rows, [])


def _strewn(rows: Grid) -> int:
    """Return the index from which remarks are scattered over the last rows, the number of rows for none.

    Such rows hold no figure and few cells. The first of them leaves the first column empty, as hardly any row
    above does; a row with a name only may be one without figures.
    """
    start = len(rows)
    while start > 2 and _is_sparse(rows[start - 1]):
        start -= 1
    first = next((at for at in range(start, len(rows)) if rows[at][0] in (None, "")), len(rows))
    named = sum(row[0] not in (None, "") for row in rows[:first]) >= _MIN_NAMED_ROWS_SHARE * first
    return first if named and len(rows) - first > 1 else len(rows)


def _is_sparse(row: Sequence[Cell]) -> bool:
    texts = _filled(row)
    return len(texts) <= _MAX_REMARK_CELLS_SHARE * len(row) and not any(map(is_figure, texts))


def _filled(row: Sequence[Cell]) -> set[str]:
    return set(_texts(row))


def _texts(row: Sequence[Cell]) -> list[str]:
    return [str(cell).strip() for cell in row if cell not in (None, "")]


def _note(row: Sequence[Cell]) -> str:
    """Return what a row says that is a note, "" for any other."""
    filled = _filled(row)
    if len(filled) != 1 or len(row) < 2 or row[0] in (None, "") or is_figure(row[0]):
        return ""
    text = filled.pop()
    sentence = len(text) >= _MIN_SENTENCE_CHARACTERS and text.endswith((".", "。"))
    return text if sentence or (" " in text and _MARK.match(text)) or _NAMED.match(text) else ""
