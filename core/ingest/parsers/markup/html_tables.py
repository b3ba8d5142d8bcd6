"""Tables of pages: which hold data, and their cells row by row."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import Tag


def is_data(table: "Tag") -> bool:
    """Say whether a table holds data; one that holds tables, headings or lists is layout."""
    if table.find(["table", "h1", "h2", "h3"]):
        return False
    rows = table.find_all("tr")
    return is_labelled(rows) or (len(rows) >= 2 and max(len(row.find_all(["td", "th"])) for row in rows) >= 2)


def is_labelled(rows: Sequence["Tag"]) -> bool:
    """Say whether a table is one row of a label (th) and what it labels."""
    cells = rows[0].find_all(["td", "th"]) if len(rows) == 1 else []
    return (
        len(cells) == 2
        and [cell.name for cell in cells] == ["th", "td"]
        and all(c.get_text(strip=True) for c in cells)
    )


def table_rows(table: "Tag") -> tuple[list[list[object]], int | None]:
    """Return the cells with row and column spans filled in, and the number of header rows if it is marked."""
    grid: dict[tuple[int, int], str] = {}
    header = 0
    rows = table.find_all("tr")
    for y, row in enumerate(rows):
        cells = row.find_all(["td", "th"], recursive=False)
        if cells and header == y and (all(cell.name == "th" for cell in cells) or _in_head(row)):
            header += 1
        x = 0
        for cell in cells:
            while (y, x) in grid:
                x += 1
            wide, high = _span(cell, "colspan", 100), _span(cell, "rowspan", len(rows) - y)
            for dy in range(high):
                for dx in range(wide):
                    grid[(y + dy, x + dx)] = cell.get_text(" ", strip=True)
            x += wide
    width = max((x for _, x in grid), default=-1) + 1
    return [[grid.get((y, x)) for x in range(width)] for y in range(len(rows))], header or None


def _in_head(row: "Tag") -> bool:
    return row.parent is not None and row.parent.name == "thead"


def _span(cell: "Tag", name: str, most: int) -> int:
    written = str(cell.get(name) or "1").strip()
    return max(1, min(int(written) if written.isdigit() else 1, most))
