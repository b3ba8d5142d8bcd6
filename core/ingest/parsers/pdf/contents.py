"""Turns tables of contents into lists, and a chapter's number and title into one heading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from core.ingest.parsers.pdf.headings import folded
from core.ingest.parsers.pdf.structure import PageBlock
from core.ingest.parsers.pdf.tables.found_table import FoundTable, texts_of

_CHAPTER = re.compile(
    r"(?:chapter|part|appendix|annex|kapitel|teil|chapitre|partie|annexe|cap[ií]tulo)\s+(?:\d{1,3}|[A-Z]|[IVX]+)\.?",
    re.I,
)
_MIN_ENTRIES = 3  # entries
_MIN_KNOWN_SHARE = 0.5  # of the entries head a part of the document


def with_contents(pieces: Sequence[PageBlock], found: Sequence[FoundTable]) -> Iterator[PageBlock]:
    """Yield the pieces; a table of headings of the document, each with its page, is a list of them."""
    headings = {
        folded(" ".join(line.text for line in piece.lines)) for piece in pieces if piece.kind == "heading"
    }
    for piece in pieces:
        line = piece.lines[0]
        entries = _entries(found[line.table], headings) if line.table is not None else []
        for entry in entries:
            yield PageBlock("list_item", [replace(line, table=None, text=entry)])
        if not entries:
            yield piece


def with_chapters(pieces: Sequence[PageBlock]) -> list[PageBlock]:
    """Return the pieces; the number of a chapter set over its title is one heading with it."""
    made: list[PageBlock] = []
    for piece in pieces:
        last = made[-1] if made else None
        title = last is not None and piece.kind == last.kind == "heading" and _is_number_of_chapter(last)
        if last is not None and title and last.lines[0].page == piece.lines[0].page:
            made[-1] = PageBlock("heading", [*last.lines, *piece.lines], min(last.level, piece.level))
        else:
            made.append(piece)
    return made


def _is_number_of_chapter(piece: PageBlock) -> bool:
    return bool(_CHAPTER.fullmatch(" ".join(line.text.strip() for line in piece.lines)))


def _entries(table: FoundTable, headings: set[str]) -> list[str]:
    """Return the entries of a table of contents, none for another table."""
    rows = [[cell for cell in row if cell] for row in texts_of(table.rows)]
    if len(rows) < _MIN_ENTRIES or any(len(row) < 2 or not row[-1].isdecimal() for row in rows):
        return []
    rising = all(int(before[-1]) <= int(after[-1]) for before, after in pairwise(rows))
    known = sum(folded(" ".join(row[:-1])) in headings for row in rows)
    return [" ".join(row) for row in rows] if rising and known >= _MIN_KNOWN_SHARE * len(rows) else []
