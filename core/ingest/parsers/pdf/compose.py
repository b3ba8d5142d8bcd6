"""From pages of words to a document: tables taken out, lines ordered, margins dropped, blocks written."""

import re
from collections import Counter
from collections.abc import Sequence

from core.domain import Box, Location
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.pdf import structure, tables
from core.ingest.parsers.pdf.layout import Run, linked, ordered, runs_of
from core.ingest.parsers.pdf.lines import Line, lines_of, without_margins
from core.ingest.parsers.pdf.words import Area, Page, Word

_OF_TABLE = re.compile(r"\s*(?:table|tab\.|表)", re.I)
_NEAR = 0.15  # of the height: how far a caption may stand from its picture


class Composition:
    """Takes pages one after the other (from a PDF's words or from OCR) and writes the document."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.found: list[tables.Found] = []
        self.pages: list[Page] = []
        self.lines: list[list[Line]] = []

    def take(self, page: Page) -> None:
        """Add the next page."""
        self.pages.append(page)
        self.lines.append(lines_of(page, self._runs(page)))

    def write(self, bookmarks: dict[tuple[int, str], int]) -> None:
        """Put the blocks of all pages into the draft; `bookmarks` maps (page, folded title) to depth."""
        margins = without_margins(self.pages, self.lines)
        for text, often in margins.repeated.items():
            self.draft.skipped.append(
                f"The line “{text[:80]}” at the page margin, repeated {often} times, was left out."
            )
            self.draft.metadata.setdefault("header", text[:200])
        outline = structure.Outline(self.pages, bookmarks)
        vocabulary = structure.vocabulary_of(margins.pages)
        pieces = [
            piece
            for page, lines in zip(self.pages, margins.pages, strict=True)
            for piece in structure.pieces_of(lines, outline, page)
        ]
        for piece in structure.stitched(pieces):
            table = piece.lines[0].table
            if table is None:
                self._text(piece, vocabulary)
            else:
                self._table(table, piece.lines[0])

    def _runs(self, page: Page) -> list[Run]:
        found = tables.ruled(page)
        words = [word for word in page.words if not any(table.area.holds(word) for table in found)]
        runs = runs_of(words)
        stand_ins = [self._stand_in(table) for table in found]
        for table, taken in tables.aligned(runs):
            gone = set(map(id, taken))
            runs = [run for run in runs if id(run) not in gone]
            stand_ins.append(self._stand_in(table))
        linked(runs, page.links)
        sideways = [word for word in words if not word.upright]
        return ordered(runs + stand_ins) + ([Run(sideways, column=-1)] if sideways else [])

    def _stand_in(self, table: tables.Found) -> Run:
        """Return a run that holds the table's place in the reading order."""
        self.found.append(table)
        area = table.area
        return Run([Word("table", *area, 1.0, False)], table=len(self.found) - 1)

    def _table(self, index: int, line: Line) -> None:
        found = self.found[index]
        page = next(page for page in self.pages if page.number == line.page)
        name = f"Table {len(self.draft.tables) + 1}, page {line.page + 1}"
        place = Location(page=line.page, boxes=(_box(found.area, page),))
        self.draft.rows(name, found.rows, location=place)

    def _text(self, piece: structure.Piece, vocabulary: Counter[str]) -> None:
        place = structure.place_of(piece.lines, self.pages)
        text = structure.joined_text(piece.lines, vocabulary)
        links = [link for line in piece.lines for link in line.links]
        of_picture = piece.kind == "caption" and not _OF_TABLE.match(text)
        picture = self._picture_at(piece.lines) if of_picture else None
        if picture is not None:
            boxes = (_box(picture, self.pages[piece.lines[0].page]), *place.boxes)
            self.draft.add("figure", text, Location(page=place.page, boxes=boxes), links=links)
        else:
            self.draft.add(piece.kind, text, place, level=piece.level, links=links)

    def _picture_at(self, lines: Sequence[Line]) -> Area | None:
        """Return the picture a caption belongs to: the nearest one above or below it."""
        page = self.pages[lines[0].page]
        top, bottom = lines[0].y0, lines[-1].y1
        beside = [area for area in page.images if area.x0 < lines[0].x1 and area.x1 > lines[0].x0]
        near = [(min(abs(top - area.y1), abs(area.y0 - bottom)), area) for area in beside]
        return min(near)[1] if near and min(near)[0] < _NEAR * page.height else None


def _box(area: Area, page: Page) -> Box:
    return Line("", page.number, *area, 0, False, 0).box(page.width, page.height)
