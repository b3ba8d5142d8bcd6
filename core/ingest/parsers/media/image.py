"""Pictures: what is written in them, by OCR, every page of a TIFF and every picture of a GIF that differs."""

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Box, Location, Parsed
from core.errors import DamagedFile
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.gif_blocks import gif_blocks
from core.ingest.parsers.media.legibility import note_illegible
from core.ingest.parsers.media.ocr import OcrLine, PictureOcr, opaque, opened, shown
from core.ingest.parsers.media.ocr_page import page_of
from core.ingest.parsers.media.rulings import rulings_of
from core.ingest.parsers.media.scenes import Grey, differs, grey_of, thinned
from core.ingest.parsers.media.webp_frames import sound_frames
from core.ingest.parsers.pdf.page_assembly import PageAssembly
from core.ingest.parsers.pdf.tables.grids import RulingLine
from core.ingest.parsers.skipped_parts import Part

if TYPE_CHECKING:
    from PIL.Image import Image

_PAGE_WIDTH_POINTS = 612.0  # points; a picture is laid out as if it were as wide as a letter page
_MOST_FRAMES = 16  # of an animation that are read
_MOST_COMPARED = 400
_MOST_DAMAGED = 2  # pages; behind more of them in a row none is looked for
# What Pillow says of damage.
_TORN = (OSError, EOFError, SyntaxError, ValueError, IndexError, KeyError, TypeError, struct.error)


@dataclass(frozen=True)
class ImageParser:
    """Reads .jpeg, .png, .gif, .tiff, .bmp and .webp."""

    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = (
        "image/jpeg",
        "image/png",
        "image/gif",
        "image/tiff",
        "image/bmp",
        "image/webp",
    )

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        picture_ocr = PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds)
        with _quiet(), opened(_source(draft, path, self.pixels), name, self.pixels) as picture:
            draft.metadata["pixels"] = f"{picture.width} × {picture.height}"
            count = _count(draft, path, picture, media_type)
            frames = _frames(draft, picture, media_type, count)
            draft.pages = len(frames)
            composition = PageAssembly(draft)
            for number, frame in enumerate(frames):
                lines: list[OcrLine] = []
                rulings: tuple[RulingLine, ...] = ()
                height = _PAGE_WIDTH_POINTS * picture.height / max(1, picture.width)
                with Part(draft, f"Picture {number + 1}"):
                    picture.seek(frame)
                    if media_type == "image/tiff" and not getattr(picture, "tile", True):
                        raise DamagedFile(
                            "where its picture lies is damaged"
                        )  # else the page before is shown
                    _load(draft, picture, f"Picture {number + 1}")
                    lines += self._lines(draft, picture, number, picture_ocr)
                    rulings = rulings_of(opaque(picture), _PAGE_WIDTH_POINTS, height) if lines else ()
                composition.take(page_of(lines, number, _PAGE_WIDTH_POINTS, height, rulings))
            composition.write({})
            note_illegible(draft, picture_ocr.illegible)
        if not draft.blocks:
            whole = Box(page=0, x0=0, y0=0, x1=1, y1=1)
            draft.add("figure", f"Picture {Path(name).stem}", Location(page=0, boxes=(whole,)))
        return draft.parsed()

    def _lines(self, draft: Draft, picture: "Image", number: int, picture_ocr: PictureOcr) -> list[OcrLine]:
        lines = picture_ocr.lines_of(picture)
        if len(draft.pictures) < self.pictures:
            place = Location(page=number, boxes=(Box(page=number, x0=0, y0=0, x1=1, y1=1),))
            draft.pictures.append(shown(picture, Path(draft.name).stem, place))
        if not lines:
            which = number + 1
            draft.skipped.append(
                f"Picture {which} was not read: the limit was reached."
                if picture_ocr.left <= 0
                else f"Picture {which} holds no text that could be read."
            )
        return lines


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress Pillow's warnings of damage: what is lost by it is noted in the document."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def _source(draft: Draft, path: Path, pixels: int) -> Path | io.BytesIO:
    """Return what to open: the file, or what is sound of an animated WebP, with a word on what is not."""
    sound = sound_frames(path.read_bytes(), pixels) if draft.media_type == "image/webp" else None
    if sound is None:
        return path
    for number in sound.damaged:
        draft.skipped.append(f"Picture {number} is damaged and was left out.")
    for number in sound.built_on_them:
        draft.skipped.append(f"Picture {number} was left out: it changes one that is damaged.")
    return io.BytesIO(sound.data)


def _load(draft: Draft, picture: "Image", what: str) -> None:
    """Decode a picture; of one that is cut off what is there. Raises OSError where that is nothing."""
    from PIL import ImageFile

    try:
        _emptied(picture).load()
    except OSError:
        before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, True
        try:
            _emptied(picture).load()
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = before
        draft.skipped.append(f"{what} is cut off or damaged; the rest of it was read.")


def _emptied(picture: "Image") -> "Image":
    """Return a page of a TIFF without the pixels of the page before, which stay where it is damaged."""
    if picture.format == "TIFF" and getattr(picture, "tile", None):
        picture.im = None  # type: ignore[assignment]
    return picture


def _count(draft: Draft, path: Path, picture: "Image", media_type: str) -> int:
    """Return how many pictures the file holds; of a damaged animation those before the damage."""
    if media_type != "image/gif":
        return _pages(draft, picture)
    with path.open("rb") as stream:
        blocks = gif_blocks(stream)
    if not blocks.whole:
        _cut_off(draft, blocks.pictures)
    return max(1, blocks.pictures)


def _pages(draft: Draft, picture: "Image") -> int:
    """Return how many pages can be found: each names the next, so those behind a damaged entry cannot."""
    try:
        return int(getattr(picture, "n_frames", 1))
    except _TORN:
        pass
    count, damaged = 1, 0  # one after the other
    while damaged < _MOST_DAMAGED:
        try:
            picture.seek(count)
            damaged = 0
        except EOFError:
            return count
        except _TORN:
            damaged += 1
        count += 1
    count -= damaged
    draft.lost(f"The pictures after number {count} cannot be found: what leads to them is damaged.")
    return count


def _cut_off(draft: Draft, after: int) -> None:
    draft.skipped.append(f"The animation is cut off or damaged after picture {after}.")


def _frames(draft: Draft, picture: "Image", media_type: str, count: int) -> list[int]:
    """Return which frames to read: all pages of a TIFF; of an animation where something new is seen."""
    if media_type == "image/tiff" or count == 1:
        return list(range(count))
    step = max(1, count // _MOST_COMPARED)
    found: list[int] = []
    before: Grey | None = None
    for frame in range(0, count, step):
        try:
            picture.seek(frame)
            grey = grey_of(opaque(picture))
        except _TORN:
            _cut_off(draft, frame)
            break
        if before is None or differs(grey, before):
            found.append(frame)
            before = grey
    return thinned(found, [float(frame) for frame in found], _MOST_FRAMES) or [0]
