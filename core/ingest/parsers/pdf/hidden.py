"""Words that are on a page but invisible: beyond its edges, or in the colour of their background.

What nobody sees was not written for readers: leftovers of a layout, words for search engines, or for models.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.ingest.parsers.pdf.page import PageWord

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_PIXELS_PER_POINT = 2.0  # pixels a point
_MAX_SIDE_PIXELS = 4000  # pixels a side
_MIN_CONTRAST = 16  # of 255, between the darkest and the brightest point of a word


def shown_and_hidden(
    page: "PdfPage", words: Sequence[PageWord], faint: Sequence[bool]
) -> tuple[list[PageWord], list[PageWord]]:
    """Return the words to be seen on a page, and the others; `faint` says which are as white as paper.

    Only where a word is faint the page is drawn, to look whether something dark stands behind it.
    """
    width, height = page.get_size()
    seen = [word.x1 > 0 and word.y1 > 0 and word.x0 < width and word.y0 < height for word in words]
    doubtful = [at for at, inside in enumerate(seen) if inside and faint[at]]
    if doubtful:
        scale = min(_PIXELS_PER_POINT, _MAX_SIDE_PIXELS / max(width, height, 1.0))
        drawn = np.asarray(page.render(scale=scale).to_pil().convert("L"))
        for at in doubtful:
            seen[at] = _is_visible(drawn, words[at], scale)
    parts = tuple([word for at, word in enumerate(words) if seen[at] is wanted] for wanted in (True, False))
    return parts[0], parts[1]


def _is_visible(
    drawn: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", word: PageWord, scale: float
) -> bool:
    """Say whether a drawn page shows something where a word stands."""
    x0, y0, x1, y1 = (max(0, round(edge * scale)) for edge in word[1:5])
    part = drawn[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    return part.size > 0 and int(part.max()) - int(part.min()) >= _MIN_CONTRAST
