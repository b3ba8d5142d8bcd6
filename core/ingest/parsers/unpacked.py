"""Packed data (gzip, bzip2, xz) unpacked as far as it goes: what stands before damage is kept and told."""

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

_CHUNK_BYTES = 4096  # of packed data at a time: of bzip2 and xz, what is lost before the damage
_GZIP, _GZIP_MEMBER = "application/gzip", b"\x1f\x8b\x08"
_GZIP_BITS = 31  # of zlib: a gzip header and a sum at the end
_OPENERS: dict[str, Callable[[], Any]] = {
    _GZIP: lambda: zlib.decompressobj(_GZIP_BITS),
    "application/x-bzip2": bz2.BZ2Decompressor,
    "application/x-xz": lzma.LZMADecompressor,
}
PACKED_TYPES = tuple(_OPENERS)


class Unpacked(io.RawIOBase):
    """What a packed file holds; `damaged` says whether its end is missing or a part could not be unpacked.

    Several files packed one after the other are read one after the other; past a damaged one of gzip the next
    that begins is looked for.
    """

    def __init__(self, path: Path, media_type: str) -> None:
        self._packed = path.open("rb")
        self._media_type = media_type
        self._unpacker = _OPENERS[media_type]()
        self._left = b""
        self._begun = False  # the present member has been read from
        self.damaged = False

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._packed.close()
        super().close()

    def readall(self) -> bytes:
        return b"".join(iter(self._piece, b""))

    def readinto(self, buffer: Any) -> int:
        room = memoryview(buffer).nbytes
        piece, self._left = self._left or self._piece(), b""
        piece, self._left = piece[:room], piece[room:]
        memoryview(buffer).cast("B")[: len(piece)] = piece
        return len(piece)

    def _piece(self) -> bytes:
        """Return the next unpacked bytes, nothing at the end."""
        while packed := self._packed.read(_CHUNK_BYTES):
            if piece := self._unpack(packed):
                return piece
        if self._begun:
            self.damaged, self._begun = True, False  # the file is cut off
        return b""

    def _unpack(self, packed: bytes) -> bytes:
        made = b""
        while packed:
            before = self._unpacker.copy() if self._media_type == _GZIP else None
            try:
                made += self._unpacker.decompress(packed)
                self._begun = True
            except (zlib.error, OSError, lzma.LZMAError, EOFError):
                return made + self._up_to_damage(before, packed)
            packed = self._unpacker.unused_data.lstrip(b"\x00") if self._unpacker.eof else b""
            if self._unpacker.eof:
                self._unpacker, self._begun = _OPENERS[self._media_type](), False
        return made

    def _up_to_damage(self, before: Any, packed: bytes) -> bytes:
        """Return what comes before the damage, and go to where the next member begins."""
        self.damaged, self._begun = True, False
        self._unpacker = _OPENERS[self._media_type]()
        made = b""
        at = 0
        try:
            while before is not None and at < len(packed):
                made += before.decompress(packed[at : at + 1])
                at += 1
        except zlib.error:
            pass
        rest = packed[at + 1 :]
        while self._media_type == _GZIP and _GZIP_MEMBER not in rest:
            more = self._packed.read(_CHUNK_BYTES)
            if not more:
                return made
            rest = rest[-len(_GZIP_MEMBER) :] + more
        if self._media_type != _GZIP:
            self._packed.seek(0, io.SEEK_END)
            return made
        return made + self._unpack(rest[rest.index(_GZIP_MEMBER) :])
