"""Where text stands in a picture, found by RapidOCR's detector without looking at empty margins.

Detecting costs time by the pixel. A page is cut down to what is not its plain background, and a large
one in two where a row of pixels is blank: two threads with a half each are faster than two with a whole.
The cuts lie on the grid the network works on, so it sees the same pixels as it would in the whole page.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import ParseError

HANDS = 2  # threads
_LONGEST_SIDE = 1536  # pixels of what the network sees
_GRID = 32  # pixels; the network halves its input five times
_PLAIN = 24  # of 255: rows and columns that differ by less hold nothing
_MARGIN = 16  # pixels kept around what is written
_BEYOND = 24  # pixels a half sees of the other one
_LARGE = 200_000  # pixels; smaller ones are not worth two threads
_FINE = 8  # corners are found in eighths of a pixel, and rounded once
Pixels = NDArray[np.uint8]
Corners = NDArray[np.float32]  # (4, 2)


class _Strip(NamedTuple):
    """A part of the scaled page: which rows it is asked for, which it sees, and its columns."""

    first: int
    last: int
    top: int
    bottom: int
    left: int
    right: int


def boxes_of(pixels: Pixels) -> list[Corners]:
    """Return the boxes of the lines of text in a picture (height, width, BGR), from the top to the bottom.

    Corners run clockwise from the top left, in whole pixels.
    """
    import cv2

    height, width = pixels.shape[:2]
    ratio = min(1.0, _LONGEST_SIDE / max(height, width))
    high, wide = (max(_GRID, round(int(side * ratio) / _GRID) * _GRID) for side in (height, width))
    page = pixels if (high, wide) == (height, width) else cv2.resize(pixels, (wide, high))
    scale = np.array([width / wide, height / high], dtype=np.float32)
    strips = strips_of(np.asarray(page, dtype=np.uint8))
    finder = _finder(1 if len(strips) > 1 else HANDS)

    def look(strip: _Strip) -> list[Corners]:
        seen = page[strip.top : strip.bottom, strip.left : strip.right]
        given = (seen.astype(np.float32) / np.float32(127.5) - np.float32(1)).transpose(2, 0, 1)[None]
        found, _ = finder.postprocess_op(
            finder.session(np.ascontiguousarray(given)), (seen.shape[0] * _FINE, seen.shape[1] * _FINE)
        )
        boxes = np.asarray(found, dtype=np.float32).reshape(-1, 4, 2) / _FINE + (strip.left, strip.top)
        held = [box for box in boxes if strip.first <= float(box[:, 1].mean()) < strip.last]
        return [np.round(box * scale).astype(np.float32) for box in held]

    with ThreadPoolExecutor(HANDS, thread_name_prefix="strip") as hands:
        boxes = [box for part in hands.map(look, strips) for box in part]
    return list(finder.sorted_boxes(np.stack(boxes))) if boxes else []


def strips_of(page: Pixels) -> list[_Strip]:
    """Return the parts of a page (sides multiples of 32) to be looked at: none, one or two."""
    spread = page.max(axis=1).astype(np.int16) - page.min(axis=1)
    written = (spread > _PLAIN).any(axis=1)
    across = ((page.max(axis=0).astype(np.int16) - page.min(axis=0)) > _PLAIN).any(axis=1)
    if not written.any() or not across.any():
        return []
    top, bottom = _around(written)
    left, right = _around(across)
    cut = _blank_row(written, top, bottom) if (bottom - top) * (right - left) > _LARGE else None
    if cut is None:
        return [_Strip(top, bottom, top, bottom, left, right)]
    down, up = _down(max(top, cut - _BEYOND)), min(bottom, _up(cut + _BEYOND))
    return [_Strip(top, cut, top, up, left, right), _Strip(cut, bottom, down, bottom, left, right)]


def _around(written: NDArray[np.bool_]) -> tuple[int, int]:
    """Return where what is written begins and ends, a margin around it, on the grid."""
    places = np.flatnonzero(written)
    first, last = int(places[0]) - _MARGIN, int(places[-1]) + 1 + _MARGIN
    return _down(max(0, first)), min(len(written), _up(last))


def _down(place: int) -> int:
    return place // _GRID * _GRID


def _up(place: int) -> int:
    return -(-place // _GRID) * _GRID


def _blank_row(written: NDArray[np.bool_], top: int, bottom: int) -> int | None:
    """Return a row between two lines near the middle of a page, None where no three rows are blank."""
    third = (bottom - top) * 35 // 100
    blank = np.flatnonzero(~written[top + third : bottom - third]) + top + third
    runs = [run for run in np.split(blank, np.flatnonzero(np.diff(blank) > 1) + 1) if len(run) >= 3]
    middle = (top + bottom) / 2
    best = min(runs, key=lambda run: abs(float(run.mean()) - middle), default=None)
    return None if best is None else int(best[len(best) // 2])


@lru_cache(maxsize=2)
def _finder(threads: int) -> Any:
    """Return RapidOCR's detector; its session and what it does after that are safe for threads."""
    return engine({"EngineConfig.onnxruntime.intra_op_num_threads": threads})._load_det_model()


def engine(own: dict[str, Any]) -> Any:
    """Return RapidOCR with these parameters of our own. Raises ParseError where it is not installed."""
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise ParseError(
            "Pictures cannot be read: RapidOCR is not installed.",
            hint="Install it with `pip install rapidocr onnxruntime`.",
        ) from error
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,  # looks for text upside down: a fifth more time, hardly ever needed
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,  # 300 MB for a twenty-fifth of the time
            **own,
        }
    )
