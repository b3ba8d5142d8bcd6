"""Converts lines read by OCR to a page of words, so that pictures and PDF pages share one layout analysis."""

import math
from collections.abc import Sequence

from core.ingest.parsers.media.ocr import OcrLine
from core.ingest.parsers.pdf.page import Page, PageWord
from core.ingest.parsers.pdf.tables.grids import RulingLine


def page_of(
    lines: Sequence[OcrLine], number: int, width: float, height: float, rulings: Sequence[RulingLine] = ()
) -> Page:
    """Return the lines as a page of words, so that it is composed as any other page."""
    words = tuple(word_of(line, width, height) for line in lines)
    return Page(number, width, height, words, (), (), len(rulings), tuple(rulings))


def word_of(line: OcrLine, width: float, height: float) -> PageWord:
    """Return a line as one word of a page of this size in points."""
    size = _size((line.y1 - line.y0) * height)
    return PageWord(
        line.text, line.x0 * width, line.y0 * height, line.x1 * width, line.y1 * height, size, False
    )


def _size(height: float) -> float:
    """Boxes of one font differ by a pixel or two from line to line: sizes go in steps of 20 %."""
    return round(1.2 ** round(math.log(max(height, 1.0), 1.2)), 1)
