"""Tables that continue at the top of the next page, where they get the header of their first part."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain import Cell
from core.ingest.parsers.cells import plain, typed
from core.ingest.parsers.pdf.tables.found_table import FoundTable

_NUMBERS = ("integer", "real")


@dataclass(frozen=True)
class Begun:
    """A table at the end of a page that may continue: its header, and the values of its columns."""

    name: str
    header: list[list[object]]
    columns: list[list[Cell]]
    found: FoundTable
    page: int

    def goes_on(self, found: FoundTable, page: int) -> bool:
        """Say whether a table continues this one: first on the next page, same columns, no own header."""
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
        """Return the table with its part on the next page as the last one."""
        return replace(self, found=found, page=page)


def begun(name: str, found: FoundTable, page: int, rows: int) -> Begun:
    """Return a table whose last `rows` rows hold values; those above them are its header."""
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
