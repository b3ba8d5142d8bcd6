"""Characters whose font does not tell which letters they are: pdfium gives their number in the font instead.

In a font that came with the file those numbers mean nothing to a reader, so they are no text; what the page
shows is still right. A font of bitmaps (Type 3) has the numbers of letters, as TeX writes it.
"""

import ctypes
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAX_NAME = 256  # bytes


def without_unicode(
    text: Any,
    places: Sequence[int],
    fonts: NDArray[np.int64],
    handles: Sequence[int | None],
    mute: Collection[str],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the characters that have no usable map to Unicode.

    `places` are their positions on the text page, `fonts` (n,) their indices in `handles`; `mute` names fonts
    whose map is damaged: all characters in these are marked.
    """
    import pypdfium2.raw as pdfium

    is_mute = np.array([bool(mute) and _name(font) in mute for font in handles], dtype=bool)
    embedded = np.array([_came_along(_handle(font)) for font in handles], dtype=bool)
    found: NDArray[np.bool_] = is_mute[fonts]
    unmapped = pdfium.FPDFText_HasUnicodeMapError
    for at in np.flatnonzero(embedded[fonts] & ~found).tolist():
        found[at] = unmapped(text, places[at]) == 1
    return found


def _handle(font: int | None) -> Any:
    import pypdfium2.raw as pdfium

    return ctypes.cast(font or 0, pdfium.FPDF_FONT)


def _came_along(font: Any) -> bool:
    """Say whether the outlines of a font are in the file; those of bitmaps have none."""
    import pypdfium2.raw as pdfium

    size = ctypes.c_size_t()
    pdfium.FPDFFont_GetFontData(font, None, 0, size)
    return pdfium.FPDFFont_GetIsEmbedded(font) == 1 and size.value > 0


def _name(font: int | None) -> str:
    import pypdfium2.raw as pdfium

    buffer = ctypes.create_string_buffer(_MAX_NAME)
    pdfium.FPDFFont_GetBaseFontName(_handle(font), buffer, _MAX_NAME)
    return buffer.value.decode("utf-8", errors="replace").rpartition("+")[2]
