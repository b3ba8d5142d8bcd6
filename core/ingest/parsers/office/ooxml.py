"""What Word's XML says: runs, links, numbering and styles, read without a rendering engine."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from core.ingest.parsers.raised import lowered, raised
from core.ingest.parsers.xml_namespaces import DRAWINGML, RELATIONSHIPS

if TYPE_CHECKING:
    from lxml.etree import _Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R_ID, R_EMBED = RELATIONSHIPS + "id", RELATIONSHIPS + "embed"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FORMULAS = {_M + "f": ("({})/({})", ("num", "den")), _M + "rad": ("{}√({})", ("deg", "e"))}
_OFFSET = f"{W}rPr/{W}vertAlign"
_OFFSETS: dict[str, Callable[[str], str]] = {"superscript": raised, "subscript": lowered}
_BOX = W + "txbxContent"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_FILE = re.compile(r".*\.(?:jpe?g|png|gif|bmp|emf|wmf|tiff?|svg)\s*", re.I | re.S)
_NOTES = {W + "footnoteReference": "", W + "endnoteReference": "e"}
_SKIPPED = {W + "del", W + "delText", W + "instrText", W + "moveFrom", _FALLBACK, _BOX, W + "rPr", W + "pPr"}


def words(paragraph: "_Element") -> str:
    """Return the text of a paragraph: deleted text, field codes and text boxes left out, formulas as text."""
    return "".join(_pieces(paragraph)).strip()


def _pieces(element: "_Element") -> Iterator[str]:
    for child in element:
        tag = child.tag
        if tag in _SKIPPED or not isinstance(tag, str):
            continue
        if tag in (W + "t", _M + "t"):
            yield child.text or ""
        elif tag in (W + "tab", W + "ptab"):
            yield "\t"
        elif tag in (W + "br", W + "cr"):
            yield "\n"
        elif tag == W + "noBreakHyphen":
            yield "-"
        elif tag in _NOTES:
            yield f"[{note_mark(child)}]"
        elif tag in _FORMULAS:
            parts = (formula(child.find(_M + part)) for part in _FORMULAS[tag][1])
            yield _FORMULAS[tag][0].format(*parts)
        else:
            if tag in (_M + "sub", _M + "sup"):
                yield "_" if tag == _M + "sub" else "^"
            offset = child.find(_OFFSET)
            level = "" if offset is None else offset.get(W + "val", "")
            yield _OFFSETS.get(level, str)("".join(_pieces(child)))


def note_mark(reference: "_Element") -> str:
    """Return what stands for a note in the text and before the note: "^1" a footnote, "^e1" an endnote."""
    return f"^{_NOTES[str(reference.tag)]}{reference.get(W + 'id')}"


def notes_in(paragraph: "_Element") -> list[str]:
    """Return the marks of the notes a paragraph refers to, comments included."""
    return [
        note_mark(element) if element.tag in _NOTES else f"comment {element.get(W + 'id')}"
        for element in paragraph.iter(*_NOTES, W + "commentReference")
    ]


def formula(element: "_Element | None") -> str:
    """Return a formula as one line of text."""
    return "" if element is None else "".join(_pieces(element))


def is_formula(paragraph: "_Element") -> bool:
    """Say whether the paragraph holds nothing but a formula."""
    return paragraph.find(f"{_M}oMathPara") is not None and not any(t.text for t in paragraph.iter(W + "t"))


def is_boxed(paragraph: "_Element") -> bool:
    """Say whether the paragraph is the label of a box in a drawing."""
    return next(paragraph.iterancestors(_BOX), None) is not None


def runs(paragraph: "_Element") -> Iterator[tuple["_Element", int]]:
    """Yield the runs of a paragraph that hold text, and how many letters each."""
    for run in paragraph.iter(W + "r"):
        letters = sum(len((text.text or "").strip()) for text in run.iter(W + "t"))
        if letters:
            yield run, letters


def links(paragraph: "_Element", relations: Any) -> list[str]:
    """Return the targets of the paragraph's links, resolved through the part's relations."""
    ids = [link.get(R_ID) for link in paragraph.iter(W + "hyperlink")]
    found = [relations[key].target_ref for key in ids if key in relations and relations[key].is_external]
    fields = ["".join(i.itertext()) for i in paragraph.iter(W + "instrText")]
    return found + [f.split('"')[1] for f in fields if "HYPERLINK" in f and f.count('"') >= 2]


def text_boxes(paragraph: "_Element") -> Iterator["_Element"]:
    """Yield the contents of the text boxes anchored in the paragraph, each once."""
    for box in paragraph.iter(_BOX):
        if not any(parent.tag == _FALLBACK for parent in box.iterancestors()):
            yield box


def description(text: str | None) -> str:
    """Return what a picture is said to show; the name of its file describes nothing."""
    return "" if text is None or _FILE.fullmatch(text) else text


def pictures(paragraph: "_Element") -> Iterator[tuple[str, str]]:
    """Yield the description of each picture in the paragraph ("" without one) and its relation's id."""
    for picture in paragraph.iter(
        "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
    ):
        holder = picture.getparent()
        if holder is not None and any(
            True for _ in holder.iter("{http://schemas.openxmlformats.org/drawingml/2006/picture}pic")
        ):
            blip = next(holder.iter(f"{DRAWINGML}blip"), None)
            described = picture.get("descr") or picture.get("title") or ""
            described = description(described)
            yield described, (blip.get(R_EMBED) or "") if blip is not None else ""


def charts(paragraph: "_Element") -> Iterator[str]:
    """Yield the ids of the relations to the charts and diagrams drawn in the paragraph, each once."""
    for drawn in paragraph.iter("{*}chart", "{*}relIds"):
        if not any(parent.tag == _FALLBACK for parent in drawn.iterancestors()):
            key = drawn.get(R_ID) or drawn.get(RELATIONSHIPS + "dm")
            if key:
                yield key


def embedded(paragraph: "_Element") -> Iterator[str]:
    """Yield the program of each object that another program put into the paragraph: "Excel.Sheet.12"."""
    for element in paragraph.iter("{urn:schemas-microsoft-com:office:office}OLEObject"):
        yield element.get("ProgID") or ""


def table_rows(table: "_Element") -> list[list[object]]:
    """Return the cells of a table, merged ones repeated over what they cover, without tables inside them."""
    rows: list[list[object]] = []
    for row in _under(table, "tr"):
        cells: list[object] = []
        before = row.find(f"{W}trPr/{W}gridBefore")
        cells.extend([None] * (int(before.get(W + "val") or 0) if before is not None else 0))
        for cell in _under(row, "tc"):
            text = "\n".join(filter(None, (words(p) for p in _own_paragraphs(cell))))
            merge = cell.find(f"{W}tcPr/{W}vMerge")
            if (
                merge is not None
                and merge.get(W + "val") in (None, "continue")
                and rows
                and len(cells) < len(rows[-1])
            ):
                text = text or str(rows[-1][len(cells)] or "")
            span = cell.find(f"{W}tcPr/{W}gridSpan")
            cells.extend([text] * min(100, int(span.get(W + "val") or 1) if span is not None else 1))
        rows.append(cells)
    return rows


def tables_inside(table: "_Element") -> Iterator["_Element"]:
    """Yield the tables that are in the cells of a table, those inside of these not included."""
    for inner in table.iter(W + "tbl"):
        if inner is not table and next(inner.iterancestors(W + "tbl")) is table:
            yield inner


def _own_paragraphs(cell: "_Element") -> Iterator["_Element"]:
    for paragraph in cell.iter(W + "p"):
        if next(paragraph.iterancestors(W + "tc"), None) is cell:
            yield paragraph


def _under(element: "_Element", name: str) -> Iterator["_Element"]:
    """Yield children of that name, looking through content controls and tracked changes."""
    for child in element:
        if child.tag == W + name:
            yield child
        elif child.tag in (W + "sdt", W + "sdtContent", W + "ins", W + "customXml"):
            yield from _under(child, name)
