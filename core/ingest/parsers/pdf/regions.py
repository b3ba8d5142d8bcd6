"""Pictures inside pages that have text: what is written in stamps, scans and screenshots, by OCR.

Only pictures large enough to hold a line of text are looked at, a few of a page and a few of a file.
Those whose colours are spread as in a photograph are passed over, and so is a picture that lies under
the page's own words: they are what was read in it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.ingest.parsers.media.ocr import OcrLine, PictureOcr
from core.ingest.parsers.media.ocr_page import word_of
from core.ingest.parsers.pdf.page import Area, Page, PageWord, Region

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfPage

_MIN_WIDTH_POINTS, _MIN_HEIGHT_POINTS = 30.0, 12.0  # points; a smaller picture holds no line
_MAX_PICTURES = 12  # pictures of a page
_MAX_PIECE_GAP_POINTS = 1.0  # points; pieces no further apart are one picture
_STRIPS = 20  # level strips of a picture
_MAX_COVERED_SHARE = 0.25  # of the strips: a picture with words over more of them has been read
_PIXELS_PER_POINT = 200 / 72  # pixels a point
_MAX_SIDE_PIXELS = 1600  # pixels
_COLOUR_LEVELS = 16  # of each colour
_MAX_COLOUR_SHARE = 0.12  # of the pixels: no colour of a photograph covers more


@dataclass
class Regions:
    """Reads the pictures inside the pages of one document."""

    picture_ocr: PictureOcr
    passed: int = field(default=0, init=False)  # pictures the limits did not allow for

    def read(self, page: "PdfPage", seen: Page, stamps: Iterable[Area] = ()) -> tuple[Region, ...]:
        """Return what is written in the pictures and the stamps of a page, words the page has left out."""
        found = []
        areas = [*_unread(seen), *stamps]
        self.passed += len(areas[_MAX_PICTURES:])
        for area in areas[:_MAX_PICTURES]:
            drawn = _cut_out(page, seen, area)
            if drawn is None or is_photograph(drawn):
                continue
            before = self.picture_ocr.unread
            words = tuple(_words(self.picture_ocr.lines_of(drawn), area, seen.words))
            self.passed += self.picture_ocr.unread - before
            if words:
                found.append(Region(area, words))
        return tuple(found)


def _unread(page: Page) -> list[Area]:
    """Return the pictures of some size that the page's own words do not lie over, the largest first."""
    sized = [
        Area(max(0.0, area.x0), max(0.0, area.y0), min(page.width, area.x1), min(page.height, area.y1))
        for area in merged(page.images)
    ]
    large = [
        area
        for area in sized
        if area.x1 - area.x0 >= _MIN_WIDTH_POINTS and area.y1 - area.y0 >= _MIN_HEIGHT_POINTS
    ]
    return sorted(
        (area for area in large if _covered(area, page.words) <= _MAX_COVERED_SHARE),
        key=lambda area: -area.size,
    )


def merged(areas: Iterable[Area]) -> list[Area]:
    """Return the areas with those that touch made one: a picture may be stored in strips."""
    done: list[Area] = []
    for area in sorted(areas, key=lambda area: area.y0):
        whole = area
        for other in [other for other in done if other.is_near(area, _MAX_PIECE_GAP_POINTS)]:
            done.remove(other)
            whole = whole.with_(other)
        done.append(whole)
    return done


def _covered(area: Area, words: Sequence[PageWord]) -> float:
    """Return the share of the picture's level strips in which words of the page stand."""
    high = max(1.0, area.y1 - area.y0) / _STRIPS
    strips = {
        strip
        for word in words
        if area.contains(word)
        for strip in range(int((word.y0 - area.y0) / high), int((word.y1 - area.y0) / high) + 1)
    }
    return len(strips & set(range(_STRIPS))) / _STRIPS


def _cut_out(page: "PdfPage", seen: Page, area: Area) -> "Image | None":
    """Return a part of the page as it is displayed."""
    wide, high = area.x1 - area.x0, area.y1 - area.y0
    if min(wide, high) < 1:
        return None
    scale = min(_PIXELS_PER_POINT, _MAX_SIDE_PIXELS / max(wide, high))
    crop = (area.x0, seen.height - area.y1, seen.width - area.x1, area.y0)
    drawn: Image = page.render(scale=scale, crop=crop).to_pil()
    return drawn


def is_photograph(picture: "Image") -> bool:
    """Say whether no colour covers a good part of the picture, as paper, a stamp or a screen would."""
    small = np.asarray(picture.convert("RGB").resize((96, 96)), dtype=np.uint16) * _COLOUR_LEVELS // 256
    colours = (small[..., 0] * _COLOUR_LEVELS + small[..., 1]) * _COLOUR_LEVELS + small[..., 2]
    return float(np.bincount(colours.ravel()).max()) < _MAX_COLOUR_SHARE * colours.size


def _words(lines: Iterable[OcrLine], area: Area, page_words: Sequence[PageWord]) -> Iterable[PageWord]:
    """Yield the lines as words at their place on the page, but for those the page has as text."""
    wide, high = area.x1 - area.x0, area.y1 - area.y0
    for line in lines:
        word = word_of(line, wide, high)
        moved = word._replace(
            x0=word.x0 + area.x0, x1=word.x1 + area.x0, y0=word.y0 + area.y0, y1=word.y1 + area.y0
        )
        place = Area(moved.x0, moved.y0, moved.x1, moved.y1)
        if not any(place.contains(other) for other in page_words):
            yield moved
