"""Korean words that a line ends within: a syllable may stand on the next line without any sign.

Where the words of a line are parted by spaces that the page itself holds, and lines end with such a space
elsewhere on it, a line that ends without one ends within a word.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.ingest.parsers.pdf.glyphs import Glyphs, closes, is_hangul, marks_word_breaks

_Columns: TypeAlias = tuple[NDArray[np.float64], ...]  # left, top, right and bottom of each character
_MIN_SPACED_SHARE = 0.15  # of the lines end with a space, so that one without tells something


def cut_words(glyphs: Glyphs, ends: Sequence[int], areas: _Columns) -> set[int]:
    """Return the first characters of the words that a line ends within; `ends` has those of all words."""
    typed = set(glyphs.typed)
    cut: set[int] = set()
    spaced = 0
    has_spaces: bool | None = None  # whether the page holds the spaces of the line so far
    for begin, end in pairwise(ends) if typed else ():
        code = int(glyphs.codes[end - 1])
        if end < len(glyphs.letters) and _is_level(areas, end):
            if marks_word_breaks(code):
                has_spaces = end in typed and has_spaces is not False
            continue
        if has_spaces and (is_hangul(code) or _may_go_on(glyphs, end)):
            spaced += end in typed
            if end not in typed:
                cut.add(begin)
        has_spaces = None
    return cut if spaced >= _MIN_SPACED_SHARE * (spaced + len(cut)) else set()


def _may_go_on(glyphs: Glyphs, end: int) -> bool:
    """Say whether a bracket closes a line and a particle may follow it in the next: "(MRI)" and "는"."""
    follows = int(glyphs.codes[end]) if end < len(glyphs.codes) else 0
    return closes(int(glyphs.codes[end - 1])) and is_hangul(follows)


def _is_level(areas: _Columns, at: int) -> bool:
    """Say whether a character stands on one line with the one before it."""
    _, top, _, bottom = areas
    shared = min(bottom[at - 1], bottom[at]) - max(top[at - 1], top[at])
    return bool(shared > 0.4 * min(bottom[at - 1] - top[at - 1], bottom[at] - top[at]))
