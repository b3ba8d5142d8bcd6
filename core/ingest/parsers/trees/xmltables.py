"""Marked tables in XML: those of XHTML and CALS.

A CALS table (OASIS TM 9502) may hold several groups of rows, each with columns of its own widths: patents set
their heads so. Such columns are brought together by where they begin and end.
"""

import re
from copy import deepcopy
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from core.ingest.parsers.trees.xmlwords import words

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_COLUMNS = 100
_NOTES = ("table-fn", "fn")  # kinds of reference that JATS has for them
_FIGURE = re.compile(r"[-+−<>≤≥~±]?\s?\d[\d.,\s]*%?")
_WIDTH = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z*]*)", re.IGNORECASE)


class Grid(NamedTuple):
    """The cells of a marked table, how many of its first rows are its head, and the title within it."""

    rows: list[list[object]]
    header: int | None
    title: str = ""


def grid(table: "_Element") -> Grid:
    """Return the cells of an XHTML table (tr, td, th) or a CALS table (row, entry)."""
    if (found := _of_groups(table)) is not None:
        return found
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
            text = _cell_text(cell)
            for dy in range(min(high, len(lines) - y)):
                for dx in range(wide):
                    placed[(y + dy, x + dx)] = text
            x += wide
    width = max((x for _, x in placed), default=-1) + 1
    return Grid(
        [[placed.get((y, x)) for x in range(width)] for y in range(len(lines))] if width else [],
        header or None,
    )


def _cell_text(cell: "_Element") -> str:
    """Return the text of a cell; a number without its footnote marks, "93.3" of "93.3 c"."""
    bare = deepcopy(cell)
    for mark in [each for each in bare.iter("{*}xref") if each.get("ref-type") in _NOTES]:
        mark.text = None
        del mark[:]
    text = words(bare)
    return text if _FIGURE.fullmatch(text) else words(cell)


def _wide(cell: "_Element") -> int:
    first, last = cell.get("namest") or "", cell.get("nameend") or ""
    digits = ["".join(filter(str.isdigit, name)) for name in (first, last)]
    if all(digits):
        return max(1, min(int(digits[1]) - int(digits[0]) + 1, _MAX_COLUMNS))
    return min(_number(cell.get("colspan")), _MAX_COLUMNS)


def _number(text: str | None, default: int = 1) -> int:
    return max(default, int(text)) if text and text.strip().isdigit() else default


def _of_groups(table: "_Element") -> Grid | None:
    """Return the cells of a CALS table of several groups by the widths of their columns; None without them.

    The rows of the groups before the last one are its head, but for a row that one text fills: its title.
    """
    groups = list(table.iterfind(".//{*}tgroup"))
    edges = [_edges(group) for group in groups]
    if len(groups) < 2 or not all(edges):
        return None
    marks = sorted({edge for found in edges for edge in found})
    head: list[list[object]] = []
    body: list[list[object]] = []
    titles: list[str] = []
    for group, own_edges in zip(groups, edges, strict=True):
        for line in group.iter("{*}row"):
            row = _placed(line, group, own_edges, marks)
            distinct = {cell for cell in row if cell}
            if not distinct:
                continue
            last = group is groups[-1] and not _is_of_head(line)
            if not last and len(distinct) == 1 and sum(map(bool, row)) >= max(2, len(row) - 1):
                titles += map(str, distinct)
            else:
                (body if last else head).append(row)
    return Grid([*head, *body], len(head) or None, " ".join(titles)) if body else None


def _edges(group: "_Element") -> list[float]:
    """Return where the columns of a group begin and the last one ends; [] where a width is missing."""
    widths = [_WIDTH.fullmatch(spec.get("colwidth") or "") for spec in group.iterfind("{*}colspec")]
    found = [match for match in widths if match is not None]
    if not found or len(found) < len(widths) or len({match[2] for match in found}) > 1:
        return []
    return [round(edge, 2) for edge in accumulate((float(match[1]) for match in found), initial=0.0)]


def _is_of_head(line: "_Element") -> bool:
    parent = line.getparent()
    return parent is not None and str(parent.tag).endswith("thead")


def _placed(line: "_Element", group: "_Element", edges: list[float], marks: list[float]) -> list[object]:
    """Return a row's cells on the columns of the whole table; a wide one is repeated."""
    names = [spec.get("colname") or "" for spec in group.iterfind("{*}colspec")]
    row: list[object] = [None] * (len(marks) - 1)
    at = 0
    for cell in line.iterfind("{*}entry"):
        first, last = cell.get("namest") or cell.get("colname"), cell.get("nameend")
        begin = names.index(first) if first in names else at
        end = names.index(last) if last in names else begin
        if begin >= len(names):
            break
        at = max(begin, end) + 1
        text = _cell_text(cell)
        for place in range(marks.index(edges[begin]), marks.index(edges[at])):
            row[place] = row[place] or text or None
    return row
