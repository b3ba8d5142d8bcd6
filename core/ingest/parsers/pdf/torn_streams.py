"""Parts of a PDF that cannot be unpacked whole: what is drawn behind the damage is lost, unsaid by pdfium."""

import re
import zlib
from pathlib import Path

_BEGINS = re.compile(rb"(?P<about><<(?:[^<>]|<<[^<>]*>>|<[^<>]*>){0,2000}>>)\s*stream\r?\n")
_PACKED = re.compile(rb"/Filter\s*(?:\[\s*)?/FlateDecode\s*[\]/>]")
_MAX_PART_BYTES = 8_000_000  # bytes of a part that is looked at
_MAX_FILE_BYTES = 200_000_000  # bytes of a file


def torn_streams(path: Path) -> int:
    """Return how many packed parts other than pictures are damaged; 0 for an encrypted or very large file."""
    if path.stat().st_size > _MAX_FILE_BYTES:
        return 0
    data = path.read_bytes()
    if b"/Encrypt" in data:
        return 0
    torn = 0
    for begins in _BEGINS.finditer(data):
        about = begins["about"]
        end = data.find(b"endstream", begins.end())
        if b"/Image" in about or not _PACKED.search(about) or not 0 < end - begins.end() <= _MAX_PART_BYTES:
            continue
        try:
            zlib.decompressobj().decompress(data[begins.end() : end])
        except zlib.error:
            torn += 1
    return torn
