"""The rows of an OpenDocument table: what is repeated is repeated, within limits that are said."""

from typing import TYPE_CHECKING

from core.domain import Cell
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.sheet_areas import Merge
from core.ingest.parsers.opendocument.opendocument_words import words
from core.ingest.parsers.xml_namespaces import ODF_OFFICE, ODF_TABLE, ODF_TEXT

if TYPE_CHECKING:
    from lxml.etree import _Element

_MOST_REPEATS = 500  # times a row is read that the file repeats
_MOST_COLUMNS = 2000


def rows_of(draft: Draft, table: "_Element", title: str) -> list[list[Cell]]:
    """Return the rows of a table called `title`; the draft says what of it was left out."""
    rows: list[list[Cell]] = []
    left_rows = left_cells = 0
    for row in table.iter(ODF_TABLE + "table-row"):
        cells, beyond = _cells(row)
        times = _repeated(row, "rows") if cells else 1
        read = min(times, _MOST_REPEATS)
        rows += [cells] * read
        left_rows += times - read
        left_cells += beyond * read
    if left_rows:
        draft.skipped.append(
            f"{title}: {left_rows:,} rows were left out: a repeated row is read {_MOST_REPEATS:,} times."
        )
    if left_cells:
        draft.skipped.append(f"{title}: {left_cells:,} cells beyond column {_MOST_COLUMNS:,} were left out.")
    return rows


def merges_of(table: "_Element") -> list[Merge]:
    """Return the merged areas of a sheet, rows counted as `rows_of` returns them."""
    merges: list[Merge] = []
    y = 0
    for row in table.iter(ODF_TABLE + "table-row"):
        x, filled = 0, False
        for cell in row:
            if not str(cell.tag).endswith("table-cell"):
                continue
            wide = int(cell.get(ODF_TABLE + "number-columns-spanned") or 1)
            high = int(cell.get(ODF_TABLE + "number-rows-spanned") or 1)
            filled = filled or _value(cell) is not None
            if (wide, high) != (1, 1):
                merges.append(Merge(y, x, y + high - 1, x + wide - 1))
            x += _repeated(cell, "columns")
        y += min(_repeated(row, "rows") if filled else 1, _MOST_REPEATS)
    return merges


def _cells(row: "_Element") -> tuple[list[Cell], int]:
    """Return the cells of a row up to its last filled one, and how many filled ones lie beyond the limit."""
    cells: list[Cell] = []
    blank = beyond = 0
    for cell in row:
        if not str(cell.tag).endswith("table-cell"):
            continue
        times, value = _repeated(cell, "columns"), _value(cell)
        if value is None:
            blank += times
            continue
        cells += [None] * min(blank, _MOST_COLUMNS - len(cells))
        read = min(times, _MOST_COLUMNS - len(cells))
        cells += [value] * read
        blank, beyond = 0, beyond + times - read
    return cells, beyond


def _repeated(element: "_Element", what: str) -> int:
    return max(0, int(element.get(f"{ODF_TABLE}number-{what}-repeated") or 1))


def _value(cell: "_Element") -> Cell:
    kind = cell.get(ODF_OFFICE + "value-type")
    number = cell.get(ODF_OFFICE + "value")
    shown = "\n".join(words(p) for p in cell.findall(ODF_TEXT + "p"))
    if kind == "percentage" and number:
        return f"{round(float(number) * 100, 10):g}%"
    if kind in ("float", "currency") and number:
        value = float(number)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if kind == "date":
        return str(cell.get(ODF_OFFICE + "date-value") or shown).replace("T", " ")
    if kind == "boolean":
        return str(cell.get(ODF_OFFICE + "boolean-value")) == "true"
    return shown or None
