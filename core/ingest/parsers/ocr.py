"""Text in pictures, read by RapidOCR with the models in its wheel (English and Chinese)."""

import base64
import io
import math
import time
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.domain import Location, Picture
from core.errors import LimitExceeded, ParseError
from core.ingest.parsers.pdf.words import Page, Word

if TYPE_CHECKING:
    from PIL.Image import Image

_LONGEST_SIDE = 2600
_SEEN_SIDE = 896  # pixels of a picture that is described
_SURE = 0.5
_SMALLEST = 24  # pixels; smaller pictures are ornaments
Pixels = NDArray[np.uint8]


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
    """Return the lines RapidOCR reads with some certainty, columns one after the other."""
    page = picture.convert("RGB")
    page.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    found = _engine()(np.asarray(page, dtype=np.uint8)[:, :, ::-1])
    if found is None or found.txts is None or found.boxes is None:
        return []
    width, height = page.size
    lines = []
    for text, box, score in zip(found.txts, found.boxes, found.scores, strict=True):
        if text.strip() and score >= _SURE:
            xs, ys = [float(p[0]) / width for p in box], [float(p[1]) / height for p in box]
            lines.append(
                Line(text.strip(), max(0, min(xs)), max(0, min(ys)), min(1, max(xs)), min(1, max(ys)))
            )
    return lines


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
def _engine() -> Any:
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
            "Det.limit_type": "max",
            "Det.limit_side_len": 1536,
            "Rec.rec_batch_num": 1,  # lines of one batch are padded to the widest; alone none is
            "EngineConfig.onnxruntime.intra_op_num_threads": 2,
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,  # a fifth less time
        }
    )
