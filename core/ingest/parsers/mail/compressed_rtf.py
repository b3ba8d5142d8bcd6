"""RTF as Outlook keeps it in a message, compressed by [MS-OXRTFCP]."""

import struct

_HEADER = struct.Struct("<IIII")  # size that follows the first field, size unpacked, kind, checksum
_COMPRESSED, _PLAIN = 0x75465A4C, 0x414C454D
_WINDOW = 4096  # bytes
_BEGINNING = (  # of the window: what RTF often says ([MS-OXRTFCP] 2.1.2.1)
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_SHORTEST = 2  # bytes of a run that is named by where it stood


def unpacked_rtf(data: bytes) -> bytes:
    """Return the RTF in a compressed one; of one that breaks off, what there is. Raises ValueError."""
    if len(data) < _HEADER.size:
        raise ValueError("the compressed text is cut off")
    size, raw, kind, _ = _HEADER.unpack_from(data)
    if kind == _PLAIN:
        return data[_HEADER.size :][:raw]
    if kind != _COMPRESSED:
        raise ValueError("the compressed text is of no known kind")
    return _unpacked(data[_HEADER.size : size + 4])[:raw]


def _unpacked(data: bytes) -> bytes:
    made = bytearray(_BEGINNING)
    at = 0
    while at < len(data):
        flags, at = data[at], at + 1
        for bit in range(8):
            if not flags >> bit & 1:
                made += data[at : at + 1]
                at += 1
                continue
            if at + 2 > len(data):
                return bytes(made[len(_BEGINNING) :])
            named = int.from_bytes(data[at : at + 2], "big")
            at += 2
            back = (len(made) - (named >> 4)) % _WINDOW
            if back == 0:  # where the window ends: the end of the text
                return bytes(made[len(_BEGINNING) :])
            for _ in range((named & 0xF) + _SHORTEST):
                made.append(made[-back] if back <= len(made) else 0x20)
    return bytes(made[len(_BEGINNING) :])
