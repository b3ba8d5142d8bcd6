"""Tables that continue at the top of the next page: the rows of all pages under the header of the first."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain import Cell, Location, RowsOnPage
from core.ingest.parsers.cells import plain, typed
from core.ingest.parsers.pdf.tables.found_table import FoundTable, Rows

_NUMBERS = ("integer", "real")
_MIN_CODED_SHARE = 0.8  # of a column's cells that have digits in them: one without any is a label


@dataclass
class Begun:
    """A table at the end of a page that may continue: header, the values of its columns, its parts so far.

    `found` is its last part, on `page`; `table` and `block` are its places in the draft.
    """

    name: str
    header: Rows
    columns: list[list[Cell]]
    found: FoundTable
    page: int
    table: int
    block: int
    parts: list[tuple[Rows, Location]] = field(default_factory=list)  # without their headers

    def continues(self, found: FoundTable, page: int) -> bool:
        """Say whether a table continues this one: first on the next page, the same columns, and the same
        header or none."""
        if page != self.page + 1 or not self.found.beside(found):
            return False
        if found.title and found.title != self.found.title:
            return False
        if self._repeated(found):
            return True
        first = _plain(found.rows[0])
        if first in map(_plain, self.header):
            return False
        cells = zip(self.columns, first, strict=True)
        fits = [fit for column, cell in cells if (fit := _fits(column, cell)) is not None]
        return sum(fits) * 2 > len(fits) if fits else not found.bold

    def take(self, found: FoundTable, place: Location) -> None:
        """Add the part on the next page, without its header."""
        rows = found.rows[self._repeated(found) :]
        self.parts.append((filled(rows), place))
        self.found, self.page = found, self.page + 1

    def _repeated(self, found: FoundTable) -> int:
        """Return how many of a table's first rows say the header of this one once more: all of it or none."""
        count = len(self.header)
        again = filled(found.rows)[:count]
        same = bool(count) and [_normalised(row) for row in again] == [
            _normalised(row) for row in self.header
        ]
        return found.rows.index(again[-1]) + 1 if same else 0

    def called(self) -> str:
        """Return the name of the whole: "Table 1, pages 1 to 3"."""
        first = (self.parts[0][1].page or 0) + 1
        return f"{self.name.partition(', page ')[0]}, pages {first} to {self.page + 1}"

    def rows(self) -> Rows:
        """Return the header and the rows of all parts."""
        return [*self.header, *(row for rows, _ in self.parts for row in rows)]

    def location(self) -> Location:
        """Return where the table stands, and which of its rows on which page."""
        parts: list[RowsOnPage] = []
        at = 0
        for rows, place in self.parts:
            if rows and place.page is not None:
                span = (at, at + len(rows) - 1)
                parts.append(RowsOnPage(rows=span, page=place.page, boxes=place.boxes))
            at += len(rows)
        boxes = tuple(box for _, place in self.parts for box in place.boxes)
        return Location(page=self.parts[0][1].page, boxes=boxes, parts=tuple(parts))


def begun(name: str, found: FoundTable, place: Location, rows: int, *, table: int, block: int) -> Begun:
    """Return a table whose last `rows` rows hold values; those above them are its header."""
    filled_rows = filled(found.rows)
    count = max(0, len(filled_rows) - rows)
    columns = [_plain([row[index] for row in filled_rows[count:]]) for index in range(len(found.columns))]
    page = place.page or 0
    return Begun(
        name, filled_rows[:count], columns, found, page, table, block, [(filled_rows[count:], place)]
    )


def filled(rows: Rows) -> Rows:
    """Return the rows that hold anything."""
    return [row for row in rows if any(cell not in (None, "") for cell in row)]


def _fits(column: Sequence[Cell], cell: Cell) -> bool | None:
    """Say whether a cell is like those of the column: of its type, with digits where they have some; None
    where nothing tells."""
    if cell in (None, ""):
        return None
    kind = typed(column)[0]
    if kind != "text":
        both = typed([*column, cell])[0]
        return both == kind or (both in _NUMBERS and kind in _NUMBERS)
    coded = [_has_digit(each) for each in column if each not in (None, "")]
    if len(coded) > 1 and sum(coded) >= _MIN_CODED_SHARE * len(coded):
        return _has_digit(cell)
    return None


def _has_digit(cell: Cell) -> bool:
    return any(sign.isdigit() for sign in str(cell))


def _plain(row: Sequence[object]) -> list[Cell]:
    return [plain(cell) for cell in row]


def _normalised(row: Sequence[object]) -> list[str]:
    """Return the words of a row's cells, however they are broken into lines."""
    return ["".join(str(cell or "").split()).casefold() for cell in row]
