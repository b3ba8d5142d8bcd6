"""The numbers of lines at the left edge of transcripts, pleadings and drafts: no words of the text."""

from collections.abc import Sequence
from itertools import pairwise

from core.ingest.parsers.pdf.page import PageWord

_MIN_NUMBERS = 10
_MIN_ALONE = 2  # of them stand beside nothing: the rows of a table all hold something
_EDGE_TOLERANCE_POINTS = 2.0  # points by which their edges differ
_MAX_STEP_RATIO = 1.6  # of the usual distance between two of them


def line_numbers(words: Sequence[PageWord]) -> list[PageWord]:
    """Return the words that count the lines of a page: rising by one, evenly, down the left edge."""
    figures = sorted(
        (word for word in words if word.upright and word.text.isdecimal() and len(word.text) <= 3),
        key=lambda word: word.y0,
    )
    for first in figures:
        column = [word for word in figures if _aligned(word, first)]
        if len(column) >= _MIN_NUMBERS and _counts(column) and _at_the_edge(column, words):
            return column
    return []


def _aligned(one: PageWord, other: PageWord) -> bool:
    return (
        abs(one.x1 - other.x1) <= _EDGE_TOLERANCE_POINTS or abs(one.x0 - other.x0) <= _EDGE_TOLERANCE_POINTS
    )


def _counts(column: Sequence[PageWord]) -> bool:
    gaps = sorted(below.y0 - above.y0 for above, below in pairwise(column))
    rising = all(int(below.text) == int(above.text) + 1 for above, below in pairwise(column))
    return rising and gaps[0] > 0 and gaps[-1] <= _MAX_STEP_RATIO * gaps[len(gaps) // 2]


def _at_the_edge(column: Sequence[PageWord], words: Sequence[PageWord]) -> bool:
    """Say whether nothing stands left of the numbers, and nothing beside some of them."""
    right = max(word.x1 for word in column)
    top, bottom = column[0].y0, column[-1].y1
    beside = [word for word in words if word not in column and word.upright and top <= word.middle <= bottom]
    if any(word.x0 < right for word in beside):
        return False
    alone = [each for each in column if not any(each.y0 <= word.middle <= each.y1 for word in beside)]
    return len(alone) >= _MIN_ALONE
