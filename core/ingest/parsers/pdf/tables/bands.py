"""The rows of a table from its bands: what stands between two level lines is one row, or several.

A line break in a cell is needed where the first word of the next line would not have fitted beside the line
before it. Where several cells of a band break at the same heights and most of these breaks are not needed, or
part one figure from another, rows stand there that no line parts.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.ingest.parsers.cells import is_number
from core.ingest.parsers.pdf.layout import CJK, WordRun, is_whole, joined

_SAME_LINE_SIZES = 0.45  # sizes by which the middles of one line differ
_MIN_FREE_BREAKS = 0.6  # of the breaks between two heights
_EARLY_END_SIZES = 0.5  # sizes a line may end early though it was broken for want of room


@dataclass
class TextLine:
    """What stands on one height in a cell."""

    runs: list[WordRun]
    middle: float = field(init=False)

    def __post_init__(self) -> None:
        self.runs.sort(key=lambda run: run.x0)
        self.middle = sum(run.middle for run in self.runs) / len(self.runs)
        self.text = joined([word for run in self.runs for word in run.words])
        self.x0, self.x1 = self.runs[0].x0, max(run.x1 for run in self.runs)
        self.size = max(run.size for run in self.runs)


@dataclass
class TableCell:
    """A cell: its lines from the top, and from where to where it goes."""

    lines: list[TextLine]
    x0: float
    x1: float

    @property
    def text(self) -> str:
        return text_of(self.lines)


def lines_in(runs: Sequence[WordRun]) -> list[TextLine]:
    """Return the lines that runs make, from the top."""
    groups: list[list[WordRun]] = []
    for run in sorted(runs, key=lambda run: run.middle):
        if groups and abs(groups[-1][-1].middle - run.middle) < _SAME_LINE_SIZES * max(
            run.size, groups[-1][-1].size
        ):
            groups[-1].append(run)
        else:
            groups.append([run])
    return [TextLine(group) for group in groups]


def text_of(lines: Sequence[TextLine]) -> str:
    """Return lines as one text; what a full line ends within, a word or a row of Chinese signs, is whole."""
    text = lines[0].text if lines else ""
    edge = max((line.x1 for line in lines), default=0.0)
    for above, below in pairwise(lines):
        signs = CJK.match(above.text[-1:]) and CJK.match(below.text[:1])
        full = above.x1 > edge - _EARLY_END_SIZES * above.size
        whole = is_whole(above.runs[-1].words[-1], below.text) or (signs and full)
        text += below.text if whole else f" {below.text}"
    return text


def spread_line(lines: Sequence[TextLine]) -> TextLine:
    """Return lines as one without a height of its own: it belongs to every row beside it."""
    whole = TextLine([run for line in lines for run in line.runs])
    whole.text = text_of(lines)
    whole.middle = -math.inf
    return whole


def rows_of_band(cells: Sequence[TableCell], *, header: bool = False) -> list[list[str]]:
    """Return the rows that are in a band, a text for each cell. A header is one row."""
    several = [cell for cell in cells if len(cell.lines) > 1]
    if header or len(several) < 2:
        return [[cell.text for cell in cells]]
    heights = _heights(several)
    parts = _parts(several, heights)
    if len(parts) < 2:
        return [[cell.text for cell in cells]]
    columns = [_over_parts(cell, heights, parts) for cell in cells]
    return [list(row) for row in zip(*columns, strict=True)]


def _heights(cells: Sequence[TableCell]) -> list[float]:
    heights: list[float] = []
    for line in sorted((line for cell in cells for line in cell.lines), key=lambda line: line.middle):
        if not heights or line.middle - heights[-1] > _SAME_LINE_SIZES * line.size:
            heights.append(line.middle)
    return heights


def _parts(cells: Sequence[TableCell], heights: Sequence[float]) -> list[range]:
    """Return the heights that belong to one row each: a row ends where most breaks are not needed."""
    ends = []
    for at, (above, below) in enumerate(pairwise(heights)):
        votes = [
            _is_free(cell, upper, lower)
            for cell in cells
            for upper, lower in pairwise(cell.lines)
            if _on(upper, above) and _on(lower, below)
        ]
        if len(votes) > 1 and sum(votes) >= _MIN_FREE_BREAKS * len(votes):
            ends.append(at + 1)
    return [range(first, last) for first, last in pairwise([0, *ends, len(heights)])]


def _on(line: TextLine, height: float) -> bool:
    return abs(line.middle - height) <= _SAME_LINE_SIZES * line.size


def _is_free(cell: TableCell, above: TextLine, below: TextLine) -> bool:
    """Say whether a line ends though there was room, or ends with a whole figure before another one."""
    if is_number(above.text) and is_number(below.text):
        return True
    first = below.runs[0].words[0]
    return cell.x1 - above.x1 > first.x1 - first.x0 + _EARLY_END_SIZES * above.size


def is_boxed(cell: TableCell) -> bool:
    """Say whether a cell holds several texts under each other: lines that end although there is room."""
    return any(_is_free(cell, above, below) for above, below in pairwise(cell.lines))


def _over_parts(cell: TableCell, heights: Sequence[float], parts: Sequence[range]) -> list[str]:
    """Return what a cell says in each row; one line between the heights of the others stands for all rows."""
    if len(cell.lines) == 1 and not any(_on(cell.lines[0], height) for height in heights):
        return [cell.text] * len(parts)
    texts = []
    for part in parts:
        low, high = heights[part[0]], heights[part[-1]]
        inside = [
            line
            for line in cell.lines
            if low - _SAME_LINE_SIZES * line.size <= line.middle <= high + _SAME_LINE_SIZES * line.size
        ]
        texts.append(text_of(inside))
    return texts
