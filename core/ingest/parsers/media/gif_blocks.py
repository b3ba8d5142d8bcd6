"""The blocks of a GIF (GIF89a, W3C 1990): how many pictures it holds, and whether it ends as it should."""

from typing import BinaryIO, NamedTuple

_HEADER = 13
_DESCRIPTOR = 9
_EXTENSION, _PICTURE, _TRAILER = b"!", b",", b";"


class GifBlocks(NamedTuple):
    """Pictures whose blocks are all there, and whether what follows them is the end of the file."""

    pictures: int
    whole: bool


def gif_blocks(stream: BinaryIO) -> GifBlocks:
    """Go through the blocks of a GIF from its beginning; damage to their order ends it."""
    stream.seek(0)
    head = stream.read(_HEADER)
    if len(head) < _HEADER:
        return GifBlocks(0, whole=False)
    _colours(stream, head[10])
    pictures = 0
    while True:
        kind = stream.read(1)
        if kind == _EXTENSION:
            stream.read(1)
        elif kind == _PICTURE:
            described = stream.read(_DESCRIPTOR)
            if len(described) == _DESCRIPTOR:
                _colours(stream, described[8])
            stream.read(1)
        else:
            return GifBlocks(pictures, whole=kind == _TRAILER)
        if not _data(stream):
            return GifBlocks(pictures, whole=False)
        pictures += kind == _PICTURE


def _colours(stream: BinaryIO, flags: int) -> None:
    if flags & 0x80:
        stream.read(3 << ((flags & 7) + 1))


def _data(stream: BinaryIO) -> bool:
    """Pass over sub-blocks up to the empty one; say whether it is there."""
    while size := stream.read(1):
        if size == b"\0":
            return True
        if len(stream.read(size[0])) < size[0]:
            return False
    return False
