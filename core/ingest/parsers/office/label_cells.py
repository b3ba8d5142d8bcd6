"""Tables whose cells hold labels with their values ("Sponsor: Nursing"), as the head of a form does."""

import re
from collections.abc import Iterator, Sequence

_LABELLED = re.compile(r"(?P<label>[^\W\d][^:：\n|]{1,40}?)\s*[:：](?!//)\s*(?P<value>.*)")
_MOSTLY = 0.75  # of the lines
_LEAST = 3  # fields
_BLANK = re.compile(r"[_\s.]*")


def fields_in(rows: Sequence[Sequence[object]]) -> list[list[object]] | None:
    """Return the fields of a table as rows of label and value, merged cells once; None for no form."""
    cells = list(dict.fromkeys(str(cell) for row in rows for cell in row if cell not in (None, "")))
    lines = [line.strip() for cell in cells for line in cell.split("\n") if not _BLANK.fullmatch(line)]
    labelled = [line for line in lines if _LABELLED.match(line)]
    begins = all(any(_LABELLED.match(line) for line in cell.split("\n")) for cell in cells)
    if len(labelled) < _LEAST or len(labelled) < _MOSTLY * len(lines) or not begins:
        return None
    return [["Field", "Value"], *_pairs(lines)]


def _pairs(lines: Sequence[str]) -> Iterator[list[object]]:
    for line in lines:
        found = _LABELLED.match(line)
        value = "" if found is None or _BLANK.fullmatch(found["value"]) else found["value"]
        yield [found["label"].strip() if found else line, value]
