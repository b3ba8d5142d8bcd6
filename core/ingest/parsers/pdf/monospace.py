"""Text set in a fixed pitch among text that is not, as listings and what a program printed: kept as typed.

Whether a font has one pitch is seen by the advances of its letters, since few files say it and bitmap fonts
have no name. A document that is set so as a whole, as receipts are, is read like any other.
"""

import statistics
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.ingest.parsers.pdf.layout import WordRun
from core.ingest.parsers.pdf.page import Area, PageWord

_NARROW, _WIDE = list(map(ord, "fijlrtI")), list(map(ord, "mwMW"))
_MAX_WIDTH_RATIO = 1.2  # times as wide: wide letters of other fonts are more than that of narrow ones
_MAX_OTHER_FONTS_SHARE = 0.3  # of a page's letters in other fonts
_MIN_LISTING_LINES = 2  # of a listing at least
_MAX_LINE_STEP_SIZES = 2.2  # sizes from one line of a listing to the next, a blank one between them


def fixed_pitch(
    codes: NDArray[np.int64], fonts: NDArray[np.int64], widths: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Say of each of n characters whether its font has one pitch; `widths` are their advances, in sizes.

    A font is judged by its narrow and its wide letters; without either it does not count as fixed pitch.
    """
    fixed = np.zeros(len(codes), dtype=bool)
    narrow, wide = np.isin(codes, _NARROW), np.isin(codes, _WIDE)
    for font in np.unique(fonts[narrow]):
        own = fonts == font
        some, others = widths[own & narrow], widths[own & wide]
        if others.size and others.max() < _MAX_WIDTH_RATIO * some.min():
            fixed |= own
    return fixed


def is_prose(words: Sequence[PageWord]) -> bool:
    """Say whether a page is set in fonts of many widths for a good part."""
    letters = sum(len(word.text) for word in words)
    return sum(len(word.text) for word in words if not word.typed) >= _MAX_OTHER_FONTS_SHARE * max(1, letters)


def listings(runs: Sequence[WordRun]) -> tuple[list[WordRun], list[WordRun]]:
    """Return the runs that are no part of a listing, and one run for each listing, its lines as typed."""
    levels: list[list[WordRun]] = []
    for run in sorted(runs, key=lambda run: run.middle):
        if levels and abs(levels[-1][0].middle - run.middle) < 0.45 * max(levels[-1][0].size, run.size):
            levels[-1].append(run)
        else:
            levels.append([run])
    blocks: list[list[list[WordRun]]] = [[]]
    for level in levels:
        last_block = blocks[-1]
        if not all(run.typed for run in level):
            blocks.append([])
        elif last_block and level[0].middle - last_block[-1][0].middle > _MAX_LINE_STEP_SIZES * level[0].size:
            blocks.append([level])
        else:
            last_block.append(level)
    found = [block for block in blocks if len(block) >= _MIN_LISTING_LINES]
    in_listing = {id(run) for block in found for level in block for run in level}
    return [run for run in runs if id(run) not in in_listing], [_listing(block) for block in found]


def _listing(block: Sequence[Sequence[WordRun]]) -> WordRun:
    words = [word for level in block for run in level for word in run.words]
    area = Area(
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
    )
    pitch = statistics.median((word.x1 - word.x0) / len(word.text) for word in words)
    apart = min((after[0].middle - before[0].middle for before, after in pairwise(block)), default=0.0)
    lines: list[str] = []
    for n, level in enumerate(block):
        if n and level[0].middle - block[n - 1][0].middle > 1.6 * apart:
            lines.append("")
        lines.append(_typed_line([word for run in level for word in run.words], area.x0, max(pitch, 0.1)))
    return WordRun([PageWord("\n".join(lines), *area, words[0].size, False, typed=True)], listing=True)


def _typed_line(words: Sequence[PageWord], left: float, pitch: float) -> str:
    """Return the words of a line, each in the column it was typed in."""
    line = ""
    for word in sorted(words, key=lambda word: word.x0):
        room = round((word.x0 - left) / pitch) - len(line)
        line += " " * max(room, 1 if line else 0) + word.text
    return line
