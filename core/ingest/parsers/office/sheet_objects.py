"""Objects that other programs put into a workbook: which were left out, and of which sheet."""

import posixpath
import zipfile
from pathlib import Path

from core.ingest.parsers.draft import Draft
from core.ingest.parsers.trees.safe_xml import parse_xml
from core.ingest.parsers.xml_namespaces import RELATIONSHIPS

_ID = RELATIONSHIPS + "id"
_HELD = "xl/embeddings/"
_MARK = b"oleObject"


def leave_out_objects(draft: Draft, path: Path) -> None:
    """Say which embedded objects a workbook holds; those no sheet names go by their part."""
    with zipfile.ZipFile(path) as archive:
        members = set(archive.namelist())
        named = 0
        for sheet, member in sheet_parts(archive):
            data = archive.read(member) if member in members else b""
            if _MARK not in data:
                continue
            programs = {
                each.get("shapeId"): each.get("progId") or "" for each in parse_xml(data).iter("{*}oleObject")
            }
            for program in programs.values():  # each stands twice, for old readers too
                draft.leave_out_object("", program, f"Sheet {sheet}")
            named += len(programs)
        for member in sorted(each for each in members if each.startswith(_HELD))[named:]:
            draft.leave_out_object(posixpath.basename(member))


def sheet_parts(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """Return the name and the part of each sheet."""
    relations = parse_xml(archive.read("xl/_rels/workbook.xml.rels")).iter("{*}Relationship")
    targets = {each.get("Id"): each.get("Target") or "" for each in relations}
    listed = parse_xml(archive.read("xl/workbook.xml")).iter("{*}sheet")
    return [
        (str(sheet.get("name") or ""), posixpath.join("/xl", targets.get(sheet.get(_ID), "")).lstrip("/"))
        for sheet in listed
    ]
