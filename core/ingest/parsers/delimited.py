"""Delimited text: the encoding and the dialect are found, ragged rows are kept and said."""

import csv
import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.domain import Cell, Location, Parsed
from core.errors import EmptyFile
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.sheets import read_sheet
from core.ingest.parsers.raw_tables import headers_of, is_figure, is_label_row
from core.ingest.parsers.source import text_of

_CANDIDATES = (",", ";", "\t", "|", "^", "\x1f")
_SAMPLE_LINES = 200
_MOST_PARTS = 50  # of a sheet; with more of them empty lines part nothing


@dataclass(frozen=True)
class DelimitedParser:
    """Reads .csv and .tsv as one typed table, or as the tables of a sheet where titles stand above them."""

    media_types: tuple[str, ...] = ("text/csv", "text/tab-separated-values")

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        lines, preamble = _parts(text_of(path, draft))
        if not lines:
            raise EmptyFile(f"{name} has no rows.")
        delimiter = "\t" if media_type.startswith("text/tab") else delimiter_of(lines)
        rows = read_rows("\n".join(lines), delimiter)
        header = _commented_header(preamble, rows, delimiter)
        for number, line in enumerate(preamble[:-1] if header else preamble):
            draft.paragraph(line.lstrip("# "), Location(lines=(number, number)))
        grid = sheet_of(rows)
        if grid and not header:
            read_sheet(draft, Path(name).stem, grid, is_sheet=False)
            return draft.parsed()
        rows = [*header, *filter(None, rows)]
        _note_replaced(draft, rows)
        place = Location(rows=(0, max(0, len(rows) - 2)))
        draft.rows(Path(name).stem, rows, location=place, header=1 if header else None)
        return draft.parsed()


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of the table and the comment lines before it."""
    lines = text.strip("\n").split("\n")
    if lines and lines[0].lower().startswith("sep="):
        lines = lines[1:]
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    return lines[first:], [line for line in lines[:first] if line.strip()]


def _commented_header(preamble: list[str], rows: list[list[Cell]], delimiter: str) -> list[list[Cell]]:
    """Return the header that is in the last comment above the rows, nothing where none is.

    A comment in words may have commas, so that one counts only above rows that have no header themselves.
    """
    if not preamble:
        return []
    row = next(iter(read_rows(preamble[-1].lstrip("# "), delimiter)), [])
    filled = [each for each in rows if each]
    width = max(map(len, filled), default=0)
    labels = len(row) == width > 1 and is_label_row(row)
    return [row] if labels and (delimiter == "\t" or headers_of(filled) == 0) else []


def delimiter_of(lines: list[str]) -> str:
    """Return the delimiter that parts most lines into equally many fields, more than one."""
    best, best_score = ",", (0.0, 0)
    for delimiter in _CANDIDATES:
        counts = Counter(len(row) for row in read_rows("\n".join(lines[:_SAMPLE_LINES]), delimiter) if row)
        width, often = counts.most_common(1)[0] if counts else (1, 0)
        score = (often / max(1, sum(counts.values())), width) if width > 1 else (0.0, 0)
        if score > best_score:
            best, best_score = delimiter, score
    return best if best_score[0] or not all(":" in line for line in lines[:_SAMPLE_LINES] if line) else ":"


def read_rows(text: str, delimiter: str) -> list[list[Cell]]:
    """Return the rows of delimited text, a blank line as a row without cells.

    Quotes follow RFC 4180, unless the lines have equally many fields only where quotes are letters like
    others (an export that writes its texts as they are).
    """
    csv.field_size_limit(16 * 1024 * 1024)
    quoted = _read(text, delimiter, csv.QUOTE_MINIMAL)
    if '"' not in text:
        return quoted
    plain = _read(text, delimiter, csv.QUOTE_NONE)
    swallowed = _widths(quoted) > 1 or len(plain) > len(quoted)
    return plain if swallowed and _widths(plain) == 1 and len(next(filter(None, plain))) > 1 else quoted


def _read(text: str, delimiter: str, quoting: Literal[0, 3]) -> list[list[Cell]]:
    spaced = delimiter != "\t"
    return [
        list(row)
        for row in csv.reader(
            io.StringIO(text), delimiter=delimiter, skipinitialspace=spaced, quoting=quoting
        )
    ]


def _widths(rows: list[list[Cell]]) -> int:
    return len({len(row) for row in rows if row})


def sheet_of(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Return the rows of an export of a sheet, which has titles above its tables or several of them.

    An empty row parts tables only where labels or a single text follow it. Nothing is returned where the
    rows are one plain table.
    """
    filled = [[cell for cell in row if str(cell).strip()] for row in rows]
    width = Counter(map(len, filled)).most_common(1)[0][0]
    first = next((row for row in filled if row), [])
    titled = len(first) == 1 < width and not is_figure(first[0])
    sheet: list[list[Cell]] = []
    parts = 1
    blank = False
    for row, cells in zip(rows, filled, strict=True):
        if not cells:
            blank = bool(sheet)
            continue
        if blank and (len(cells) == 1 < width or is_label_row(row)):
            sheet.append([])
            parts += 1
        sheet.append(list(row))
        blank = False
    return sheet if titled or 1 < parts <= _MOST_PARTS else []


def _note_replaced(draft: Draft, rows: list[list[Cell]]) -> None:
    """Say which rows, the header being the first, are longer or shorter than most; they are filled up."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    odd = [number + 1 for number, row in enumerate(rows) if len(row) != width]
    if odd and width > 1:
        listed = ", ".join(map(str, odd[:5])) + (" and more" if len(odd) > 5 else "")
        draft.skipped.append(
            f"Row {listed} does not have {width} fields as the others do; no field was dropped."
            if len(odd) == 1
            else f"Rows {listed} do not have {width} fields as the others do; no field was dropped."
        )
