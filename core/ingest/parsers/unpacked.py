"""Packed data (gzip, bzip2, xz) unpacked as far as possible: what precedes damage is kept."""

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_CHUNK_BYTES = 4096  # packed bytes read at a time; of bzip2 and xz so much is lost before damage
_PIECE_BYTES = 65_536
_GZIP, _GZIP_MEMBER = "application/gzip", b"\x1f\x8b\x08"
_GZIP_BITS = 31  # of zlib: a gzip header and a sum at the end
_OPENERS: dict[str, Callable[[], Any]] = {
    _GZIP: lambda: zlib.decompressobj(_GZIP_BITS),
    "application/x-bzip2": bz2.BZ2Decompressor,
    "application/x-xz": lzma.LZMADecompressor,
}
PACKED_TYPES = tuple(_OPENERS)


class Unpacked(io.RawIOBase):
    """The unpacked bytes of a file; `damaged` says whether its end or a part of it could not be unpacked.

    The members of a file are read one after the other. After a damaged gzip member the next header is
    searched for, and counts if its first piece unpacks. At most `_PIECE_BYTES` are unpacked at a time, so a
    bomb cannot fill the memory.
    """

    def __init__(self, path: Path, media_type: str) -> None:
        self._file = path.open("rb")
        self._open = _OPENERS[media_type]
        self._is_gzip = media_type == _GZIP
        self._packed = b""  # read and not yet unpacked
        self._left = b""  # unpacked and not yet asked for
        self._begin()
        self.damaged = False

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        room = memoryview(buffer).nbytes
        piece, self._left = self._left or self._piece(), b""
        piece, self._left = piece[:room], piece[room:]
        memoryview(buffer).cast("B")[: len(piece)] = piece
        return len(piece)

    def _begin(self) -> None:
        """Begin with a member; `_begun` says whether it has been read from."""
        self._unpacker, self._begun = self._open(), False

    def _piece(self) -> bytes:
        """Return the next unpacked bytes, nothing at the end."""
        while self._packed or self._has_more() or self._read():
            if not self._begun:  # zeros may stand between members
                self._packed = self._packed.lstrip(b"\x00")
                if not self._packed:
                    continue
            if piece := self._unpack():
                return piece
        self.damaged = self.damaged or self._begun  # the file is cut off
        return b""

    def _has_more(self) -> bool:
        """Say whether the unpacker has taken in more than it gave out."""
        return not self._is_gzip and self._begun and not self._unpacker.needs_input

    def _read(self) -> bool:
        self._packed = self._file.read(_CHUNK_BYTES)
        return bool(self._packed)

    def _unpack(self) -> bytes:
        before = self._unpacker.copy() if self._is_gzip else None
        try:
            piece: bytes = self._unpacker.decompress(self._packed, _PIECE_BYTES)
        except (zlib.error, OSError, lzma.LZMAError, EOFError):
            return self._up_to_damage(before)
        self._begun = True
        if self._unpacker.eof:
            self._packed = self._unpacker.unused_data
            self._begin()
        else:
            self._packed = self._unpacker.unconsumed_tail if self._is_gzip else b""
        return piece

    def _up_to_damage(self, before: Any) -> bytes:
        """Return what unpacks before the damage, and move to the next gzip member, or to the end."""
        is_chance = self.damaged and not self._begun  # only looked like the beginning of a member
        begun, self.damaged = self._begun, True
        self._begin()
        if before is None:
            self._packed = b""
            self._file.seek(0, io.SEEK_END)
            return b""
        made, at = bytearray(), 0
        if not is_chance:
            with suppress(zlib.error):
                for at in range(len(self._packed)):
                    made += before.decompress(self._packed[at : at + 1])
        self._packed = self._packed[at + 1 if begun or made else 1 :]  # one may begin in the head of another
        while _GZIP_MEMBER not in self._packed:
            tail = self._packed[1 - len(_GZIP_MEMBER) :]
            if not self._read():
                return bytes(made)
            self._packed = tail + self._packed
        self._packed = self._packed[self._packed.index(_GZIP_MEMBER) :]
        return bytes(made)
