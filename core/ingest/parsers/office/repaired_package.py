"""Repairs a damaged Office file or e-book by writing its undamaged parts to a new package.

Two copies are tried. In the first, damaged XML is closed where it breaks off; in the second, damaged parts
are left out. What a package requires is generated: content types and the relationship to the main part
(ECMA-376 part 2, sections 6.5 and 7.2.3), and an empty slide or sheet in place of a lost one, so that the
others keep their numbers. Relationships to lost parts are dropped.
"""

import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.ingest.parsers.office.recovered_members import (
    RecoveredMember,
    damaged_members,
    is_container,
    is_zip,
    malformed_members,
)
from core.ingest.parsers.trees.recovered_xml import recovered, well_formed

if TYPE_CHECKING:
    from lxml.etree import _Element

_XML = (".xml", ".rels", ".opf", ".xhtml", ".html", ".ncx")
_OOXML = "application/vnd.openxmlformats-officedocument."
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WITHOUT_STYLE = ("}sheetData", "}mergeCells", "}drawing")  # of a sheet
_TYPES, _ROOT_RELATIONS, _STYLES = "[Content_Types].xml", "_rels/.rels", "xl/styles.xml"
_MAIN = ("word/document.xml", "ppt/presentation.xml", "xl/workbook.xml")
_FAMILIES = {"word": "wordprocessingml", "ppt": "presentationml", "xl": "spreadsheetml"}
_MAIN_STEMS = {"document": "document.main", "presentation": "presentation.main", "workbook": "sheet.main"}
_STEMS = {"sheet": "worksheet"}  # whose part is called otherwise than its content type
_SHARED = {"theme": "theme", "chart": "drawingml.chart", "drawing": "drawing"}
_PART = re.compile(r"(?P<family>word|ppt|xl)/(?:[^/]+/)?(?P<stem>[A-Za-z]+)\d*\.xml")
_IMAGES = {"jpg": "jpeg", "tif": "tiff"}
_LACKING = {_STYLES: " Dates and shares may read as plain numbers."}
_PML = "http://schemas.openxmlformats.org/presentationml/2006/main"
_SML = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_EMPTY_SLIDE = (
    f'<p:sld xmlns:p="{_PML}"><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/>'
    "<p:nvPr/></p:nvGrpSpPr><p:grpSpPr/></p:spTree></p:cSld></p:sld>"
)
_REPLACEMENTS = (
    (re.compile(r"ppt/slides/[^/]+\.xml"), _EMPTY_SLIDE.encode()),
    (re.compile(r"xl/worksheets/[^/]+\.xml"), f'<worksheet xmlns="{_SML}"><sheetData/></worksheet>'.encode()),
    (re.compile(r"xl/sharedStrings\.xml"), f'<sst xmlns="{_SML}"/>'.encode()),
    (re.compile(r".*/media/.*"), b""),  # what it is drawn by still refers to it
)


class Copy(NamedTuple):
    """A file that may open: its path, names of missing parts, and the bytes left of damaged ones, by name.

    `without_damaged`: damaged parts are left out; `package`: its files are parts of one document.
    """

    path: Path
    missing: tuple[str, ...] = ()
    damaged: Mapping[str, bytes] = {}
    without_damaged: bool = False
    package: bool = False


def copies(path: Path, folder: Path) -> Iterator[Copy]:
    """Yield the file, unless its bytes are damaged, then repaired copies that may be read instead."""
    members = damaged_members(path) if is_zip(path) else []
    if not members:
        yield Copy(path)
    if not members and is_zip(path):
        members = malformed_members(path)
        members = members if is_container(members) else []
    damaged = {member.name: member.data for member in members if member.name and not member.whole}
    for closing in (True, False) if members else ():
        parts, missing = _recoverable(members, closing=closing)
        missing += [f"The part {name} is not in the file." for name in _join(parts) if name not in damaged]
        written = folder / f"closed-{closing}"
        with zipfile.ZipFile(written, "w") as archive:
            for name, data in parts.items():
                archive.writestr(name, data)
        yield Copy(written, tuple(missing), damaged, not closing, is_container(members))


def _recoverable(members: Sequence[RecoveredMember], *, closing: bool) -> tuple[dict[str, bytes], list[str]]:
    """Return the members that go into a copy, and a sentence for each that is incomplete."""
    missing: list[str] = []
    parts: dict[str, bytes] = {}
    for member in members:
        data: bytes | None = member.data
        if not member.whole:
            data = _closed(member) if closing and member.name != _STYLES else None
        if not member.name:
            missing.append("The file is cut off; what comes after was left out.")
        elif data is None:
            missing.append(
                f"The part {member.name} is damaged and was left out.{_LACKING.get(member.name, '')}"
            )
        else:
            parts[member.name] = data
            if not member.whole:
                missing.append(f"The part {member.name} is damaged; what could be read of it was kept.")
    return parts, missing


def _closed(member: RecoveredMember) -> bytes | None:
    """Return a damaged member as something that can be opened, None where nothing of it is left."""
    if member.name == "mimetype":
        return None
    if not member.name.endswith(_XML):
        return member.data or None
    root = recovered(member.data)
    if root is None or (member.name.endswith(".rels") and not str(root.tag).endswith("}Relationships")):
        return None
    for element in root.iter():
        if isinstance(element.tag, str) and not _is_named(element.tag):
            element.tag = "unreadable"
        for key in [key for key in element.attrib if not _is_named(str(key))]:
            del element.attrib[key]
    written = _written(root)
    return written if well_formed(written) else None


def _is_named(tag: str) -> bool:
    return ":" not in tag.rsplit("}", 1)[-1]


def _written(root: "_Element") -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _join(parts: dict[str, bytes]) -> list[str]:
    """Generate what joins the parts where it is lost; return the names of parts put in for lost ones."""
    main = next((name for name in _MAIN if name in parts), "")
    replacements: list[str] = []
    if main:
        if _TYPES not in parts:
            parts[_TYPES] = _content_types(parts)
        if _ROOT_RELATIONS not in parts:
            target = f'<Relationship Id="r1" Type="{_RELATIONS}/officeDocument" Target="{main}"/>'
            parts[_ROOT_RELATIONS] = (
                f'<Relationships xmlns="{_PACKAGE}relationships">{target}</Relationships>'.encode()
            )
    for name in [name for name in parts if name.endswith(".rels")]:
        parts[name] = _without_lost(name, parts, replacements)
    if main.startswith("xl/"):
        _plain_cells(parts)
    return replacements


def _content_types(parts: Mapping[str, bytes]) -> bytes:
    """Return [Content_Types].xml, the types taken from the names of the parts."""
    suffixes = {name.rsplit(".", 1)[-1] for name in parts if name.isascii()} - {"xml"} | {"rels"}
    types = ['<Default Extension="xml" ContentType="application/xml"/>']
    for suffix in sorted(filter(str.isalnum, suffixes)):
        kind = f"image/{_IMAGES.get(suffix, suffix)}"
        if suffix == "rels":
            kind = "application/vnd.openxmlformats-package.relationships+xml"
        types.append(f'<Default Extension="{suffix}" ContentType="{kind}"/>')
    for name in parts:
        found = _PART.fullmatch(name)
        if found is not None:
            stem = found["stem"]
            own = f"{_FAMILIES[found['family']]}.{_MAIN_STEMS.get(stem) or _STEMS.get(stem, stem)}"
            types.append(f'<Override PartName="/{name}" ContentType="{_OOXML}{_SHARED.get(stem, own)}+xml"/>')
    return f'<Types xmlns="{_PACKAGE}content-types">{"".join(types)}</Types>'.encode()


def _without_lost(name: str, parts: dict[str, bytes], replacements: list[str]) -> bytes:
    """Return relations without those to parts that are lost; for a lost slide or sheet put an empty one."""
    root = recovered(parts[name])
    if root is None:
        return parts[name]
    folder = posixpath.dirname(posixpath.dirname(name))
    for relation in [*root]:
        target = str(relation.get("Target") or "")
        member = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        if relation.get("TargetMode") == "External" or member in parts:
            continue
        replacement = next((empty for pattern, empty in _REPLACEMENTS if pattern.fullmatch(member)), None)
        if replacement is None:
            root.remove(relation)
        else:
            parts[member] = replacement
            replacements.append(member)
    return _written(root)


def _plain_cells(parts: dict[str, bytes]) -> None:
    """Remove from cells references to lost styles and strings, and values that should be numbers."""
    strings = recovered(parts.get("xl/sharedStrings.xml", b"<sst/>"))
    known = sum(1 for _ in strings.iter("{*}si")) if strings is not None else 0
    for name in [name for name in parts if _REPLACEMENTS[1][0].fullmatch(name)]:
        root = recovered(parts[name])
        if root is None:
            continue
        if _STYLES not in parts:
            for styled in root.iter("{*}c", "{*}row"):
                styled.attrib.pop("s", None)
            for other in [each for each in root if not str(each.tag).endswith(_WITHOUT_STYLE)]:
                root.remove(other)
        for cell in [*root.iter("{*}c")]:
            if not _is_valid_cell(cell, known):
                for part in [*cell]:
                    cell.remove(part)  # its place stays
        parts[name] = _written(root)


def _is_valid_cell(cell: "_Element", strings: int) -> bool:
    """Say whether a cell's value fits its type: a number, or an index of one of the shared `strings`."""
    value = cell.findtext("{*}v")
    if value is None:
        return True
    kind = cell.get("t", "n")
    if kind == "s":
        return value.isdigit() and int(value) < strings
    return kind != "n" or _is_number(value)


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
