"""Exponents, indices and footnote marks: small figures set above or below the line, as Unicode has them.

A text alone reads "10−6" as a difference and "93.5" with its mark 1 as 93.51. "10⁻⁶" and "93.5¹" are what
the page shows, and `core.text.tokens.fold` finds them by "10-6" and "H2O".
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.ingest.parsers.raised import SUBSCRIPT, SUPERSCRIPT

Numbers = NDArray[np.float64]

# In sizes of the character that they belong to.
_MAX_SIZE_RATIO = 0.8
_MIN_RAISE = 0.25  # at least, of the bottom
_MIN_LOWERED_TOP, _MIN_LOWERED_BOTTOM = 0.25, 0.03  # at least, of the top and of the bottom
_MAX_GAP_SIZES = 0.22
_MAX_OVERLAP_SIZES = 0.4  # what follows may begin so far to the left of the end


def with_raised(
    letters: Sequence[str], size: Numbers, upright: NDArray[np.bool_], edges: Sequence[Numbers]
) -> list[str]:
    """Return the n letters with superscript and subscript figures in place of raised and lowered ones.

    `edges` are left, top, right and bottom in points from the top left, each (n,). A run with letters in it
    stays as it is ("25th", an index k): few letters have a raised form.
    """
    x0, y0, x1, y1 = edges
    marked = list(letters)
    gap = x0[1:] - x1[:-1]
    smaller = (size[1:] <= _MAX_SIZE_RATIO * size[:-1]) & upright[1:] & upright[:-1]
    begins = (
        np.flatnonzero(smaller & (gap < _MAX_GAP_SIZES * size[:-1]) & (gap > -_MAX_OVERLAP_SIZES * size[:-1]))
        + 1
    )
    for first in begins.tolist():
        base = first - 1
        level = _level(base, first, size, y0, y1)
        end = first + 1
        while (
            level
            and end < len(marked)
            and abs(x0[end] - x1[end - 1]) < _MAX_GAP_SIZES * size[base]
            and size[end] <= _MAX_SIZE_RATIO * size[base]
            and _level(base, end, size, y0, y1) == level
        ):
            end += 1
        run = "".join(letters[first:end])
        changed = run.translate(SUPERSCRIPT if level > 0 else SUBSCRIPT)
        if level and len(changed) == end - first and not any(sign.isalpha() for sign in run.replace("n", "")):
            marked[first:end] = changed
    return marked


def _level(base: int, at: int, size: Numbers, y0: Numbers, y1: Numbers) -> int:
    """Return 1 for a character raised over its base, -1 for a lowered one, 0 for one on its line."""
    if not y0[base] - size[base] < y1[at] or not y0[at] < y1[base]:
        return 0
    if y1[base] - y1[at] >= _MIN_RAISE * size[base]:
        return 1
    lowered = (
        y0[at] - y0[base] >= _MIN_LOWERED_TOP * size[base]
        and y1[at] - y1[base] >= _MIN_LOWERED_BOTTOM * size[base]
    )
    return -1 if lowered else 0
