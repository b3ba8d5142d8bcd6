"""Characters of a font whose outlines are damaged: pdfium takes each to reach as far as its outline does.

Where each stands and where the next one begins is still right, so their boxes are made of that.
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MIN_OVERLAP_SIZES = 1.0  # of the size; no sound character covers so much of the next one
_MIN_COVERING = 3  # characters of a font that cover the next
_MIN_SHARE = 0.05  # of a font's characters
_MAX_STEP_SIZES = 1.5  # of the size, from one character to the next
_WIDTH_SIZES = 0.5  # of the size, of a character with none behind it
_ASCENT_SIZES, _DESCENT_SIZES = 0.9, 0.2  # of the size


def sound_edges(
    text: Any,
    places: Sequence[int],
    edges: NDArray[np.float64],
    sizes: NDArray[np.float64],
    level: NDArray[np.bool_],
    fonts: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return left, top, right and bottom (4, n) of the characters at `places` of a text page.

    `sizes`, `level` and `fonts` (n,) say how each is set.
    """
    left, _, right, _ = edges
    step = np.append(np.diff(left), np.inf)
    covers = (
        level
        & (np.abs(step) <= _MAX_STEP_SIZES * sizes)
        & (right - left - step > (1 + _MIN_OVERLAP_SIZES) * sizes)
    )
    if np.count_nonzero(covers) < _MIN_COVERING:
        return edges
    covering = np.bincount(fonts[covers], minlength=int(fonts.max()) + 1)
    damaged = (covering >= _MIN_COVERING) & (covering >= _MIN_SHARE * np.bincount(fonts))
    which = np.flatnonzero(level & damaged[fonts])
    x, y = _origins(text, [places[at] for at in which.tolist()])
    size = sizes[which]
    step = np.append(np.diff(x), np.inf)
    width = np.where((step > 0) & (step <= _MAX_STEP_SIZES * size), step, _WIDTH_SIZES * size)
    corrected = edges.copy()
    corrected[:, which] = x, y + _ASCENT_SIZES * size, x + width, y - _DESCENT_SIZES * size
    return corrected


def _origins(text: Any, places: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_double(), ctypes.c_double()
    found = np.zeros((2, len(places)))
    for at, place in enumerate(places):
        pdfium.FPDFText_GetCharOrigin(text, place, x, y)
        found[:, at] = x.value, y.value
    return found[0], found[1]
