"""Compressed streams of a PDF that break off: pdfium drops what comes after the damage without an error.

Such a stream may be the ToUnicode map of a font. Without it pdfium returns glyph codes as if they were
letters, so the fonts that refer to a damaged map are listed.
"""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BEGINS = re.compile(
    rb"(?:(?P<number>\d+)\s+\d+\s+obj\s*)?(?P<about><<(?:[^<>]|<<[^<>]*>>|<[^<>]*>){0,2000}>>)\s*stream\r?\n"
)
_PACKED = re.compile(rb"/Filter\s*(?:\[\s*)?/FlateDecode\s*[\]/>]")
_NAME = re.compile(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([^\s/<>\[\]()]+)")  # without the mark of a subset
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_MAX_PART_BYTES = 8_000_000  # bytes of a part that is looked at
_MAX_FILE_BYTES = 200_000_000  # bytes of a file


class TornStreams(NamedTuple):
    """How many streams other than pictures are damaged, and the fonts whose ToUnicode map is."""

    parts: int = 0
    fonts: frozenset[str] = frozenset()


def torn_streams(path: Path) -> TornStreams:
    """Return what is damaged; nothing for an encrypted or very large file."""
    if path.stat().st_size > _MAX_FILE_BYTES:
        return TornStreams()
    data = path.read_bytes()
    if b"/Encrypt" in data:
        return TornStreams()
    torn: list[bytes] = []  # their numbers
    objects: list[tuple[int, int]] = []  # where packed objects stand
    for begins in _BEGINS.finditer(data):
        about = begins["about"]
        end = data.find(b"endstream", begins.end())
        if b"/Image" in about or not _PACKED.search(about) or not 0 < end - begins.end() <= _MAX_PART_BYTES:
            continue
        if b"/ObjStm" in about:
            objects.append((begins.end(), end))
        if not _is_whole(data[begins.end() : end]):
            torn.append(begins["number"] or b"")
    if not torn:
        return TornStreams()
    packed = (
        zlib.decompressobj().decompress(data[begin:end])
        for begin, end in objects
        if _is_whole(data[begin:end])
    )
    fonts = {
        name
        for content in (data, *packed)
        for number in torn
        if number
        for name in _fonts_of(content, number)
    }
    return TornStreams(len(torn), frozenset(fonts))


def _is_whole(packed: bytes) -> bool:
    unpacking = zlib.decompressobj()
    try:
        unpacking.decompress(packed)
    except zlib.error:
        return False
    return unpacking.eof


def _fonts_of(objects: bytes, number: bytes) -> Iterator[str]:
    """Yield the plain names of the fonts whose letters the part of this number would tell."""
    for found in re.finditer(rb"/ToUnicode\s+" + number + rb"\s+\d+\s+R", objects):
        name = _NAME.search(objects, _begin_of_dictionary(objects, found.start()))
        if name:
            plain = _ESCAPED.sub(lambda escaped: bytes([int(escaped[1], 16)]), name[1])
            yield plain.decode("utf-8", "replace")


def _begin_of_dictionary(objects: bytes, at: int) -> int:
    """Return where the dictionary that holds a place begins."""
    depth = 0
    while True:
        begins, ends = objects.rfind(b"<<", 0, at), objects.rfind(b">>", 0, at)
        if begins < 0 or (begins > ends and not depth):
            return max(begins, 0)
        depth += 1 if ends > begins else -1
        at = max(begins, ends)
