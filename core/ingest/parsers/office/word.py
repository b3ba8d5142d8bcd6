"""Word documents: headings by style and outline level, lists, tables, notes, text boxes, comments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.domain import Parsed
from core.ingest.containers import DOCX
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.ocr import PictureOcr, PictureText
from core.ingest.parsers.office import ooxml
from core.ingest.parsers.office.chart_values import add_chart, diagram_texts
from core.ingest.parsers.office.label_cells import fields_in
from core.ingest.parsers.office.list_numbers import ListNumbers
from core.ingest.parsers.office.ooxml import W
from core.ingest.parsers.office.word_margins import leave_out_running, on_first_page
from core.ingest.parsers.office.word_notes import notes_of
from core.ingest.parsers.office.word_type import WordType
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.trees.safe_xml import parse_xml
from core.ingest.parsers.type_headings import is_label

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element

_HEADING = re.compile(r"(?:heading|überschrift|titre|标题|見出し)\s*(\d)", re.I)
_CAPTION = re.compile(r"^(figure|fig\.|table|图|表)\s*[\d一二三四五六七八九十]", re.I)


@dataclass(frozen=True)
class WordParser:
    """Reads .docx; macros are never looked at, pictures read by OCR, `ocr_pages` of them at most."""

    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = (DOCX,)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        from docx import Document

        draft = Draft(name, media_type)
        with path.open("rb") as stream:
            document = Document(stream)
        with Part(draft, "What the file says of itself"):
            _about(draft, document.core_properties)
        if not document.part.rels:
            draft.skipped.append("What belongs to the text (styles, notes, pictures) was not found.")
        with Part(draft, "Its headers and footers"):
            leave_out_running(draft, document)
        body = _Body(
            draft, document, PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures)
        )
        for part in on_first_page(document, "header"):
            body.read_part(part)
        body.read(document.element.body)
        for part in on_first_page(document, "footer"):
            body.read_part(part)
        body.close()
        return draft.parsed()


def _about(draft: Draft, properties: Any) -> None:
    draft.title = properties.title or ""
    draft.date = properties.modified.date().isoformat() if properties.modified else ""
    draft.metadata.update(author=properties.author or "", subject=properties.subject or "")


class _Body:
    """Reads the body in order; the styles and numbering of the document tell what a paragraph is."""

    def __init__(self, draft: Draft, document: "Document", picture_ocr: PictureOcr) -> None:
        self.draft = draft
        self.picture_ocr = picture_ocr
        self.notes: dict[str, str] = {}
        self.relations: Any = document.part.rels
        self.styles: dict[str, Any] = {}
        self.numbers = ListNumbers()
        self.heading_lists: set[tuple[str, int]] = set()
        with Part(draft, "Its styles"):
            self.styles = {style.style_id: style for style in document.styles if style.style_id}
        self.type = WordType(document.element.body, self.styles)
        with Part(draft, "The numbers of its lists"):
            self.numbers = ListNumbers.of(document)
            self.heading_lists = self._heading_lists(document.element.body)
        for relation in self.relations.values():
            with Part(draft, "Notes or comments"):
                self.notes |= notes_of(relation)
        self.pictures = 0
        self.charts = 0
        self.unnamed = False  # the last thing was a picture of which nothing is known

    def read(self, container: "_Element") -> None:
        for element in _flat(container):
            if element.tag == W + "p":
                with Part(self.draft, "A paragraph"):
                    self._paragraph(element)
            elif element.tag == W + "tbl":
                with Part(self.draft, "A table"):
                    self._table(element)

    def read_part(self, part: Any) -> None:
        """Read a header or footer, whose pictures and links are those of its own part."""
        self.relations, of_body = part.part.rels, self.relations
        self.read(part._element)
        self.relations = of_body

    def close(self) -> None:
        """Add the notes nothing in the text refers to."""
        for text in self.notes.values():
            self.draft.add("footnote", text)

    def _paragraph(self, element: "_Element") -> None:
        text = ooxml.words(element)
        targets = ooxml.links(element, self.relations)
        style = self._style(element)
        if text:
            self._text(element, text, targets, style)
        for described, relation in ooxml.pictures(element):
            with Part(self.draft, "A picture"):
                self._picture(described, relation)
        for key in ooxml.charts(element):
            with Part(self.draft, "A chart"):
                self._chart(key)
        for program in ooxml.embedded(element):
            self.draft.leave_out_object("", program)
        for box in ooxml.text_boxes(element):
            self.read(box)
        for mark in ooxml.notes_in(element):
            self.draft.add("footnote", self.notes.pop(mark, ""))

    def _picture(self, described: str, relation: str) -> None:
        """Add a picture: what its author and OCR say of it; with neither, its caption stands for it."""
        self.pictures += 1
        part = self.relations[relation].target_part if self._is_internal(relation) else None
        seen = self.picture_ocr.see(part.blob) if part is not None else PictureText()
        text = "\n".join(filter(None, [described, seen.text]))
        last = self.draft.blocks[-1] if self.draft.blocks else None
        if text:
            self.draft.add("figure", text)
            self.draft.describe(seen.image, described)
        elif (
            last is not None and last.kind == "caption" and not last.text.lower().startswith(("table", "表"))
        ):
            self.draft.blocks[-1] = last.model_copy(update={"kind": "figure"})
            self.draft.describe(seen.image, last.text)
        else:
            self.unnamed = True
            self.draft.skipped.append(_unread(self.pictures))
            if seen.image:
                self.draft.add("figure", f"Picture {self.pictures}")
                self.draft.describe(seen.image)

    def _chart(self, key: str) -> None:
        """Add a chart by its values, a diagram by what its shapes say."""
        if not self._is_internal(key):
            return
        root = parse_xml(self.relations[key].target_part.blob)
        if self.relations[key].reltype.endswith("/diagramData"):
            for text in diagram_texts(root):
                self.draft.item("- " + text)
        else:
            self.charts += 1
            add_chart(self.draft, root, f"Chart {self.charts}")

    def _is_internal(self, relation: str) -> bool:
        return relation in self.relations and not self.relations[relation].is_external

    def _text(self, element: "_Element", text: str, targets: list[str], style: str) -> None:
        level = self._level(element, style)
        unnamed, self.unnamed = self.unnamed, False
        if style.lower() == "title" and not self.draft.blocks:
            self.draft.title = text
        elif level:
            self.draft.heading(text, level, links=targets)
        elif ooxml.is_formula(element):
            self.draft.add("formula", text)
        elif style.lower() == "caption" or (_CAPTION.match(text) and len(text) < 200 and "\n" not in text):
            self._caption(text, targets, after_picture=unnamed)
        elif (marker := self._marker(element, style)) is None:
            self.draft.paragraph(text, links=targets, **self.type.emphasis(element))
        elif self._list_of(element) in self.heading_lists:
            self.draft.heading(marker + text, self._depth(element) + 1, links=targets)
        else:
            self.draft.item(marker + text, links=targets, depth=self._depth(element))

    def _caption(self, text: str, targets: list[str], *, after_picture: bool) -> None:
        of_picture = after_picture and not text.lower().startswith(("table", "表"))
        if of_picture:
            self.draft.skipped.remove(_unread(self.pictures))
            if self.draft.blocks and self.draft.blocks[-1].text == f"Picture {self.pictures}":
                self.draft.blocks.pop()
                self.draft.pictures[-1] = self.draft.pictures[-1].model_copy(update={"caption": text})
        self.draft.add("figure" if of_picture else "caption", text, links=targets)

    def _style(self, element: "_Element") -> str:
        named = element.find(f"{W}pPr/{W}pStyle")
        style = self.styles.get(named.get(W + "val") or "") if named is not None else None
        return str(style.name or "") if style is not None else ""

    def _level(self, element: "_Element", style: str) -> int:
        """Return the heading depth by style name, or by the outline level of the paragraph or its styles."""
        if style.lower() == "title":
            return 1
        if match := _HEADING.match(style):
            return int(match[1])
        named = element.find(f"{W}pPr/{W}pStyle")
        holders = [element.find(f"{W}pPr/{W}outlineLvl")]
        current = self.styles.get(named.get(W + "val") or "") if named is not None else None
        for _ in range(10):
            if current is None:
                break
            holders.append(current.element.find(f"{W}pPr/{W}outlineLvl"))
            current = getattr(current, "base_style", None)
        outline = next((int(h.get(W + "val") or 9) for h in holders if h is not None), 9)
        return outline + 1 if outline < 9 and len(ooxml.words(element)) < 200 else 0

    def _marker(self, element: "_Element", style: str) -> str | None:
        """Return what stands before a list item ("3. ", "IV. ", "- "), or None for a paragraph."""
        number = element.find(f"{W}pPr/{W}numPr/{W}numId")
        if number is None and not style.lower().startswith("list"):
            return None
        key = number.get(W + "val") or "" if number is not None else style
        if key == "0":
            return None
        return self.numbers.next_number(
            key, self._depth(element), plain=style.lower().startswith("list number")
        )

    def _heading_lists(self, body: "_Element") -> set[tuple[str, int]]:
        """Return the numbered lists, by depth, whose items all are labels in bold: they head the text."""
        by_list: dict[tuple[str, int], list[bool]] = {}
        for element in body.iter(W + "p"):
            if (key := self._list_of(element)) and (text := ooxml.words(element)):
                by_list.setdefault(key, []).append(is_label(text) and self.type.is_bold(element))
        return {key for key, labels in by_list.items() if len(labels) > 1 and all(labels)}

    def _list_of(self, element: "_Element") -> tuple[str, int] | None:
        """Return the numbered list a paragraph belongs to, and how deep in it, None for bullets too."""
        number = element.find(f"{W}pPr/{W}numPr/{W}numId")
        key = number.get(W + "val") or "" if number is not None else ""
        depth = self._depth(element)
        return (self.numbers.patterns[key], depth) if self.numbers.is_counted(key, depth) else None

    def _depth(self, element: "_Element") -> int:
        depth = element.find(f"{W}pPr/{W}numPr/{W}ilvl")
        return int(depth.get(W + "val") or 0) if depth is not None else 0

    def _table(self, element: "_Element") -> None:
        """Add a table, then those that are in its cells, and what its cells hold besides text."""
        rows = ooxml.table_rows(element)
        targets = [link for p in element.iter(W + "p") for link in ooxml.links(p, self.relations)]
        if len(rows) == 1 or max((len(row) for row in rows), default=0) == 1:
            for cell in element.iter(W + "tc"):
                self.read(cell)  # a frame around text, not a table
            return
        form = fields_in(rows)
        name = f"Table {len(self.draft.tables) + 1}"
        self.draft.rows(name, form or rows, header=1 if form else None, links=targets)
        for inner in ooxml.tables_inside(element):
            self._table(inner)
        for paragraph in element.iter(W + "p"):
            if next(paragraph.iterancestors(W + "tbl")) is element:
                for described, relation in ooxml.pictures(paragraph):
                    self._picture(described, relation)
                for mark in ooxml.notes_in(paragraph):
                    self.draft.add("footnote", self.notes.pop(mark, ""))


def _unread(number: int) -> str:
    return f"Picture {number} has no description and no text that could be read."


def _flat(container: "_Element") -> Iterator["_Element"]:
    """Yield paragraphs and tables in order, looking through content controls."""
    for element in container:
        if element.tag in (W + "p", W + "tbl"):
            yield element
        elif element.tag in (W + "sdt", W + "sdtContent", W + "ins", W + "customXml", W + "smartTag"):
            yield from _flat(element)
