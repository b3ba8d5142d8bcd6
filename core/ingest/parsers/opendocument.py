"""OpenDocument texts, sheets and presentations, read from their content XML, with their pictures."""

import zipfile
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Cell, Location, Parsed
from core.errors import LimitExceeded
from core.ingest.containers import ODF
from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.document_pictures import Pictures
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.label_cells import fields_in
from core.ingest.parsers.ocr import PictureOcr
from core.ingest.parsers.opendocument_margins import leave_out_running
from core.ingest.parsers.opendocument_parts import SHAPES, Objects, edges, numbered_lists
from core.ingest.parsers.raw_tables import NO_LOCATION
from core.ingest.parsers.safe_xml import parse_xml
from core.ingest.parsers.sheet_areas import Merge
from core.ingest.parsers.sheets import read_sheet
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.slide_order import in_reading_order

if TYPE_CHECKING:
    from lxml.etree import _Element

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_HIDDEN = (
    _TEXT + "tracked-changes",
    _TEXT + "sequence-decls",
    _OFFICE + "forms",
    _OFFICE + "annotation",
    _TEXT + "note",
)
_MOST_REPEATS = 500
_MOST_COLUMNS = 2000


@dataclass(frozen=True)
class OpenDocumentParser:
    """Reads .odt, .ods and .odp; pictures by OCR, `ocr_pages` of them at most."""

    unpacked_mb: int = 1024
    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = (ODF + "text", ODF + "spreadsheet", ODF + "presentation")

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > self.unpacked_mb * MEBIBYTE:
                raise LimitExceeded(f"{name} unpacks to more than {self.unpacked_mb:,} MB.")
            content = parse_xml(archive.read("content.xml"))
            if "meta.xml" in archive.NameToInfo:
                with Part(draft, "What the file says of itself"):
                    _about(draft, parse_xml(archive.read("meta.xml")))
            self._body(draft, content, archive, media_type)
        return draft.parsed()

    def _body(self, draft: Draft, content: "_Element", archive: zipfile.ZipFile, media_type: str) -> None:
        def member(source: str) -> bytes | None:
            inside = source.removeprefix("./")
            return archive.read(inside) if inside in archive.NameToInfo else None

        gallery = Pictures(
            draft, PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures), member
        )
        styles = [content]
        with Part(draft, "Its styles"):
            styles += [parse_xml(data)] if (data := member("styles.xml")) else []
        leave_out_running(draft, styles)
        body = content.find(f"{_OFFICE}body")
        if body is not None and media_type == ODF + "spreadsheet":
            for sheet in body.iter(_TABLE + "table"):
                title = str(sheet.get(_TABLE + "name") or "Sheet")
                with Part(draft, f"Sheet {title}"):
                    read_sheet(draft, title, [*_rows(sheet)], _merges(sheet))
                for frame in sheet.iter(_DRAW + "frame"):
                    with Part(draft, f"A picture of sheet {title}"):
                        _hang(gallery, frame, Location(sheet=title))
                draft.pages += 1
            draft.title = draft.title or Path(draft.name).stem
        elif body is not None:
            _OpenDocumentConverter(draft, gallery, Objects(member), numbered_lists(*styles)).visit(body)
        gallery.close()


def _about(draft: Draft, meta: "_Element") -> None:
    for element in meta.iter():
        name = str(element.tag).rsplit("}", 1)[-1]
        if name == "title":
            draft.title = element.text or ""
        elif name in ("creator", "subject", "description"):
            draft.metadata["author" if name == "creator" else name] = element.text or ""
        elif name == "date":
            draft.date = (element.text or "")[:10]


class _OpenDocumentConverter:
    """Reads the body of a text or the pages of a presentation."""

    def __init__(
        self, draft: Draft, gallery: Pictures, objects: Objects, numbered: Set[tuple[str, int]] = frozenset()
    ) -> None:
        self.draft = draft
        self.gallery = gallery
        self.objects = objects
        self.numbered = numbered  # name of a list's style, and depth

    def visit(
        self, elements: "Iterable[_Element]", marker: str = "", style: str = "", depth: int = 0
    ) -> None:
        for child in elements:
            tag = str(child.tag)
            if tag in _HIDDEN:
                continue
            if tag == _TEXT + "h":
                self.draft.heading(
                    words(child), int(child.get(_TEXT + "outline-level") or 1), links=_links(child)
                )
            elif tag == _TEXT + "p":
                self._paragraph(child, marker)
                marker = ""
            elif tag == _TEXT + "list":
                self._list(child, str(child.get(_TEXT + "style-name") or style), depth + 1)
            elif tag == _TABLE + "table":
                name = str(child.get(_TABLE + "name") or f"Table {len(self.draft.tables) + 1}")
                with Part(self.draft, name):
                    rows: list[list[Cell]] = [*_rows(child)]
                    form = fields_in(rows)
                    self.draft.rows(name, form or rows, header=1 if form else None)
            elif tag == _DRAW + "page":
                with Part(self.draft, f"Slide {self.draft.pages + 1}"):
                    self._slide(child)
            elif tag == _DRAW + "frame" and (child.find(_DRAW + "image")) is not None:
                self._frame(child)
            else:
                self.visit(child, marker, style, depth)

    def _list(self, element: "_Element", style: str, depth: int) -> None:
        """Read a list; its style says whether the items of a depth are numbered."""
        number = 0
        for item in element:
            number = int(item.get(_TEXT + "start-value") or number + 1)
            marker = f"{number}. " if (style, depth) in self.numbered else "- "
            self.visit(item, "" if item.tag == _TEXT + "list-header" else marker, style, depth)

    def _paragraph(self, element: "_Element", marker: str) -> None:
        text = words(element)
        if marker and text:
            self.draft.item(marker + text, links=_links(element))
        else:
            self.draft.paragraph(text, links=_links(element))
        for note in element.iter(_TEXT + "note"):
            self.draft.add("footnote", " ".join(" ".join(map(str, note.itertext())).split()))
        for frame in element.iter(_DRAW + "frame"):
            if next(frame.iterancestors(_TEXT + "p"), None) is element:
                self._frame(frame)
        for box in element.iter(_DRAW + "text-box", *SHAPES):
            if next(box.iterancestors(_TEXT + "p"), None) is element:
                self._shape(box)

    def _frame(self, frame: "_Element") -> None:
        """Read what a frame holds: a document of its own, or a picture."""
        with Part(self.draft, "An embedded object or a picture"):
            if not self.objects.read(self.draft, frame, words, _rows):
                if frame.find(_DRAW + "object-ole") is not None:
                    self.draft.leave_out_object(str(frame.get(_DRAW + "name") or ""))
                _hang(self.gallery, frame)

    def _shape(self, shape: "_Element") -> None:
        """Read what is said of a drawn shape, and what is written in it."""
        if shape.tag in SHAPES:
            told = [str(shape.findtext(_SVG + name) or "").strip() for name in ("title", "desc")]
            self.draft.paragraph(": ".join(filter(None, told)))
        self.visit(shape)

    def _slide(self, element: "_Element") -> None:
        """Read a slide: its title, then its shapes by their places, its notes last."""
        self.draft.pages += 1
        title = next((shape for shape in element if shape.get(_PRESENTATION + "class") == "title"), None)
        said = " ".join(filter(None, map(words, title.iter(_TEXT + "p")))) if title is not None else ""
        self.draft.heading(said or f"Slide {self.draft.pages}", 1)
        notes = element.find(_PRESENTATION + "notes")
        shapes = [shape for shape in element if shape is not notes and (shape is not title or not said)]
        self.visit(shapes[at] for at in in_reading_order([*map(edges, shapes)]))
        spoken = [*map(words, notes.iter(_TEXT + "p"))] if notes is not None else []
        self.draft.paragraph("Notes: " + "\n".join(filter(None, spoken)) if any(spoken) else "")


def _hang(gallery: Pictures, frame: "_Element", place: Location = NO_LOCATION) -> None:
    """Make the picture in a frame a figure: of the same picture in several formats the first of pixels."""
    sources = [str(image.get(_HREF) or "") for image in frame.findall(_DRAW + "image")]
    held = [data for source in sorted(sources, key=_is_drawn) if (data := gallery.held(source)) is not None]
    told = [frame.findtext(_SVG + name) or "" for name in ("title", "desc")]
    said = "\n".join(dict.fromkeys(filter(None, map(str.strip, told))))
    if held:
        gallery.hang(held[0], said, place)
    elif sources:
        gallery.draft.add("figure", said, place)


def _is_drawn(source: str) -> bool:
    return source.lower().endswith((".svg", ".svm", ".emf", ".wmf"))


def words(element: "_Element") -> str:
    """Return the text of a paragraph; notes, text boxes and pictures are read apart."""
    return "".join(_pieces(element)).strip()


def _pieces(element: "_Element") -> Iterator[str]:
    yield element.text or ""
    for child in element:
        tag = str(child.tag)
        if tag == _TEXT + "s":
            yield " "
        elif tag in (_TEXT + "tab", _TEXT + "line-break"):
            yield "\t" if tag.endswith("tab") else "\n"
        elif tag in (_SVG + "title", _SVG + "desc") and element.find(_DRAW + "image") is not None:
            pass  # said of a picture, which is read apart
        elif tag not in _HIDDEN and tag != _DRAW + "text-box" and tag not in SHAPES:
            yield from _pieces(child)
        yield child.tail or ""


def _links(element: "_Element") -> list[str]:
    return [str(link.get(_HREF)) for link in element.iter(_TEXT + "a") if link.get(_HREF)]


def _rows(table: "_Element") -> Iterator[list[Cell]]:
    """Yield the rows of a table; what is repeated is repeated, what is repeated without end is not."""
    for row in table.iter(_TABLE + "table-row"):
        cells: list[Cell] = []
        for cell in row:
            if not str(cell.tag).endswith("table-cell"):
                continue
            value = _value(cell)
            times = int(cell.get(_TABLE + "number-columns-repeated") or 1)
            cells.extend(
                [value] * min(times if value is not None else min(times, 100), _MOST_COLUMNS - len(cells))
            )
        while cells and cells[-1] is None:
            cells.pop()
        times = int(row.get(_TABLE + "number-rows-repeated") or 1)
        yield from [cells] * min(times if cells else 1, _MOST_REPEATS)


def _merges(table: "_Element") -> Iterator[Merge]:
    """Yield the merged areas of a sheet, rows counted as `_rows` yields them."""
    y = 0
    for row in table.iter(_TABLE + "table-row"):
        x, filled = 0, False
        for cell in row:
            if not str(cell.tag).endswith("table-cell"):
                continue
            wide = int(cell.get(_TABLE + "number-columns-spanned") or 1)
            high = int(cell.get(_TABLE + "number-rows-spanned") or 1)
            filled = filled or _value(cell) is not None
            if (wide, high) != (1, 1):
                yield Merge(y, x, y + high - 1, x + wide - 1)
            x += int(cell.get(_TABLE + "number-columns-repeated") or 1)
        times = int(row.get(_TABLE + "number-rows-repeated") or 1)
        y += min(times if filled else 1, _MOST_REPEATS)


def _value(cell: "_Element") -> Cell:
    kind = cell.get(_OFFICE + "value-type")
    number = cell.get(_OFFICE + "value")
    shown = "\n".join(words(p) for p in cell.findall(_TEXT + "p"))
    if kind == "percentage" and number:
        return f"{round(float(number) * 100, 10):g}%"
    if kind in ("float", "currency") and number:
        value = float(number)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if kind == "date":
        return str(cell.get(_OFFICE + "date-value") or shown).replace("T", " ")
    if kind == "boolean":
        return str(cell.get(_OFFICE + "boolean-value")) == "true"
    return shown or None
