"""The boxes of an MP4 or QuickTime file (ISO/IEC 14496-12): is the index of its pictures there?"""

import struct
from pathlib import Path

_INDEX = b"moov"
_FIRST = frozenset({b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"styp"})
_MAX_BOXES = 10_000  # boxes


def missing_index(path: Path) -> str:
    """Say in a sentence why nothing in the file can be found, "" where its index is there and whole."""
    size = path.stat().st_size
    at, number = 0, 0
    with path.open("rb") as stream:
        while at + 8 <= size and number < _MAX_BOXES:
            stream.seek(at)
            head = stream.read(16)
            length, kind = struct.unpack(">I4s", head[:8])
            if length == 1 and len(head) == 16:
                length = struct.unpack(">Q", head[8:])[0]
            if number == 0 and kind not in _FIRST:
                return ""  # not laid out in boxes
            if kind == _INDEX:
                return "" if at + length <= size else "its index is cut off"
            if length < 8:
                break  # up to the end of the file, or damaged
            at, number = at + length, number + 1
    return "it has no index: it was cut off, or its recording never ended"
