"""The plain words of a Word or PowerPoint file of 1997 to 2003, for one that LibreOffice does not open.

Read from the streams of the compound file ([MS-CFB]) or, where these cannot be found, from its bytes as they
lie: text that is damaged costs itself only.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import olefile

from core.domain import Parsed
from core.ingest.limits import MEBIBYTE
from core.ingest.parsers.draft import Draft

_SECTOR = 512  # bytes
_MAX_BYTES = 64 * MEBIBYTE
_WORD_IDENT = b"\xec\xa5\xc1\x00"
_ENCRYPTED, _TABLE_1 = 0x0100, 0x0200  # flags of the header of a Word document
_PARAGRAPH_ENDS = re.compile(r"[\r\n\x07\x0b\x0c]+")
_FIELD = re.compile("\x13[^\x13\x14\x15]*\x14([^\x13\x14\x15]*)\x15|\x13[^\x13\x14\x15]*\x15")
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1f￾￿]")
# Text of one byte a sign comes first: two of its signs may be one of two bytes.
_RUN = re.compile(
    rb"(?P<narrow>[\x20-\x7e\x91-\x97\xa0-\xff\r\t\x07\x13-\x15]{12,})"
    rb"|(?:[\x20-\x7e\xa0-\xff\r\t\x07\x13-\x15]\x00|[\x00-\xff][\x30\x4e-\x9f\xac-\xd7]){8,}"
)
_TEXT_ATOM = re.compile(rb"\x00\x00([\xa0\xa8])\x0f(....)", re.DOTALL)  # of UTF-16 or of one byte a sign
_MASTER = re.compile(rb"\x0f\x00\xf8\x03(....)", re.DOTALL)  # its text only says where to click
_LETTERS = re.compile(r"[^\W\d_]{3}|[^\x00-\u02ff]{2}")
_NOISE = re.compile(r"[^\w\s.,;:!?()'\"%/-]")
_MAX_NOISE = 0.2  # share of other signs in a run that is text


def old_office_words(path: Path, name: str, media_type: str, reason: str) -> Parsed | None:
    """Return the words of a file, None where there are none; `reason` says why only these."""
    draft = Draft(name, media_type)
    draft.title = Path(name).stem
    text_of = _word_text if media_type == "application/msword" else _slide_text
    for paragraph in text_of(path):
        shown = _UNSEEN.sub("", _FIELD.sub(r"\1", paragraph)).strip()
        if _LETTERS.search(shown) and len(_NOISE.findall(shown)) <= _MAX_NOISE * len(shown):
            draft.paragraph(shown)
    if not draft.blocks:
        return None
    draft.skipped.append(f"Only its words could be read, without their form: {reason}")
    return draft.parsed()


def ole_stream(path: Path, called: str, begins: bytes) -> bytes:
    """Return a stream of a compound file; where it is not found whole, the file's bytes from `begins` on."""
    stream, size = b"", 1
    try:
        with olefile.OleFileIO(path, raise_defects=olefile.DEFECT_INCORRECT) as compound:
            size = compound.get_size(called)
            stream = bytes(compound.openstream(called).read(_MAX_BYTES))
    except (OSError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        pass  # what olefile says of damage
    circle = stream.find(stream[:_SECTOR], 1) > 0  # the list of its sectors is damaged
    if begins in stream[:_SECTOR] and len(stream) >= min(size, _MAX_BYTES) and not circle:
        return stream
    with path.open("rb") as file:
        data = file.read(_MAX_BYTES)
    return data[max(0, data.find(begins)) :]


def _word_text(path: Path) -> Iterator[str]:
    """Yield the paragraphs of a Word document: by its pieces ([MS-DOC] 2.4.1), or as runs of signs."""
    stream = ole_stream(path, "WordDocument", _WORD_IDENT)
    flags = int.from_bytes(stream[10:12], "little")
    if flags & _ENCRYPTED and stream[:4] == _WORD_IDENT:
        return
    pieces = _pieces(stream, ole_stream(path, "1Table" if flags & _TABLE_1 else "0Table", b""))
    yield from _PARAGRAPH_ENDS.split("".join(pieces) if pieces else "\r".join(_runs(_text_part(stream))))


def _text_part(stream: bytes) -> bytes:
    """Return the part of the stream that its header says holds the text; all of it where that cannot be."""
    begin, end = (int.from_bytes(stream[place : place + 4], "little") for place in (0x18, 0x1C))
    return stream[begin:end] if _SECTOR <= begin < end <= len(stream) else stream


def _pieces(stream: bytes, table: bytes) -> list[str]:
    """Return the texts that the table of pieces names; none where it or the header is damaged."""
    if stream[:4] != _WORD_IDENT:
        return []
    at, long = (int.from_bytes(stream[place : place + 4], "little") for place in (0x1A2, 0x1A6))
    clx = table[at : at + long]
    while clx[:1] == b"\x01":  # properties come before the pieces
        clx = clx[3 + int.from_bytes(clx[1:3], "little") :]
    if clx[:1] != b"\x02":
        return []
    piece_table = clx[5:]
    count = (len(piece_table) - 4) // 12
    ends = [int.from_bytes(piece_table[4 * n : 4 * n + 4], "little") for n in range(count + 1)]
    found = []
    for n in range(count):
        place = int.from_bytes(piece_table[4 * (count + 1) + 8 * n + 2 :][:4], "little")
        length, narrow = ends[n + 1] - ends[n], place & 0x40000000
        start = (place & 0x3FFFFFFF) // 2 if narrow else place & 0x3FFFFFFF
        stop = start + length * (1 if narrow else 2)
        if length <= 0 or stop > len(stream):
            return []
        found.append(stream[start:stop].decode("cp1252" if narrow else "utf-16-le", "replace"))
    return found


def _runs(data: bytes) -> Iterator[str]:
    """Yield what looks like text in bytes, in their order."""
    for run in _RUN.finditer(data):
        yield run[0].decode("cp1252" if run["narrow"] else "utf-16-le", "replace")


def _slide_text(path: Path) -> Iterator[str]:
    """Yield the paragraphs of a presentation: what its records of text hold ([MS-PPT] 2.9.41 and 2.9.43)."""
    data = ole_stream(path, "PowerPoint Document", b"")
    masters = [
        range(found.start(), found.end() + int.from_bytes(found[1], "little"))
        for found in _MASTER.finditer(data)
    ]
    seen: set[str] = set()
    for atom in _TEXT_ATOM.finditer(data):
        long = int.from_bytes(atom[2], "little")
        if any(atom.start() in master for master in masters) or atom.end() + long > len(data):
            continue
        raw = data[atom.end() : atom.end() + long]
        text = raw.decode("utf-16-le" if atom[1] == b"\xa0" else "latin-1", "replace")
        if text not in seen:  # the outline and the slide may both hold it
            seen.add(text)
            yield from _PARAGRAPH_ENDS.split(text)
