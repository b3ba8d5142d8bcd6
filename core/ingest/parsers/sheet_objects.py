"""What lies on the sheets of a workbook: text boxes, and objects of other programs, which are named."""

import posixpath
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from core.ingest.parsers.draft import Draft
from core.ingest.parsers.safe_xml import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_HELD = "xl/embeddings/"
_MARK = b"oleObject"


def leave_out_objects(draft: Draft, path: Path) -> None:
    """Say which embedded objects a workbook holds; those no sheet names go by their part."""
    with zipfile.ZipFile(path) as archive:
        members = set(archive.namelist())
        named = 0
        for sheet, member in _sheets(archive):
            data = archive.read(member) if member in members else b""
            if _MARK not in data:
                continue
            held = {
                each.get("shapeId"): each.get("progId") or "" for each in parse_xml(data).iter("{*}oleObject")
            }
            for program in held.values():  # each stands twice, for old readers too
                draft.leave_out_object("", program, f"Sheet {sheet}")
            named += len(held)
        for member in sorted(each for each in members if each.startswith(_HELD))[named:]:
            draft.leave_out_object(posixpath.basename(member))


def _sheets(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """Return the name and the part of each sheet."""
    relations = parse_xml(archive.read("xl/_rels/workbook.xml.rels")).iter("{*}Relationship")
    targets = {each.get("Id"): each.get("Target") or "" for each in relations}
    listed = parse_xml(archive.read("xl/workbook.xml")).iter("{*}sheet")
    return [
        (str(sheet.get("name") or ""), posixpath.join("/xl", targets.get(sheet.get(_ID), "")).lstrip("/"))
        for sheet in listed
    ]


def text_boxes(draft: Draft, drawing: "_Element") -> None:
    """Append what stands in the text boxes of a drawing."""
    for box in drawing.iter("{*}txBody"):
        draft.paragraph("\n".join("".join(map(str, p.itertext())) for p in box.iter("{*}p")))
