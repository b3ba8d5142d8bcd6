"""Shows the page a passage stands on, with the passage boxed and the phrases that matter marked."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from core.domain import Box
from core.errors import ParseError
from core.knowledge.base import KnowledgeBase

_INK = (196, 84, 16)
_WASH = (255, 196, 92, 70)
_MARK = (255, 170, 40, 120)
_WORD = re.compile(r"[^\s|]+")
_BETWEEN = r"[\s|\u00ad\u0002-]*"  # line ends, cells, hyphens at a line's end


@dataclass(frozen=True)
class Illustrator:
    """Renders pages of PDFs, and pictures as they are."""

    knowledge: KnowledgeBase
    tallest: int = 4000  # pixels; a page longer than that is scaled down

    def page(
        self, document_id: str, page: int, boxes: Sequence[Box], width: int, phrases: Sequence[str] = ()
    ) -> bytes | None:
        """Return a PNG `width` pixels wide with boxes and phrases marked, or None if the format has no pages.

        Raises NotFound for an unknown document, ParseError where the stored file cannot be drawn.
        """
        document = self.knowledge.document(document_id)
        path = self.knowledge.original(document_id)
        if path is None:
            return None
        marks: list[Box] = []
        if document.media_type == "application/pdf":
            picture, marks = _pdf_page(path, page, width, phrases)
        elif document.media_type.startswith("image/"):
            picture = _picture(path, width)
        else:
            return None
        if picture is None:
            return None
        if picture.height > self.tallest:
            picture = picture.resize((max(1, picture.width * self.tallest // picture.height), self.tallest))
        return _drawn_over(picture, [box for box in boxes if box.page == page], marks)


def _pdf_page(
    path: Path, page: int, width: int, phrases: Sequence[str]
) -> tuple[Image.Image | None, list[Box]]:
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as pdf:
            if not 0 <= page < len(pdf):
                return None, []
            sheet = pdf[page]
            drawn: Image.Image = sheet.render(scale=width / max(1.0, sheet.get_width())).to_pil()
            return drawn.convert("RGB"), _places(sheet, page, phrases)
    except pypdfium2.PdfiumError as error:
        raise ParseError(f"page {page + 1} of {path.name} cannot be drawn") from error


def _places(sheet: Any, page: int, phrases: Sequence[str]) -> list[Box]:
    """Return where on the page the phrases stand, line by line; one that is not found is left out."""
    if not phrases:
        return []
    written = sheet.get_textpage()
    text = written.get_text_range()
    width, height = sheet.get_size()
    found = []
    for phrase in phrases:
        words = [re.escape(word) for word in _WORD.findall(phrase)]
        match = re.search(_BETWEEN.join(words), text) if words else None
        if match is None:
            continue
        for n in range(written.count_rects(match.start(), match.end() - match.start())):
            left, bottom, right, top = written.get_rect(n)
            found.append(
                Box(
                    page=page,
                    x0=left / width,
                    y0=1 - top / height,
                    x1=right / width,
                    y1=1 - bottom / height,
                )
            )
    return found


def _picture(path: Path, width: int) -> Image.Image:
    try:
        with Image.open(path) as picture:
            picture.load()
            scale = width / picture.width
            size = (width, max(1, round(picture.height * scale)))
            return picture.convert("RGB").resize(size)
    except (OSError, Image.DecompressionBombError) as error:
        raise ParseError(f"{path.name} cannot be drawn") from error


def _drawn_over(picture: Image.Image, boxes: Sequence[Box], marks: Sequence[Box]) -> bytes:
    wash = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(wash)
    for box in boxes:
        pen.rectangle(_corners(box, picture), fill=None if marks else _WASH, outline=(*_INK, 255), width=2)
    for mark in marks:
        pen.rectangle(_corners(mark, picture), fill=_MARK)
    out = io.BytesIO()
    Image.alpha_composite(picture.convert("RGBA"), wash).convert("RGB").save(out, "PNG")
    return out.getvalue()


def _corners(box: Box, picture: Image.Image) -> tuple[float, float, float, float]:
    return (
        box.x0 * picture.width - 3,
        box.y0 * picture.height - 2,
        box.x1 * picture.width + 3,
        box.y1 * picture.height + 2,
    )
