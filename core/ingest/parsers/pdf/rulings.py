"""Lines drawn on a page, straight from pdfium's paths, and the grids they form, by pdfplumber's algorithm.

pdfplumber would find the same lines by reading the whole page once more in Python, its characters included.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pypdfium2 import PdfMatrix, PdfObject, PdfPage

_PATH = 2
_DEPTH = 4  # forms within forms
_STRAIGHT = 0.05  # points a line may lean
_TOUCH = 3.0  # points: pdfplumber's tolerances for snapping, joining and crossing
_SHORTEST = 3.0
Place = Callable[[float, float], tuple[float, float]]


class Edge(NamedTuple):
    """A level or upright line, in points from the top left of the page as displayed."""

    x0: float
    y0: float
    x1: float
    y1: float


def edges_of(page: "PdfPage", place: Place) -> tuple[Edge, ...]:
    """Return the level and upright lines of a page; `place` maps user space to the page as displayed."""
    return tuple(
        edge
        for drawn in page.get_objects(filter=(_PATH,), max_depth=_DEPTH)
        for edge in _of_path(drawn, place)
    )


def _of_path(drawn: "PdfObject", place: Place) -> Iterator[Edge]:
    matrix = _matrix(drawn)
    for first, last in _segments(drawn.raw):
        (x0, y0), (x1, y1) = place(*matrix.on_point(*first)), place(*matrix.on_point(*last))
        if abs(x0 - x1) <= _STRAIGHT or abs(y0 - y1) <= _STRAIGHT:
            yield Edge(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _matrix(drawn: "PdfObject") -> "PdfMatrix":
    """Return the way from a path's own space to the page, through the forms it stands in."""
    matrix, holder = drawn.get_matrix(), drawn.container
    while holder is not None:
        matrix = matrix.multiply(holder.get_matrix())
        holder = holder.container
    return matrix


def _segments(path: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield the straight pieces of a path, those that close it included."""
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_float(), ctypes.c_float()
    begun = before = (0.0, 0.0)
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        point, kind = (x.value, y.value), pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            begun = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield before, point
        before = point
        if pdfium.FPDFPathSegment_GetClose(segment) and before != begun:
            yield before, begun
            before = begun


class Grid(NamedTuple):
    """Cells that touch: their areas row by row, None where a cell goes on from its neighbour."""

    rows: list[list[tuple[float, float, float, float] | None]]
    cells: list[tuple[float, float, float, float]]
    bbox: tuple[float, float, float, float]


def grids_of(edges: Sequence[Edge]) -> list[Grid]:
    """Return the grids that lines form, each cell as (x0, y0, x1, y1)."""
    from pdfplumber.table import (
        Table,
        cells_to_tables,
        edges_to_intersections,
        intersections_to_cells,
        merge_edges,
    )
    from pdfplumber.utils.geometry import filter_edges

    drawn = [_described(edge) for edge in edges if max(edge.x1 - edge.x0, edge.y1 - edge.y0) >= 1.0]
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
