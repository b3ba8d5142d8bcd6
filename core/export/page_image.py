"""Shows the page a passage stands on, with the passage boxed."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from core.domain import Box
from core.errors import ParseError
from core.knowledge.base import KnowledgeBase

_INK = (196, 84, 16)
_WASH = (255, 196, 92, 70)


@dataclass(frozen=True)
class Illustrator:
    """Renders pages of PDFs, and pictures as they are."""

    knowledge: KnowledgeBase
    tallest: int = 4000  # pixels; a page longer than that is scaled down

    def page(self, document_id: str, page: int, boxes: Sequence[Box], width: int) -> bytes | None:
        """Return a PNG `width` pixels wide, or None where the format has no pages.

        Raises NotFound for an unknown document, ParseError where the stored file cannot be drawn.
        """
        document = self.knowledge.document(document_id)
        path = self.knowledge.original(document_id)
        if path is None:
            return None
        if document.media_type == "application/pdf":
            picture = _pdf_page(path, page, width)
        elif document.media_type.startswith("image/"):
            picture = _picture(path, width)
        else:
            return None
        if picture is None:
            return None
        if picture.height > self.tallest:
            picture = picture.resize((max(1, picture.width * self.tallest // picture.height), self.tallest))
        return _boxed(picture, [box for box in boxes if box.page == page])


def _pdf_page(path: Path, page: int, width: int) -> Image.Image | None:
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as pdf:
            if not 0 <= page < len(pdf):
                return None
            sheet = pdf[page]
            drawn: Image.Image = sheet.render(scale=width / max(1.0, sheet.get_width())).to_pil()
            return drawn.convert("RGB")
    except pypdfium2.PdfiumError as error:
        raise ParseError(f"page {page + 1} of {path.name} cannot be drawn") from error


def _picture(path: Path, width: int) -> Image.Image:
    try:
        with Image.open(path) as picture:
            picture.load()
            scale = width / picture.width
            size = (width, max(1, round(picture.height * scale)))
            return picture.convert("RGB").resize(size)
    except (OSError, Image.DecompressionBombError) as error:
        raise ParseError(f"{path.name} cannot be drawn") from error


def _boxed(picture: Image.Image, boxes: Sequence[Box]) -> bytes:
    wash = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(wash)
    for box in boxes:
        corners = (
            box.x0 * picture.width - 3,
            box.y0 * picture.height - 2,
            box.x1 * picture.width + 3,
            box.y1 * picture.height + 2,
        )
        pen.rectangle(corners, fill=_WASH, outline=(*_INK, 255), width=2)
    out = io.BytesIO()
    Image.alpha_composite(picture.convert("RGBA"), wash).convert("RGB").save(out, "PNG")
    return out.getvalue()
