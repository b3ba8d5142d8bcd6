"""The characters of a page, straight from pdfium: what is written, where, how large and how bold.

A page holds thousands, so each costs three calls and no object of its own: they are kept in columns.
"""

import ctypes
from array import array
from collections.abc import Collection
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.ingest.parsers.pdf.outlines import sound_edges
from core.ingest.parsers.pdf.unicode_errors import without_unicode
from core.ingest.parsers.pdf.unmapped import FL_LIGATURE, with_unmapped

_SPACES = frozenset({0x20, 0xA0, 0x0D, 0x0A, 0x09, 0x0, 0x3000})
_STOPS = frozenset(map(ord, ",”’」"))  # no ")": a number of a list is set apart
_CLOSING = frozenset(map(ord, ")]』」》"))
_LINE_ENDS = frozenset({0x0D, 0x0A})
_LETTERS = dict.fromkeys((0x2, 0xFFFE, 0xAD), "-") | {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
    0xF06F: "☐",
    0xF071: "☐",
    0xF0A8: "☐",
    0xF0FD: "☒",
    0xF0FE: "☑",
    0xF0FC: "✓",
    0xF0FB: "✗",
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF0D8: "➢",
}  # hyphens of every kind, ligatures, the marks of Wingdings
_BOLD = ("bold", "black", "heavy", "semibold", "demi", "-bd", "cmbx", "sfbx", "ecbx", "lmbx", "medi")
_MINUS, _HYPHEN = 0x2212, 0x2
_MAX_DASH_HEIGHT = 0.3  # of its width: no other sign is so low and so wide
_WHITE, _CLEAR = 240, 8  # of 255
_BOLD_WEIGHT = 600  # of the weights a font may have


class Style(NamedTuple):
    """How a text object is set: size in points after scaling, angle in radians; `faint` is white or clear."""

    size: float
    bold: bool
    angle: float
    faint: bool = False


class Glyphs(NamedTuple):
    """The n characters of a page that are not white space, in the order they were written."""

    letters: list[str]
    codes: NDArray[np.int64]  # (n,), of Unicode
    edges: NDArray[np.float64]  # (4, n): left, top, right and bottom in user space
    styles: list[Style]
    style: NDArray[np.int64]  # (n,), index into `styles`
    breaks: list[int]  # indices of characters with white space before them
    fonts: NDArray[np.int64]  # (n,), one number for each font
    typed: list[int]  # of `breaks`, those the page itself has a space at (not pdfium), by `marks_word_breaks`
    without_unicode: NDArray[np.bool_]  # (n,), characters whose font maps to no Unicode letter


class _Calls(NamedTuple):
    """pdfium's functions that are called for every character, without pypdfium2's checks of arguments."""

    code: Any
    box: Any
    holder: Any
    font: Any


@lru_cache(maxsize=1)
def _calls() -> _Calls:
    import pypdfium2.raw as pdfium

    def bare(function: Any, result: Any) -> Any:
        return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)

    return _Calls(
        bare(pdfium.FPDFText_GetUnicode, ctypes.c_uint),
        bare(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int),
        bare(pdfium.FPDFText_GetTextObject, ctypes.c_void_p),
        bare(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p),
    )


def glyphs_of(text: Any, mute: Collection[str] = ()) -> Glyphs:
    """Return the characters of a text page of pdfium; none in the fonts named `mute` counts as readable."""
    import pypdfium2.raw as pdfium

    code_of, box_of, holder_of, font_of = _calls()
    box = array("f", bytes(ctypes.sizeof(pdfium.FS_RECTF)))
    pointer = ctypes.byref(pdfium.FS_RECTF.from_buffer(box))
    codes, edges, style = array("q"), array("f"), array("q")
    breaks: list[int] = []
    typed: list[int] = []
    styles: list[Style] = []
    known: dict[int | None, int] = {}  # the style of a text object
    bold: dict[int | None, bool] = {}  # of its font
    number: dict[int | None, int] = {}  # of a font
    fonts: list[int] = []  # of each style
    places = array("q")  # of the characters on pdfium's text page
    high = 0
    for index in range(pdfium.FPDFText_CountChars(text)):
        code = code_of(text, index)
        if code in _SPACES and not (code == FL_LIGATURE and pdfium.FPDFText_IsGenerated(text, index) == 0):
            breaks.append(len(codes))
            if (
                codes
                and (marks_word_breaks(codes[-1]) or closes(codes[-1]))
                and code not in _LINE_ENDS
                and _is_typed(text, index)
            ):
                typed.append(len(codes))
            continue
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code, high = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD, 0
        # The loose box is as wide as the character's advance, so a narrow "1" leaves no gap beside it.
        if not box_of(text, index, pointer):
            continue
        holder = holder_of(text, index)
        if holder not in known:
            known[holder] = len(styles)
            font = font_of(ctypes.c_void_p(holder))
            if font not in bold:
                bold[font] = _is_bold(text, index)
            fonts.append(number.setdefault(font, len(number)))
            styles.append(_style(text, index, bold[font]))
        if code < 0x20 and code != _HYPHEN and _is_flat(text, index):
            code = _MINUS
        codes.append(code)
        places.append(index)
        edges.extend(box)
        style.append(known[holder])
    values, shapes = np.asarray(codes, dtype=np.int64), np.asarray(style, dtype=np.int64)
    of_font = np.asarray(fonts, dtype=np.int64)[shapes]
    boxes = np.asarray(edges, dtype=np.float64).reshape(-1, 4).T
    sizes, level = (
        np.array(each)[shapes] for each in ([s.size for s in styles], [not s.angle for s in styles])
    )
    letters = [_LETTERS.get(code) or chr(code) for code in codes]
    mapped = with_unmapped(letters, values, of_font, breaks)
    remapped = [letter != before for letter, before in zip(mapped, letters, strict=True)]
    return Glyphs(
        mapped,
        values,
        sound_edges(text, places, boxes, sizes, level, of_font) if styles else boxes,
        styles,
        shapes,
        breaks,
        of_font,
        typed,
        without_unicode(text, places, of_font, [*number], mute)
        & ~np.asarray(remapped, dtype=bool)
        & (values != _MINUS),
    )


def is_hangul(code: int) -> bool:
    """Say whether a character is a Korean syllable."""
    return 0xAC00 <= code <= 0xD7A3


def marks_word_breaks(code: int) -> bool:
    """Say whether white space after a character is evidence of word breaks in a line of Korean."""
    return is_hangul(code) or code in _STOPS


def closes(code: int) -> bool:
    """Say whether a character is a closing bracket: a particle may follow it."""
    return code in _CLOSING


def _is_typed(text: Any, index: int) -> bool:
    """Say whether a character is in the page's content, not generated by pdfium."""
    import pypdfium2.raw as pdfium

    return bool(pdfium.FPDFText_IsGenerated(text, index) == 0)


def _is_flat(text: Any, index: int) -> bool:
    """Say whether a character is drawn as a level stroke, as a minus is: for codes without a meaning."""
    import pypdfium2.raw as pdfium

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    if not pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top):
        return False
    wide, high = right.value - left.value, top.value - bottom.value
    return 0 < high < _MAX_DASH_HEIGHT * wide


def _style(text: Any, index: int, bold: bool) -> Style:
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    scale = 1.0
    if pdfium.FPDFText_GetMatrix(text, index, matrix):
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 or 1.0
    size = abs(pdfium.FPDFText_GetFontSize(text, index) * scale) or 1.0
    turn = pdfium.FPDFText_GetCharAngle(text, index)
    return Style(round(min(size, 2000.0), 1), bold, turn, _is_faint(text, index))


def _is_faint(text: Any, index: int) -> bool:
    """Say whether a character is filled with white, or with nothing."""
    import pypdfium2.raw as pdfium

    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFText_GetFillColor(text, index, red, green, blue, alpha):
        return False
    return alpha.value <= _CLEAR or min(red.value, green.value, blue.value) >= _WHITE


def _is_bold(text: Any, index: int) -> bool:
    """Say whether the font of a character is a bold one, by its weight or its name."""
    import pypdfium2.raw as pdfium

    flags = ctypes.c_int()
    length = pdfium.FPDFText_GetFontInfo(text, index, None, 0, flags)
    buffer = ctypes.create_string_buffer(max(1, length))
    pdfium.FPDFText_GetFontInfo(text, index, buffer, length, flags)
    name = buffer.value.decode("utf-8", errors="replace").lower()
    heavy: bool = pdfium.FPDFText_GetFontWeight(text, index) >= _BOLD_WEIGHT
    return heavy or any(mark in name for mark in _BOLD)
