"""Level and upright lines in a picture: the rulings of tables that were scanned or photographed."""

from typing import TYPE_CHECKING

import numpy as np

from core.ingest.parsers.pdf.tables.grids import RulingLine, grids_of

if TYPE_CHECKING:
    from PIL.Image import Image

_MAX_SIDE_PIXELS = 1200  # pixels of the picture as it is looked at
_MIN_LINE_PIXELS = 30  # pixels: a shorter stroke may belong to a letter
_MAX_LINE_WIDTH_PIXELS = 8  # pixels: a thicker bar is no line
_MIN_CELLS = 6  # of a table; fewer are frames around text
_MAX_LINES = 400  # lines; a picture with more of them is a drawing
_BLOCK_PIXELS, _MIN_DARKER = 25, 12  # of the neighbourhood a pixel is compared with, of 255 that it is darker


def rulings_of(picture: "Image", width: float, height: float) -> tuple[RulingLine, ...]:
    """Return the lines of the tables in a picture, in points of a page of this size, none without tables."""
    import cv2

    small = picture.convert("L")
    small.thumbnail((_MAX_SIDE_PIXELS, _MAX_SIDE_PIXELS))
    grey = np.asarray(small, dtype=np.uint8)
    if min(grey.shape) < _BLOCK_PIXELS:
        return ()
    dark = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _BLOCK_PIXELS, _MIN_DARKER
    )
    across, down = width / grey.shape[1], height / grey.shape[0]
    found: list[RulingLine] = []
    for level in (True, False):
        kernel = np.ones((1, _MIN_LINE_PIXELS) if level else (_MIN_LINE_PIXELS, 1), dtype=np.uint8)
        strokes = cv2.morphologyEx(dark, cv2.MORPH_OPEN, kernel)
        _, _, boxes, _ = cv2.connectedComponentsWithStats(strokes)
        for x, y, wide, high, _ in boxes[1:].tolist():
            if (high if level else wide) > _MAX_LINE_WIDTH_PIXELS:
                continue
            if level:
                middle = (y + high / 2) * down
                found.append(RulingLine(x * across, middle, (x + wide) * across, middle))
            else:
                middle = (x + wide / 2) * across
                found.append(RulingLine(middle, y * down, middle, (y + high) * down))
    return tuple(found) if len(found) <= _MAX_LINES and _has_grid(found) else ()


def _has_grid(lines: list[RulingLine]) -> bool:
    return any(len(grid.cells) >= _MIN_CELLS for grid in grids_of(lines))
