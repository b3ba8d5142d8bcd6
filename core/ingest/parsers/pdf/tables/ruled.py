"""Tables drawn with lines: by the grids of their lines, or by level lines alone."""

import re
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.ingest.parsers.cells import is_number
from core.ingest.parsers.form_fields import Fields, fields_of
from core.ingest.parsers.pdf.layout import WordRun, runs_of
from core.ingest.parsers.pdf.page import Area, Page, PageWord
from core.ingest.parsers.pdf.tables.bands import TableCell, is_boxed, lines_in, rows_of_band, spread_line
from core.ingest.parsers.pdf.tables.found_table import FoundTable, Rows, texts_of
from core.ingest.parsers.pdf.tables.grids import Cell, RuledGrid, grids_of

_MIN_NOTE_CHARACTERS = 60  # characters; a longer text under a table is no row of it
_FRAME_BANDS, _FRAME_CELLS_SHARE = (
    3,
    0.25,
)  # bands; of the cells of so few of them hold several texts: frames around text
_LABELLED = re.compile(r"[^\W\d_][^:：]{0,40}[:：]\s*\S")  # "Title: Care of pumps"
_SAME_EDGE_POINTS = 3.0  # points between edges of cells that are one


class WordsByHeight:
    """The words of a page by height, so that a cell looks only at those beside it."""

    def __init__(self, words: Sequence[PageWord]) -> None:
        self._words = sorted(enumerate(words), key=lambda each: each[1].middle)
        self._middles = [word.middle for _, word in self._words]

    def inside(self, cell: Cell) -> list[PageWord]:
        """Return the words in a cell as they were written."""
        area = Area(*cell)
        first, last = bisect_left(self._middles, area.y0), bisect_right(self._middles, area.y1)
        return [
            word for _, word in sorted(each for each in self._words[first:last] if area.contains(each[1]))
        ]


class _Placed(NamedTuple):
    """A cell of a grid: the bands and columns it covers, both ends included, and its words."""

    top: int
    left: int
    bottom: int
    right: int
    area: Cell
    runs: list[WordRun]


def ruled(page: Page) -> list[FoundTable]:
    """Return the tables drawn with lines."""
    if not page.edges:
        return []
    words = WordsByHeight(page.words)
    found = [table for grid in grids_of(page.edges) if (table := _table_of(grid, words)) is not None]
    return [
        table
        for table in found
        if not any(_within(table.area, other.area) for other in found if other is not table)
    ]


def _within(inner: Area, outer: Area) -> bool:
    return (
        outer.x0 <= inner.x0
        and outer.y0 <= inner.y0
        and outer.x1 >= inner.x1
        and outer.y1 >= inner.y1
        and inner != outer
    )


def _table_of(grid: RuledGrid, words: WordsByHeight) -> FoundTable | None:
    xs, ys = (_marks(cell[at] for cell in grid.cells for at in ends) for ends in ((0, 2), (1, 3)))
    placed = [
        _Placed(
            _at(cell[1], ys),
            _at(cell[0], xs),
            _at(cell[3], ys) - 1,
            _at(cell[2], xs) - 1,
            cell,
            runs_of(words.inside(cell)),
        )
        for cell in grid.cells
    ]
    if _merged_cells([cell.runs for cell in placed]):
        return None
    x0, y0, x1, y1 = grid.bbox
    area = Area(x0 - 1, y0 - 1, x1 + 1, y1 + 1)
    return composed(placed, list(pairwise(xs)), list(pairwise(ys)), area)


def _marks(edges: Iterable[float]) -> list[float]:
    """Return where lines stand, those that nearly coincide as one."""
    marks: list[float] = []
    for edge in sorted(edges):
        if not marks or edge - marks[-1] > _SAME_EDGE_POINTS:
            marks.append(edge)
    return marks


def _at(edge: float, marks: Sequence[float]) -> int:
    return min(range(len(marks)), key=lambda at: abs(marks[at] - edge))


def composed(
    placed: Sequence[_Placed],
    columns: Sequence[tuple[float, float]],
    bands: Sequence[tuple[float, float]],
    area: Area,
) -> FoundTable | None:
    """Return the table that cells make, None where it is none: a frame around text or a drawing."""
    filled = [cell for cell in placed if cell.runs]
    if not _is_table(filled, len(columns), len(bands)):
        return None
    first, last, title = _between_titles(filled, len(columns), len(bands))
    filled = [cell for cell in filled if cell.top < last]
    top = [cell for cell in filled if cell.top == first]
    spans = [cell for cell in top if cell.right > cell.left]
    header = _depth(top, last - first) if spans and len(columns) > 2 else 0
    rows: Rows = []
    boxed = 0
    for band in range(first, last):
        cells = _band(filled, band, columns, bands, first + header)
        texts = rows_of_band(cells, header=band < first + max(1, header) and last - first > 1)
        boxed += sum(map(is_boxed, cells)) if len(texts) == 1 else 0
        rows.extend([[text or None for text in row] for row in texts])
    if last - first <= _FRAME_BANDS and boxed >= _FRAME_CELLS_SHARE * len(filled):
        return None
    labels = [is_number(str(cell)) for row in rows[:header] for cell in row if cell]
    if 2 * sum(labels) > len(labels):
        header = 0
    named = {cell.left for cell in top if cell.left == cell.right}
    used_columns = [
        at for at in range(len(columns)) if at in named or any(row[at] for row in rows[header or 1 :])
    ]
    groups = _form(rows[1:], top) if spans and len(spans) == len(top) else fields_of(texts_of(rows))
    bold = bool(top) and all(run.bold for cell in top for run in cell.runs)
    words = frozenset(word for cell in filled for run in cell.runs for word in run.words)
    whole = area._replace(y1=bands[last - 1][1] + 1)
    rows = [[row[at] for at in used_columns] for row in rows]
    spans_kept = [columns[at] for at in used_columns]
    return FoundTable(rows, whole, spans_kept, bold, title, header or None, tuple(groups or ()), words)


def _between_titles(filled: Sequence[_Placed], width: int, bands: int) -> tuple[int, int, str]:
    """Return the first band of the table and the one after its last, and the title above it.

    A text from side to side is a title above the cells, and below them, where it is long, a note. A label
    with its value that stands alone over several columns names none of them: it belongs to the title.
    """
    first, last = min(cell.top for cell in filled), bands
    title = ""
    while last - 1 > first and len(_alone(filled, last - 1, width) or "") > _MIN_NOTE_CHARACTERS:
        last -= 1
    while first < last - 1 and (alone := _title(filled, first, width)) is not None:
        title = " ".join(filter(None, [title, alone]))
        first += 1
    return first, last, title


def _form(rows: Rows, titles: Sequence[_Placed]) -> list[Fields] | None:
    named = [(cell.left, cell.right, " ".join(run.text for run in cell.runs)) for cell in titles]
    return fields_of(texts_of(rows), named)


def _title(filled: Sequence[_Placed], band: int, width: int) -> str | None:
    """Return what a band says that is no row of labels, None of any other band."""
    cells = [cell for cell in filled if cell.top <= band <= cell.bottom]
    title = " ".join(line.text for line in lines_in(cells[0].runs)) if len(cells) == 1 else ""
    if title and cells[0].left < cells[0].right and cells[0].bottom == band and _LABELLED.match(title):
        return title
    return _alone(filled, band, width)


def _alone(filled: Sequence[_Placed], band: int, width: int) -> str | None:
    """Return what a band says that one cell fills from side to side, None of any other band."""
    cells = [cell for cell in filled if cell.top <= band <= cell.bottom]
    if len(cells) != 1 or cells[0].left > 0 or cells[0].right < width - 1 or cells[0].bottom > band:
        return None
    return " ".join(line.text for line in lines_in(cells[0].runs))


def _depth(top: Sequence[_Placed], bands: int) -> int:
    """Return how many bands a header with spanning cells takes up."""
    most = max(cell.bottom - cell.top + 1 for cell in top)
    return min(max(2, most), max(1, bands - 1))


def _band(
    filled: Sequence[_Placed],
    band: int,
    columns: Sequence[tuple[float, float]],
    bands: Sequence[tuple[float, float]],
    body: int,
) -> list[TableCell]:
    """Return the cells of a band, one for each column: what spans columns is repeated in the header only."""
    cells = []
    for at, (x0, x1) in enumerate(columns):
        over = next((c for c in filled if c.top <= band <= c.bottom and c.left <= at <= c.right), None)
        if over is None or (at > over.left and band >= body):
            cells.append(TableCell([], x0, x1))
            continue
        lines = lines_in(over.runs)
        if over.bottom > over.top and len(lines) == over.bottom - over.top + 1:
            y0, y1 = bands[band]
            lines = [line for line in lines if y0 <= line.middle <= y1]  # the column lacks its level lines
        elif over.bottom > over.top:
            lines = [spread_line(lines)]
        cells.append(TableCell(lines, over.area[0], over.area[2]))
    return cells


def _merged_cells(cells: Sequence[Sequence[WordRun]]) -> bool:
    """Say whether rulings part the rows but not the columns: many cells hold several texts side by side."""
    filled = sum(bool(runs) for runs in cells)
    crowded = sum(any(abs(a.middle - b.middle) < 0.4 * a.size for a, b in pairwise(runs)) for runs in cells)
    return crowded > 0.4 * filled


def _is_table(filled: Sequence[_Placed], columns: int, bands: int) -> bool:
    """Two columns and cells enough that are filled; a band alone may hold rows that no line parts."""
    lengths = [sum(len(run.text) for run in cell.runs) for cell in filled]
    used = {cell.left for cell in filled}
    if len(used) < 2 or len(filled) < max(3 if bands > 1 else 2, 0.15 * columns * bands):
        return False
    lines = max((len(lines_in(cell.runs)) for cell in filled), default=0)
    return (bands > 1 or lines > 2) and statistics.mean(lengths) < 300
