"""Tables drawn with level lines alone, as those of papers and leaflets are."""

import statistics
from collections.abc import Sequence
from itertools import pairwise

from core.ingest.parsers.cells import is_number
from core.ingest.parsers.form_fields import fields_of
from core.ingest.parsers.pdf.layout import WordRun, runs_of
from core.ingest.parsers.pdf.page import Area, Page, PageWord
from core.ingest.parsers.pdf.tables.bands import TableCell, lines_in, rows_of_band
from core.ingest.parsers.pdf.tables.column_labels import parted_labels
from core.ingest.parsers.pdf.tables.columns import Spans, column_of, columns_of, running
from core.ingest.parsers.pdf.tables.found_table import FoundTable, Rows, texts_of
from core.ingest.parsers.pdf.tables.grids import RulingLine, level_lines
from core.ingest.parsers.pdf.tables.text_rows import rows_of_lines

_LINE_END_TOLERANCE = 3.0  # points between the ends of lines of one length
_MOST_COLUMNS = 30
_MAX_BAND_LINES = 6  # of a band; with more of them lines are rows
_LONG_CELL = 80  # characters
_NOTE_LINES = 2  # of nothing but text: notes of a table and the title of the next


def banded(page: Page, found: Sequence[FoundTable]) -> list[FoundTable]:
    """Return the tables drawn with level lines alone, three of one length or more; `found` ones are known."""
    tables = []
    for rules in _stacks(page):
        x0, x1 = min(rule.x0 for rule in rules), max(rule.x1 for rule in rules)
        ys = [(rule.y0 + rule.y1) / 2 for rule in rules]
        area = Area(x0 - 1, ys[0] - 1, x1 + 1, ys[-1] + 1)
        if any(area.is_near(other.area) for other in found):
            continue
        words = [word for word in page.words if area.contains(word) and word.upright]
        for own in _parted(words, ys):
            table = _between(words, own, area._replace(y0=own[0] - 1, y1=own[-1] + 1), page.edges)
            if table is not None:
                tables.append(table)
    return tables


def _parted(words: Sequence[PageWord], ys: Sequence[float]) -> list[Sequence[float]]:
    """Return the heights of the lines of each table: paragraphs between two lines part one from the next."""
    runs = runs_of(words)
    parts, first = [], 0
    for at, (top, low) in enumerate(pairwise(ys)):
        lines = lines_in([run for run in runs if top <= run.middle <= low])
        if len(lines) >= _NOTE_LINES and all(len(line.runs) == 1 for line in lines):
            parts.append(ys[first : at + 1])
            first = at + 1
    return [part for part in [*parts, ys[first:]] if len(part) > 2]


def _stacks(page: Page) -> list[list[RulingLine]]:
    """Return level lines of one length that stand under each other, from the top."""
    stacks: list[list[RulingLine]] = []
    for rule in level_lines(page.edges):
        stack = next(
            (
                each
                for each in stacks
                if abs(each[-1].x0 - rule.x0) < _LINE_END_TOLERANCE
                and abs(each[-1].x1 - rule.x1) < _LINE_END_TOLERANCE
            ),
            None,
        )
        if stack is None:
            stacks.append([rule])
        elif rule.y0 - stack[-1].y1 > _LINE_END_TOLERANCE:
            stack.append(rule)
    return [stack for stack in stacks if len(stack) > 2]


def _between(
    words: Sequence[PageWord], ys: Sequence[float], area: Area, drawn: Sequence[RulingLine]
) -> FoundTable | None:
    """Return the table that stands between level lines at these heights, None where there is none."""
    runs = runs_of(words)
    bands = [[run for run in runs if top <= run.middle <= low] for top, low in pairwise(ys)]
    first, last = 0, len(bands)
    second = _second_column(bands)
    while last > 1 and _spans_columns(bands[last - 1], second):
        last -= 1
    while first < last - 1 and _spans_columns([line.runs[0] for line in lines_in(bands[first])], second):
        first += 1
    title = " ".join(run.text for band in bands[:first] for run in band)
    table_runs = [run for band in bands[:last] for run in band]
    bands = bands[first:last]
    body = [line.runs for band in bands[1:] for line in lines_in(band)]
    columns = columns_of(body) if len(bands) > 1 else []
    if not 2 <= len(columns) <= _MOST_COLUMNS or running(body, columns):
        return None
    edges = [*(x0 for x0, _ in columns), area.x1]
    cells = [_cells(band, columns, edges) for band in bands]
    labels = parted_labels(bands[0], columns, drawn)
    rows: Rows = [labels or [text or None for text in rows_of_band(cells[0], header=True)[0]]]
    for band, band_cells in zip(bands[1:], cells[1:], strict=True):
        lines = [line.runs for line in lines_in(band)]
        parts = rows_of_lines(lines, columns)[0] if len(lines) > _MAX_BAND_LINES else rows_of_band(band_cells)
        rows.extend([[text or None for text in row] for row in parts])
    filled = sum(cell is not None for row in rows for cell in row)
    if len(rows) < 2 or filled < 0.3 * len(rows) * len(columns) or _wordy(rows):
        return None
    fields = fields_of(texts_of(rows))
    bold = all(run.bold for run in bands[0])
    table_words = frozenset(word for run in table_runs for word in run.words)
    whole = area._replace(y1=ys[last] + 1)
    return FoundTable(rows, whole, columns, bold, title, fields=tuple(fields or ()), words=table_words)


def _second_column(bands: Sequence[Sequence[WordRun]]) -> float:
    """Return where the second text of most lines begins."""
    lines = [line.runs for band in bands for line in lines_in(band) if len(line.runs) > 1]
    return statistics.median(line[1].x0 for line in lines) if lines else 0.0


def _spans_columns(runs: Sequence[WordRun], second: float) -> bool:
    """Say whether these are no cells: there are none, or a text reaches over the first two columns."""
    return not runs or any(
        run.x0 < second - run.size and run.x1 > second + run.size and not is_number(run.text) for run in runs
    )


def _cells(band: Sequence[WordRun], columns: Spans, edges: Sequence[float]) -> list[TableCell]:
    by_column: list[list[WordRun]] = [[] for _ in columns]
    for run in band:
        by_column[column_of(run, columns)].append(run)
    return [TableCell(lines_in(runs), edges[at], edges[at + 1]) for at, runs in enumerate(by_column)]


def _wordy(rows: Rows) -> bool:
    """Say whether prose is in the cells: a title between lines, columns of text."""
    return statistics.mean(len(str(cell)) for row in rows for cell in row if cell is not None) > _LONG_CELL
