"""Spreadsheets: sheets parted into the tables they hold, merged cells filled, types from the cells."""

import warnings
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain import Cell, Location, Parsed
from core.errors import LimitExceeded
from core.ingest.containers import XLSX
from core.ingest.parsers.cells import plain
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.legibility import note_illegible
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.office.sheet_areas import Grid, Merge, islands, once
from core.ingest.parsers.office.sheet_drawings import Drawings
from core.ingest.parsers.office.sheet_headers import headed
from core.ingest.parsers.office.sheet_notes import without_notes
from core.ingest.parsers.office.sheet_objects import leave_out_objects
from core.ingest.parsers.raw_tables import is_figure
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.trees.safe_xml import parse_xml

_MOST_CELLS = 5_000_000
_MAX_COLUMNS = 16_384  # columns
_MOST_TITLES = 3  # over each other
_LONGEST_TITLE = 120


@dataclass(frozen=True)
class WorkbookParser:
    """Reads .xlsx: every sheet, the values formulas last had; pictures by OCR, `ocr_pages` at most."""

    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = (XLSX,)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        from openpyxl import load_workbook

        draft = Draft(name, media_type)
        with path.open("rb") as stream, warnings.catch_warnings():  # of a path it wants the right extension
            warnings.simplefilter("ignore")  # what it leaves out is found missing here
            book = load_workbook(stream, data_only=True, rich_text=False)
        draft.title = str(book.properties.title or "") or Path(name).stem  # not its first sheet's
        draft.metadata["author"] = str(book.properties.creator or "")
        draft.pages = len(book.sheetnames)
        _note_missing_sheets(draft, path, book.sheetnames)
        picture_ocr = PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures)
        drawings = Drawings(draft, path, book.sheetnames)
        for sheet in map(book.__getitem__, book.sheetnames):
            before = len(draft.blocks)
            if sheet in book.worksheets:  # others hold nothing but a chart
                _cells(draft, sheet, picture_ocr)
            drawings.read(sheet.title, headed=len(draft.blocks) > before)
        formulas = _formulas_without_value(path) if _hollow(draft) else 0
        if formulas:
            draft.skipped.append(
                f"Formulas without a stored value: {formulas}. Open the workbook and save it once."
            )
        drawings.read_rest()
        with Part(draft, "The list of its embedded objects"):
            leave_out_objects(draft, path)
        note_illegible(draft, picture_ocr.illegible)
        return draft.parsed()


def _note_missing_sheets(draft: Draft, path: Path, names: Sequence[str]) -> None:
    """Name the sheets the workbook lists and does not hold, and say so where its number formats are lost."""
    with zipfile.ZipFile(path) as archive, Part(draft, "The list of its sheets"):
        listed = parse_xml(archive.read("xl/workbook.xml")).iter("{*}sheet")
        for name in (str(sheet.get("name") or "") for sheet in listed):
            if name not in names:
                draft.lost(f"Sheet {name} is not in the file.")
        if "xl/styles.xml" not in archive.NameToInfo:
            draft.skipped.append("The file holds no styles: dates and shares may read as plain numbers.")


def _cells(draft: Draft, sheet: Any, picture_ocr: PictureOcr) -> None:
    if sheet.max_row * sheet.max_column > _MOST_CELLS:
        raise LimitExceeded(f"{draft.name}: sheet {sheet.title} is over {_MOST_CELLS:,} cells.")
    with Part(draft, f"Sheet {sheet.title}"):
        _sheet(draft, sheet)
    with Part(draft, f"Sheet {sheet.title}: its notes"):
        _notes(draft, sheet.title, sheet.iter_rows())
    _pictures(draft, sheet, picture_ocr)


def _sheet(draft: Draft, sheet: Any) -> None:
    rows = [[with_unit(cell.value, cell.number_format) for cell in row] for row in sheet.iter_rows()]
    merges = [
        Merge(area.min_row - 1, area.min_col - 1, area.max_row - 1, area.max_col - 1)
        for area in sheet.merged_cells.ranges
    ]
    state = "" if sheet.sheet_state == "visible" else " (hidden)"
    read_sheet(draft, sheet.title + state, rows, merges)


def with_unit(value: object, number_format: str) -> Cell:
    """Return the cell as ours; a share shown in percent is what the reader sees."""
    cell = plain(value)
    shown = number_format.split(";")[0]  # the others are of what is negative, and of nothing
    if isinstance(cell, float | int) and not isinstance(cell, bool) and shown.rstrip(")_ ").endswith("%"):
        return f"{round(cell * 100, 10):g}%"
    return cell


def read_sheet(
    draft: Draft,
    title: str,
    rows: Sequence[Sequence[Cell]],
    merges: Iterable[Merge] = (),
    *,
    is_sheet: bool = True,
) -> None:
    """Put a sheet's tables into the draft, under the sheet's heading and their own titles.

    Where the rows are a file of their own (`is_sheet` false), `title` names its table and heads nothing.
    """
    grid = [list(row) for row in rows]
    merged = list(merges)
    titles = _fill(grid, merged)
    areas = islands(grid)
    if areas:
        if is_sheet:
            draft.heading(title, 1, Location(sheet=title))
        sheet = _Sheet(draft, title, title if is_sheet else None)
        for area in areas:
            part = once(grid, area, merged)
            sheet.take(part, area, titles, alone=len(areas) == 1)
        sheet.write_lines()


class _Sheet:
    """One sheet on its way into the draft: lines above a table are its titles, others are paragraphs."""

    def __init__(self, draft: Draft, title: str, sheet: str | None) -> None:
        self.draft = draft
        self.title = title
        self.sheet = sheet
        self.lines: list[tuple[str, Location]] = []
        self.under = ""  # the title of the table before

    def take(self, part: Grid, area: Merge, titles: set[tuple[int, int]], *, alone: bool) -> None:
        """Add an area: its title lines, and its table where there is more."""
        lead, body, offset = _lead(part, area, titles)
        cells = [str(cell) for row in body for cell in row if cell not in (None, "")]
        if len(body) == 1 and len(cells) <= 2 and not (lead and len(cells) == 2):
            lead, body = [*lead, " ".join(cells)], []
        elif not alone and len(cells) == len(body) <= _MOST_TITLES and all(map(_is_words, cells)):
            lead, body = [*lead, *cells], []  # lines over a table
        self.lines += [(line, self._at(area.top + at, area.top + at)) for at, line in enumerate(lead)]
        if body:
            caption = self._titled()
            if not caption and self.under and self.sheet:
                self.draft.heading(
                    self.sheet, 1, self._at(area.top, area.top)
                )  # not under the title of another
            self.under = caption
            name = self.title if alone else self._name(caption)
            body, notes = without_notes(body)
            head = headed(body)
            full_caption = "; ".join(filter(None, [caption, head.note]))
            last = area.bottom - len(notes)
            place = self._at(area.top + offset, last)
            self.draft.rows(name, head.rows, caption=full_caption, location=place, header=head.labels)
            for at, note in enumerate(notes, last + 1):
                self.draft.paragraph(note, self._at(at, at))

    def write_lines(self) -> None:
        """Write the lines no table follows."""
        for line, place in self.lines:
            self.draft.paragraph(line, place)
        self.lines = []

    def _at(self, first: int, last: int) -> Location:
        return Location(sheet=self.sheet, rows=(first, last))

    def _titled(self) -> str:
        """Write the short lines right above a table as its headings; return the last of them."""
        short = 0
        while short < min(len(self.lines), _MOST_TITLES) and _is_title(self.lines[-1 - short][0]):
            short += 1
        titles = self.lines[len(self.lines) - short :]
        self.lines = self.lines[: len(self.lines) - short]
        self.write_lines()
        for depth, (line, place) in enumerate(titles):
            self.draft.heading(line, 2 + depth, place)
        return titles[-1][0] if titles else ""

    def _name(self, caption: str) -> str:
        if caption:
            return f"{self.title}, {caption}"
        same = sum(table.name.startswith(self.title) for table in self.draft.tables)
        return f"{self.title} {same + 1}" if same else self.title


def _is_words(text: str) -> bool:
    return len(text.split()) > 1 and not is_figure(text)


def _is_title(line: str) -> bool:
    return len(line) <= _LONGEST_TITLE and not line.rstrip().endswith((".", "。", ";", "；"))


def _fill(grid: Grid, merges: Iterable[Merge]) -> set[tuple[int, int]]:
    """Repeat a merged cell's value over its area; return the places of those that are as wide as a title."""
    titles = set()
    for merge in merges:
        if merge.top >= len(grid) or merge.left >= len(grid[merge.top]):
            continue
        value = grid[merge.top][merge.left]
        if merge.right - merge.left >= 1 and merge.top == merge.bottom:
            titles.add((merge.top, merge.left))
        for y in range(merge.top, min(merge.bottom, len(grid) - 1) + 1):
            if len(grid[y]) <= merge.right:
                grid[y].extend([None] * (min(merge.right, _MAX_COLUMNS) + 1 - len(grid[y])))
            for x in range(merge.left, min(merge.right, len(grid[y]) - 1) + 1):
                grid[y][x] = value
    return titles


def _lead(part: Grid, area: Merge, titles: set[tuple[int, int]]) -> tuple[list[str], Grid, int]:
    """Part the title lines (a single text, perhaps merged over the width) from the rows under them."""
    lead: list[str] = []
    for offset, row in enumerate(part):
        filled = [(area.left + x, cell) for x, cell in enumerate(row) if cell not in (None, "")]
        merged = any((area.top + offset, x) in titles for x, _ in filled) and len({c for _, c in filled}) == 1
        alone = (len(filled) == 1 or merged) and isinstance(filled[0][1], str) and len(row) > 1
        last = offset == len(part) - 1 and not (merged and len(row) > 2)
        if not alone or last or (offset and not lead):
            return lead, part[offset:], offset
        lead.append(str(filled[0][1]))
    return lead, [], len(part)


def _notes(draft: Draft, title: str, rows: Iterable[Sequence[object]]) -> None:
    for row in rows:
        for cell in row:
            comment = getattr(cell, "comment", None)
            if comment is not None:
                place = getattr(cell, "coordinate", "")
                draft.add("footnote", f"Comment on {title}!{place}: {comment.text}", Location(sheet=title))


def _hollow(draft: Draft) -> bool:
    return (
        any(cell is None for table in draft.tables for row in table.rows[:200] for cell in row)
        or not draft.tables
    )


def _formulas_without_value(path: Path) -> int:
    """Count formulas whose result was never stored, as in files written by a program, not by Excel."""
    from openpyxl import load_workbook

    with path.open("rb") as first, path.open("rb") as second:
        written = load_workbook(first, data_only=False, read_only=True)
        shown = load_workbook(second, data_only=True, read_only=True)
        count = 0
        for sheet in written.worksheets:
            values = shown[sheet.title].iter_rows(values_only=True)
            for above, below in zip(sheet.iter_rows(values_only=True), values, strict=False):
                count += sum(
                    isinstance(formula, str) and formula.startswith("=") and value is None
                    for formula, value in zip(above, below, strict=False)
                )
        written.close()
        shown.close()
    return count


def _pictures(draft: Draft, sheet: Any, picture_ocr: PictureOcr) -> None:
    """Add what is written in the pictures of a sheet, each at the row it is anchored to."""
    for number, image in enumerate(getattr(sheet, "_images", ())):
        with Part(draft, f"Sheet {sheet.title}: picture {number + 1}"):
            _picture(draft, sheet.title, number + 1, image, picture_ocr)


def _picture(draft: Draft, title: str, number: int, image: Any, picture_ocr: PictureOcr) -> None:
    hangs = getattr(image.anchor, "_from", None)
    row = int(hangs.row) if hangs is not None else None
    place = Location(sheet=title, rows=(row, row) if row is not None else None)
    seen = picture_ocr.see(image._data())
    if seen.text or seen.image:
        draft.add("figure", seen.text or f"Picture {number}", place)
        draft.describe(seen.image)
    if not seen.text:
        draft.skipped.append(f"Sheet {title}: picture {number} holds no text that could be read.")
