"""Presentations: a page per slide, its title as heading, text in reading order, tables, notes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain import Box, Location, Parsed
from core.ingest.containers import PPTX
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.legibility import note_illegible
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parsers.office.chart_values import add_chart, diagram_texts
from core.ingest.parsers.office.ooxml import description
from core.ingest.parsers.office.slide_lists import ListMarks, damaged_layout_errors
from core.ingest.parsers.office.slide_order import Edges, in_reading_order
from core.ingest.parsers.raised import lowered, raised
from core.ingest.parsers.skipped_parts import Part
from core.ingest.parsers.trees.safe_xml import parse_xml

_MAX_DEPTH = 8


@dataclass(frozen=True)
class SlidesParser:
    """Reads .pptx; pictures are read by OCR, `ocr_pages` of them at most."""

    ocr_pages: int = 40
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    media_types: tuple[str, ...] = (PPTX,)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        from pptx import Presentation

        draft = Draft(name, media_type)
        with path.open("rb") as stream:
            show = Presentation(stream)
        with Part(draft, "What the file says of itself"):
            _about(draft, show.core_properties)
        listed = [entry.rId for entry in show.slides._sldIdLst]
        draft.pages = len(listed)
        size = (float(show.slide_width or 1), float(show.slide_height or 1))
        picture_ocr = PictureOcr(self.ocr_pages, self.pixels, self.ocr_seconds, self.pictures)
        for number, relation in enumerate(listed):
            with Part(draft, f"Slide {number + 1}"):
                _Slide(draft, number, size, picture_ocr).read(show.part.related_slide(relation))
        note_illegible(draft, picture_ocr.illegible)
        return draft.parsed()


def _about(draft: Draft, properties: Any) -> None:
    draft.title = properties.title if properties.title != "PowerPoint Presentation" else ""
    draft.date = properties.modified.date().isoformat() if properties.modified else ""
    draft.metadata["author"] = properties.author or ""


@dataclass
class _Slide:
    draft: Draft
    number: int
    size: tuple[float, float]
    picture_ocr: PictureOcr

    def read(self, slide: Any) -> None:
        title = slide.shapes.title
        text = _text(title.text_frame).strip() if title is not None and title.has_text_frame else ""
        place = self._place(title) if text else Location(page=self.number)
        self.draft.heading(text or f"Slide {self.number + 1}", 1, place)
        before = len(self.draft.blocks)
        if not slide.part.rels:  # its layout at least is one
            self.draft.skipped.append(f"Slide {self.number + 1}: what belongs to it was not found.")
        for shape in self._ordered(slide.shapes):
            if title is None or shape.shape_id != title.shape_id:
                with Part(self.draft, f"Slide {self.number + 1}: {shape.name or 'a shape'}"):
                    self._shape(shape)
        with Part(self.draft, f"Slide {self.number + 1}: its notes"):
            self._notes(slide)
        for relation in slide.part.rels.values():
            with Part(self.draft, f"Slide {self.number + 1}: a comment or a diagram"):
                self._beside(relation)
        if len(self.draft.blocks) == before and not text:
            self.draft.blocks.pop()
            self.draft.skipped.append(f"Slide {self.number + 1} holds no text.")

    def _notes(self, slide: Any) -> None:
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            notes = slide.notes_slide.notes_text_frame.text.strip()
            self.draft.paragraph(f"Notes: {notes}" if notes else "", Location(page=self.number))

    def _ordered(self, shapes: Any, depth: int = 0) -> Iterator[Any]:
        """Yield shapes in reading order, groups opened."""
        children = list(shapes)
        for at in in_reading_order([_edges(shape) for shape in children]):
            if hasattr(children[at], "shapes") and depth < _MAX_DEPTH:
                yield from self._ordered(children[at].shapes, depth + 1)
            else:
                yield children[at]

    def _shape(self, shape: Any) -> None:
        place = self._place(shape)
        if getattr(shape, "has_table", False):
            rows = _rows(shape.table)
            header = _header_rows(shape.table) if shape.table.first_row and len(rows) > 1 else None
            self.draft.rows(f"Slide {self.number + 1}, {shape.name}", rows, location=place, header=header)
        elif getattr(shape, "has_chart", False):
            add_chart(self.draft, shape.chart_part._element, f"Slide {self.number + 1}", place)
        elif shape.has_text_frame:
            marks = ListMarks(shape)
            for paragraph in shape.text_frame.paragraphs:
                targets = [run.hyperlink.address for run in paragraph.runs if run.hyperlink.address]
                words = _line(paragraph)
                mark = marks.of(paragraph) if words.strip() else ""
                if mark:
                    self.draft.item(mark + words, place, targets, depth=paragraph.level)
                else:
                    self.draft.add(
                        "list_item" if paragraph.level else "paragraph", words, place, links=targets
                    )
        elif hasattr(shape, "image"):
            self._picture(shape, place)
        elif (ole := getattr(shape, "ole_format", None)) is not None:
            self.draft.leave_out_object(shape.name, ole.prog_id or "", f"Slide {self.number + 1}")

    def _picture(self, shape: Any, place: Location) -> None:
        described = description(shape._element._nvXxPr.cNvPr.get("descr"))
        seen = self.picture_ocr.see(shape.image.blob)
        text = "\n".join(filter(None, [described, seen.text]))
        if not text:
            self.draft.skipped.append(f"Slide {self.number + 1} holds a picture without text.")
        if text or seen.image:
            self.draft.add("figure", text or f"Picture {len(self.draft.blocks) + 1}", place)
            self.draft.describe(seen.image, described)

    def _beside(self, relation: Any) -> None:
        """Read what lies in its own part: comments, the shapes of a diagram, a new kind of chart."""
        kind = relation.reltype.rsplit("/", 1)[-1]
        if relation.is_external or kind not in ("comments", "diagramData", "chartEx"):
            return
        place = Location(page=self.number)
        root = parse_xml(relation.target_part.blob)
        if kind == "chartEx":
            add_chart(self.draft, root, f"Slide {self.number + 1}", place)
        elif kind == "diagramData":
            for text in diagram_texts(root):
                self.draft.item("- " + text, place)
        else:
            for comment in root.iter("{*}text", "{*}t"):
                self.draft.add("footnote", f"Comment: {comment.text}" if comment.text else "", place)

    def _place(self, shape: Any) -> Location:
        left, top, width, height = _edges(shape)
        if left is None or top is None or width is None or height is None:
            return Location(page=self.number)
        edges = (left / self.size[0], top / self.size[1])
        far = (edges[0] + width / self.size[0], edges[1] + height / self.size[1])
        x0, y0, x1, y1 = (min(1.0, max(0.0, round(value, 4))) for value in (*edges, *far))
        return Location(page=self.number, boxes=(Box(page=self.number, x0=x0, y0=y0, x1=x1, y1=y1),))


def _text(frame: Any) -> str:
    return "\n".join(map(_line, frame.paragraphs))


def _line(paragraph: Any) -> str:
    """Return a paragraph with its raised and lowered figures as Unicode has them."""
    return "".join(map(_piece, paragraph._p.content_children))


def _piece(element: Any) -> str:
    properties = getattr(element, "rPr", None)
    offset = "" if properties is None else (properties.get("baseline") or "").strip("0%")
    text = str(element.text)
    return lowered(text) if offset.startswith("-") else raised(text) if offset else text


def _rows(table: Any) -> list[list[object]]:
    """Return the texts of a table's cells; cells a merge covers repeat it."""
    rows: list[list[object]] = [[_text(cell.text_frame) for cell in row.cells] for row in table.rows]
    for y, row in enumerate(table.rows):
        for x, cell in enumerate(row.cells):
            if cell.is_merge_origin:
                for below in rows[y : y + cell.span_height]:
                    below[x : x + cell.span_width] = [rows[y][x]] * cell.span_width
    return rows


def _header_rows(table: Any) -> int:
    """Return of how many rows a table's header is: a second one names the columns below a spanning head."""
    first, *others = table.rows
    spanning = any(cell.is_merge_origin and cell.span_width > 1 for cell in first.cells)
    below = [cell for cell, head in zip(others[0].cells, first.cells, strict=True) if not head.is_spanned]
    return 2 if spanning and len(others) > 1 and any(cell.text_frame.text for cell in below) else 1


def _edges(shape: Any) -> Edges:
    """Return left, top, width and height; None where they would be the layout's and that is damaged."""
    try:
        return shape.left, shape.top, shape.width, shape.height
    except damaged_layout_errors():
        return None, None, None, None
