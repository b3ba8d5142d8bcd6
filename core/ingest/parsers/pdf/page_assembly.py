"""From pages of words to a document: tables taken out, lines ordered, margins dropped, blocks written."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain import AUTHORS, Location, Margin
from core.ingest.decoding import clean
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.pdf import headings, labels, structure
from core.ingest.parsers.pdf.bylines import authors_of, with_bylines, without_claimed
from core.ingest.parsers.pdf.contents import with_chapters, with_contents
from core.ingest.parsers.pdf.field_lines import with_fields
from core.ingest.parsers.pdf.figures import Figure, figure_at, is_written_on, labels_on
from core.ingest.parsers.pdf.hyphens import KnownWords
from core.ingest.parsers.pdf.item_columns import item_columns
from core.ingest.parsers.pdf.layout import WordRun, linked, runs_of
from core.ingest.parsers.pdf.lines import PageLine, box_of, lines_of
from core.ingest.parsers.pdf.margins import without_margins
from core.ingest.parsers.pdf.monospace import is_prose, listings
from core.ingest.parsers.pdf.ordering import after, is_prose_in, ordered, prose_columns
from core.ingest.parsers.pdf.page import Area, Page, PageWord, Region
from core.ingest.parsers.pdf.separators import columns_between, split_at, uprights
from core.ingest.parsers.pdf.stitching import stitched
from core.ingest.parsers.pdf.tables.aligned import aligned
from core.ingest.parsers.pdf.tables.banded import banded
from core.ingest.parsers.pdf.tables.continued import Begun, begun
from core.ingest.parsers.pdf.tables.found_table import FoundTable, without_leaders
from core.ingest.parsers.pdf.tables.ruled import ruled
from core.ingest.parsers.raw_tables import rows_of_text

_OF_TABLE = re.compile(r"\s*[\[<〈【(]?(?:table|tab\.|表|표)", re.I)
_MIN_TABLE_SHARE = 0.6  # least share of a picture's lines in a table, and of filled cells
_MIN_PROSE_CHARACTERS, _MIN_PROSE_LINES = 30, 6  # characters of a line, lines
_COUNT = re.compile(r"(?<![\w.-])\d+(?![\w-])")
_CONTINUED = re.compile(r"\bcont(?:inued|['’]d|\.)|续表|续\)|续）", re.I)


class PageAssembly:
    """Takes pages one after the other (from a PDF's words or from OCR) and writes the document."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.found: list[FoundTable] = []
        self.pages: list[Page] = []
        self.lines: list[list[PageLine]] = []
        self.figures: list[Figure] = []  # those with a caption
        self.begun: Begun | None = None  # the table that may continue
        self.headed_anew: set[int] = set()  # pages whose running head is not that of the page before
        self.prose = False  # whether a page was set in fonts of many widths

    def take(self, page: Page) -> None:
        """Add the next page; of what is drawn on it only what a caption may mention is kept."""
        lines = lines_of(page, self._runs(page))
        table_areas = [self.found[line.table].area for line in lines if line.table is not None]
        for line in labels_on(page, lines, table_areas):
            line.drawn = True
        captioned = any(headings.is_caption(line) for line in lines)
        self.pages.append(replace(page, edges=(), drawn=page.drawn if captioned else ()))
        self.lines.append(lines)

    def write(self, bookmarks: dict[tuple[int, str], int]) -> None:
        """Put the blocks of all pages into the draft; `bookmarks` maps (page, folded title) to depth."""
        margins = without_margins(self.pages, self.lines)
        for margin in margins.left_out:
            excerpt, often = margin.text[:80], len(margin.lines)
            self.draft.skipped.append(
                f"The line “{excerpt}” at the page margin was left out."
                if often == 1
                else f"The line “{excerpt}” at the page margin, repeated {often} times, was left out."
            )
        self.draft.margins.extend(margins.left_out)
        self.headed_anew = _headed_anew(margins.left_out)
        labelled = labels.with_labels(margins.pages, labels.styles_of(margins.pages))
        pictured = self.draft.media_type.startswith("image/")
        outline = headings.Outline(self.pages, bookmarks, labelled, pictured=pictured)
        vocabulary = KnownWords.of(line.text for lines in labelled for line in lines)
        pieces = [
            piece
            for page, lines in zip(self.pages, labelled, strict=True)
            for piece in structure.pieces_of(lines, outline, page)
        ]
        claimed = self.draft.metadata.get("author", "")
        pieces = with_chapters(list(without_claimed(pieces, claimed)))
        authors = authors_of(pieces, self.found, claimed)
        if authors:
            self.draft.metadata[AUTHORS] = "; ".join(authors)
            pieces = list(with_bylines(pieces, self.found, authors))
        pieces = self._with_labels_apart(list(with_contents(pieces, self.found)))
        for piece in stitched(with_fields(pieces, self.found)):
            table = piece.lines[0].table
            if table is None:
                self._text(piece, vocabulary)
            else:
                self._table(table, piece.lines[0])
        self._end_table()

    def _runs(self, page: Page) -> list[WordRun]:
        found = ruled(page)
        found += banded(page, found)
        words = [word for word in page.words if not any(word in table.words for table in found)]
        lines = uprights(page)
        runs = split_at(runs_of(words), lines)
        self.prose = self.prose or is_prose(page.words)
        runs, typed = listings(runs) if self.prose else (runs, [])
        placeholders = [*typed, *(self._placeholder(table) for table in found)]
        for region in page.regions:
            if _is_prose(region):
                runs += runs_of(region.words)  # the page continues in a picture
            else:
                placeholders += self._region(region)
        linked(runs, page.links)
        made: list[WordRun] = []
        for group in columns_between([*runs, *placeholders], page, lines):
            made += after(made, ordered(self._with_tables(group)))
        sideways = [word for word in words if not word.upright]
        return made + ([WordRun(sideways, column=-1)] if sideways else [])

    def _with_tables(self, group: Sequence[WordRun]) -> list[WordRun]:
        """Return the runs of a part of a page with one for each borderless table among them."""
        alone = [run for run in group if run.table is None and not run.picture and not run.listing]
        placeholders = [run for run in group if run.table is not None or run.picture or run.listing]
        lists = item_columns(alone)
        listed = {id(run) for column in lists.columns for run in column} if lists else set()
        columns = prose_columns(alone)
        for table, table_runs in aligned([run for run in alone if id(run) not in listed]):
            if columns and is_prose_in(table_runs, columns):
                continue
            in_table = set(map(id, table_runs))
            alone = [run for run in alone if id(run) not in in_table]
            placeholders.append(self._placeholder(table))
        return alone + placeholders

    def _region(self, region: Region) -> list[WordRun]:
        """Return runs for the tables in a picture, and one for what else is written in it."""
        runs = runs_of(region.words)
        found = [each for each in aligned(runs) if _is_dense(each[0])]
        in_tables = {id(run) for _, table_runs in found for run in table_runs}
        if len(in_tables) < _MIN_TABLE_SHARE * len(runs):
            found, in_tables = [], set()  # the axes of a chart
        rest = [run.text for run in ordered([run for run in runs if id(run) not in in_tables])]
        placeholders = [self._placeholder(table) for table, _ in found]
        if rest:
            words = PageWord("\n".join(rest), *region.area, 1.0, False)
            placeholders.append(WordRun([words], picture=True))
        return placeholders

    def _placeholder(self, table: FoundTable) -> WordRun:
        """Return a run that holds the table's place in the reading order."""
        self.found.append(replace(table, rows=without_leaders(table.rows)))
        area = table.area
        return WordRun([PageWord("table", *area, 1.0, False)], table=len(self.found) - 1)

    def _table(self, index: int, line: PageLine) -> None:
        found = self.found[index]
        page = next(page for page in self.pages if page.number == line.page)
        number = len(self.draft.tables)
        name = f"Table {number + 1}, page {line.page + 1}"
        place = Location(page=line.page, boxes=(box_of(found.area, page),))
        if found.fields:
            self._form(found, name, place)
            return
        if self._continues(found, line.page):
            assert self.begun is not None
            self.begun.take(found, place)
            return
        self._end_table()
        self.draft.rows(name, found.rows, caption=found.title, location=place, header=found.header)
        if made := self.draft.tables[number:]:
            block = len(self.draft.blocks) - 1
            self.begun = begun(name, found, place, len(made[0].rows), table=number, block=block)

    def _continues(self, found: FoundTable, page: int) -> bool:
        """Say whether the table continues that the page before ended with; the line between them that says so
        is dropped."""
        if self.begun is None or page in self.headed_anew or not self.begun.continues(found, page):
            return False
        if self._has_block_after_table():
            self.draft.blocks.pop()
        return True

    def _has_block_after_table(self) -> bool:
        """Say whether a block stands after the table that may continue."""
        return self.begun is not None and len(self.draft.blocks) - 1 > self.begun.block

    def _end_table(self) -> None:
        """Write the table whose end is known now, where it went on over pages."""
        open_table, self.begun = self.begun, None
        if open_table is None or len(open_table.parts) < 2:
            return
        first = self.draft.tables[open_table.table]
        rows, count = open_table.rows(), len(open_table.header)
        made = rows_of_text(
            open_table.called(), rows, caption=first.caption, location=open_table.location(), header=count
        )
        if made is not None and len(made.table.rows) == len(rows) - count:
            block = self.draft.blocks[open_table.block]
            update = {"text": clean(made.text), "location": made.table.location}
            self.draft.tables[open_table.table] = made.table
            self.draft.blocks[open_table.block] = block.model_copy(update=update)
            return
        for part, place in open_table.parts[1:]:  # its rows cannot be distinguished: a table for each page
            caption = f"continues {open_table.name}"
            name = f"Table {len(self.draft.tables) + 1}, page {(place.page or 0) + 1}"
            self.draft.rows(name, [*open_table.header, *part], caption=caption, location=place, header=count)

    def _form(self, found: FoundTable, name: str, place: Location) -> None:
        """Write a form's fields: each label with its value."""
        self._end_table()
        for group in found.fields:
            caption = " ".join(filter(None, [found.title, group.title]))
            rows = [["Field", "Value"], *([label, value] for label, value in group.pairs)]
            called = f"Form fields, {group.title}" if group.title else name.replace("Table", "Form fields")
            self.draft.rows(called, rows, caption=caption, location=place, header=1)

    def _text(self, piece: structure.PageBlock, vocabulary: KnownWords) -> None:
        place = structure.place_of(piece.lines, self.pages)
        if piece.kind == "code":
            self._end_table()
            self.draft.add("code", piece.lines[0].text, place)
            return
        if piece.kind == "paragraph" and structure.is_code(piece.lines):
            self._end_table()
            self.draft.add("code", structure.typed_text(piece.lines), place)
            return
        text = structure.joined_text(piece.lines, vocabulary)
        links = [link for line in piece.lines for link in line.links]
        if not (piece.kind == "caption" and _CONTINUED.search(text)) or self._has_block_after_table():
            self._end_table()
        figure = self._figure(piece)
        if figure is not None:
            boxes = (box_of(figure, self.pages[piece.lines[0].page]), *place.boxes)
            self.draft.add("figure", text, Location(page=place.page, boxes=boxes), links=links)
            self.figures.append(Figure(piece.lines[0].page, figure, text, len(self.draft.blocks) - 1))
        else:
            block_text = " ".join(text.split("\n")) if piece.kind == "heading" else text
            self.draft.add(piece.kind, block_text, place, level=piece.level, links=links)

    def _with_labels_apart(self, pieces: Sequence[structure.PageBlock]) -> list[structure.PageBlock]:
        """Return the pieces with the words on a figure, its axes' for one, in a piece before its caption."""
        figures = [(piece, area) for piece in pieces if (area := self._figure(piece)) is not None]
        labels: dict[int, list[PageLine]] = {}
        rest: list[structure.PageBlock] = []
        for piece in pieces:
            on = [
                id(caption)
                for caption, area in figures
                if caption.lines[0].page == piece.lines[0].page and is_written_on(area, piece.lines)
            ]
            if on and piece.kind in ("paragraph", "list_item"):
                labels.setdefault(on[0], []).extend(piece.lines)
            else:
                rest.append(piece)
        made: list[structure.PageBlock] = []
        for piece in rest:
            if id(piece) in labels:
                made.append(structure.PageBlock("figure", labels[id(piece)]))
            made.append(piece)
        return made

    def _figure(self, piece: structure.PageBlock) -> Area | None:
        """Return what a caption belongs to."""
        lines = piece.lines
        if piece.kind != "caption" or _OF_TABLE.match(lines[0].text):
            return None
        beside = self.lines[lines[0].page]
        table_areas = [self.found[line.table].area for line in beside if line.table is not None]
        caption = replace(lines[0], y1=lines[-1].y1)
        return figure_at(self.pages[caption.page], caption, beside, table_areas)


def _is_dense(table: FoundTable) -> bool:
    cells = [cell for row in table.rows for cell in row]
    return sum(bool(cell) for cell in cells) >= _MIN_TABLE_SHARE * len(cells)


def _is_prose(region: Region) -> bool:
    """Say whether a picture holds running text, as a scanned page does."""
    long = sum(len(word.text) >= _MIN_PROSE_CHARACTERS for word in region.words)
    return len(region.words) >= _MIN_PROSE_LINES and long > 0.5 * len(region.words)


def _headed_anew(margins: Sequence[Margin]) -> set[int]:
    """Return the pages on which a running head says something else than on the page before: another thing
    begins. What only counts, as page numbers do, says nothing."""
    running_heads = [
        {page: _COUNT.sub("", line) for page, line in each.lines.items()} for each in margins if each.top
    ]
    return {page for each in running_heads for page, line in each.items() if each.get(page - 1, line) != line}
