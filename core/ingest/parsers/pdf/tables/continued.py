"""Tables that go on at the top of the next page: they stand there under the header they began with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain import Cell
from core.ingest.parsers.cells import plain, typed
from core.ingest.parsers.pdf.tables.found_table import FoundTable

_NUMBERS = ("integer", "real")


@dataclass(frozen=True)
class Begun:
    """A table after which nothing else has come: its header, and the values of its columns."""

    name: str
    header: list[list[object]]
    columns: list[list[Cell]]
    found: FoundTable
    page: int

    def goes_on(self, found: FoundTable, page: int) -> bool:
        """Say whether a table is this one: first on the next page, its columns there, no header above."""
        if page != self.page + 1 or not self.found.beside(found):
            return False
        first = _plain(found.rows[0])
        if first in map(_plain, self.header):
            return False  # it brings its header along
        fits = [
            fit
            for column, cell in zip(self.columns, first, strict=True)
            if (fit := _fits(column, cell)) is not None
        ]
        return sum(fits) * 2 > len(fits) if fits else not found.bold

    def on(self, found: FoundTable, page: int) -> "Begun":
        """Return the table as it stands on the next page."""
        return replace(self, found=found, page=page)


def begun(name: str, found: FoundTable, page: int, rows: int) -> Begun:
    """Return a table of which so many rows hold values; what is above them names its columns."""
    filled = [row for row in found.rows if any(cell not in (None, "") for cell in row)]
    count = max(0, len(filled) - rows)
    columns = [_plain([row[index] for row in filled[count:]]) for index in range(len(found.columns))]
    return Begun(name, filled[:count], columns, found, page)


def _fits(column: Sequence[Cell], cell: Cell) -> bool | None:
    """Say whether a cell is of the column's type; None where that is text, or nothing is in the cell."""
    kind = typed(column)[0]
    if kind == "text" or cell in (None, ""):
        return None
    both = typed([*column, cell])[0]
    return both == kind or (both in _NUMBERS and kind in _NUMBERS)


def _plain(row: Sequence[object]) -> list[Cell]:
    return [plain(cell) for cell in row]
