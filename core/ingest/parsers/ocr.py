"""Text in pictures, read by RapidOCR with the models in its wheel (English and Chinese)."""

import base64
import io
import math
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain import Location, Picture
from core.errors import LimitExceeded, ParseError
from core.ingest.parsers.pdf.words import Page, Word

if TYPE_CHECKING:
    from PIL.Image import Image

_LONGEST_SIDE = 2000  # pixels
_HANDS = 2  # threads
_SEEN_SIDE = 896  # pixels of a picture that is described
_SURE = 0.5
_SMALLEST = 24  # pixels; smaller pictures are ornaments
Pixels = NDArray[np.uint8]
Corners = NDArray[np.float32]  # (4, 2)


class Line(NamedTuple):
    """A line of text in a picture, its edges as fractions of width and height from the top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class Eye:
    """Reads pictures of one document, `most` of them, for `seconds`; the rest are counted as unread."""

    def __init__(self, most: int, pixels: int, seconds: float = 60.0) -> None:
        self.left = most
        self.unread = 0
        self._pixels = pixels
        self._until = time.monotonic() + seconds

    def lines_of(self, picture: "Image") -> list[Line]:
        """Return the lines of a picture in reading order; none once the document's share is used up."""
        if min(picture.size) < _SMALLEST:
            return []
        if self.left <= 0 or time.monotonic() > self._until:
            self.left = 0
            self.unread += 1
            return []
        self.left -= 1
        return recognise(picture)

    def text_of(self, data: bytes) -> str:
        """Return the text of an embedded picture, empty where it holds none or is of no known format."""
        from PIL import UnidentifiedImageError

        try:
            picture = opened(io.BytesIO(data), "picture", self._pixels)
        except (UnidentifiedImageError, LimitExceeded, OSError, ValueError, SyntaxError):
            self.unread += 1
            return ""
        return "\n".join(line.text for line in self.lines_of(picture))


def opened(source: Any, name: str, pixels: int) -> "Image":
    """Return the picture, not yet decoded. Raises LimitExceeded where it would unfold to too many pixels."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            picture = Image.open(source)
        except Image.DecompressionBombError as error:
            raise LimitExceeded(f"{name} has more than {pixels:,} pixels.") from error
    width, height = picture.size
    if width * height > pixels:
        picture.close()
        raise LimitExceeded(f"{name} has {width:,} × {height:,} pixels, more than {pixels:,}.")
    return picture


def shown(picture: "Image", caption: str, place: Location) -> Picture:
    """Return a picture as a model that sees takes it: small enough for its window."""
    small = picture.convert("RGB")
    small.thumbnail((_SEEN_SIDE, _SEEN_SIDE))
    held = io.BytesIO()
    small.save(held, "JPEG", quality=85)
    return Picture(image=base64.b64encode(held.getvalue()).decode(), caption=caption, location=place)


def recognise(picture: "Image") -> list[Line]:
    """Return the lines RapidOCR reads with some certainty, from the top to the bottom."""
    page = picture.convert("RGB")
    page.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    pixels = np.ascontiguousarray(np.asarray(page, dtype=np.uint8)[:, :, ::-1])
    found = _finder()(pixels)
    if found is None or found.boxes is None:
        return []
    boxes = [box for box in np.asarray(found.boxes, dtype=np.float32) if min(_sides(box)) > 1]
    reader = _reader()

    def text_in(box: Corners) -> tuple[str, float]:
        read = reader(cut_out(pixels, box))
        return (str(read.txts[0]), float(read.scores[0])) if read.txts else ("", 0.0)

    # One thread for a line and lines side by side: faster than many threads for each, and no core is
    # kept busy waiting. The widest come first, so that the threads end together.
    order = sorted(range(len(boxes)), key=lambda i: -_sides(boxes[i])[0])
    with ThreadPoolExecutor(_HANDS, thread_name_prefix="line") as hands:
        read = dict(zip(order, hands.map(lambda i: text_in(boxes[i]), order), strict=True))
    width, height = page.size
    lines = []
    for i, box in enumerate(boxes):
        text, score = read[i]
        if text.strip() and score >= _SURE:
            xs, ys = box[:, 0] / width, box[:, 1] / height
            lines.append(
                Line(
                    text.strip(),
                    max(0.0, float(xs.min())),
                    max(0.0, float(ys.min())),
                    min(1.0, float(xs.max())),
                    min(1.0, float(ys.max())),
                )
            )
    return lines


def cut_out(pixels: Pixels, box: Corners) -> Pixels:
    """Return the part of a picture in a box (corners clockwise from the top left, in pixels), set upright.

    A box that is much higher than wide holds text turned by a quarter: it is turned back.
    """
    width, height = _sides(box)
    left, top = (int(edge) for edge in box.min(axis=0))
    straight = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    if np.array_equal(box, straight + np.array([left, top], dtype=np.float32)):
        part = pixels[top : top + height, left : left + width]
    else:
        import cv2

        turn = cv2.getPerspectiveTransform(box, straight)
        turned = cv2.warpPerspective(
            pixels, turn, (width, height), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC
        )
        part = np.asarray(turned, dtype=np.uint8)
    return np.ascontiguousarray(np.rot90(part) if height >= 1.5 * width else part)


def _sides(box: Corners) -> tuple[int, int]:
    """Return width and height of a box in whole pixels."""
    top, right, bottom, left = (float(np.linalg.norm(box[i] - box[(i + 1) % 4])) for i in range(4))
    return int(max(top, bottom)), int(max(left, right))


def page_of(lines: Sequence[Line], number: int, width: float, height: float) -> Page:
    """Return the lines as a page of words, so that it is composed as any other page."""
    words = tuple(
        Word(line.text, line.x0 * width, line.y0 * height, line.x1 * width, line.y1 * height, size, False)
        for line in lines
        for size in (_size((line.y1 - line.y0) * height),)
    )
    return Page(number, width, height, words, (), (), 0)


def _size(height: float) -> float:
    """Boxes of one font differ by a pixel or two from line to line: sizes go in steps of 20 %."""
    return round(1.2 ** round(math.log(max(height, 1.0), 1.2)), 1)


@lru_cache(maxsize=1)
def _finder() -> Any:
    """Return the engine that finds lines of text in a picture."""
    return _engine(
        {
            "Global.use_rec": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": 1536,
            "EngineConfig.onnxruntime.intra_op_num_threads": _HANDS,
        }
    )


@lru_cache(maxsize=1)
def _reader() -> Any:
    """Return the engine that reads one line cut out of a picture. Safe for threads."""
    return _engine(
        {
            "Global.use_det": False,
            "Global.use_preprocess_img": False,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        }
    )


def _engine(own: dict[str, Any]) -> Any:
    import logging

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
