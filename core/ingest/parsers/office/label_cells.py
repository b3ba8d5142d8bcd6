"""Tables whose cells are labels and values, beside each other or in one cell, as in the head of a form."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.ingest.parsers.form_fields import COLONS, fields_of

_LABELLED = re.compile(r"(?P<label>[^\W\d][^:：\n|]{1,40}?)\s*[:：](?!//)\s*(?P<value>.*)")
_MOSTLY = 0.75  # least share of rows that look like fields
_LEAST = 3  # fields of a form
_BLANK = re.compile(r"[_\s.]*")


def fields_in(rows: Sequence[Sequence[object]]) -> list[list[object]] | None:
    """Return the fields of a table as rows of label and value, merged cells once; None for no form."""
    cells = list(dict.fromkeys(str(cell) for row in rows for cell in row if cell not in (None, "")))
    lines = [line.strip() for cell in cells for line in cell.split("\n") if not _BLANK.fullmatch(line)]
    labelled = [line for line in lines if _LABELLED.match(line)]
    begins = all(any(_LABELLED.match(line) for line in cell.split("\n")) for cell in cells)
    if len(labelled) < _LEAST or len(labelled) < _MOSTLY * len(lines) or not begins:
        return _beside(rows)
    return [["Field", "Value"], *_pairs(lines)]


def _beside(rows: Sequence[Sequence[object]]) -> list[list[object]] | None:
    """Return the fields of rows in which each label has one value to its right; None for any other table."""
    texts = [["" if cell is None else str(cell).strip() for cell in row] for row in rows]
    width = max(map(len, texts), default=0)
    for row in texts:
        filled = list(dict.fromkeys(cell for cell in row if cell))
        if any(not a.endswith(COLONS) and not b.endswith(COLONS) for a, b in pairwise(filled[1:])):
            return None
    found = fields_of([row + [""] * (width - len(row)) for row in texts]) or ()
    pairs: list[list[object]] = [[label, value] for form in found for label, value in form.pairs]
    return [["Field", "Value"], *pairs] if pairs else None


def _pairs(lines: Sequence[str]) -> Iterator[list[object]]:
    for line in lines:
        found = _LABELLED.match(line)
        value = "" if found is None or _BLANK.fullmatch(found["value"]) else found["value"]
        yield [found["label"].strip() if found else line, value]
