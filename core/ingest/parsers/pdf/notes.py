"""What was put on a page after it was made: text boxes, stamps and comments (ISO 32000-1, section 12.5.6)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from core.ingest.parsers.pdf.forms import wide_text
from core.ingest.parsers.pdf.page import Area, PageWord, Region
from core.ingest.parsers.pdf.words import Frame

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_MAX_ANNOTATIONS = 500  # annotations of a page
_BOX, _STAMP = 3, 13
_COMMENTS = (1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15)  # notes, lines, shapes, marked text, ink
_NOTE_SIZE_POINTS = 10.0


class Note(NamedTuple):
    """An annotation: what it says, where, and whether the page shows it; a stamp may be drawn only."""

    text: str
    area: Area
    shown: bool

    def region(self) -> Region:
        """Return it as something that is written on the page."""
        return Region(self.area, (PageWord(self.text, *self.area, _NOTE_SIZE_POINTS, False),))


def notes_of(page: "PdfPage") -> Iterator[Note]:
    """Yield the text boxes, stamps and comments of a page."""
    import pypdfium2.raw as pdfium

    frame = Frame(page)
    for index in range(min(_MAX_ANNOTATIONS, pdfium.FPDFPage_GetAnnotCount(page.raw))):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
        note = _note(annotation, pdfium.FPDFAnnot_GetSubtype(annotation), frame)
        pdfium.FPDFPage_CloseAnnot(annotation)
        if note is not None:
            yield note


def _note(annotation: Any, kind: int, frame: Frame) -> Note | None:
    import pypdfium2.raw as pdfium

    if kind not in (_BOX, _STAMP, *_COMMENTS):
        return None
    text = wide_text(pdfium.FPDFAnnot_GetStringValue, annotation, b"Contents")
    rectangle = pdfium.FS_RECTF()
    if not pdfium.FPDFAnnot_GetRect(annotation, rectangle) or not (text or kind == _STAMP):
        return None
    area = frame.area(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
    return Note(text, area, kind in (_BOX, _STAMP))
