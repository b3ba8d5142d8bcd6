"""Delimited text: the encoding and the dialect are found, ragged rows are kept and said."""

import csv
import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from core.domain import Location, Parsed
from core.errors import EmptyFile
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.source import text_of

_CANDIDATES = (",", ";", "\t", "|", "^", "\x1f")
_LOOK = 200


@dataclass(frozen=True)
class DelimitedParser:
    """Reads .csv and .tsv as one typed table."""

    media_types: tuple[str, ...] = ("text/csv", "text/tab-separated-values")

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        lines, preamble = _parts(text_of(path, name))
        if not lines:
            raise EmptyFile(f"{name} has no rows.")
        for number, line in enumerate(preamble):
            draft.paragraph(line.lstrip("# "), Location(lines=(number, number)))
        delimiter = "\t" if media_type.startswith("text/tab") else delimiter_of(lines)
        rows = read_rows("\n".join(lines), delimiter)
        _note_replaced(draft, rows)
        draft.rows(Path(name).stem, rows, location=Location(rows=(0, max(0, len(rows) - 2))))
        return draft.parsed()


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of the table and the comment lines before it."""
    lines = text.strip("\n").split("\n")
    if lines and lines[0].lower().startswith("sep="):
        lines = lines[1:]
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    return lines[first:], [line for line in lines[:first] if line.strip()]


def delimiter_of(lines: list[str]) -> str:
    """Return the delimiter that parts most lines into equally many fields, more than one."""
    best, best_score = ",", (0.0, 0)
    for delimiter in _CANDIDATES:
        counts = Counter(len(row) for row in read_rows("\n".join(lines[:_LOOK]), delimiter) if row)
        width, often = counts.most_common(1)[0] if counts else (1, 0)
        score = (often / max(1, sum(counts.values())), width) if width > 1 else (0.0, 0)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def read_rows(text: str, delimiter: str) -> list[list[object]]:
    """Return the rows of delimited text; quotes follow RFC 4180."""
    csv.field_size_limit(16 * 1024 * 1024)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=delimiter != "\t")
    return [list(row) for row in reader if row]


def _note_replaced(draft: Draft, rows: list[list[object]]) -> None:
    """Say which rows, the header being the first, are longer or shorter than most; they are filled up."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    odd = [number + 1 for number, row in enumerate(rows) if len(row) != width]
    if odd and width > 1:
        listed = ", ".join(map(str, odd[:5])) + (" and more" if len(odd) > 5 else "")
        where = f"Row {listed} does" if len(odd) == 1 else f"Rows {listed} do"
        draft.skipped.append(f"{where} not have {width} fields as the others do; no field was dropped.")
