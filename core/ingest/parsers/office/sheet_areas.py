"""The tables of a sheet: areas of filled cells, parted by empty rows and columns."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.domain import Cell
from core.ingest.parsers.cells import contains_number, is_filled
from core.ingest.parsers.raw_tables import is_figure, is_label_row

Grid = list[list[Cell]]
_MOST_HEADERS = 4  # rows of labels above the figures they stand for, an empty row between
_MIN_FILLED_SHARE = 0.6
_MIN_SPACED = 3  # rows or groups of rows, each with an empty row behind it, that are one table
_MIN_SHARED_COLUMNS = 0.8  # of those that either of two rows fills


class Merge(NamedTuple):
    """An area of a sheet, rows and columns 0-based, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


def islands(grid: Grid) -> list[Merge]:
    """Return the areas of filled cells that empty rows and columns part, in reading order.

    Labels stay with the figures they stand above, also over an empty row. What stands beside a table is a
    table of its own where it has labels of its own or begins or ends in another row.
    """
    areas: list[Merge] = []
    for top, bottom in _with_headers(grid, _spaced(grid, _bands([any(map(is_filled, row)) for row in grid]))):
        rows = grid[top : bottom + 1]
        width = max(map(len, rows), default=0)
        bands = _bands([any(x < len(row) and is_filled(row[x]) for row in rows) for x in range(width)])
        parts = [_squeezed(grid, Merge(top, left, bottom, right)) for left, right in bands]
        if len(parts) > 1 and not _side_by_side(grid, parts):
            parts = [_squeezed(grid, Merge(top, bands[0][0], bottom, bands[-1][1]))]
        areas.extend(parts)
    return areas


def once(grid: Grid, area: Merge, merges: Sequence[Merge]) -> Grid:
    """Return an area without columns and rows that only repeat merged cells, so that each text stands once.

    Labels are repeated over the columns they head; in a row of figures a text over several is said once.
    """
    inside = [each for each in merges if each.top <= area.bottom and each.left <= area.right]
    ys, xs = range(area.top, area.bottom + 1), range(area.left, area.right + 1)
    beside = {
        (y, x) for m in inside for y in _within(m.top, m.bottom, ys) for x in _within(m.left + 1, m.right, xs)
    }
    below = {
        (y, x) for m in inside for y in _within(m.top + 1, m.bottom, ys) for x in _within(m.left, m.right, xs)
    }

    def filled(y: int, x: int) -> bool:
        return x < len(grid[y]) and is_filled(grid[y][x])

    rows = [
        y
        for y in ys
        if any(filled(y, x) and (y, x) not in below for x in xs) or not any(filled(y, x) for x in xs)
    ]
    columns = [
        x
        for x in xs
        if any(filled(y, x) and (y, x) not in beside for y in rows) or not any(filled(y, x) for y in rows)
    ]
    figures = {y for y in rows if any(x < len(grid[y]) and is_figure(grid[y][x]) for x in columns)}

    def table_cell(y: int, x: int) -> Cell:
        cell = grid[y][x] if x < len(grid[y]) else None
        return None if y in figures and (y, x) in beside and isinstance(cell, str) else cell

    return [[table_cell(y, x) for x in columns] for y in rows]


def _within(first: int, last: int, of: range) -> range:
    """Return the part of an area's rows or columns that a merge reaches, however far it claims to."""
    return range(max(first, of.start), min(last + 1, of.stop))


def _bands(filled: Sequence[bool]) -> list[tuple[int, int]]:
    bands: list[tuple[int, int]] = []
    for index, full in enumerate(filled):
        if full and bands and bands[-1][1] == index - 1:
            bands[-1] = (bands[-1][0], index)
        elif full:
            bands.append((index, index))
    return bands


def _spaced(grid: Grid, bands: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the bands of rows, those joined that are one table with empty rows in it: rows of numbers in the
    same columns, one by one or in groups, and rows of text in these columns right above them."""
    joined: list[tuple[int, int]] = []
    at = 0
    while at < len(bands):
        end = at + 1
        while end < len(bands) and _continues(grid, bands[end - 1], bands[end]):
            end += 1
        top, bottom = bands[at][0], bands[end - 1][1]
        if end - at < _MIN_SPACED:
            joined.append(bands[at])
            at += 1
            continue
        if joined and top - joined[-1][1] == 2 and _names(grid, joined[-1], top):
            top = joined.pop()[0]
        joined.append((top, bottom))
        at = end
    return joined


def _continues(grid: Grid, before: tuple[int, int], band: tuple[int, int]) -> bool:
    """Say whether rows of numbers follow others in the same columns, an empty row between."""
    first, second = (_columns(grid[y]) for y in (before[1], band[0]))
    alike = len(first & second) >= _MIN_SHARED_COLUMNS * len(first | second)
    if band[0] - before[1] != 2 or len(second) <= 2 or not alike:
        return False
    return all(any(map(contains_number, row)) for row in (grid[before[1]], *grid[band[0] : band[1] + 1]))


def _names(grid: Grid, band: tuple[int, int], body: int) -> bool:
    """Say whether rows of text name the columns of the body: each of its numbers has a word above it."""
    rows = grid[band[0] : band[1] + 1]
    text = all(isinstance(cell, str) for row in rows for cell in row if is_filled(cell))
    named = {x for row in rows for x in _columns(row)}
    begins = any(map(contains_number, grid[body]))
    return begins and len(rows) <= _MOST_HEADERS and text and _columns(grid[body]) <= named


def _columns(row: Sequence[Cell]) -> set[int]:
    return {x for x, cell in enumerate(row) if is_filled(cell)}


def _with_headers(grid: Grid, bands: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the bands of rows, one of labels only joined with the figures an empty row below it."""
    pending: tuple[int, int] | None = None
    for top, bottom in bands:
        if pending is not None and top - pending[1] == 2 and _is_body(grid[top : bottom + 1]):
            yield pending[0], bottom
            pending = None
            continue
        if pending is not None:
            yield pending
        pending = (top, bottom)
        if not _is_header(grid[top : bottom + 1]):
            yield pending
            pending = None
    if pending is not None:
        yield pending


def _is_header(rows: Grid) -> bool:
    several = sum(map(is_filled, rows[-1])) > 1
    return several and len(rows) <= _MOST_HEADERS and not any(is_figure(cell) for row in rows for cell in row)


def _is_body(rows: Grid) -> bool:
    return any(map(is_figure, rows[0])) and not is_label_row(rows[0])


def _side_by_side(grid: Grid, parts: Sequence[Merge]) -> bool:
    first = parts[0]
    return all(_is_dense(grid, part) for part in parts) and all(
        (part.top, part.bottom) != (first.top, first.bottom) or _has_labels(grid, part) for part in parts[1:]
    )


def _is_dense(grid: Grid, area: Merge) -> bool:
    """Say whether an area is a table of its own: two columns and rows at least, mostly filled."""
    cells = [cell for row in grid[area.top : area.bottom + 1] for cell in row[area.left : area.right + 1]]
    enough = area.right > area.left and area.bottom > area.top
    return enough and sum(map(is_filled, cells)) >= _MIN_FILLED_SHARE * len(cells)


def _has_labels(grid: Grid, area: Merge) -> bool:
    """Say whether the first column names the rows: words, not figures, most of them different."""
    cells = [row[area.left] for row in grid[area.top + 1 : area.bottom + 1] if len(row) > area.left]
    words = [str(cell) for cell in cells if isinstance(cell, str) and cell.strip() and not is_figure(cell)]
    return 2 * len(words) > len(cells) and 2 * len(set(words)) > len(words)


def _squeezed(grid: Grid, area: Merge) -> Merge:
    """Drop the empty rows at the top and bottom of an area."""
    filled = [
        y
        for y in range(area.top, area.bottom + 1)
        if any(map(is_filled, grid[y][area.left : area.right + 1]))
    ]
    return Merge(filled[0], area.left, filled[-1], area.right) if filled else area
