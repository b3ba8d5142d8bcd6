"""Accents that a page draws as characters of their own over or under a letter: "˘" and "g" are "ğ".

TeX's older fonts have no composed letters, so the text of such a page spells "Oguz ˘" where it shows "Oğuz".
"""

import unicodedata

import numpy as np

from core.ingest.parsers.pdf.glyphs import Glyphs

_COMBINING = {
    0xB4: "\u0301",
    0x2CA: "\u0301",
    0x2CB: "\u0300",
    0x2C6: "\u0302",
    0x2DC: "\u0303",
    0xA8: "\u0308",
    0xAF: "\u0304",
    0x2C9: "\u0304",
    0x2D8: "\u0306",
    0x2D9: "\u0307",
    0x2DA: "\u030a",
    0x2DD: "\u030b",
    0x2C7: "\u030c",
    0xB8: "\u0327",
    0x2DB: "\u0328",
} | {code: chr(code) for code in range(0x300, 0x330)}
_DOTLESS = {"ı": "i", "ȷ": "j"}
_CODES = np.array(sorted(_COMBINING))
_MAX_OFFSET_WIDTHS = 0.5  # of the wider one's width, between the middles of letter and accent
_MIN_OVERLAP_HEIGHTS = 0.5  # of the lower one's height, by which they overlap


def with_accents(glyphs: Glyphs) -> Glyphs:
    """Return the characters with every accent in the letter it stands over, none of its own left of it."""
    marks = np.flatnonzero(np.isin(glyphs.codes, _CODES))
    if not len(marks):
        return glyphs
    letters = list(glyphs.letters)
    merged: set[int] = set()
    for mark in marks.tolist():
        for base in _under(glyphs, mark):
            composed = _composed(letters[base], int(glyphs.codes[mark]))
            if composed:
                letters[base] = composed
                merged.add(mark)
                break
    if not merged:
        return glyphs
    remaining = np.array([at for at in range(len(letters)) if at not in merged])
    moved = np.cumsum([at not in merged for at in range(len(letters))])
    beside = merged | {at + 1 for at in merged}  # white space around an accent parts no word
    breaks, typed = (
        [int(moved[at - 1]) if at else 0 for at in each if at not in beside and at <= len(moved)]
        for each in (glyphs.breaks, glyphs.typed)
    )
    codes = np.array([ord(letters[at][0]) for at in remaining])
    return Glyphs(
        [letters[at] for at in remaining],
        codes,
        glyphs.edges[:, remaining],
        glyphs.styles,
        glyphs.style[remaining],
        breaks,
        glyphs.fonts[remaining],
        typed,
        glyphs.without_unicode[remaining],
    )


def _under(glyphs: Glyphs, mark: int) -> list[int]:
    """Return the characters whose middle an accent stands over or under, the nearest first."""
    left, top, right, bottom = glyphs.edges
    middle = (left + right) / 2
    apart = np.abs(middle - middle[mark])
    wide = np.maximum(right - left, right[mark] - left[mark])
    high = np.minimum(top, top[mark]) - np.maximum(bottom, bottom[mark])
    near = (apart <= _MAX_OFFSET_WIDTHS * wide) & (
        high >= _MIN_OVERLAP_HEIGHTS * np.minimum(top - bottom, top[mark] - bottom[mark])
    )
    near[mark] = False
    found: list[int] = np.flatnonzero(near)[np.argsort(apart[near], kind="stable")].tolist()
    return found


def _composed(letter: str, accent: int) -> str:
    """Return the letter with its accent as one character, "" where there is none."""
    if len(letter) != 1 or not letter.isalpha():
        return ""
    whole = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _COMBINING[accent])
    return whole if len(whole) == 1 else ""
