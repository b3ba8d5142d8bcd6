"""Characters whose font does not say what they are: pdfium gives their number in the font, a control code.

Documents of TeX in bitmap fonts have ligatures, quotation marks and bullets so. The numbers are those of
TeX's text encodings, T1 (Cork) and OT1. In a font of symbols the same numbers are other signs, so they count
only beside a letter of their own font.
"""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

FL_LIGATURE = 0x0D  # "fl" in OT1
_LIGATURES = {
    0x0B: "ff",
    0x0C: "fi",
    FL_LIGATURE: "fl",
    0x0E: "ffi",
    0x0F: "ffl",
    0x1B: "ff",
    0x1C: "fi",
    0x1D: "fl",
    0x1E: "ffi",
    0x1F: "ffl",
}
_QUOTES = {0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»"}
_TEXT = _LIGATURES | _QUOTES
_BULLET_CODE = 0x88  # of the symbols beside T1


def with_unmapped(
    letters: Sequence[str], codes: NDArray[np.int64], fonts: NDArray[np.int64], breaks: Collection[int]
) -> list[str]:
    """Return the n characters of a page, control codes replaced by the letters their TeX encoding gives them.

    `codes` and `fonts` are (n,); `breaks` are the characters with white space before them.
    """
    mapped = list(letters)
    parted = set(breaks)
    for at in np.flatnonzero((codes < 0x20) | (codes == _BULLET_CODE)).tolist():
        code = int(codes[at])
        if code == _BULLET_CODE:
            if at in parted and at + 1 in parted:
                mapped[at] = "•"
            continue
        beside = [other for other, gap in ((at - 1, at), (at + 1, at + 1)) if gap not in parted]
        beside = [other for other in beside if 0 <= other < len(mapped)]
        if code in _TEXT and any(letters[o].isalpha() and fonts[o] == fonts[at] for o in beside):
            mapped[at] = _TEXT[code]
    return mapped
