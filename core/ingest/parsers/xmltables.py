"""Tables in XML: marked ones (XHTML and CALS), and records that repeat."""

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from core.ingest.parsers.tabular import rows_of_records

if TYPE_CHECKING:
    from lxml.etree import _Element

_FEWEST = 3
_WIDEST = 100


class Grid(NamedTuple):
    """The cells of a marked table and how many of its first rows are its head."""

    rows: list[list[object]]
    header: int | None


class Records(NamedTuple):
    """Rows made of elements that repeat, header first, and the children that are none of them."""

    name: str
    rows: list[list[object]]
    rest: list["_Element"]


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


def records(element: "_Element") -> Records | None:
    """Return the repeated children of an element as rows where each is a flat record, else None."""
    counts = Counter(child.tag for child in element if isinstance(child.tag, str))
    if not counts:
        return None
    tag, often = counts.most_common(1)[0]
    items = [child for child in element if child.tag == tag]
    if often < _FEWEST or not all(_is_flat(item) for item in items[:200]):
        return None
    dicts = [_fields(item) for item in items]
    names = list(dict.fromkeys(key for fields in dicts for key in fields))
    filled = sum(map(len, dicts))
    if not 2 <= len(names) <= _WIDEST or filled < 0.3 * len(names) * len(dicts):
        return None
    if any(len(value) > 1000 for fields in dicts for value in fields.values()):
        return None
    rest = [child for child in element if child.tag != tag]
    return Records(_bare(str(tag)), rows_of_records(dicts), rest)


def _is_flat(item: "_Element") -> bool:
    return all(len(child) == 0 for child in item) and not (len(item) and (item.text or "").strip())


def _fields(item: "_Element") -> dict[str, str]:
    fields = {_bare(str(key)): str(value) for key, value in item.attrib.items()}
    for child in item:
        if isinstance(child.tag, str):
            key, text = _bare(child.tag), " ".join((child.text or "").split())
            fields[key] = f"{fields[key]}, {text}" if key in fields else text
            fields |= {f"{key} {_bare(str(k))}": str(v) for k, v in child.attrib.items()}
    if not len(item) and (item.text or "").strip():
        fields[_bare(str(item.tag))] = " ".join(str(item.text).split())
    return {key: value for key, value in fields.items() if value}


def _bare(tag: str) -> str:
    return tag.rsplit("}", 1)[-1]
