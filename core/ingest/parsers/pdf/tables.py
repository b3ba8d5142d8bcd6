"""Tables on a page: ruled ones by the grids of their lines, borderless ones by how their words line up."""

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.ingest.parsers.pdf.grids import Cell, grids_of
from core.ingest.parsers.pdf.layout import Run, runs_of
from core.ingest.parsers.pdf.page import Area, Page, Word

_WIDE = 12  # sizes: no column of running text is narrower
_FULL = 0.8  # of the column's width


@dataclass(frozen=True)
class Found:
    """A table's rows, where it stands, and from where to where each of its columns goes."""

    rows: list[list[object]]
    area: Area
    columns: Sequence[tuple[float, float]]
    bold: bool  # all words of the first row are

    def beside(self, other: "Found") -> bool:
        """Say whether another table has as many columns, each at the place of its own."""
        return len(self.columns) == len(other.columns) and all(
            min(a1, b1) - max(a0, b0) > 0.5 * min(a1 - a0, b1 - b0)
            for (a0, a1), (b0, b1) in zip(self.columns, other.columns, strict=True)
        )


class _Held:
    """The words of a page by height, so that a cell looks only at those beside it."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = sorted(enumerate(words), key=lambda each: each[1].middle)
        self._middles = [word.middle for _, word in self._words]

    def inside(self, cell: Cell) -> list[Word]:
        """Return the words in a cell as they were written."""
        area = Area(*cell)
        first, last = bisect_left(self._middles, area.y0), bisect_right(self._middles, area.y1)
        return [word for _, word in sorted(each for each in self._words[first:last] if area.holds(each[1]))]


def ruled(page: Page) -> list[Found]:
    """Return the tables drawn with lines."""
    if not page.edges:
        return []
    words = _Held(page.words)
    found = []
    for grid in grids_of(page.edges):
        runs = {cell: runs_of(words.inside(cell)) for cell in grid.cells}
        rows: list[list[object]] = [
            [_text(runs[cell]) if cell else None for cell in row] for row in grid.rows
        ]
        x0, y0, x1, y1 = grid.bbox
        if _is_table(rows) and not _merged_cells(list(runs.values())):
            columns = list(pairwise([*sorted({cell[0] for cell in grid.cells}), x1]))
            bold = all(run.bold for cell in grid.rows[0] if cell for run in runs[cell])
            area = Area(x0 - 1, y0 - 1, x1 + 1, y1 + 1)
            found.append(Found(_spans_filled(rows), area, columns, bold))
    return [
        table
        for table in found
        if not any(_within(table.area, other.area) for other in found if other is not table)
    ]


def _merged_cells(cells: Sequence[Sequence[Run]]) -> bool:
    """Say whether rulings part the rows but not the columns: many cells hold several texts side by side."""
    filled = sum(bool(runs) for runs in cells)
    crowded = sum(any(abs(a.middle - b.middle) < 0.4 * a.size for a, b in pairwise(runs)) for runs in cells)
    return crowded > 0.4 * filled


def _within(inner: Area, outer: Area) -> bool:
    return (
        outer.x0 <= inner.x0
        and outer.y0 <= inner.y0
        and outer.x1 >= inner.x1
        and outer.y1 >= inner.y1
        and inner != outer
    )


def _text(runs: Sequence[Run]) -> str:
    """Return the text of a cell, its lines joined."""
    return " ".join(run.text for run in sorted(runs, key=lambda run: (round(run.middle / 3), run.x0)))


def _is_table(rows: list[list[object]]) -> bool:
    """A frame around text or a drawing is no table: two rows and columns, a third of the cells filled."""
    cells = [cell for row in rows for cell in row]
    filled = [str(cell) for cell in cells if cell]
    columns = [
        i
        for i in range(max(map(len, rows), default=0))
        if sum(bool(row[i]) for row in rows if i < len(row)) > 0
    ]
    if len(rows) < 2 or len(columns) < 2 or len(filled) < max(3, 0.3 * len(cells)):
        return False
    return statistics.mean(map(len, filled)) < 300


def _spans_filled(rows: list[list[object]]) -> list[list[object]]:
    """Repeat the label of a cell that spans columns of a header row; None marks where a cell goes on."""
    filled = [list(row) for row in rows]
    for row in filled[:1]:
        for index in range(1, len(row)):
            if row[index] is None and row[index - 1]:
                row[index] = row[index - 1]
    return filled


def aligned(runs: Sequence[Run]) -> list[tuple[Found, list[Run]]]:
    """Return borderless tables (three rows or more, cells under each other) with the runs they take up."""
    lines = _lines(runs)
    found: list[tuple[Found, list[Run]]] = []
    start = 0
    while start < len(lines):
        end = _extent(lines, start)
        block = [line for line in lines[start:end] if len(line) > 1 or _cell(line[0])]
        if len(block) >= 2 and (columns := _columns(block)) and _regular(block, columns):
            if end < len(lines) and _is_sum(lines[end], lines[end - 1], columns):
                block.append(lines[end])
                end += 1
            taken = [run for line in block for run in line]
            area = Area(
                min(r.x0 for r in taken) - 1,
                min(r.y0 for r in taken) - 1,
                max(r.x1 for r in taken) + 1,
                max(r.y1 for r in taken) + 1,
            )
            bold = all(run.bold for run in block[0])
            found.append((Found(_rows(block, columns), area, columns, bold), taken))
            start = end
        else:
            start += 1
    return found


def _lines(runs: Sequence[Run]) -> list[list[Run]]:
    """Group runs by line, each from left to right."""
    lines: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: run.middle):
        if lines and abs(statistics.mean(r.middle for r in lines[-1]) - run.middle) < 0.45 * run.size:
            lines[-1].append(run)
        else:
            lines.append([run])
    return [sorted(line, key=lambda run: run.x0) for line in lines]


def _extent(lines: list[list[Run]], start: int) -> int:
    """Return where the multi-cell lines from `start` on end; a lone cell or a note may stand between."""
    end, most = start, 0
    while end < len(lines):
        line = lines[end]
        if end > start and line[0].y0 - lines[end - 1][0].y1 > 2.2 * line[0].size:
            break
        lone = len(line) < 2
        if lone and (end in (start, len(lines) - 1) or len(lines[end + 1]) < 2):
            break
        if lone and not _cell(line[0]) and (line[0].bold or not _alike(lines[end - 1], lines[end + 1])):
            break
        columns = len(_columns(lines[start : end + 1]))
        if columns < most:
            break  # this line bridges two columns: another table begins
        most = columns
        end += 1
    return end


def _is_sum(line: list[Run], above: list[Run], columns: list[tuple[float, float]]) -> bool:
    """Say whether a line closes the table above: a name with a colon and a value under a column."""
    if len(line) != 2 or len(columns) < 3 or not line[0].text.rstrip().endswith((":", "：")):
        return False
    near = line[0].y0 - above[0].y1 < 2.2 * line[0].size
    return near and any(x0 <= (line[1].x0 + line[1].x1) / 2 <= x1 for x0, x1 in columns[1:])


def _cell(run: Run) -> bool:
    return len(run.text) <= 40 and not run.bold


def _alike(before: list[Run], after: list[Run]) -> bool:
    """Say whether rows go on under a note: as many cells as before, four or more, at their places."""
    if not 4 <= len(before) == len(after):
        return False
    return all(a.x0 < b.x1 and b.x0 < a.x1 for a, b in zip(before, after, strict=True))


def _columns(block: list[list[Run]]) -> list[tuple[float, float]]:
    """Return the x-spans of the columns: runs that overlap share one."""
    spans: list[tuple[float, float]] = []
    for run in sorted((run for line in block for run in line if len(line) > 1), key=lambda run: run.x0):
        if spans and run.x0 < spans[-1][1] - 0.2 * run.size:
            spans[-1] = (spans[-1][0], max(spans[-1][1], run.x1))
        else:
            spans.append((run.x0, run.x1))
    return spans


def _regular(block: list[list[Run]], columns: list[tuple[float, float]]) -> bool:
    """Names beside values; or two columns with figures; or three and more with short cells on most lines."""
    if not 2 <= len(columns) <= 30:
        return False
    texts = [run.text for line in block for run in line]
    if statistics.mean(map(len, texts)) > 35 or _running(block, columns):
        return False
    named = sum(line[0].text.rstrip().endswith((":", "：")) and len(line) > 1 for line in block)
    if named >= 0.7 * len(block):
        return True
    if len(block) == 2:
        return len(columns) >= 4 and all(len(line) == len(columns) for line in block)
    several = sum(len(line) >= min(3, len(columns)) for line in block)
    if len(columns) == 2:
        figures = sum(any(char.isdigit() for char in line[-1].text) for line in block if len(line) == 2)
        return figures >= 0.6 * len(block) and len(block) >= 4
    return several >= 0.5 * len(block)


def _running(block: list[list[Run]], columns: list[tuple[float, float]]) -> bool:
    """Say whether the columns are running text: each wide, and filled by most of its lines."""
    for x0, x1 in columns:
        runs = [run for line in block for run in line if x0 <= (run.x0 + run.x1) / 2 <= x1]
        full = sum(run.width > _FULL * (x1 - x0) for run in runs)
        if x1 - x0 < _WIDE * statistics.median(run.size for run in runs) or full < 0.7 * len(runs):
            return False
    return True


def _rows(block: list[list[Run]], columns: list[tuple[float, float]]) -> list[list[object]]:
    rows: list[list[object]] = []
    for line in block:
        row: list[object] = [None] * len(columns)
        for run in line:
            middle = (run.x0 + run.x1) / 2
            index = min(
                range(len(columns)), key=lambda i: max(columns[i][0] - middle, middle - columns[i][1], 0)
            )
            row[index] = f"{row[index]} {run.text}" if row[index] else run.text
        rows.append(row)
    return rows
