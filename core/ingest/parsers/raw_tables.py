"""Raw rows become typed tables: header found, units read, types agreed per column.

A table's text is its header on the first line and one data row on each line after it.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from core.domain import Cell, Column, Location, TableData, WrittenCell
from core.ingest.parsers.cells import Kind, is_number, months_of, plain, typed
from core.ingest.parsers.header_units import has_note_marks, split_unit, unit_at_end
from core.text.codes import is_code_with_three_digits
from core.text.periods import is_year

NO_LOCATION = Location()
_MOST_ROWS, _MOST_LETTERS = 2000, 200_000  # of a table read out as text
_LONGEST_NAME = 160
_LONGEST_UNIT = 20
_UNIT_NAMES = frozenset({"unit", "units", "uom", "单位", "单 位"})
_HEADER_LOOK = 20
_MOST_HEADER_ROWS = 3  # below the first that may continue it
_MOST_ALIKE = 0.8
_RECURRING = 3  # of so many cells of a first row one may be among the values below it
_NIL = frozenset({"-", "–", "—", "--"})
_PRECISE = re.compile(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?")
_SIGNS = frozenset("-/.@$&+")  # a label does not begin with one of them


class ParsedTable(NamedTuple):
    """A typed table, and its cells read out as they were written."""

    table: TableData
    text: str


def rows_of_text(
    name: str,
    rows: Sequence[Sequence[object]],
    *,
    caption: str = "",
    location: Location = NO_LOCATION,
    header: int | None = None,
) -> ParsedTable | None:
    """Return the table that raw rows make, or None where they hold fewer than two cells.

    `header` is the number of header rows, None to find it. Ragged rows are filled up with nothing.
    """
    cells = _trimmed([[plain(value) for value in row] for row in rows])
    if sum(cell is not None for row in cells for cell in row) < 2:
        return None
    count = headers_of(cells) if header is None else min(header, len(cells))
    cells = _under_their_names(cells, count)
    names = _names(cells[:count], len(cells[0]))
    body = cells[count:]
    columns, values = [], []
    notes = has_note_marks(names)
    for index, written in enumerate(names):
        kind, column, unit = typed([row[index] for row in body])
        if kind == "integer" and not unit and (months := months_of(written, column)) is not None:
            kind, column = "date", months
        label, in_header = split_unit(written, notes=notes) if kind != "boolean" else (written, "")
        if kind in ("integer", "real") and not in_header and not unit:
            in_header = unit_at_end(written)
        columns.append((label or written, kind, in_header or unit))
        values.append(column)
    table = TableData(
        name=name,
        columns=_distinct(_with_unit_beside(columns, values)),
        rows=tuple(zip(*values, strict=True)) if body else (),
        caption=caption,
        location=location,
        written=_written_cells(body, columns, values),
    )
    return ParsedTable(table, _read_out(" | ".join(names), body))


def _written_cells(
    body: Sequence[Sequence[Cell]], columns: Sequence[tuple[str, Kind, str]], values: Sequence[Sequence[Cell]]
) -> tuple[WrittenCell, ...]:
    """Return the cells of columns of numbers that say more than their values: zeros at the end, a dash."""
    numbers = [at for at, (_, kind, _) in enumerate(columns) if kind in ("integer", "real")]
    found = []
    for y, row in enumerate(body[:_MOST_ROWS]):
        for x in numbers:
            cell_text, value = row[x], values[x][y]
            if not isinstance(cell_text, str):
                continue
            plainly = cell_text.replace("−", "-")
            if (cell_text in _NIL) if value is None else _is_precise(plainly, value):
                found.append(WrittenCell(row=y, column=x, text=cell_text if value is None else plainly))
    return tuple(found)


def _is_precise(text: str, value: Cell) -> bool:
    """Say whether a decimal number says more than its value: zeros at its end, an exponent."""
    whole = isinstance(value, float) and value.is_integer()
    return bool(_PRECISE.fullmatch(text)) and text != (f"{value:.0f}" if whole else str(value))


def _with_unit_beside(
    columns: Sequence[tuple[str, Kind, str]], values: Sequence[Sequence[Cell]]
) -> list[tuple[str, Kind, str]]:
    """Give the only column of numbers the unit that a column of its own says, the same in every row."""
    made = list(columns)
    unit_column = next((at for at, (name, *_) in enumerate(made) if name.lower() in _UNIT_NAMES), None)
    numbers = [at for at, (_, kind, _) in enumerate(made) if kind in ("integer", "real")]
    units = (
        {str(cell) for cell in values[unit_column] if cell is not None} if unit_column is not None else set()
    )
    if len(units) == 1 and len(numbers) == 1 and not made[numbers[0]][2]:
        name, kind, _ = made[numbers[0]]
        made[numbers[0]] = (name, kind, units.pop()[:_LONGEST_UNIT])
    return made


def rendered(table: TableData) -> str:
    """Return the text of a table from its typed values."""
    head = " | ".join(f"{c.name} ({c.unit})" if c.unit else c.name for c in table.columns)
    return _read_out(head, table.rows)


def _read_out(head: str, rows: Sequence[Sequence[Cell]]) -> str:
    """Return the header and as many rows as are of use as text; all of them stay in the table."""
    lines, letters = [head], len(head)
    for row in rows[:_MOST_ROWS]:
        lines.append(" | ".join(map(_written, row)))
        letters += len(lines[-1])
        if letters > _MOST_LETTERS:
            break
    return "\n".join(lines)


def rows_of_records(records: Sequence[Mapping[str, object]], most: int = 200) -> list[list[object]]:
    """Return records as rows, the first `most` of their names as the first row; the others share a cell."""
    names = list(dict.fromkeys(key for record in records for key in record))
    others = {*names[most:]}
    rows: list[list[object]] = [[*names[:most], *(["more"] if others else [])]]
    for record in records:
        row: list[object] = [record.get(name) for name in names[:most]]
        if others:
            fields = (
                f"{key}: {value}" for key, value in record.items() if key in others and value is not None
            )
            row.append("; ".join(fields) or None)
        rows.append(row)
    return rows


def headers_of(rows: Sequence[Sequence[Cell]]) -> int:
    """Return how many of the first rows are a header: none, one, or two where the first is a spanning one.

    A row of labels with nothing below it is the header of a table that is still to be filled in.
    """
    if not rows:
        return 0
    first = rows[0]
    if len(rows) > 2 and _spanning(first) and is_label_row(rows[1]):
        return 2
    if not is_label_row(first):
        return 0
    below = rows[1 : 1 + _HEADER_LOOK]
    if not below:
        return int(all(len(str(cell)) <= _LONGEST_NAME for cell in first))
    again = sum(1 for _ in takewhile(lambda row: _repeats(first, row), below[:_MOST_HEADER_ROWS]))
    return 0 if _reads_on_below(first, below[again:]) or _recurs(first, below[again:]) else 1 + again


def _repeats(first: Sequence[Cell], row: Sequence[Cell]) -> bool:
    """Say whether a row continues the header above it: the first and most of its cells say the same
    again, as cells do that were merged, and none holds a figure."""
    filled = [(above, cell) for above, cell in zip(first, row, strict=True) if cell not in (None, "")]
    again = sum(above == cell for above, cell in filled)
    merged = len(row) > 1 and row[0] == first[0] and 2 * again > len(filled)
    return merged and not any(is_figure(cell) for _, cell in filled)


def _under_their_names(rows: list[list[Cell]], count: int) -> list[list[Cell]]:
    """Put a name with nothing below it over the column beside it that has none: both stood under one cell."""
    head, body = rows[:count], rows[count:]
    if not head or not body:
        return rows
    named = [any(row[at] is not None for row in head) for at in range(len(head[0]))]
    filled = [any(row[at] is not None for row in body) for at in range(len(head[0]))]
    over: dict[int, int] = {}  # where a name goes, and whence
    for at in range(len(named)):
        beside = [to for to in (at - 1, at + 1) if 0 <= to < len(named) and to not in over]
        to = next((to for to in beside if filled[to] and not named[to]), None)
        if named[at] and not filled[at] and to is not None:
            over[to] = at
    keep = [at for at in range(len(named)) if at not in over.values()]
    names = [[row[over.get(at, at)] for at in keep] for row in head]
    return names + [[row[at] for at in keep] for row in body]


def _reads_on_below(first: Sequence[Cell], below: Sequence[Sequence[Cell]]) -> bool:
    """Say whether a row is one of those below it: it holds a decimal number or a date where they do, a cell
    begins with the sign that theirs begin with (options of a command), or most are codes as theirs are."""
    codes = 0
    for at, cell in enumerate(first):
        others = [row[at] for row in below if row[at] not in (None, "")]
        if len(others) < 2 or cell in (None, ""):
            continue
        written = str(cell)
        if is_figure(cell) and "." in written.strip(".") and all(map(is_figure, others)):
            return True
        if _is_date(cell) and all(map(_is_date, others)):
            return True
        if written[0] in _SIGNS and all(str(other)[0] == written[0] for other in others):
            return True
        like = sum(is_code_with_three_digits(str(other)) for other in others)
        codes += is_code_with_three_digits(written) and like >= _MOST_ALIKE * len(others)
    return 2 * codes > len(first)


def _recurs(first: Sequence[Cell], below: Sequence[Sequence[Cell]]) -> bool:
    """Say whether a row's cells are values: two of them or more, and a third, stand below them again."""
    filled = [at for at, cell in enumerate(first) if cell not in (None, "")]
    again = sum(any(row[at] == first[at] for row in below) for at in filled)
    return again > 1 and _RECURRING * again >= len(filled)


def is_label_row(row: Sequence[Cell]) -> bool:
    """Header cells are words, nearly all filled, and differ from each other."""
    filled = [cell for cell in row if cell not in (None, "")]
    if len(filled) < max(1, (len(row) + 1) // 2):
        return False
    if sum(str(cell).endswith((":", "：")) for cell in filled) * 2 >= len(filled):
        return False  # names beside their values, not above them
    numbers = [cell for cell in filled if not isinstance(cell, str) or is_figure(cell)]
    if len(numbers) * 4 > len(filled):
        return False
    return len({str(cell) for cell in filled}) > len(filled) // 2


def is_figure(cell: Cell) -> bool:
    """Say whether a cell holds a number; a year written as text may be a label."""
    if isinstance(cell, str):
        return is_number(cell) and not is_year(cell)
    return cell is not None and not isinstance(cell, bool)


def _is_date(cell: Cell) -> bool:
    return not is_figure(cell) and typed([cell])[0] in ("date", "datetime")


def _spanning(row: Sequence[Cell]) -> bool:
    """A first header row repeats its labels over several columns (merged cells are filled by parsers)."""
    filled = [cell for cell in row if cell not in (None, "")]
    return len(filled) >= 2 and 1 < len(set(filled)) < len(filled) and all(isinstance(c, str) for c in filled)


def _trimmed(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Drop rows and columns without any cell, and make all rows equally long."""
    rows = [[None if cell == "" else cell for cell in row] for row in rows]
    rows = [row for row in rows if any(cell is not None for cell in row)]
    width = max((len(row) for row in rows), default=0)
    rows = [row + [None] * (width - len(row)) for row in rows]
    keep = [i for i in range(width) if any(row[i] is not None for row in rows)]
    return [[row[i] for i in keep] for row in rows]


def _names(header: Sequence[Sequence[Cell]], width: int) -> list[str]:
    names = []
    for index in range(width):
        parts = dict.fromkeys(str(row[index]) for row in header if row[index] is not None)
        names.append(" ".join(parts) or f"column {index + 1}")
    return names


def _distinct(columns: Sequence[tuple[str, Kind, str]]) -> tuple[Column, ...]:
    seen: dict[str, int] = {}
    made = []
    for name, kind, unit in columns:
        label = name[:_LONGEST_NAME]
        seen[label.lower()] = seen.get(label.lower(), 0) + 1
        if seen[label.lower()] > 1:
            label = f"{label} {seen[label.lower()]}"
        made.append(Column(name=label, type=kind, unit=unit))
    return tuple(made)


def _written(cell: Cell) -> str:
    return "" if cell is None else str(cell)
