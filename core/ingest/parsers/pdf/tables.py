"""Tables on a page: ruled ones found by pdfplumber, borderless ones by how their words line up."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from core.ingest.parsers.pdf.layout import Run, joined, runs_of
from core.ingest.parsers.pdf.words import Area, Page, Word

_FEWEST_RULINGS = 4


@dataclass(frozen=True)
class Found:
    """A table's rows and where it stands."""

    rows: list[list[object]]
    area: Area


def ruled(page: Page, plumbed: Any) -> list[Found]:
    """Return the tables drawn with lines; `plumbed` is the same page opened by pdfplumber."""
    if page.rulings < _FEWEST_RULINGS:
        return []
    dx, dy = plumbed.bbox[0], plumbed.bbox[1]
    found = []
    for table in plumbed.find_tables():
        rows: list[list[object]] = []
        for row in table.rows:
            cells = [Area(c[0] - dx, c[1] - dy, c[2] - dx, c[3] - dy) if c else None for c in row.cells]
            rows.append([_inside(cell, page.words) if cell else None for cell in cells])
        x0, y0, x1, y1 = table.bbox
        area = Area(x0 - dx - 1, y0 - dy - 1, x1 - dx + 1, y1 - dy + 1)
        if _is_table(rows) and not _merged_cells(table, page, (dx, dy)):
            found.append(Found(_spans_filled(rows), area))
    return [
        table
        for table in found
        if not any(_within(table.area, other.area) for other in found if other is not table)
    ]


def _merged_cells(table: Any, page: Page, offset: tuple[float, float]) -> bool:
    """Say whether rulings part the rows but not the columns: many cells hold several texts side by side."""
    filled = crowded = 0
    for x0, y0, x1, y1 in table.cells:
        area = Area(x0 - offset[0], y0 - offset[1], x1 - offset[0], y1 - offset[1])
        runs = runs_of([word for word in page.words if area.holds(word)])
        filled += bool(runs)
        crowded += any(abs(a.middle - b.middle) < 0.4 * a.size for a, b in pairwise(runs))
    return crowded > 0.4 * filled


def _within(inner: Area, outer: Area) -> bool:
    return (
        outer.x0 <= inner.x0
        and outer.y0 <= inner.y0
        and outer.x1 >= inner.x1
        and outer.y1 >= inner.y1
        and inner != outer
    )


def _inside(cell: Area, words: Sequence[Word]) -> str:
    """Return the text of the words in a cell, its lines joined."""
    lines = runs_of([word for word in words if cell.holds(word)])
    return " ".join(
        joined(run.words) for run in sorted(lines, key=lambda run: (round(run.middle / 3), run.x0))
    )


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
        block = lines[start:end]
        if len(block) >= 2 and (columns := _columns(block)) and _regular(block, columns):
            taken = [run for line in block for run in line]
            area = Area(
                min(r.x0 for r in taken) - 1,
                min(r.y0 for r in taken) - 1,
                max(r.x1 for r in taken) + 1,
                max(r.y1 for r in taken) + 1,
            )
            found.append((Found(_rows(block, columns), area), taken))
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
    """Return where the multi-cell lines that begin at `start` end; a lone cell may stand between them."""
    end, most = start, 0
    while end < len(lines):
        line = lines[end]
        if end > start and line[0].y0 - lines[end - 1][0].y1 > 2.2 * line[0].size:
            break
        lone = len(line) < 2
        if lone and (end in (start, len(lines) - 1) or len(lines[end + 1]) < 2 or not _cell(line[0])):
            break
        columns = len(_columns(lines[start : end + 1]))
        if columns < most:
            break  # this line bridges two columns: another table begins
        most = columns
        end += 1
    return end


def _cell(run: Run) -> bool:
    return len(run.text) <= 40 and not run.bold


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
    if statistics.mean(map(len, texts)) > 35:
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
