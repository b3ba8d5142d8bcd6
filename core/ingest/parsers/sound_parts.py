"""The plain words of an Office file that no library opens: its parts in order, without their form."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from core.domain import Parsed
from core.ingest.containers import DOCX, ODF, PPTX, XLSX
from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.damaged_files import recovered
from core.ingest.parsers.draft import Draft

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARTS = {
    DOCX: r"word/(document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml",
    PPTX: r"ppt/(slides|notesSlides|charts|diagrams)/(slide|notesSlide|chart|data)\d*\.xml",
    XLSX: r"xl/worksheets/[^/]+\.xml",
    ODF: r"content\.xml",
}
_MOST = 64 * MEBIBYTE  # of a part
_NUMBER = re.compile(r"(\d+)")
_PARAGRAPHS = ("{*}p", "{*}h")


def plain_words(path: Path, name: str, media_type: str, reason: str) -> Parsed | None:
    """Return the words of a file's parts, None where there are none; `reason` says why only these."""
    pattern = next((pattern for kind, pattern in _PARTS.items() if media_type.startswith(kind)), "")
    if not pattern or not zipfile.is_zipfile(path):
        return None
    draft = Draft(name, media_type)
    draft.title = Path(name).stem
    with zipfile.ZipFile(path) as archive:
        shared = _shared(archive)
        for member in sorted(archive.namelist(), key=_natural):
            if re.fullmatch(pattern, member) and archive.getinfo(member).file_size <= _MOST:
                root = _root(archive, member)
                if root is not None:
                    _part(draft, root, PurePosixPath(member).stem, shared)
    if not draft.blocks:
        return None
    draft.skipped.append(f"Only its words could be read, without their form: {reason}")
    return draft.parsed()


def _part(draft: Draft, root: "_Element", called: str, shared: list[str]) -> None:
    rows = [[*_cells(row, shared)] for row in root.iter("{*}row")]
    if any(rows):
        draft.rows(called, rows)
        return
    texts = [text for element in root.iter(*_PARAGRAPHS) if (text := _text(element))]
    if texts:
        draft.heading(called, 1)
    for text in texts:
        draft.paragraph(text)


def _natural(member: str) -> list[tuple[bool, int, str]]:
    """Return what sorts names with numbers by these: slide 2 before slide 10."""
    return [(piece.isdigit(), int(piece) if piece.isdigit() else 0, piece) for piece in _NUMBER.split(member)]


def _root(archive: zipfile.ZipFile, member: str) -> "_Element | None":
    return recovered(archive.read(member))


def _text(paragraph: "_Element") -> str:
    marked = [text.text or "" for text in paragraph.iter("{*}t")]
    return "".join(marked or map(str, paragraph.itertext())).strip()


def _shared(archive: zipfile.ZipFile) -> list[str]:
    """Return the texts that the cells of a workbook refer to by number."""
    if "xl/sharedStrings.xml" not in archive.NameToInfo:
        return []
    root = _root(archive, "xl/sharedStrings.xml")
    items = root.iter("{*}si") if root is not None else ()
    return ["".join(text.text or "" for text in item.iter("{*}t")) for item in items]


def _cells(row: "_Element", shared: list[str]) -> Iterator[str]:
    for cell in row.iter("{*}c"):
        value = cell.findtext("{*}v") or "".join(t.text or "" for t in cell.iter("{*}t"))
        if cell.get("t") == "s" and value.isdigit():
            value = shared[int(value)] if int(value) < len(shared) else ""
        yield value
