"""The words of a page with box, size and weight, straight from pdfium's characters."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from core.ingest.parsers.pdf.rulings import Edge, edges_of

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
_HYPHENS = frozenset({0x2, 0xFFFE, 0xAD})
_BOLD = ("bold", "black", "heavy", "semibold", "demi", "-bd", "cmbx", "medi")
_GAP = 0.22  # of the size; a wider gap parts words
_PATHS, _IMAGE = 2, 3
_DRAWING = 1500  # paths; a page with more holds a drawing, no table
_FEWEST_RULINGS = 4  # of a table


class Word(NamedTuple):
    """A word; edges in points from the top left of the page as displayed."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    upright: bool = True

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


class Link(NamedTuple):
    """A link's target and area."""

    target: str
    x0: float
    y0: float
    x1: float
    y1: float


class Area(NamedTuple):
    """A rectangle in points from the top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, word: Word) -> bool:
        """Say whether the middle of the word lies inside."""
        return self.x0 <= (word.x0 + word.x1) / 2 <= self.x1 and self.y0 <= word.middle <= self.y1


@dataclass(frozen=True)
class Page:
    """What stands on a page, sizes in points as displayed."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    links: tuple[Link, ...]
    images: tuple[Area, ...]
    rulings: int  # straight lines and thin boxes drawn on it
    edges: tuple[Edge, ...] = ()  # their lines, where they are enough for a table


class _Frame:
    """Maps user space to points from the top left of the page as displayed, rotation undone."""

    def __init__(self, page: "PdfPage") -> None:
        self.left, self.bottom, self.right, self.top = page.get_bbox()
        self.turn = page.get_rotation() % 360
        self.width, self.height = page.get_size()

    def point(self, x: float, y: float) -> tuple[float, float]:
        if self.turn == 90:
            return y - self.bottom, x - self.left
        if self.turn == 180:
            return self.right - x, y - self.bottom
        if self.turn == 270:
            return self.top - y, self.right - x
        return x - self.left, self.top - y

    def area(self, x0: float, y0: float, x1: float, y1: float) -> Area:
        (ax, ay), (bx, by) = self.point(x0, y0), self.point(x1, y1)
        return Area(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def read_page(page: "PdfPage", number: int) -> Page:
    """Return the words, links and pictures of a page."""
    frame = _Frame(page)
    textpage = page.get_textpage()
    words = tuple(_words(textpage.raw, frame))
    textpage.close()
    images, rulings = _drawn(page, frame)
    edges = edges_of(page, frame.point) if rulings >= _FEWEST_RULINGS else ()
    return Page(number, frame.width, frame.height, words, tuple(_links(page, frame)), images, rulings, edges)


class _Glyph(NamedTuple):
    text: str
    area: Area
    size: float
    bold: bool
    angle: float


def _glyphs(text: Any, frame: _Frame) -> Iterator[_Glyph | None]:
    """Yield the characters, None for white space."""
    import pypdfium2.raw as pdfium

    box = pdfium.FS_RECTF()
    pointer = ctypes.byref(box)
    styles: dict[int, tuple[float, bool]] = {}
    high = 0
    for index in range(pdfium.FPDFText_CountChars(text)):
        code = pdfium.FPDFText_GetUnicode(text, index)
        if code in (0x20, 0xA0, 0x0D, 0x0A, 0x09, 0x0, 0x3000):
            yield None
            continue
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code, high = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD, 0
        # The loose box is as wide as the character's advance, so a narrow "1" leaves no gap beside it.
        if not pdfium.FPDFText_GetLooseCharBox(text, index, pointer):
            continue
        holder = pdfium.FPDFText_GetTextObject(text, index)
        key = ctypes.cast(holder, ctypes.c_void_p).value or 0
        if key not in styles:
            styles[key] = _style(text, index)
        size, bold = styles[key]
        letters = "-" if code in _HYPHENS else _LIGATURES.get(code) or chr(code)
        yield _Glyph(
            letters,
            frame.area(box.left, box.bottom, box.right, box.top),
            size,
            bold,
            pdfium.FPDFText_GetCharAngle(text, index),
        )


def _style(text: Any, index: int) -> tuple[float, bool]:
    """Return the size in points, scaling included, and whether the font is a bold one."""
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    scale = 1.0
    if pdfium.FPDFText_GetMatrix(text, index, ctypes.byref(matrix)):
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 or 1.0
    size = abs(pdfium.FPDFText_GetFontSize(text, index) * scale) or 1.0
    flags = ctypes.c_int()
    length = pdfium.FPDFText_GetFontInfo(text, index, None, 0, ctypes.byref(flags))
    buffer = ctypes.create_string_buffer(max(1, length))
    pdfium.FPDFText_GetFontInfo(text, index, buffer, length, ctypes.byref(flags))
    name = buffer.value.decode("utf-8", errors="replace").lower()
    heavy = pdfium.FPDFText_GetFontWeight(text, index) >= 600 or any(mark in name for mark in _BOLD)
    return round(min(size, 2000.0), 1), heavy


def _words(text: Any, frame: _Frame) -> Iterator[Word]:
    run: list[_Glyph] = []
    turn = frame.turn
    for glyph in _glyphs(text, frame):
        if glyph is None or (run and _parted(run[-1], glyph)):
            if run:
                yield _word(run, turn)
            run = []
        if glyph is not None:
            run.append(glyph)
    if run:
        yield _word(run, turn)


def _parted(before: _Glyph, after: _Glyph) -> bool:
    """Say whether two characters of the stream belong to different words."""
    size = max(before.size, after.size)
    if abs(before.angle - after.angle) > 0.1:
        return True
    if _sideways(before.angle):
        return abs(before.area.x0 - after.area.x0) > size
    overlap = min(before.area.y1, after.area.y1) - max(before.area.y0, after.area.y0)
    if overlap < -0.35 * size:
        return True
    right_to_left = after.area.x1 <= before.area.x0 + 0.3 * size
    gap = (
        before.area.x0 - after.area.x1
        if right_to_left and _is_rtl(after.text)
        else after.area.x0 - before.area.x1
    )
    return gap > _GAP * size or gap < -2.0 * size


def _is_rtl(text: str) -> bool:
    return "\u0590" <= text[:1] <= "\u08ff" or "\ufb1d" <= text[:1] <= "\ufefc"


def _sideways(angle: float) -> bool:
    return 0.3 < angle % 3.14159 < 2.84


def _word(run: list[_Glyph], turn: int) -> Word:
    area = Area(
        min(g.area.x0 for g in run),
        min(g.area.y0 for g in run),
        max(g.area.x1 for g in run),
        max(g.area.y1 for g in run),
    )
    size = max(g.size for g in run)
    bold = sum(g.bold for g in run) * 2 > len(run)
    upright = not _sideways(run[0].angle) if turn in (0, 180) else True
    letters = "".join(g.text for g in run)
    return Word(letters, *area, size, bold, upright)


def _drawn(page: "PdfPage", frame: _Frame) -> tuple[tuple[Area, ...], int]:
    """Return the pictures of some size and the number of rulings."""
    images: list[Area] = []
    rulings = paths = 0
    for drawn in page.get_objects(filter=(_PATHS, _IMAGE), max_depth=4):
        area = frame.area(*drawn.get_bounds())
        paths += drawn.type == _PATHS
        wide, high = area.x1 - area.x0, area.y1 - area.y0
        if drawn.type == _IMAGE and wide * high > 0.01 * frame.width * frame.height:
            images.append(area)
        elif (
            drawn.type == _PATHS
            and max(wide, high) > 8
            and (min(wide, high) < 3 or wide * high < 0.5 * frame.width * frame.height)
        ):
            rulings += 1
    return tuple(images), rulings if paths <= _DRAWING else 0


def _links(page: "PdfPage", frame: _Frame) -> Iterator[Link]:
    import pypdfium2.raw as pdfium

    place, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    document = page.pdf.raw if page.pdf is not None else None
    while document is not None and pdfium.FPDFLink_Enumerate(
        page.raw, ctypes.byref(place), ctypes.byref(link)
    ):
        action = pdfium.FPDFLink_GetAction(link)
        length = pdfium.FPDFAction_GetURIPath(document, action, None, 0) if action else 0
        if not length or not pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(rectangle)):
            continue
        buffer = ctypes.create_string_buffer(length)
        pdfium.FPDFAction_GetURIPath(document, action, buffer, length)
        target = buffer.value.decode("utf-8", errors="replace")
        yield Link(target, *frame.area(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top))
