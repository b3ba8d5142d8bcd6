"""Where text is in a picture, found by RapidOCR's detector without looking at empty margins.

The detector's time grows with the number of pixels. A page is cropped to what differs from its plain
background, and a large one is cut in two at a blank row: that takes less memory, and an engine that runs one
part per thread has two. Crops and cuts lie on the network's grid of 32 pixels, so that it computes what it
would have computed for the whole page.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.ingest.parsers.media.ocr_networks import Floats, OcrEngine, side_by_side

_LONGEST_SIDE = 1536  # pixels of what the network sees
_GRID_PIXELS = 32  # pixels; the network halves its input five times
_MIN_CONTRAST = 24  # of 255: a row or column whose pixels differ by less is blank
_MARGIN_PIXELS = 16  # pixels kept around what is written
_OVERLAP_PIXELS = 24  # pixels a half sees of the other one
_MIN_CUT_PIXELS = 200_000  # pixels; smaller ones are not cut
_MIN_PIXEL_CHANCE = 0.3  # probability of text from which a pixel belongs to a line
_MIN_LINE_CHANCE = 0.5  # least mean probability of the pixels in a line's box
_UNCLIP_RATIO = 1.6  # each side moves outwards by this times area over circumference
_MIN_HEIGHT_PIXELS = 3  # pixels; thinner areas are no text
_MAX_LINES = 1000  # lines in a strip
_SAME_LINE = 10  # pixels between the tops of boxes that stand side by side
Pixels = NDArray[np.uint8]
Corners = NDArray[np.float32]  # (4, 2)


class _Strip(NamedTuple):
    """A part of the scaled page, in pixels: lines centred in rows `first` to `last` are reported; the network
    sees rows `top` to `bottom` of columns `left` to `right`. The end is not included.
    """

    first: int
    last: int
    top: int
    bottom: int
    left: int
    right: int


def parts_of(pixels: Pixels, engine: OcrEngine) -> Iterator[list[Corners]]:
    """Yield the boxes of the lines of text in a picture (height, width, BGR), strip by strip.

    The lines of the first strip can be recognised while the second is searched.

    Corners are (4, 2), x and y in whole pixels, clockwise from the top left.
    """
    import cv2

    height, width = pixels.shape[:2]
    ratio = min(1.0, _LONGEST_SIDE / max(height, width))
    high, wide = (
        max(_GRID_PIXELS, round(int(side * ratio) / _GRID_PIXELS) * _GRID_PIXELS) for side in (height, width)
    )
    page = pixels if (high, wide) == (height, width) else cv2.resize(pixels, (wide, high))
    scale = np.array([width / wide, height / high], dtype=np.float32)

    def look(strip: _Strip) -> list[Corners]:
        seen = page[strip.top : strip.bottom, strip.left : strip.right]
        batch = (seen.astype(np.float32) / np.float32(127.5) - np.float32(1)).transpose(2, 0, 1)[None]
        corner = np.array([strip.left, strip.top], dtype=np.float32)
        found = (box + corner for box in lines_in(engine.find(np.ascontiguousarray(batch))))
        boxes = [box for box in found if strip.first <= float(box[:, 1].mean()) < strip.last]
        return [np.round(box * scale).astype(np.float32) for box in boxes]

    return side_by_side(look, strips_of(np.asarray(page, dtype=np.uint8)), engine.at_once)


def in_order(boxes: list[Corners]) -> list[Corners]:
    """Return boxes from the top to the bottom, those of one height from the left to the right."""
    down = sorted(boxes, key=lambda box: float(box[0, 1]))
    rows: list[list[Corners]] = []
    for box in down:
        if not rows or box[0, 1] - rows[-1][-1][0, 1] >= _SAME_LINE:
            rows.append([])
        rows[-1].append(box)
    return [box for row in rows for box in sorted(row, key=lambda box: float(box[0, 0]))]


def strips_of(page: Pixels) -> list[_Strip]:
    """Return the parts of a page (sides multiples of 32) to be looked at: none, one or two."""
    written, across = (_spread(page, along) > _MIN_CONTRAST for along in (1, 0))
    if not written.any() or not across.any():
        return []
    top, bottom = _around(written)
    left, right = _around(across)
    cut = _blank_row(written, top, bottom) if (bottom - top) * (right - left) > _MIN_CUT_PIXELS else None
    if cut is None:
        return [_Strip(top, bottom, top, bottom, left, right)]
    down, up = _down(max(top, cut - _OVERLAP_PIXELS)), min(bottom, _up(cut + _OVERLAP_PIXELS))
    return [_Strip(top, cut, top, up, left, right), _Strip(cut, bottom, down, bottom, left, right)]


def _spread(page: Pixels, along: int) -> NDArray[np.uint8]:
    """Return by how much the pixels of each row (along 1) or column (along 0) differ, in the worst colour."""
    import cv2

    most, least = (cv2.reduce(page, along, kind).reshape(-1, 3) for kind in (cv2.REDUCE_MAX, cv2.REDUCE_MIN))
    return np.asarray((most - least).max(axis=1), dtype=np.uint8)


def _around(written: NDArray[np.bool_]) -> tuple[int, int]:
    """Return where what is written begins and ends, a margin around it, on the grid."""
    places = np.flatnonzero(written)
    first, last = int(places[0]) - _MARGIN_PIXELS, int(places[-1]) + 1 + _MARGIN_PIXELS
    return _down(max(0, first)), min(len(written), _up(last))


def _down(place: int) -> int:
    return place // _GRID_PIXELS * _GRID_PIXELS


def _up(place: int) -> int:
    return -(-place // _GRID_PIXELS) * _GRID_PIXELS


def _blank_row(written: NDArray[np.bool_], top: int, bottom: int) -> int | None:
    """Return a row between two lines near the middle of a page, None where no three rows are blank."""
    third = (bottom - top) * 35 // 100
    blank = np.flatnonzero(~written[top + third : bottom - third]) + top + third
    runs = [run for run in np.split(blank, np.flatnonzero(np.diff(blank) > 1) + 1) if len(run) >= 3]
    middle = (top + bottom) / 2
    best = min(runs, key=lambda run: abs(float(run.mean()) - middle), default=None)
    return None if best is None else int(best[len(best) // 2])


def lines_in(likely: Floats) -> list[Corners]:
    """Return the boxes around the text in a map of probabilities (height, width), 0 to 1.

    The last step of Differentiable Binarization (Liao et al. 2020, section 3.5): connected areas, the
    smallest rectangle around each, and that rectangle dilated, since the network is trained on shrunken text
    areas.
    """
    import cv2

    mask = cv2.dilate((likely > _MIN_PIXEL_CHANCE).astype(np.uint8), np.ones((2, 2), dtype=np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for outline in outlines[:_MAX_LINES]:
        middle, (wide, high), turn = cv2.minAreaRect(outline)
        inner = np.asarray(cv2.boxPoints((middle, (wide, high), turn)), dtype=np.float32)
        if min(wide, high) < _MIN_HEIGHT_PIXELS or _mean_in(likely, inner) < _MIN_LINE_CHANCE:
            continue
        more = (
            _UNCLIP_RATIO * wide * high / (wide + high)
        )  # twice the area over the circumference: on both sides
        outer = np.asarray(cv2.boxPoints((middle, (wide + more, high + more), turn)), dtype=np.float32)
        found.append(_clockwise(outer, likely.shape))
    return found


def _mean_in(likely: Floats, box: Corners) -> float:
    """Return the mean of the pixels in a box."""
    import cv2

    left, top, wide, high = cv2.boundingRect(np.floor(box).astype(np.int32))
    left, top = max(0, left), max(0, top)
    part = likely[top : top + high, left : left + wide]
    mask = np.zeros(part.shape, dtype=np.uint8)
    cv2.fillPoly(mask, [(box - (left, top)).astype(np.int32)], (1,))
    return float(cv2.mean(part, mask)[0])


def _clockwise(box: Corners, page: tuple[int, ...]) -> Corners:
    """Return the corners from the top left on, none beyond the page (height, width)."""
    left, right = np.split(box[np.argsort(box[:, 0])], 2)
    (top_left, bottom_left), (top_right, bottom_right) = (
        side[np.argsort(side[:, 1])] for side in (left, right)
    )
    corners = np.array([top_left, top_right, bottom_right, bottom_left], dtype=np.float32)
    return np.clip(corners, 0, (page[1] - 1, page[0] - 1)).astype(np.float32)
