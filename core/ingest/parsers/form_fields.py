"""Forms: tables of labels and values become fields, each label with its value."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.ingest.parsers.cells import is_number

COLONS = (":", "：")
LONGEST_LABEL = 48  # characters of a label
_INSIDE = re.compile(r"^(?P<label>[^\d\W][^:：]{1,40}[:：])\s+(?P<value>\S.*)$")
Texts = Sequence[Sequence[str]]


class Fields(NamedTuple):
    """The fields of one group of a form."""

    title: str
    pairs: list[tuple[str, str]]


def fields_of(rows: Texts, titles: Sequence[tuple[int, int, str]] = ()) -> list[Fields] | None:
    """Return the groups of fields in a table's rows, None where it is no form.

    A label ends with a colon and its value stands to the right. Where no label does, `titles` (first column,
    last column, text) over the columns of each group tell that a form follows.
    """
    width = max((len(row) for row in rows), default=0)
    labels = [at for at in range(width) if _is_label_column([row[at] for row in rows if at < len(row)])]
    if labels and labels[0] == _first_filled(rows, width):
        edges = [*labels, width]
        pairs = [pair for first, last in pairwise(edges) for pair in _pairs(rows, first, last)]
        return [Fields("", pairs)] if len(pairs) > 1 else None
    return _titled(rows, titles) if titles else None


def _first_filled(rows: Texts, width: int) -> int:
    return next((at for at in range(width) if any(at < len(row) and row[at] for row in rows)), 0)


def _is_label_column(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    ended = sum(cell.rstrip().endswith(COLONS) or bool(_INSIDE.match(cell)) for cell in filled)
    return (
        bool(filled) and ended >= 0.7 * len(filled) and all(len(cell) <= 3 * LONGEST_LABEL for cell in filled)
    )


def _pairs(rows: Texts, first: int, last: int) -> list[tuple[str, str]]:
    """Return the fields whose labels are in column `first`, their values in the columns before `last`.

    A label behind a value begins a field of its own. So does what is in a column where most others do;
    it has no name then.
    """
    begins = {
        at for at in range(first + 1, last) if _begins_fields([row[at] for row in rows if at < len(row)])
    }
    pairs: list[tuple[str, str]] = []
    for row in rows:
        label = row[first] if first < len(row) else ""
        fields: list[tuple[str, list[str]]] = [(label, [])]
        for at, cell in _cells_of(row, first + 1, last):
            inside = _INSIDE.match(cell) if fields[-1][1] else None
            if inside:
                fields.append((inside["label"], [inside["value"]]))
            elif fields[-1][1] and _is_label(cell):
                fields.append((cell, []))
            elif fields[-1][1] and at in begins:
                fields.append(("", [cell]))
            else:
                fields[-1][1].append(cell)
        value = " ".join(fields[0][1])
        inside = _INSIDE.match(label) if not value else None
        if inside:
            pairs.append((inside["label"], inside["value"]))
        elif label:
            pairs.append((label, value))
        elif value and pairs:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]}\n{value}".strip())
        elif value:  # a field above the labels
            beside = fields[0][1]
            pairs.append((beside[0], " ".join(beside[1:])) if len(beside) > 1 else ("", value))
        pairs.extend((beside, " ".join(values)) for beside, values in fields[1:])
    return pairs


def _cells_of(row: Sequence[str], first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield the filled cells with their columns, the words of a cell over several columns once."""
    before = ""
    for at, cell in enumerate(row[first:last], first):
        if cell and not (cell == before and " " in cell):
            yield at, cell
        before = cell or before


def _begins_fields(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return 2 * sum(_is_label(cell) or bool(_INSIDE.match(cell)) for cell in filled) > len(filled)


def _is_label(cell: str) -> bool:
    return cell.rstrip().endswith(COLONS) and len(cell) <= LONGEST_LABEL


def _titled(rows: Texts, titles: Sequence[tuple[int, int, str]]) -> list[Fields] | None:
    groups = []
    for first, last, title in titles:
        labels = [row[first] for row in rows if row[first]]
        values = [cell for row in rows for cell in row[first + 1 : last + 1] if cell]
        if last == first or len(labels) < 2 or len(set(labels)) < len(labels) or not values:
            return None
        if any(is_number(label) or len(label) > LONGEST_LABEL for label in labels) or not is_mixed(values):
            return None
        groups.append(Fields(title, _pairs(rows, first, last + 1)))
    return groups


def is_mixed(values: Sequence[str]) -> bool:
    """Say whether values are of several kinds, as those of a form are: words, figures, dates, codes."""
    kinds = {
        "figure" if is_number(value) else "code" if any(char.isdigit() for char in value) else "word"
        for value in values
    }
    return len(kinds) > 1
