"""Rows as DuckDB takes them: columns of one type each, under names that differ."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

from core.domain import Cell, Column, TableData

ROW = "_row"  # 0-based number of a row in its table, so that a query can cite it

ARROW: dict[str, Any] = {
    "text": pa.string(),
    "integer": pa.int64(),
    "real": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
}


def _truth(cell: Cell) -> bool:
    if isinstance(cell, bool):
        return cell
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[str(cell).lower()]


def _whole(cell: Cell) -> int:
    number = int(cell) if isinstance(cell, int | str) else int(float(cell or 0))
    if (isinstance(cell, float) and number != cell) or abs(number) >= 1 << 63:
        raise ValueError(cell)
    return number


VALUE_READERS: dict[str, Callable[[Any], Any]] = {
    "text": str,
    "integer": _whole,
    "real": float,
    "boolean": _truth,
    "date": lambda cell: date.fromisoformat(str(cell)[:10]),
    "datetime": lambda cell: datetime.fromisoformat(str(cell)).replace(tzinfo=None),
}


def _typed(column: Column, cells: Sequence[Cell]) -> tuple[Column, Any]:
    """Return the column with its cells; as text where a cell does not fit the type, so none is lost."""
    if column.type != "text":
        try:
            read = VALUE_READERS[column.type]
            values = [None if cell is None else read(cell) for cell in cells]
            return column, pa.array(values, ARROW[column.type])
        except (ValueError, TypeError, KeyError, OverflowError, pa.ArrowException):
            column = column.model_copy(update={"type": "text"})
    return column, pa.array([None if cell is None else _text(cell) for cell in cells], pa.string())


def _text(cell: Cell) -> str:
    return str(cell).encode("utf-8", "replace").decode("utf-8")


def _different(columns: Sequence[Column]) -> list[Column]:
    """Return the columns with names that differ in more than case, none empty."""
    used = {ROW}
    named: list[Column] = []
    for place, column in enumerate(columns, start=1):
        base = column.name.replace("\0", "").strip() or f"column {place}"
        name, times = base, 1
        while name.casefold() in used:
            times += 1
            name = f"{base} {times}"
        used.add(name.casefold())
        named.append(column if name == column.name else column.model_copy(update={"name": name}))
    return named


def frame_of(data: TableData) -> tuple[tuple[Column, ...], Any]:
    """Return the columns as they are stored, and the rows with their numbers."""
    width = len(data.columns)
    rows = [tuple(row[:width]) + (None,) * (width - len(row)) for row in data.rows]
    cells = list(zip(*rows, strict=True)) or [() for _ in range(width)]
    typed = [_typed(column, cells[i]) for i, column in enumerate(_different(data.columns))]
    names = [ROW, *(column.name for column, _ in typed)]
    arrays = [pa.array(range(len(rows)), pa.int64()), *(array for _, array in typed)]
    return tuple(column for column, _ in typed), pa.table(arrays, names=names)
