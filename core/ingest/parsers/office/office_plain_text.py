"""The plain words of an Office file's parts: of one that no library opens, of parts nothing leads to."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from core.domain import Parsed
from core.errors import ParseError
from core.ingest.containers import DOCX, ODF, PPTX, XLSX, office_of_zip
from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.chart_values import add_chart
from core.ingest.parsers.office.repaired_package import Copy
from core.ingest.parsers.trees.recovered_xml import recovered

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARTS = {
    DOCX: r"word/(document|footnotes|endnotes|comments)\.xml",
    PPTX: r"ppt/((slides|notesSlides|charts|diagrams)/(slide|notesSlide|chart|data)\d*|comments/[^/]+)\.xml",
    XLSX: r"xl/worksheets/[^/]+\.xml",
    ODF: r"content\.xml",
}
_MAX_PART_BYTES = 64 * MEBIBYTE  # of a part
_NUMBER = re.compile(r"(\d+)")
_BLANKS = re.compile(r"\s+")
_COMMENT = "{http://schemas.openxmlformats.org/presentationml/2006/main}text"
_PARAGRAPHS = ("{*}p", "{*}h", _COMMENT)
_FIELDS = ("{*}fld", "{*}instrText")  # the number of a slide, a date: set anew whenever it is shown


def plain_words(path: Path, name: str, reason: str) -> Parsed | None:
    """Return the words of a file's parts, None where there are none; `reason` says why only these."""
    if not zipfile.is_zipfile(path):
        return None
    try:
        media_type = office_of_zip(path, name)
    except ParseError:
        return None
    draft = Draft(name, media_type)
    draft.title = Path(name).stem
    with zipfile.ZipFile(path) as archive:
        shared = _shared(archive)
        for member in _members_with_text(archive, media_type):
            root = recovered(archive.read(member))
            if root is not None:
                _part(draft, root, PurePosixPath(member).stem, shared)
    if not draft.blocks:
        return None
    draft.skipped.append(f"Only its words could be read, without their form: {reason}")
    return draft.parsed()


def with_unread_words(copy: Copy, parsed: Parsed) -> Parsed:
    """Add to what was read of a damaged file the words of parts that nothing leads to any more."""
    draft = Draft(parsed.title, parsed.media_type)
    draft.blocks, draft.tables = [*parsed.blocks], [*parsed.tables]
    known_text = _joined(" ".join(block.text for block in parsed.blocks))
    with zipfile.ZipFile(copy.path) as archive:
        shared, listed = _shared(archive), _listed_sheets(archive)
        for member in _members_with_text(archive, parsed.media_type):
            lost = copy.without_damaged and member in copy.damaged
            root = recovered(copy.damaged[member] if lost else archive.read(member))
            if root is None or (member in listed and not lost):
                continue
            _part(draft, root, listed.get(member) or PurePosixPath(member).stem, shared, known_text)
    update = {"blocks": tuple(draft.blocks), "tables": tuple(draft.tables)}
    return parsed.model_copy(update=update)


def _members_with_text(archive: zipfile.ZipFile, media_type: str) -> list[str]:
    """Return the parts with text of a kind of file in the order of their numbers."""
    pattern = next((pattern for kind, pattern in _PARTS.items() if media_type.startswith(kind)), "")
    return [
        member
        for member in sorted(archive.namelist(), key=_natural)
        if pattern and re.fullmatch(pattern, member) and archive.getinfo(member).file_size <= _MAX_PART_BYTES
    ]


def _part(draft: Draft, root: "_Element", called: str, shared: list[str], known_text: str = "") -> None:
    """Append what a part says under its name, without what is said already."""
    if str(root.tag).endswith("}chartSpace"):
        _chart(draft, root, called, known_text)
        return
    rows = [[*_cells(row, shared)] for row in root.iter("{*}row")]
    if any(rows):
        draft.heading(called, 1)
        draft.rows(called, rows)
        return
    texts = [text for element in root.iter(*_PARAGRAPHS) if (text := _text(element))]
    texts = [text for text in texts if not known_text or _joined(text) not in known_text]
    if texts:
        draft.heading(called, 1)
    for text in texts:
        draft.paragraph(text)


def _chart(draft: Draft, root: "_Element", called: str, text: str) -> None:
    drawn = Draft(called, draft.media_type)
    add_chart(drawn, root, called)
    if drawn.blocks and any(_joined(block.text) not in text for block in drawn.blocks):
        draft.take(drawn.parsed(), called)


def _joined(text: str) -> str:
    return _BLANKS.sub("", text)


def _natural(member: str) -> list[tuple[bool, int, str]]:
    """Return what sorts names with numbers by these: slide 2 before slide 10."""
    return [(piece.isdigit(), int(piece) if piece.isdigit() else 0, piece) for piece in _NUMBER.split(member)]


def _text(paragraph: "_Element") -> str:
    if any(True for _ in paragraph.iter(*_FIELDS)):
        return ""
    marked = [text.text or "" for text in paragraph.iter("{*}t")]
    return "".join(marked or map(str, paragraph.itertext())).strip()


def _shared(archive: zipfile.ZipFile) -> list[str]:
    """Return the texts that the cells of a workbook refer to by number."""
    if "xl/sharedStrings.xml" not in archive.NameToInfo:
        return []
    root = recovered(archive.read("xl/sharedStrings.xml"))
    items = root.iter("{*}si") if root is not None else ()
    return ["".join(text.text or "" for text in item.iter("{*}t")) for item in items]


def _listed_sheets(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the names of the sheets that a workbook lists by their parts."""
    way = "xl/_rels/workbook.xml.rels"
    if way not in archive.NameToInfo or "xl/workbook.xml" not in archive.NameToInfo:
        return {}
    book, relations = (recovered(archive.read(member)) for member in ("xl/workbook.xml", way))
    if book is None or relations is None:
        return {}
    parts = {
        relation.get("Id"): posixpath.normpath(posixpath.join("/xl", str(relation.get("Target")))).lstrip("/")
        for relation in relations
    }
    return {
        parts[value]: str(sheet.get("name"))
        for sheet in book.iter("{*}sheet")
        for key, value in sheet.items()
        if key.endswith("}id") and value in parts
    }


def _cells(row: "_Element", shared: list[str]) -> Iterator[str]:
    for cell in row.iter("{*}c"):
        value = cell.findtext("{*}v") or "".join(t.text or "" for t in cell.iter("{*}t"))
        if cell.get("t") == "s" and value.isdigit():
            value = shared[int(value)] if int(value) < len(shared) else ""
        yield value
