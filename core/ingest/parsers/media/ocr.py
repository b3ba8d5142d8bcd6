"""Text in pictures, read by RapidOCR with the models in its wheel (English and Chinese)."""

import base64
import hashlib
import io
import math
import struct
import warnings
from collections.abc import Sequence
from concurrent.futures import Future
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.domain import Location, Picture
from core.errors import LimitExceeded
from core.ingest.limits import PATIENCE
from core.ingest.parsers.media.legibility import is_legible, is_line
from core.ingest.parsers.media.ocr_networks import OcrEngine, best_engine, new_in, pool
from core.ingest.parsers.media.text_finder import Corners, Pixels, in_order, parts_of
from core.ingest.parsers.media.upright_columns import with_upright_columns
from core.runtime.work_clock import WorkClock

if TYPE_CHECKING:
    from PIL.Image import Image

_LONGEST_SIDE = 2000  # pixels
_SEEN_SIDE = 896  # pixels of a picture that is described
_MIN_CONFIDENCE = 0.5
_SURE = 0.97  # of a reading that needs no other to be compared with
_LIGHT_GREY = 170  # of 255: words that are lighter are not written on white
_MIN_SIDE_PIXELS = 24  # pixels; smaller pictures are ornaments
_MOST_KNOWN = 256  # pictures
_READ_HEIGHT = 48  # pixels of a line as the network reads it
_LEAST_WIDTH = 256  # pixels to which a shorter line is padded
_LINE_WIDTH_STEP = 64  # pixels; lines are padded to a multiple


class OcrLine(NamedTuple):
    """A line of text in a picture, its edges as fractions of width and height from the top left.

    The text is "" where a line stands that could not be read.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class PictureText(NamedTuple):
    """What is written in an embedded picture, and the picture for a model that sees ("" where none is to)."""

    text: str = ""
    image: str = ""
    small: bool = False  # an ornament


class PictureOcr:
    """Reads pictures of one document, `most` different ones, for `seconds` of work; the rest are counted
    as unread.

    `described` of those that lie in it, each once, are made ready for a model that sees.
    """

    def __init__(self, most: int, pixels: int, seconds: float = 60.0, described: int = 0) -> None:
        self.left = most
        self.unread = 0
        self.illegible = 0  # lines
        self._described = described
        self._shown: set[str] = set()
        self._pixels = pixels
        self._seconds = seconds
        self._clock = WorkClock(patience=PATIENCE)

    def lines_of(self, picture: "Image") -> list[OcrLine]:
        """Return the lines of a picture in reading order; none once the document's share is used up."""
        if min(picture.size) < _MIN_SIDE_PIXELS:
            return []
        page = _reduced(picture)
        known = _known().get(_digest(page))
        if known is not None:
            return self._legible(known)
        if self.left <= 0 or self._clock.seconds() > self._seconds:
            self.left = 0
            self.unread += 1
            return []
        self.left -= 1
        return self._legible(_recognised(page))

    def _legible(self, lines: Sequence[OcrLine]) -> list[OcrLine]:
        found = [line for line in lines if line.text]
        self.illegible += len(lines) - len(found)
        return found

    def see(self, data: bytes) -> PictureText:
        """Return what an embedded picture holds: nothing where it is damaged or of no known format."""
        try:
            with opened(io.BytesIO(data), "picture", self._pixels) as picture:
                if min(picture.size) < _MIN_SIDE_PIXELS:
                    return PictureText(small=True)
                text = "\n".join(line.text for line in self.lines_of(picture))
                image = ""
                if len(self._shown) < self._described:
                    image = shown(picture, "", Location()).image
        except (LimitExceeded, OSError, ValueError, SyntaxError, EOFError, struct.error):
            self.unread += 1  # PIL says of a damaged picture whatever comes up
            return PictureText()
        if image in self._shown:
            return PictureText(text)
        self._shown |= {image} - {""}
        return PictureText(text, image)


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


def opaque(picture: "Image") -> "Image":
    """Return a picture as it is seen, in RGB: on white where transparent, on black under light words."""
    from PIL import Image, ImageStat

    if not picture.has_transparency_data:
        return picture.convert("RGB")
    drawn = picture.convert("RGBA")
    solid = drawn.getchannel("A")
    mask = solid.point([255 * (level > 127) for level in range(256)])
    light = mask.getbbox() is not None and ImageStat.Stat(drawn.convert("L"), mask).mean[0] > _LIGHT_GREY
    page = Image.new("RGB", drawn.size, "black" if light else "white")
    page.paste(drawn, mask=solid)
    return page


def shown(picture: "Image", caption: str, place: Location) -> Picture:
    """Return a picture as a model that sees takes it: small enough for its window."""
    small = opaque(picture)
    small.thumbnail((_SEEN_SIDE, _SEEN_SIDE))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=85)
    return Picture(image=base64.b64encode(buffer.getvalue()).decode(), caption=caption, location=place)


def _reduced(picture: "Image") -> "Image":
    """Return a picture as it is read: opaque, and no larger than needed."""
    page = opaque(picture)
    page.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    return page


def _digest(page: "Image") -> bytes:
    return hashlib.blake2b(page.tobytes(), key=repr(page.size).encode()).digest()


def _recognised(page: "Image") -> list[OcrLine]:
    """Read a picture and remember what is in it."""
    lines = _known()[_digest(page)] = tuple(lines_of(page, best_engine()))
    if len(_known()) > _MOST_KNOWN:
        del _known()[next(iter(_known()))]
    return list(lines)


def lines_of(page: "Image", engine: OcrEngine) -> list[OcrLine]:
    """Return the lines in a picture (RGB) as one of the engines reads them."""
    pixels = np.ascontiguousarray(np.asarray(page, dtype=np.uint8)[:, :, ::-1])

    # Lines side by side, each in one thread, are faster than one after the other in many, and no core
    # is kept busy waiting: they are read while the next part of the picture is looked at. The widest come
    # first, so that the threads end together.
    boxes: list[Corners] = []
    texts: list[Future[tuple[str, float]]] = []
    for part in parts_of(pixels, engine):
        for box in sorted(part, key=lambda box: -_sides(box)[0]):
            if min(_sides(box)) > 1:
                boxes.append(box)
                texts.append(pool().submit(_read, pixels, box, engine))
    read = {id(box): text.result() for box, text in zip(boxes, texts, strict=True)}
    width, height = page.size
    lines = []
    for box in in_order(boxes):
        text, score = read[id(box)]
        sides = _sides(box)
        legible = bool(text.strip()) and score >= _MIN_CONFIDENCE and is_legible(text, score, *sides)
        if legible or is_line(*sides):
            xs, ys = box[:, 0] / width, box[:, 1] / height
            lines.append(
                OcrLine(
                    text.strip() if legible else "",
                    max(0.0, float(xs.min())),
                    max(0.0, float(ys.min())),
                    min(1.0, float(xs.max())),
                    min(1.0, float(ys.max())),
                )
            )
    return with_upright_columns(lines, width / height)


def _read(pixels: Pixels, box: Corners, engine: OcrEngine) -> tuple[str, float]:
    """Return what is in a box, and how sure that is; text turned by a quarter may run down or up."""
    part = cut_out(pixels, box)
    down = text_in(part, engine)
    if not _is_tall(box) or down[1] >= _SURE:
        return down
    up = text_in(np.ascontiguousarray(np.rot90(part, 2)), engine)
    return max(down, up, key=lambda read: read[1])


def text_in(line: Pixels, engine: OcrEngine) -> tuple[str, float]:
    """Return what is in a line cut out of a picture, and how sure that is (0 to 1).

    Greedy decoding: of the likeliest classes, repeats and blanks are dropped (CTC, Graves et al. 2006,
    section 3.2). The lines the network has learnt from were padded with grey: so are these, which leaves
    few widths it has to be made ready for.
    """
    import cv2

    height, width = line.shape[:2]
    wide = max(1, math.ceil(_READ_HEIGHT * width / height))
    padded = max(_LEAST_WIDTH, -(-wide // _LINE_WIDTH_STEP) * _LINE_WIDTH_STEP)
    small = cv2.resize(line, (wide, _READ_HEIGHT))
    batch = np.zeros((1, 3, _READ_HEIGHT, padded), dtype=np.float32)
    batch[0, :, :, :wide] = (small.astype(np.float32) / np.float32(127.5) - np.float32(1)).transpose(2, 0, 1)
    classes, likely = engine.read(batch)
    new = new_in(classes)
    if not new.any():
        return "", 0.0
    characters = engine.characters()
    return "".join(characters[i] for i in classes[new]), float(likely[new].mean())


def cut_out(pixels: Pixels, box: Corners) -> Pixels:
    """Return the part of a picture in a box (corners clockwise from the top left, in pixels), set upright.

    A box that is much higher than wide holds text turned by a quarter, which is taken to run down.
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
    return np.ascontiguousarray(np.rot90(part) if _is_tall(box) else part)


def _is_tall(box: Corners) -> bool:
    width, height = _sides(box)
    return height >= 1.5 * width


def _sides(box: Corners) -> tuple[int, int]:
    """Return width and height of a box in whole pixels."""
    top, right, bottom, left = (float(np.linalg.norm(box[i] - box[(i + 1) % 4])) for i in range(4))
    return int(max(top, bottom)), int(max(left, right))


@lru_cache(maxsize=1)
def _known() -> dict[bytes, tuple[OcrLine, ...]]:
    """Return what is in the pictures read last, by a hash of their pixels."""
    return {}
