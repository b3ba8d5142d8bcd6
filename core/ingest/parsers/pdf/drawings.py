"""What is drawn on a page besides its text: paths and pictures, those inside forms included."""

import ctypes
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from core.ingest.parsers.pdf.tables.grids import RulingLine

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

PATH, IMAGE = 2, 3
_FORM_OBJECT = 5
_MAX_FORM_DEPTH = 3  # forms within forms
_MAX_LEAN_POINTS = 0.05  # points a line may lean
_MIN_WHITE = 240  # of 255
_Point = tuple[float, float]
Place = Callable[[float, float], _Point]


class Matrix(NamedTuple):
    """A transformation matrix between two coordinate spaces (ISO 32000-1, section 8.3.3)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def point(self, x: float, y: float) -> _Point:
        """Return the transformed point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def then(self, other: "Matrix") -> "Matrix":
        """Return this transformation followed by another."""
        return Matrix(
            self.a * other.a + self.b * other.c,
            self.a * other.b + self.b * other.d,
            self.c * other.a + self.d * other.c,
            self.c * other.b + self.d * other.d,
            *other.point(self.e, self.f),
        )


_STAYS = Matrix()


class Drawn(NamedTuple):
    """A path or a picture of pdfium's; `form` leads from the space it is drawn in to user space."""

    raw: Any
    kind: int
    form: Matrix = _STAYS

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top in user space."""
        import pypdfium2.raw as pdfium

        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        pdfium.FPDFPageObj_GetBounds(self.raw, left, bottom, right, top)
        x0, y0, x1, y1 = left.value, bottom.value, right.value, top.value
        if self.form is _STAYS:
            return x0, y0, x1, y1
        corners = [self.form.point(x, y) for x in (x0, x1) for y in (y0, y1)]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def segments(self) -> Iterator[tuple[_Point, _Point]]:
        """Yield the straight pieces of a path in user space, those that close it included."""
        import pypdfium2.raw as pdfium

        way = _matrix_of(self.raw).then(self.form)
        x, y = ctypes.c_float(), ctypes.c_float()
        begun = before = way.point(0.0, 0.0)
        for index in range(pdfium.FPDFPath_CountSegments(self.raw)):
            segment = pdfium.FPDFPath_GetPathSegment(self.raw, index)
            pdfium.FPDFPathSegment_GetPoint(segment, x, y)
            point, kind = way.point(x.value, y.value), pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                begun = point
            elif kind == pdfium.FPDF_SEGMENT_LINETO:
                yield before, point
            before = point
            if pdfium.FPDFPathSegment_GetClose(segment) and before != begun:
                yield before, begun
                before = begun

    def is_outline(self) -> bool:
        """Say whether a path is drawn as a line around nothing, or around white."""
        import pypdfium2.raw as pdfium

        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(self.raw, fill, stroke)
        if not stroke.value or not fill.value:
            return bool(stroke.value)
        colours = [ctypes.c_uint() for _ in range(4)]
        pdfium.FPDFPageObj_GetFillColor(self.raw, *colours)
        return min(colour.value for colour in colours[:3]) >= _MIN_WHITE

    def leans(self) -> bool:
        """Say whether a straight segment is neither horizontal nor vertical."""
        return any(abs(x0 - x1) > 1 and abs(y0 - y1) > 1 for (x0, y0), (x1, y1) in self.segments())


def edges_of(paths: Iterable[Drawn], place: Place) -> tuple[RulingLine, ...]:
    """Return the level and upright lines; `place` maps user space to the page as displayed."""
    return tuple(
        RulingLine(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        for path in paths
        for first, last in path.segments()
        for (x0, y0), (x1, y1) in ((place(*first), place(*last)),)
        if abs(x0 - x1) <= _MAX_LEAN_POINTS or abs(y0 - y1) <= _MAX_LEAN_POINTS
    )


def drawn_on(page: "PdfPage") -> Iterator[Drawn]:
    """Yield the paths and pictures of a page in the order they are drawn."""
    import pypdfium2.raw as pdfium

    for index in range(pdfium.FPDFPage_CountObjects(page.raw)):
        yield from _drawn(pdfium.FPDFPage_GetObject(page.raw, index), _STAYS, 0)


def _drawn(raw: Any, form: Matrix, depth: int) -> Iterator[Drawn]:
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFPageObj_GetType(raw)
    if kind in (PATH, IMAGE):
        yield Drawn(raw, kind, form)
    elif kind == _FORM_OBJECT and depth < _MAX_FORM_DEPTH:
        inside = _matrix_of(raw).then(form)
        for index in range(pdfium.FPDFFormObj_CountObjects(raw)):
            yield from _drawn(pdfium.FPDFFormObj_GetObject(raw, index), inside, depth + 1)


def _matrix_of(raw: Any) -> Matrix:
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(raw, matrix)
    return Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
