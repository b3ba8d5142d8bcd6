"""Office files and e-books that are damaged: what is sound in them is kept.

A ZIP lists its members at its end. Where that list is cut off, the members are found by the headers before
each (PKWARE APPNOTE, section 4.3.7). Of a member that cannot be unpacked to its end what comes before the
damage is kept; XML is closed where it breaks off. What is lost altogether is no longer referred to.
"""

import posixpath
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.ingest.limits import MEBIBYTE

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAGIC = b"PK\x03\x04"
_HEADER = struct.Struct("<4s5H3I2H")
_MOST = 256 * MEBIBYTE  # of a file that is looked through, packed and unpacked
_MOST_MEMBERS = 5000
_LOCKED = 0x1  # flag: a password
_STORED = 0  # method
_PIECE = 1024  # packed bytes unpacked at once; what comes before a damaged piece is kept
_DAMAGE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError, RuntimeError)
_TEXTS = re.compile(r"word/document|ppt/slides/|xl/worksheets/|content\.xml|.*\.x?html?$")
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml$")  # one must be there for the others
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml$")  # one must be there for the others
_NO_SHEET = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>'
)
_CONTAINERS = frozenset({"[Content_Types].xml", "mimetype", "_rels/.rels"})


class RecoveredMember(NamedTuple):
    """A member as far as it could be read; `whole` where nothing of it is missing."""

    name: str
    data: bytes
    whole: bool


@contextmanager
def repaired(path: Path) -> Iterator[tuple[Path, list[str]]]:
    """Give a file that is sound as it is, else a copy of what is sound in it, and what is missing."""
    saved = _recovered_members(path) if _is_zip(path) else []
    if all(member.whole for member in saved) or not any(_TEXTS.match(member.name) for member in saved):
        yield path, []
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "mended"
        missing = _write(copy, saved)
        yield copy, missing


def _is_zip(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(4) == _MAGIC and path.stat().st_size <= _MOST


def _recovered_members(path: Path) -> list[RecoveredMember]:
    """Return the members of a damaged container, none where it is sound, locked, large or an archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            names = {member.filename for member in members}
            if any(member.flag_bits & _LOCKED for member in members) or not names & _CONTAINERS:
                return []
            if sum(member.file_size for member in members) > _MOST:
                return []
            bad = {member.filename for member in members if not _is_sound(archive, member)}
    except _DAMAGE:
        return _found_by_headers(path.read_bytes())
    if not bad:
        return []
    data = path.read_bytes()
    return [_read_at(data, member.header_offset, member) for member in members]


def _is_sound(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    try:
        with archive.open(member) as stream:
            while stream.read(MEBIBYTE):
                continue
    except _DAMAGE:
        return False
    return True


def _found_by_headers(data: bytes) -> list[RecoveredMember]:
    """Return the members of a container that lacks their list, then an unknown one for the rest."""
    found: list[RecoveredMember] = []
    left = _MOST
    at = data.find(_MAGIC)
    while at >= 0 and len(found) < _MOST_MEMBERS and left > 0 and len(data) - at >= _HEADER.size:
        if _HEADER.unpack_from(data, at)[2] & _LOCKED:
            return []
        member = _read_at(data, at)
        if not member.name.endswith("/"):
            found.append(member)
            left -= len(member.data)
        at = data.find(_MAGIC, at + len(_MAGIC))
    if not {member.name for member in found} & _CONTAINERS:
        return []
    return [*found, RecoveredMember("", b"", False)]


def _read_at(data: bytes, at: int, listed: zipfile.ZipInfo | None = None) -> RecoveredMember:
    """Return the member whose header lies at a place; what the list says of it counts, where there is one."""
    if len(data) - at < _HEADER.size:
        return RecoveredMember(listed.filename if listed else "", b"", False)
    _, _, _, method, _, _, crc, packed, _, long, extra = _HEADER.unpack_from(data, at)
    name = data[at + _HEADER.size : at + _HEADER.size + long].decode("utf-8", "replace")
    if listed is not None:
        name, method, crc, packed = listed.filename, listed.compress_type, listed.CRC, listed.compress_size
    start = at + _HEADER.size + long + extra
    after = data.find(_MAGIC, start)
    end = start + packed if packed else after if after >= 0 else len(data)
    held = data[start:end] if method == _STORED else _unpacked(data[start:end])
    return RecoveredMember(name, held, zlib.crc32(held) == crc)


def _unpacked(packed: bytes) -> bytes:
    """Return what deflated bytes hold, as far as they are sound."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    out = bytearray()
    for at in range(0, len(packed), _PIECE):
        try:
            out += stream.decompress(packed[at : at + _PIECE], _MOST - len(out))
        except zlib.error:
            break
        if stream.eof or len(out) >= _MOST:
            break
    return bytes(out)


def _write(copy: Path, saved: list[RecoveredMember]) -> list[str]:
    """Write what was saved as a sound container; return what is missing, a sentence each."""
    missing: list[str] = []
    kept: dict[str, bytes] = {}
    for member in saved:
        data = member.data if member.whole else _closed(member)
        if not member.name:
            missing.append("The file is cut off; what comes after was left out.")
        elif data is None:
            missing.append(f"The part {member.name} is damaged and was left out.")
        else:
            kept[member.name] = data
            if not member.whole:
                missing.append(f"The part {member.name} is damaged; what could be read of it was kept.")
    with zipfile.ZipFile(copy, "w") as archive:
        for name, data in kept.items():
            archive.writestr(name, _without_lost(name, data, kept) if name.endswith(".rels") else data)
    return missing


def _closed(member: RecoveredMember) -> bytes | None:
    """Return a damaged member as something that can be opened, None where nothing of it is left."""
    if not member.name.endswith((".xml", ".rels", ".opf", ".xhtml", ".html", ".ncx")):
        return member.data or None
    root = recovered(member.data)
    if root is None and _SHEET.match(member.name):
        return _NO_SHEET
    return _written(root) if root is not None else None


def recovered(data: bytes) -> "_Element | None":
    """Return the tree of XML as far as it can be read, None where that is nothing; entities stay."""
    from lxml import etree

    safe = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(data, safe)
    except etree.XMLSyntaxError:
        return None


def _written(root: "_Element") -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _without_lost(name: str, data: bytes, kept: dict[str, bytes]) -> bytes:
    """Return relations (OPC, ECMA-376 part 2, section 6.5) without those to members that are lost."""
    root = recovered(data)
    if root is None:
        return data
    folder = posixpath.dirname(posixpath.dirname(name))
    for relation in [*root]:
        target = str(relation.get("Target") or "")
        member = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        if relation.get("TargetMode") != "External" and member not in kept:
            root.remove(relation)
    return _written(root)
