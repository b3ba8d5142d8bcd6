"""The grids that level and upright lines form, by pdfplumber's algorithm."""

from collections.abc import Sequence
from typing import Any, NamedTuple

_TOUCH = 3.0  # points: pdfplumber's tolerances for snapping, joining and crossing
_SHORTEST = 3.0
_DOT = 1.0  # points; shorter pieces are no lines
Cell = tuple[float, float, float, float]  # x0, y0, x1, y1


class Edge(NamedTuple):
    """A level or upright line, in points from the top left of the page as displayed."""

    x0: float
    y0: float
    x1: float
    y1: float


class Grid(NamedTuple):
    """Cells that touch: their areas row by row, None where a cell goes on from its neighbour."""

    rows: list[list[Cell | None]]
    cells: list[Cell]
    bbox: Cell


def grids_of(edges: Sequence[Edge]) -> list[Grid]:
    """Return the grids of two cells and more, from the top of the page down."""
    from pdfplumber.table import (
        Table,
        cells_to_tables,
        edges_to_intersections,
        intersections_to_cells,
        merge_edges,
    )
    from pdfplumber.utils.geometry import filter_edges

    drawn = [_described(edge) for edge in edges if max(edge.x1 - edge.x0, edge.y1 - edge.y0) >= _DOT]
    joined = filter_edges(merge_edges(drawn, _TOUCH, _TOUCH, _TOUCH, _TOUCH), min_length=_SHORTEST)
    cells = intersections_to_cells(edges_to_intersections(joined, _TOUCH, _TOUCH))
    tables = [Table(None, group) for group in cells_to_tables(cells)]  # type: ignore[arg-type]
    return [Grid([list(row.cells) for row in table.rows], table.cells, table.bbox) for table in tables]


def _described(edge: Edge) -> dict[str, Any]:
    """Return a line as pdfplumber writes one."""
    return {
        "object_type": "line",
        "orientation": "h" if edge.y1 - edge.y0 <= edge.x1 - edge.x0 else "v",
        "x0": edge.x0,
        "x1": edge.x1,
        "top": edge.y0,
        "bottom": edge.y1,
        "doctop": edge.y0,
        "width": edge.x1 - edge.x0,
        "height": edge.y1 - edge.y0,
    }
