"""The figures of a PDF: where they stand, and their pictures for a model that sees.

A picture is cut out of the page as it is displayed, with what is drawn and written over it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.domain import Location, Picture
from core.ingest.parsers.media.ocr import shown
from core.ingest.parsers.pdf.headings import is_caption
from core.ingest.parsers.pdf.lines import PageLine, box_of
from core.ingest.parsers.pdf.page import Area, Page

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MAX_PIECE_GAP_POINTS = 10.0  # points; pieces no further apart are one figure
_MAX_CAPTION_DISTANCE = 0.15  # of the height: how far a caption may stand from its figure
_MIN_DRAWING_SHARE = 0.02  # of the page, for a drawing
_MAX_LABEL_WIDTH_SHARE = 0.5  # of a drawing's width: no longer is what is written on it
_SCALE = re.compile(r"[-−+]?\d[\d.,]*%?(?:\s+[-−+]?\d[\d.,]*%?)+")
_BACKGROUND_SHARE = 0.85  # of the page: a larger picture is the background of its words
_PATHS, _SEVERAL = 6, 4  # paths of a drawing, labels on it
_MIN_SIDE_POINTS = 24.0  # points a side; smaller pictures are ornaments
_FURNITURE_PAGES = 3  # pages with a picture in the same place
_MAX_SIDE_PIXELS = 896  # pixels
_PIXELS_PER_POINT = 200 / 72  # pixels a point


class Figure(NamedTuple):
    """A figure; `block` is the index of the block its caption makes, None where it has no caption."""

    page: int
    area: Area
    caption: str = ""
    block: int | None = None


def figure_at(
    page: Page, caption: PageLine, lines: Sequence[PageLine], tables: Sequence[Area]
) -> Area | None:
    """Return what a caption belongs to: the nearest picture above or below it, or else drawing."""
    picture = _nearest(page, caption, _pictures(page))
    if picture is not None:
        return picture
    drawing = _nearest(page, caption, _drawings(page, tables))
    return _labelled(drawing, lines) if drawing is not None else None


def labels_on(page: Page, lines: Sequence[PageLine], tables: Sequence[Area]) -> list[PageLine]:
    """Return the lines that are labels of the page's drawings: several short ones and no other in it."""
    found: list[PageLine] = []
    for drawing in _drawings(page, tables):
        if sum(area.is_near(drawing) for area in page.drawn) < _PATHS:
            continue  # a frame around text
        whole = _labelled(drawing, lines)
        inside = [line for line in lines if whole.is_near(Area(line.x0, line.y0, line.x1, line.y1))]
        short = all(line.table is None and not line.picture and _is_label(line, drawing) for line in inside)
        if short and len(inside) >= _SEVERAL:
            found += inside
    return found


def is_written_on(figure: Area, lines: Sequence[PageLine]) -> bool:
    """Say whether lines are words on a figure, as those of its axes, not running text."""
    return all(
        _is_label(line, figure) and figure.is_near(Area(line.x0, line.y0, line.x1, line.y1)) for line in lines
    )


def _nearest(page: Page, caption: PageLine, areas: Iterable[Area]) -> Area | None:
    near = [
        (min(abs(caption.y0 - area.y1), abs(area.y0 - caption.y1)), area)
        for area in areas
        if area.x0 < caption.x1 and area.x1 > caption.x0
    ]
    return min(near)[1] if near and min(near)[0] < _MAX_CAPTION_DISTANCE * page.height else None


def _pictures(page: Page) -> list[Area]:
    """Return the pictures of a page, each whole; one that lies under all its words is its background."""
    most = _BACKGROUND_SHARE * page.width * page.height
    return together(area for area in page.images if area.size < most or not page.words)


def _drawings(page: Page, tables: Sequence[Area]) -> list[Area]:
    """Return the drawings of a page: paths that stand together, but for frames and tables."""
    whole = page.width * page.height
    drawn = [area for area in page.drawn if area.size < 0.5 * whole]
    return [
        area
        for area in together(drawn)
        if area.size > _MIN_DRAWING_SHARE * whole and not any(area.is_near(table) for table in tables)
    ]


def _labelled(drawing: Area, lines: Sequence[PageLine]) -> Area:
    """Return a drawing with the short lines on and beside it: figures on its axes, then names."""
    labels = [
        Area(line.x0, line.y0, line.x1, line.y1)
        for line in lines
        if line.table is None and not is_caption(line) and _is_label(line, drawing)
    ]
    whole = drawing
    for _ in ("figures", "names"):
        inner = whole
        for label in labels:
            if inner.is_near(label, _MAX_PIECE_GAP_POINTS):
                whole = whole.with_(label)
    return whole


def _is_label(line: PageLine, figure: Area) -> bool:
    return line.x1 - line.x0 < _MAX_LABEL_WIDTH_SHARE * (figure.x1 - figure.x0) or bool(
        _SCALE.fullmatch(line.text)
    )


def together(areas: Iterable[Area]) -> list[Area]:
    """Return the areas with those that meet, or nearly do, made one."""
    apart = list(areas)
    while len(joined := _swept(apart)) < len(apart):
        apart = joined
    return apart


def _swept(areas: Sequence[Area]) -> list[Area]:
    """Join areas from the top of the page down; joined ones may come to meet others."""
    done: list[Area] = []
    below: list[Area] = []  # those that what follows may meet
    for area in sorted(areas, key=lambda area: area.y0):
        done += [other for other in below if other.y1 + _MAX_PIECE_GAP_POINTS < area.y0]
        below = [other for other in below if other.y1 + _MAX_PIECE_GAP_POINTS >= area.y0]
        whole = area
        for other in below:
            if area.is_near(other, _MAX_PIECE_GAP_POINTS):
                whole = whole.with_(other)
        below = [other for other in below if not area.is_near(other, _MAX_PIECE_GAP_POINTS)] + [whole]
    return done + below


def uncaptioned(pages: Sequence[Page], figures: Sequence[Figure]) -> list[Figure]:
    """Return the pictures no caption mentions, the largest first; backgrounds and logos are none."""
    found = [
        Figure(page.number, area)
        for page in pages
        for area in _pictures(page)
        if min(area.x1 - area.x0, area.y1 - area.y0) >= _MIN_SIDE_POINTS
        and not any(area.contains(word) for word in page.words)
        and not any(figure.page == page.number and figure.area.is_near(area) for figure in figures)
    ]
    often = Counter(_place(figure.area) for figure in found)
    return sorted(
        (figure for figure in found if often[_place(figure.area)] < _FURNITURE_PAGES),
        key=lambda figure: -figure.area.size,
    )


def _place(area: Area) -> tuple[int, ...]:
    return tuple(map(round, area))


def pictures_of(
    document: "PdfDocument", pages: Sequence[Page], figures: Iterable[Figure], most: int
) -> list[Picture]:
    """Return the first `most` figures, equal ones once, as a model that sees takes them; by page."""
    seen: dict[str, Picture] = {}
    for figure, picture in _cut_out(document, pages, figures):
        seen.setdefault(picture.image, picture.model_copy(update={"block": figure.block}))
        if len(seen) >= most:
            break
    return sorted(seen.values(), key=lambda picture: picture.location.page or 0)


def _cut_out(
    document: "PdfDocument", pages: Sequence[Page], figures: Iterable[Figure]
) -> Iterator[tuple[Figure, Picture]]:
    for figure in figures:
        read = pages[figure.page]
        x0, y0 = max(0.0, figure.area.x0), max(0.0, figure.area.y0)
        x1, y1 = min(read.width, figure.area.x1), min(read.height, figure.area.y1)
        if min(x1 - x0, y1 - y0) < _MIN_SIDE_POINTS:
            continue
        page = document[figure.page]
        scale = min(_PIXELS_PER_POINT, _MAX_SIDE_PIXELS / max(x1 - x0, y1 - y0))
        drawn = page.render(scale=scale, crop=(x0, read.height - y1, read.width - x1, y0)).to_pil()
        page.close()
        place = Location(page=figure.page, boxes=(box_of(figure.area, read),))
        yield figure, shown(drawn, figure.caption, place)
