"""OpenDocument texts, sheets and presentations, read from their content XML, with their pictures."""

import zipfile
from collections.abc import Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Location, Parsed
from core.errors import LimitExceeded
from core.ingest.containers import ODF
from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.document_pictures import Pictures
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.office.label_cells import fields_in
from core.ingest.parsers.office.sheets import read_sheet
from core.ingest.parsers.office.slide_order import in_reading_order
from core.ingest.parsers.opendocument.opendocument_margins import leave_out_running
from core.ingest.parsers.opendocument.opendocument_parts import Objects, edges, numbered_lists
from core.ingest.parsers.opendocument.opendocument_rows import merges_of, rows_of
from core.ingest.parsers.opendocument.opendocument_words import HIDDEN, SHAPES, words
from core.ingest.parsers.raw_tables import NO_LOCATION
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.trees.safe_xml import parse_xml
from core.ingest.parsers.xml_namespaces import (
    ODF_DRAWING,
    ODF_OFFICE,
    ODF_PRESENTATION,
    ODF_SVG,
    ODF_TABLE,
    ODF_TEXT,
    XLINK_HREF,
)

if TYPE_CHECKING:
    from lxml.etree import _Element


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
        body = content.find(f"{ODF_OFFICE}body")
        if body is not None and media_type == ODF + "spreadsheet":
            for sheet in body.iter(ODF_TABLE + "table"):
                title = str(sheet.get(ODF_TABLE + "name") or "Sheet")
                with Part(draft, f"Sheet {title}"):
                    read_sheet(draft, title, rows_of(draft, sheet, f"Sheet {title}"), merges_of(sheet))
                for frame in sheet.iter(ODF_DRAWING + "frame"):
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
            if tag in HIDDEN:
                continue
            if tag == ODF_TEXT + "h":
                self.draft.heading(
                    words(child), int(child.get(ODF_TEXT + "outline-level") or 1), links=_links(child)
                )
            elif tag == ODF_TEXT + "p":
                self._paragraph(child, marker)
                marker = ""
            elif tag == ODF_TEXT + "list":
                self._list(child, str(child.get(ODF_TEXT + "style-name") or style), depth + 1)
            elif tag == ODF_TABLE + "table":
                name = str(child.get(ODF_TABLE + "name") or f"Table {len(self.draft.tables) + 1}")
                with Part(self.draft, name):
                    rows = rows_of(self.draft, child, name)
                    form = fields_in(rows)
                    self.draft.rows(name, form or rows, header=1 if form else None)
            elif tag == ODF_DRAWING + "page":
                with Part(self.draft, f"Slide {self.draft.pages + 1}"):
                    self._slide(child)
            elif tag == ODF_DRAWING + "frame" and (child.find(ODF_DRAWING + "image")) is not None:
                self._frame(child)
            else:
                self.visit(child, marker, style, depth)

    def _list(self, element: "_Element", style: str, depth: int) -> None:
        """Read a list; its style says whether the items of a depth are numbered."""
        number = 0
        for item in element:
            number = int(item.get(ODF_TEXT + "start-value") or number + 1)
            marker = f"{number}. " if (style, depth) in self.numbered else "- "
            self.visit(item, "" if item.tag == ODF_TEXT + "list-header" else marker, style, depth)

    def _paragraph(self, element: "_Element", marker: str) -> None:
        text = words(element)
        if marker and text:
            self.draft.item(marker + text, links=_links(element))
        else:
            self.draft.paragraph(text, links=_links(element))
        for note in element.iter(ODF_TEXT + "note"):
            self.draft.add("footnote", " ".join(" ".join(map(str, note.itertext())).split()))
        for frame in element.iter(ODF_DRAWING + "frame"):
            if next(frame.iterancestors(ODF_TEXT + "p"), None) is element:
                self._frame(frame)
        for box in element.iter(ODF_DRAWING + "text-box", *SHAPES):
            if next(box.iterancestors(ODF_TEXT + "p"), None) is element:
                self._shape(box)

    def _frame(self, frame: "_Element") -> None:
        """Read what a frame holds: a document of its own, or a picture."""
        with Part(self.draft, "An embedded object or a picture"):
            if not self.objects.read(self.draft, frame):
                if frame.find(ODF_DRAWING + "object-ole") is not None:
                    self.draft.leave_out_object(str(frame.get(ODF_DRAWING + "name") or ""))
                _hang(self.gallery, frame)

    def _shape(self, shape: "_Element") -> None:
        """Read what is said of a drawn shape, and what is written in it."""
        if shape.tag in SHAPES:
            texts = [str(shape.findtext(ODF_SVG + name) or "").strip() for name in ("title", "desc")]
            self.draft.paragraph(": ".join(filter(None, texts)))
        self.visit(shape)

    def _slide(self, element: "_Element") -> None:
        """Read a slide: its title, then its shapes by their places, its notes last."""
        self.draft.pages += 1
        title = next((shape for shape in element if shape.get(ODF_PRESENTATION + "class") == "title"), None)
        heading = " ".join(filter(None, map(words, title.iter(ODF_TEXT + "p")))) if title is not None else ""
        self.draft.heading(heading or f"Slide {self.draft.pages}", 1)
        notes = element.find(ODF_PRESENTATION + "notes")
        shapes = [shape for shape in element if shape is not notes and (shape is not title or not heading)]
        self.visit(shapes[at] for at in in_reading_order([*map(edges, shapes)]))
        spoken = [*map(words, notes.iter(ODF_TEXT + "p"))] if notes is not None else []
        self.draft.paragraph("Notes: " + "\n".join(filter(None, spoken)) if any(spoken) else "")


def _hang(gallery: Pictures, frame: "_Element", place: Location = NO_LOCATION) -> None:
    """Make the picture in a frame a figure: of the same picture in several formats the first of pixels."""
    sources = [str(image.get(XLINK_HREF) or "") for image in frame.findall(ODF_DRAWING + "image")]
    pictures = [
        data for source in sorted(sources, key=_is_drawn) if (data := gallery.held(source)) is not None
    ]
    texts = [frame.findtext(ODF_SVG + name) or "" for name in ("title", "desc")]
    caption = "\n".join(dict.fromkeys(filter(None, map(str.strip, texts))))
    if pictures:
        gallery.hang(pictures[0], caption, place)
    elif sources:
        gallery.draft.add("figure", caption, place)


def _is_drawn(source: str) -> bool:
    return source.lower().endswith((".svg", ".svm", ".emf", ".wmf"))


def _links(element: "_Element") -> list[str]:
    return [str(link.get(XLINK_HREF)) for link in element.iter(ODF_TEXT + "a") if link.get(XLINK_HREF)]
