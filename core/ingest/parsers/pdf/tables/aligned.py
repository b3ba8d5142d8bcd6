"""Borderless tables: found by how their words line up."""

import statistics
from collections.abc import Sequence
from itertools import pairwise

from core.ingest.parsers.form_fields import fields_of
from core.ingest.parsers.pdf.layout import WordRun
from core.ingest.parsers.pdf.page import Area
from core.ingest.parsers.pdf.tables.cards import card_of
from core.ingest.parsers.pdf.tables.columns import Spans, columns_of, running
from core.ingest.parsers.pdf.tables.found_table import FoundTable, texts_of
from core.ingest.parsers.pdf.tables.text_rows import continues_below, is_below, rows_of_lines

_FAR = 2.2  # sizes between two lines of one table
_HEADING_GAP_SIZES = 0.9  # sizes between a heading and the rows above and below it


def aligned(runs: Sequence[WordRun]) -> list[tuple[FoundTable, list[WordRun]]]:
    """Return borderless tables (three rows or more, cells under each other) with the runs they take up."""
    lines = _lines(runs)
    found: list[tuple[FoundTable, list[WordRun]]] = []
    start = 0
    while start < len(lines):
        end = _extent(lines, start)
        inside = enumerate(lines[start:end], start)
        block = [line for at, line in inside if len(line) > 1 or _cell(line[0]) or is_below(lines, at)]
        if len(block) >= 2 and (columns := columns_of(block)) and _regular(block, columns):
            if end < len(lines) and _is_sum(lines[end], lines[end - 1], columns):
                block.append(lines[end])
                end += 1
            found.append((_table(block, columns), [run for line in block for run in line]))
            start = end
        else:
            start += 1
    return found


def _table(block: list[list[WordRun]], columns: Spans) -> FoundTable:
    runs = [run for line in block for run in line]
    area = Area(
        min(run.x0 for run in runs) - 1,
        min(run.y0 for run in runs) - 1,
        max(run.x1 for run in runs) + 1,
        max(run.y1 for run in runs) + 1,
    )
    rows, spanning = rows_of_lines(block, columns)
    bold = all(run.bold for run in block[0])
    texts = texts_of(rows)
    fields = fields_of(texts) or card_of(block, texts, columns)
    return FoundTable(rows, area, columns, bold, header=spanning or None, fields=tuple(fields or ()))


def _lines(runs: Sequence[WordRun]) -> list[list[WordRun]]:
    """Group runs by line, each from left to right."""
    lines: list[list[WordRun]] = []
    for run in sorted(runs, key=lambda run: run.middle):
        if lines and abs(statistics.mean(r.middle for r in lines[-1]) - run.middle) < 0.45 * run.size:
            lines[-1].append(run)
        else:
            lines.append([run])
    return [sorted(line, key=lambda run: run.x0) for line in lines]


def _extent(lines: list[list[WordRun]], start: int) -> int:
    """Return where the multi-cell lines from `start` on end; a lone cell or a note may stand between."""
    end, most = start, 0
    while end < len(lines):
        line = lines[end]
        if end > start:
            above = lines[end - 1][0]
            if line[0].y0 - above.y1 > _FAR * max(line[0].size, above.size):
                break
        if end > start and continues_below(line, lines[start:end]):
            end += 1
            continue
        lone = len(line) < 2
        if lone and (end in (start, len(lines) - 1) or len(lines[end + 1]) < 2):
            break
        continues = lone and _alike(lines[end - 1], lines[end + 1])
        if lone and not _cell(line[0]) and (line[0].bold or not continues):
            break
        if lone and not continues and _is_parted(lines, start, end):
            break  # a heading: what stands above it is something else
        columns = len(columns_of(lines[start : end + 1]))
        if columns < most:
            break  # this line spans two columns: another table begins
        most = columns
        end += 1
    return end


def _is_parted(lines: list[list[WordRun]], start: int, at: int) -> bool:
    """Say whether a lone line keeps from the rows above and below far more than these from each other."""
    gaps = [_gap(above, below) for above, below in pairwise(lines[start : at + 2])]
    return min(gaps[-2:]) > max(
        _HEADING_GAP_SIZES * lines[at][0].size, 2 * statistics.median([*gaps[:-2], 0.0])
    )


def _gap(above: list[WordRun], below: list[WordRun]) -> float:
    return min(run.y0 for run in below) - max(run.y1 for run in above)


def _is_sum(line: list[WordRun], above: list[WordRun], columns: Spans) -> bool:
    """Say whether a line closes the table above: a name with a colon and a value under a column."""
    if len(line) != 2 or len(columns) < 3 or not line[0].text.rstrip().endswith((":", "：")):
        return False
    near = line[0].y0 - above[0].y1 < _FAR * line[0].size
    return near and any(x0 <= (line[1].x0 + line[1].x1) / 2 <= x1 for x0, x1 in columns[1:])


def _cell(run: WordRun) -> bool:
    return len(run.text) <= 40 and not run.bold


def _alike(before: list[WordRun], after: list[WordRun]) -> bool:
    """Say whether rows continue under a note: as many cells as before, four or more, at their places."""
    if not 4 <= len(before) == len(after):
        return False
    return all(a.x0 < b.x1 and b.x0 < a.x1 for a, b in zip(before, after, strict=True))


def _regular(block: list[list[WordRun]], columns: Spans) -> bool:
    """Names beside values; or two columns with figures; or three and more with short cells on most lines."""
    if not 2 <= len(columns) <= 30:
        return False
    texts = [run.text for line in block for run in line]
    if statistics.mean(map(len, texts)) > 35 or running(block, columns):
        return False
    full = [line for at, line in enumerate(block) if not is_below(block, at)]
    named = sum(line[0].text.rstrip().endswith((":", "：")) and len(line) > 1 for line in full)
    if len(full) > 1 and named >= 0.7 * len(full):
        return True
    if len(block) == 2:
        return len(columns) >= 4 and all(len(line) == len(columns) for line in block)
    several = sum(len(line) >= min(3, len(columns)) for line in block)
    if len(columns) == 2:
        figures = sum(any(char.isdigit() for char in line[-1].text) for line in block if len(line) == 2)
        return figures >= 0.6 * len(block) and len(block) >= 4
    return several >= 0.5 * len(full)
