"""Upright lines that part what stands beside each other: columns of a form or bulletin, cells of one line."""

from collections.abc import Sequence
from itertools import pairwise

from core.ingest.parsers.pdf.layout import WordRun
from core.ingest.parsers.pdf.page import Page
from core.ingest.parsers.pdf.tables.bands import lines_in
from core.ingest.parsers.pdf.tables.grids import RulingLine

_MIN_RULE_POINTS = 10.0  # points of an upright line that parts words
_MIN_COLUMN_RULE_SHARE = 0.25  # of the page's height: a line that parts columns
_MIN_COLUMN_RUNS = 6  # runs in a column
_MAX_PAIRED_SHARE = 0.35  # of a column's lines hold several texts: it is no column of a table
_TOUCH_POINTS = 1.5  # points


def uprights(page: Page) -> list[RulingLine]:
    """Return the upright lines of a page, from the left."""
    lines = (
        edge
        for edge in page.edges
        if edge.y1 - edge.y0 >= _MIN_RULE_POINTS and edge.x1 - edge.x0 < _TOUCH_POINTS
    )
    return sorted(lines, key=lambda edge: edge.x0)


def split_at(runs: Sequence[WordRun], lines: Sequence[RulingLine]) -> list[WordRun]:
    """Return runs cut where an upright line stands between two of their words."""
    if not lines:
        return list(runs)
    made: list[WordRun] = []
    for run in runs:
        beside = [line.x0 for line in lines if line.y0 <= run.middle <= line.y1]
        words = run.words
        cuts = [
            at + 1
            for at, (one, other) in enumerate(pairwise(words))
            if any(one.x1 <= x + _TOUCH_POINTS and other.x0 >= x - _TOUCH_POINTS for x in beside)
        ]
        made.extend(WordRun(words[first:last]) for first, last in pairwise([0, *cuts, len(words)]))
    return made


def columns_between(runs: Sequence[WordRun], page: Page, lines: Sequence[RulingLine]) -> list[list[WordRun]]:
    """Return the runs parted into what stands above, in each column between long upright lines, and below.

    Columns are those in which labels stand beside values, or names beside figures: the columns of a table
    hold one text on a line and stay together.
    """
    long = [line for line in lines if line.y1 - line.y0 > _MIN_COLUMN_RULE_SHARE * page.height]
    clear = [line for line in long if not any(_crosses(run, line) for run in runs)]
    if not clear:
        return [list(runs)]
    top, low = max(line.y0 for line in clear), min(line.y1 for line in clear)
    inside = [run for run in runs if top <= run.middle <= low]
    edges = [0.0, *(line.x0 for line in clear), page.width]
    columns = [[run for run in inside if x0 <= (run.x0 + run.x1) / 2 < x1] for x0, x1 in pairwise(edges)]
    columns = [column for column in columns if column]
    full = [column for column in columns if len(column) >= _MIN_COLUMN_RUNS]
    if low <= top or len(full) < 2 or sum(map(_is_paired, full)) * 2 < len(full):
        return [list(runs)]
    above = [run for run in runs if run.middle < top]
    below = [run for run in runs if run.middle > low]
    return [group for group in (above, *columns, below) if group]


def _crosses(run: WordRun, line: RulingLine) -> bool:
    return (
        line.y0 <= run.middle <= line.y1
        and run.x0 < line.x0 - _TOUCH_POINTS
        and run.x1 > line.x0 + _TOUCH_POINTS
    )


def _is_paired(column: Sequence[WordRun]) -> bool:
    lines = lines_in(column)
    return sum(len(line.runs) > 1 for line in lines) >= _MAX_PAIRED_SHARE * len(lines)
