"""The members of a damaged ZIP as far as they are sound.

A ZIP lists its members at its end. Where that list is cut off, the members are found by the headers before
each (PKWARE APPNOTE, section 4.3.7). Of a member that cannot be unpacked to its end what comes before the
damage is kept: what comes after it in the same deflated stream is built from what was lost.
"""

import struct
import zipfile
import zlib
from pathlib import Path
from typing import NamedTuple

from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.trees.recovered_xml import sound_beginning, well_formed

_MAGIC = b"PK\x03\x04"
_HEADER = struct.Struct("<4s5H3I2H")
_MAX_BYTES = 256 * MEBIBYTE  # of a file that is looked through, packed and unpacked
_MOST_MEMBERS = 5000
_PASSWORD_FLAG = 0x1  # flag: a password
_STORED_METHOD = 0  # method
_PIECE_BYTES = 1024  # packed bytes unpacked at once, until one fails
_DAMAGE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError, RuntimeError)
_CONTAINERS = frozenset({"[Content_Types].xml", "mimetype", "_rels/.rels"})
_XML = (".xml", ".rels", ".opf")


class RecoveredMember(NamedTuple):
    """A member as far as it could be read; `whole` where nothing of it is missing."""

    name: str
    data: bytes
    whole: bool


def is_zip(path: Path) -> bool:
    """Say whether a file begins like a ZIP and is small enough to be looked through."""
    with path.open("rb") as stream:
        return stream.read(4) == _MAGIC and path.stat().st_size <= _MAX_BYTES


def is_container(members: list[RecoveredMember]) -> bool:
    """Say whether these are the parts of an Office file or an e-book, not files of an archive."""
    return not _CONTAINERS.isdisjoint(member.name for member in members)


def damaged_members(path: Path) -> list[RecoveredMember]:
    """Return the members of a ZIP of which one, or the list, is damaged; none where it is sound or locked."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if any(member.flag_bits & _PASSWORD_FLAG for member in members):
                return []
            if sum(member.file_size for member in members) > _MAX_BYTES:
                return []
            bad = {member.filename for member in members if not _is_sound(archive, member)}
    except _DAMAGE:
        return _found_by_headers(path.read_bytes())
    if not bad:
        return []
    data = path.read_bytes()
    if not all(data.startswith(_MAGIC, member.header_offset) for member in members):
        return _found_by_headers(data)
    return [_read_at(data, member.header_offset, member) for member in members]


def malformed_members(path: Path) -> list[RecoveredMember]:
    """Return the members of a ZIP that is sound, those of them not whole whose XML breaks off."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if sum(member.file_size for member in members) > _MAX_BYTES:
                return []
            contents = {member.filename: archive.read(member) for member in members}
    except _DAMAGE:
        return []
    return [
        RecoveredMember(name, data, not name.endswith(_XML) or well_formed(data))
        for name, data in contents.items()
    ]


def _is_sound(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    try:
        with archive.open(member) as stream:
            while stream.read(MEBIBYTE):
                continue
    except _DAMAGE:
        return False
    return True


def _found_by_headers(data: bytes) -> list[RecoveredMember]:
    """Return the members of a ZIP that lacks their list, then an unknown one for the rest."""
    found: list[RecoveredMember] = []
    left = _MAX_BYTES
    at = data.find(_MAGIC)
    while at >= 0 and len(found) < _MOST_MEMBERS and left > 0 and len(data) - at >= _HEADER.size:
        if _HEADER.unpack_from(data, at)[2] & _PASSWORD_FLAG:
            return []
        member = _read_at(data, at)
        if member.name and not member.name.endswith("/"):
            found.append(member)
            left -= len(member.data)
        at = data.find(_MAGIC, at + len(_MAGIC))
    return [*found, RecoveredMember("", b"", False)] if found else []


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
    content = data[start:end]
    if method == _STORED_METHOD:
        return RecoveredMember(name, content, zlib.crc32(content) == crc)
    content, ended = _unpacked(content)
    whole = zlib.crc32(content) == crc if crc else ended  # a member written as a stream has its sum behind it
    return RecoveredMember(
        name, content if whole or not name.endswith(_XML) else sound_beginning(content), whole
    )


def _unpacked(packed: bytes) -> tuple[bytes, bool]:
    """Return what deflated bytes hold, up to the one at which they are unsound; and whether none is."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    out = bytearray()
    for at in range(0, len(packed), _PIECE_BYTES):
        before = stream.copy()
        piece = packed[at : at + _PIECE_BYTES]
        try:
            out += stream.decompress(piece, _MAX_BYTES - len(out))
        except zlib.error:
            out += _until_unsound(before, piece)
            break
        if stream.eof or len(out) >= _MAX_BYTES:
            break
    return bytes(out), stream.eof


def _until_unsound(stream: "zlib._Decompress", piece: bytes) -> bytes:
    out = bytearray()
    for byte in piece:
        try:
            out += stream.decompress(bytes([byte]))
        except zlib.error:
            break
    return bytes(out)
