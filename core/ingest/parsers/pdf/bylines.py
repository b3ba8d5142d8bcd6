"""The lines under a paper's title that name its authors, as they stand on the page: side by side, too."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from core.ingest.parsers.pdf.headings import folded
from core.ingest.parsers.pdf.structure import PageBlock
from core.ingest.parsers.pdf.tables.found_table import FoundTable, texts_of
from core.text.periods import find_dates
from core.text.person_names import authors_under, names_on

_RUNNING_TEXT_CHARACTERS = 300  # characters of a piece that is running text
_MAX_FRONT_PIECES = 20  # pieces that may stand before it


def authors_of(pieces: Sequence[PageBlock], found: Sequence[FoundTable], claimed: str) -> list[str]:
    """Return the authors named under the heading that the first page begins with."""
    first = [piece for piece in pieces if piece.lines[0].page == 0][:_MAX_FRONT_PIECES]
    at = next((n for n, piece in enumerate(first) if piece.kind == "heading"), None)
    if at is None:
        return []
    below = takewhile(_is_short, first[at + 1 :])
    lines = [line for piece in below for line in _lines(piece, found)]
    text = "\n".join(line.text for piece in pieces for line in piece.lines)
    return authors_under(lines, text, claimed)


def without_claimed(pieces: Sequence[PageBlock], claimed: str) -> Iterator[PageBlock]:
    """Yield the pieces; authors named in the file's metadata are no heading where they are in large type
    on the first page, in whatever script they are written."""
    for piece in pieces:
        first = piece.kind == "heading" and not piece.lines[0].page
        by = first and claimed and folded(_text(piece)) == folded(claimed)
        yield PageBlock("paragraph", piece.lines) if by else piece


def with_bylines(
    pieces: Sequence[PageBlock], found: Sequence[FoundTable], authors: Sequence[str]
) -> Iterator[PageBlock]:
    """Yield the pieces; one in large type that names authors or is the day heads nothing, and authors
    beside each other, each over an address, are a paragraph each and no table."""
    for piece in pieces:
        line = piece.lines[0]
        if line.page or not authors:
            yield piece
        elif piece.kind == "heading" and (
            set(names_on(_text(piece))) & set(authors) or _is_date(_text(piece))
        ):
            yield PageBlock("paragraph", piece.lines)
        elif line.table is not None and _names_authors(found[line.table], authors):
            columns = zip(*texts_of(found[line.table].rows), strict=True)
            spans = found[line.table].columns
            for n, cells in enumerate(columns):
                filled = [cell for cell in cells if cell]
                x0, x1 = spans[n] if n < len(spans) else (line.x0, line.x1)
                parts = [replace(line, table=None, text=cell, x0=x0, x1=x1) for cell in filled]
                if parts:
                    yield PageBlock("paragraph", parts)
        else:
            yield piece


def _is_short(piece: PageBlock) -> bool:
    return len(_text(piece)) <= _RUNNING_TEXT_CHARACTERS or bool(names_on(piece.lines[0].text))


def _is_date(text: str) -> bool:
    return (0, len(text)) in find_dates(text)


def _text(piece: PageBlock) -> str:
    return " ".join(line.text for line in piece.lines)


def _lines(piece: PageBlock, found: Sequence[FoundTable]) -> Iterator[str]:
    for line in piece.lines:
        if line.table is None:
            yield line.text
        else:
            yield from ("  ".join(filter(None, row)) for row in texts_of(found[line.table].rows)[:1])


def _names_authors(table: FoundTable, authors: Sequence[str]) -> bool:
    named = names_on("  ".join(filter(None, texts_of(table.rows)[0]))) if table.rows else []
    return bool(named) and set(named) <= set(authors)
