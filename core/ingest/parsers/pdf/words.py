"""The words of a page with box, size and weight, put together from pdfium's characters."""

import ctypes
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.ingest.parsers.pdf.accents import with_accents
from core.ingest.parsers.pdf.checkboxes import with_check_boxes
from core.ingest.parsers.pdf.drawings import IMAGE, Drawn, drawn_on, edges_of
from core.ingest.parsers.pdf.glyphs import Glyphs, glyphs_of
from core.ingest.parsers.pdf.hidden import shown_and_hidden
from core.ingest.parsers.pdf.korean import cut_words
from core.ingest.parsers.pdf.monospace import fixed_pitch
from core.ingest.parsers.pdf.page import Area, Page, PageLink, PageWord
from core.ingest.parsers.pdf.superscripts import with_raised

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_WORD_GAP_SIZES = 0.22  # of the size; a wider gap parts words
_MAX_TABLE_PATHS = 1500  # paths; a page with more holds a drawing, no table
_Numbers = NDArray[np.float64]  # one for each character
_Truths = NDArray[np.bool_]
_Columns = tuple[_Numbers, _Numbers, _Numbers, _Numbers]  # x0, y0, x1, y1
_Number = TypeVar("_Number", float, _Numbers)


class Frame:
    """Maps user space to points from the top left of the page as displayed, rotation undone."""

    def __init__(self, page: "PdfPage") -> None:
        self.left, self.bottom, self.right, self.top = page.get_bbox()
        self.turn = page.get_rotation() % 360
        self.width, self.height = page.get_size()

    def point(self, x: _Number, y: _Number) -> tuple[_Number, _Number]:
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

    def areas(self, x0: _Numbers, y0: _Numbers, x1: _Numbers, y1: _Numbers) -> _Columns:
        """Return the edges of many areas, each of the four a column."""
        (ax, ay), (bx, by) = self.point(x0, y0), self.point(x1, y1)
        return np.minimum(ax, bx), np.minimum(ay, by), np.maximum(ax, bx), np.maximum(ay, by)


def read_page(page: "PdfPage", number: int, mute: Collection[str] = ()) -> Page:
    """Return the words, links and pictures of a page; no word in the fonts `mute` counts as readable."""
    frame = Frame(page)
    textpage = page.get_textpage()
    found = list(_words(with_accents(glyphs_of(textpage.raw, mute)), frame))
    textpage.close()
    written = [(word, faint) for word, faint, has_unicode in found if has_unicode or _is_control(word)]
    seen, hidden = shown_and_hidden(page, [word for word, _ in written], [faint for _, faint in written])
    words = tuple(seen)
    links = tuple(_links(page, frame))
    images, paths, drawn = _drawn(page, frame)
    if len(paths) <= _MAX_TABLE_PATHS:
        words = tuple(with_check_boxes(words, paths, drawn))
    rulings = sum(_is_ruling(area, frame) for area in drawn) if len(paths) <= _MAX_TABLE_PATHS else 0
    edges = edges_of(paths, frame.point) if rulings else ()
    return Page(
        number,
        frame.width,
        frame.height,
        words,
        links,
        tuple(images),
        rulings,
        edges,
        tuple(drawn),
        hidden=tuple(hidden),
        without_unicode=sum(len(word.text) for word, _, has_unicode in found if not has_unicode),
    )


def _is_control(word: PageWord) -> bool:
    """Say whether a word is one unprintable character: it has a position and no text."""
    return len(word.text) == 1 and not word.text.isprintable()


def _words(glyphs: Glyphs, frame: Frame) -> Iterator[tuple[PageWord, bool, bool]]:
    """Yield (word, whether it is near white, whether it has Unicode) in the order written."""
    count = len(glyphs.letters)
    if not count:
        return
    size, bold, angle, faint = (np.array(each)[glyphs.style] for each in zip(*glyphs.styles, strict=True))
    areas = frame.areas(*glyphs.edges)
    begins = np.ones(count, dtype=bool)
    begins[1:] = _parted(areas, size, angle, _is_rtl(glyphs.codes))
    begins[[index for index in glyphs.breaks if index < count]] = True
    letters = with_raised(glyphs.letters, size, ~_sideways(angle), areas)
    first = np.flatnonzero(begins)
    ends = [*first.tolist(), count]
    heavy = np.add.reduceat(bold.astype(int), first) * 2 > np.diff(ends)
    upright = ~_sideways(angle[first]) if frame.turn in (0, 180) else np.full(len(first), True)
    typed = fixed_pitch(glyphs.codes, glyphs.fonts, (glyphs.edges[2] - glyphs.edges[0]) / size)
    columns = (
        *(np.minimum.reduceat(edge, first) for edge in areas[:2]),
        *(np.maximum.reduceat(edge, first) for edge in (*areas[2:], size)),
        heavy,
        upright,
        np.minimum.reduceat(typed.astype(int), first) > 0,
        np.isin(first, [*cut_words(glyphs, ends, areas)]),
        np.minimum.reduceat(faint.astype(int), first) > 0,
        np.add.reduceat(glyphs.without_unicode.astype(int), first) * 2 < np.diff(ends),
    )
    rows = zip(pairwise(ends), *(column.tolist() for column in columns), strict=True)
    for (begin, end), *row, pale, has_unicode in rows:
        yield PageWord("".join(letters[begin:end]), *row), pale, has_unicode


def _parted(areas: _Columns, size: _Numbers, angle: _Numbers, rtl: _Truths) -> _Truths:
    """Say of each character but the first whether it and the one before belong to different words."""
    x0, y0, x1, y1 = areas
    larger = np.maximum(size[:-1], size[1:])
    overlap = np.minimum(y1[:-1], y1[1:]) - np.maximum(y0[:-1], y0[1:])
    backwards = rtl[1:] & (x1[1:] <= x0[:-1] + 0.3 * larger)
    gap = np.where(backwards, x0[:-1] - x1[1:], x0[1:] - x1[:-1])
    level = (overlap < -0.35 * larger) | (gap > _WORD_GAP_SIZES * larger) | (gap < -2.0 * larger)
    steep = np.abs(x0[:-1] - x0[1:]) > larger
    turned = np.abs(angle[:-1] - angle[1:]) > 0.1
    return turned | np.where(_sideways(angle[:-1]), steep, level)


def _is_rtl(codes: NDArray[np.int64]) -> _Truths:
    return ((codes >= 0x590) & (codes <= 0x8FF)) | ((codes >= 0xFB1D) & (codes <= 0xFEFC))


def _sideways(angle: _Numbers) -> _Truths:
    turn = angle % 3.14159
    return (turn > 0.3) & (turn < 2.84)


def _drawn(page: "PdfPage", frame: Frame) -> tuple[list[Area], list[Drawn], list[Area]]:
    """Return the pictures of some size, and the paths with their areas: all of a page that is no drawing."""
    images: list[Area] = []
    paths: list[Drawn] = []
    areas: list[Area] = []
    for drawn in drawn_on(page):
        if drawn.kind == IMAGE:
            area = frame.area(*drawn.bounds())
            if area.size > 0.01 * frame.width * frame.height:
                images.append(area)
        elif len(paths) <= _MAX_TABLE_PATHS:
            paths.append(drawn)
            areas.append(frame.area(*drawn.bounds()))
    return images, paths, areas


def _is_ruling(area: Area, frame: Frame) -> bool:
    wide, high = area.x1 - area.x0, area.y1 - area.y0
    return max(wide, high) > 8 and (min(wide, high) < 3 or wide * high < 0.5 * frame.width * frame.height)


def _links(page: "PdfPage", frame: Frame) -> Iterator[PageLink]:
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
        yield PageLink(target, *frame.area(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top))
