"""Marked tables in XML: those of XHTML and CALS."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

_WIDEST = 100


class Grid(NamedTuple):
    """The cells of a marked table and how many of its first rows are its head."""

    rows: list[list[object]]
    header: int | None


def grid(table: "_Element") -> Grid:
    """Return the cells of an XHTML table (tr, td, th) or a CALS table (row, entry)."""
    placed: dict[tuple[int, int], str] = {}
    lines = [*table.iter("{*}tr")] or [*table.iter("{*}row")]
    header = 0
    for y, line in enumerate(lines):
        parent = line.getparent()
        header += parent is not None and str(parent.tag).endswith("thead") and header == y
        x = 0
        for cell in line:
            if not str(cell.tag).endswith(("td", "th", "entry")):
                continue
            while (y, x) in placed:
                x += 1
            wide, high = _wide(cell), min(_number(cell.get("rowspan")), len(lines) - y)
            high = max(high, _number(cell.get("morerows"), 0) + 1)
            for dy in range(min(high, len(lines) - y)):
                for dx in range(wide):
                    placed[(y + dy, x + dx)] = " ".join(" ".join(map(str, cell.itertext())).split())
            x += wide
    width = max((x for _, x in placed), default=-1) + 1
    return Grid(
        [[placed.get((y, x)) for x in range(width)] for y in range(len(lines))] if width else [],
        header or None,
    )


def _wide(cell: "_Element") -> int:
    first, last = cell.get("namest") or "", cell.get("nameend") or ""
    digits = ["".join(filter(str.isdigit, name)) for name in (first, last)]
    if all(digits):
        return max(1, min(int(digits[1]) - int(digits[0]) + 1, _WIDEST))
    return min(_number(cell.get("colspan")), _WIDEST)


def _number(text: str | None, default: int = 1) -> int:
    return max(default, int(text)) if text and text.strip().isdigit() else default
