"""The rows of a table without level lines: one for each line, but for lines that continue a cell."""

import statistics
from collections.abc import Sequence
from itertools import pairwise

from core.ingest.parsers.cells import is_number
from core.ingest.parsers.pdf.layout import WordRun
from core.ingest.parsers.pdf.tables.columns import Spans, column_of, over
from core.ingest.parsers.pdf.tables.found_table import Rows

_MAX_WRAP_GAP_SIZES = 0.6  # sizes between a cell and the line that continues below it
_MAX_LABEL_LINES = 2  # lines of labels above the first full line
_SAME_ROW_DISTANCE = 0.75  # of the usual distance of rows: lines that stand closer are one row
_EDGE_TOLERANCE_SIZES = 0.6  # sizes by which what starts at a cell's edge may miss it


def rows_of_lines(block: Sequence[list[WordRun]], columns: Spans) -> tuple[Rows, int]:
    """Return the rows, and how many of them are a header with labels over several columns (0 for none)."""
    full = next((at for at, line in enumerate(block) if len(line) >= len(columns)), 0)
    wide = [len(over(run, columns)) for line in block[:full] for run in line]
    spanning = full + 1 if full <= _MAX_LABEL_LINES and wide and min(wide) > 0 and max(wide) > 1 else 0
    rows = [_row(line, columns, spread=at < full and bool(spanning)) for at, line in enumerate(block)]
    return (rows, spanning) if spanning else (_joined(rows, block), 0)


def _row(line: list[WordRun], columns: Spans, *, spread: bool) -> list[object]:
    row: list[object] = [None] * len(columns)
    for run in line:
        for at in over(run, columns) if spread else [column_of(run, columns)]:
            row[at] = f"{row[at]} {run.text}" if row[at] else run.text
    return row


def _joined(rows: Rows, block: Sequence[list[WordRun]]) -> Rows:
    """Join lines that are one row: what stands closer under a row than rows do and continues its cells."""
    places = [statistics.mean(run.middle for run in line) for line in block]
    gaps = [after - before for before, after in pairwise(places)]
    usual = statistics.median(gaps) if gaps else 0.0
    made: Rows = [rows[0]]
    for at in range(1, len(rows)):
        row, before = rows[at], made[-1]
        below = gaps[at] if at < len(gaps) else usual
        close = gaps[at - 1] < _SAME_ROW_DISTANCE * (below if len(made) == 1 else usual)
        header = len(made) == 1 and not _figures(row) and not _figures(before)
        body = len(made) > 1 and row[0] is None and before[0] is not None
        within = all(before[i] is not None for i, cell in enumerate(row) if cell is not None)
        begins = at + 1 < len(rows) and _is_broken(row, rows[at + 1])
        if (
            _is_broken(before, row)
            or (not begins and is_below(block, at))
            or ((header or body) and close and within and None in row)
        ):
            made[-1] = [_and(one, other) for one, other in zip(before, row, strict=True)]
        else:
            made.append(row)
    return made


def _is_broken(above: Sequence[object], below: Sequence[object]) -> bool:
    """Say whether the label of a row of figures begins on its own line and continues in small letters."""
    label = str(above[0] or "")
    alone = label[:1].isupper() and not any(above[1:]) and not label.endswith((".", ":"))
    return alone and str(below[0] or "")[:1].islower() and _figures(below)


def continues_below(line: list[WordRun], above: Sequence[list[WordRun]]) -> bool:
    """Say whether a lone text continues the cell it stands close under, at the cell's left edge."""
    if len(line) != 1 or line[0].bold:
        return False
    run = line[0]
    for row in reversed(above[-2:]):
        for at, cell in enumerate(row):
            if (
                at
                and abs(cell.x0 - run.x0) < _EDGE_TOLERANCE_SIZES * run.size
                and run.y0 - cell.y1 < _MAX_WRAP_GAP_SIZES * run.size
            ):
                return True
    return len(above[-1]) == 1 and continues_below(line, [[above[-1][0], above[-1][0]]]) and len(above) > 1


def is_below(lines: Sequence[list[WordRun]], at: int) -> bool:
    """Say whether a line only continues a cell above it."""
    return at > 0 and continues_below(lines[at], lines[max(0, at - 3) : at])


def _figures(row: Sequence[object]) -> bool:
    return any(is_number(str(cell)) for cell in row if cell is not None)


def _and(above: object, below: object) -> object:
    return f"{above} {below}" if above and below else above or below
