"""Pictures: what is written in them, by OCR, every page of a TIFF and every picture of a GIF that differs."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Box, Location, Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.ocr import Eye, opened, page_of, shown
from core.ingest.parsers.pdf.compose import Composition

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDTH = 612.0  # points; a picture is laid out as if it were as wide as a letter page
_MOST_FRAMES = 8


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
        eye = Eye(self.ocr_pages, self.pixels, self.ocr_seconds)
        with opened(path, name, self.pixels) as picture:
            draft.metadata["pixels"] = f"{picture.width} × {picture.height}"
            frames = _frames(picture, media_type)
            draft.pages = len(frames)
            composition = Composition(draft)
            for number, frame in enumerate(frames):
                picture.seek(frame)
                height = _WIDTH * picture.height / max(1, picture.width)
                lines = eye.lines_of(picture)
                if len(draft.pictures) < self.pictures:
                    whole = Box(page=number, x0=0, y0=0, x1=1, y1=1)
                    place = Location(page=number, boxes=(whole,))
                    draft.pictures.append(shown(picture, Path(name).stem, place))
                composition.take(page_of(lines, number, _WIDTH, height))
                if not lines:
                    why = (
                        "was not read: the limit was reached"
                        if eye.left <= 0
                        else "holds no text that could be read"
                    )
                    draft.skipped.append(f"Picture {number + 1} {why}.")
            composition.write({})
        if not draft.blocks:
            whole = Box(page=0, x0=0, y0=0, x1=1, y1=1)
            draft.add("figure", f"Picture {Path(name).stem}", Location(page=0, boxes=(whole,)))
        return draft.parsed()


def _frames(picture: "Image", media_type: str) -> list[int]:
    """Return which frames to read: all pages of a TIFF, some of an animation, evenly spread."""
    count = int(getattr(picture, "n_frames", 1))
    if media_type == "image/tiff" or count <= _MOST_FRAMES:
        return list(range(count))
    return [round(i * (count - 1) / (_MOST_FRAMES - 1)) for i in range(_MOST_FRAMES)]
