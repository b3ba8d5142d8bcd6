"""The columns of a table without upright lines: where its cells stand."""

import statistics
from collections.abc import Sequence

from core.ingest.parsers.pdf.layout import WordRun

_MIN_COLUMN_SIZES = 12  # font sizes; a column of running text is at least so wide
_FULL_LINE_SHARE = 0.8  # of the column's width
_EDGE_TOLERANCE_SIZES = 0.6  # font sizes by which a run may miss the edge of its column
Spans = list[tuple[float, float]]


def columns_of(block: Sequence[Sequence[WordRun]]) -> Spans:
    """Return the x-spans of the columns in points: runs that overlap share one.

    Lines with few cells are ignored, and so are lines above the first full one that span several of its
    cells: a label over several columns would join them.
    """
    most = max(map(len, block), default=0)
    full = next((at for at, line in enumerate(block) if len(line) == most), 0)
    candidates = [line for line in block if len(line) > 1 and 2 * len(line) >= most]
    labels = [line for line in block[:full] if any(len(_touched(run, block[full])) > 1 for run in line)]
    column_runs = [run for line in candidates if not any(line is label for label in labels) for run in line]
    spans: Spans = []
    for run in sorted(column_runs, key=lambda run: run.x0):
        if spans and run.x0 < spans[-1][1] - 0.2 * run.size:
            spans[-1] = (spans[-1][0], max(spans[-1][1], run.x1))
        else:
            spans.append((run.x0, run.x1))
    return spans


def _touched(run: WordRun, line: Sequence[WordRun]) -> list[WordRun]:
    return [other for other in line if min(run.x1, other.x1) > max(run.x0, other.x0)]


def running(block: Sequence[Sequence[WordRun]], columns: Spans) -> bool:
    """Say whether the columns are running text: each wide, and filled by most of its lines."""
    for x0, x1 in columns:
        runs = [run for line in block for run in line if x0 <= (run.x0 + run.x1) / 2 <= x1]
        full = sum(run.width > _FULL_LINE_SHARE * (x1 - x0) for run in runs)
        if x1 - x0 < _MIN_COLUMN_SIZES * statistics.median(
            run.size for run in runs or block[0]
        ) or full < 0.7 * len(runs):
            return False
    return True


def column_of(run: WordRun, columns: Spans) -> int:
    """Return the column a run belongs to: the one at whose edge it begins, or else the nearest."""
    edge = next(
        (at for at, (x0, _) in enumerate(columns) if abs(run.x0 - x0) < _EDGE_TOLERANCE_SIZES * run.size),
        None,
    )
    if edge is not None:
        return edge
    middle = (run.x0 + run.x1) / 2
    return min(range(len(columns)), key=lambda i: max(columns[i][0] - middle, middle - columns[i][1], 0))


def over(run: WordRun, columns: Spans) -> list[int]:
    """Return the indices of the columns a run overlaps."""
    return [at for at, (x0, x1) in enumerate(columns) if min(run.x1, x1) - max(run.x0, x0) > 0.3 * (x1 - x0)]
