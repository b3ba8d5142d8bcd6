"""The grids that level and upright lines form, by pdfplumber's algorithm."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

_SNAP_POINTS = 3.0  # points: pdfplumber's tolerances for snapping, joining and crossing
_MIN_EDGE_POINTS = 3.0
_MIN_RULE_POINTS = 60.0  # points: the least length of a line that parts rows by itself
_MIN_DRAWN_SHARE = 0.9  # of a side; more of it need not be there
_MIN_OPEN_SIDE_POINTS = 8.0  # points: the least length of a side that is left open
_MOST_CLOSED = 400  # edges of a page; more of them are looked at as they are
_MIN_PIECE_POINTS = 1.0  # points; shorter pieces are no lines
Cell = tuple[float, float, float, float]  # x0, y0, x1, y1


class RulingLine(NamedTuple):
    """A level or upright line, in points from the top left of the page as displayed."""

    x0: float
    y0: float
    x1: float
    y1: float


class RuledGrid(NamedTuple):
    """Cells that touch: their areas row by row, None where a cell continues its neighbour."""

    rows: list[list[Cell | None]]
    cells: list[Cell]
    bbox: Cell


def grids_of(edges: Sequence[RulingLine]) -> list[RuledGrid]:
    """Return the grids of two cells and more, from the top of the page down."""
    from pdfplumber.table import (
        Table,
        cells_to_tables,
        edges_to_intersections,
        intersections_to_cells,
        merge_edges,
    )
    from pdfplumber.utils.geometry import filter_edges

    drawn = [
        _described(edge)
        for edge in closed(edges)
        if max(edge.x1 - edge.x0, edge.y1 - edge.y0) >= _MIN_PIECE_POINTS
    ]
    joined = filter_edges(
        merge_edges(drawn, _SNAP_POINTS, _SNAP_POINTS, _SNAP_POINTS, _SNAP_POINTS),
        min_length=_MIN_EDGE_POINTS,
    )
    cells = intersections_to_cells(edges_to_intersections(joined, _SNAP_POINTS, _SNAP_POINTS))
    tables = [Table(None, group) for group in cells_to_tables(cells)]  # type: ignore[arg-type]
    return [RuledGrid([list(row.cells) for row in table.rows], table.cells, table.bbox) for table in tables]


def level_lines(edges: Sequence[RulingLine]) -> list[RulingLine]:
    """Return the level lines from the top, pieces of one line joined, what is short left out."""
    from pdfplumber.table import merge_edges

    drawn = [_described(edge) for edge in edges if _is_level(edge) and _length(edge) >= _MIN_PIECE_POINTS]
    joined = merge_edges(drawn, _SNAP_POINTS, _SNAP_POINTS, _SNAP_POINTS, _SNAP_POINTS)
    found = [RulingLine(each["x0"], each["top"], each["x1"], each["bottom"]) for each in joined]
    return sorted((edge for edge in found if _length(edge) >= _MIN_RULE_POINTS), key=lambda edge: edge.y0)


def closed(edges: Sequence[RulingLine]) -> list[RulingLine]:
    """Return the edges with the sides added that a table leaves open.

    A side is open where two or more lines of one table end at the same place and no line runs there: lines
    belong together that cross.
    """
    made = [*edges]
    if len(edges) > _MOST_CLOSED:
        return made
    for group in _crossing([edge for edge in edges if _length(edge) >= _MIN_OPEN_SIDE_POINTS]):
        level = [edge for edge in group if _is_level(edge)]
        upright = [edge for edge in group if not _is_level(edge)]
        across = [(edge.y0, edge.x0, edge.x1) for edge in level]
        down = [(edge.x0, edge.y0, edge.y1) for edge in upright]
        for at, outer in ((0, min), (2, max)):
            made += _side([(edge[at], edge.y0) for edge in level], down, outer, upright=True)
        for at, outer in ((1, min), (3, max)):
            made += _side([(edge[at], edge.x0) for edge in upright], across, outer, upright=False)
    return made


def _side(
    ends: Sequence[tuple[float, float]],
    drawn: Sequence[tuple[float, float, float]],
    outer: Callable[[Iterable[float]], float],
    *,
    upright: bool,
) -> list[RulingLine]:
    """Return the side that the outermost ends of lines leave open, none where it is drawn or they differ."""
    if not ends:
        return []
    at = outer(end for end, _ in ends)
    places = [place for end, place in ends if abs(end - at) <= _SNAP_POINTS]
    first, last = min(places), max(places)
    there = sum(
        max(0.0, min(last, y1) - max(first, y0)) for line, y0, y1 in drawn if abs(line - at) <= _SNAP_POINTS
    )
    if last - first < _MIN_OPEN_SIDE_POINTS or there > _MIN_DRAWN_SHARE * (last - first):
        return []
    return [RulingLine(at, first, at, last) if upright else RulingLine(first, at, last, at)]


def _crossing(edges: Sequence[RulingLine]) -> list[list[RulingLine]]:
    """Group edges that meet, directly or through others."""
    groups: list[list[RulingLine]] = []
    for edge in edges:
        met = [group for group in groups if any(_meet(edge, other) for other in group)]
        groups = [group for group in groups if not any(group is each for each in met)]
        groups.append([edge, *(other for group in met for other in group)])
    return [group for group in groups if len(group) > 2]


def _meet(one: RulingLine, other: RulingLine) -> bool:
    return (
        max(one.x0, other.x0) - min(one.x1, other.x1) <= _SNAP_POINTS
        and max(one.y0, other.y0) - min(one.y1, other.y1) <= _SNAP_POINTS
    )


def _length(edge: RulingLine) -> float:
    return max(edge.x1 - edge.x0, edge.y1 - edge.y0)


def _is_level(edge: RulingLine) -> bool:
    return edge.y1 - edge.y0 <= edge.x1 - edge.x0


def _described(edge: RulingLine) -> dict[str, Any]:
    """Return a line as pdfplumber writes one."""
    return {
        "object_type": "line",
        "orientation": "h" if _is_level(edge) else "v",
        "x0": edge.x0,
        "x1": edge.x1,
        "top": edge.y0,
        "bottom": edge.y1,
        "doctop": edge.y0,
        "width": edge.x1 - edge.x0,
        "height": edge.y1 - edge.y0,
    }
