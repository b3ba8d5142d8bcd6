"""Damaged XML: what can be read of it."""

import re
from typing import TYPE_CHECKING
from xml.parsers import expat

from core.ingest.parsers.trees.safe_xml import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_MARKUP = re.compile(
    rb"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<![^<>]*>
    |<(?P<end>/?)(?P<name>[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)
      (?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?P<empty>/?)>
    |(?P<broken><[^<>]*>?)""",
    re.DOTALL | re.VERBOSE,
)  # XML 1.0, section 3.1
_DECLARATIONS = re.compile(rb"<!DOCTYPE[^<>\[]*(?:\[.*?\]\s*)?>", re.DOTALL)
_BARE_AMPERSAND = re.compile(rb"&(?!#?\w{1,40};)")
_NO_CHARACTER = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]+")
_ENCODING = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)")


def well_formed(data: bytes) -> bool:
    """Say whether XML can be read to its end."""
    from lxml import etree

    try:
        parse_xml(data)
    except (etree.XMLSyntaxError, ValueError):
        return False
    return True


def sound_beginning(data: bytes) -> bytes:
    """Return XML up to the tag before its first syntax error: damage begins a little before it is noticed."""
    reader = expat.ParserCreate()
    try:
        reader.Parse(data, True)
    except expat.ExpatError:
        return data[: data.rfind(b"<", 0, max(0, reader.ErrorByteIndex))]
    return data


def recovered(data: bytes, *, bare: bool = False) -> "_Element | None":
    """Return the tree of XML as far as it can be read, None where that is nothing; entities stay.

    `bare`: without comments and processing instructions.
    """
    from lxml import etree

    try:
        return parse_xml(data if well_formed(data) else _balanced(_readable(data)), recover=True, bare=bare)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _readable(data: bytes) -> bytes:
    """Return XML in UTF-8 or of one byte a sign without bytes that no XML holds; of others, the data."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    data = _NO_CHARACTER.sub(b"", data)
    declared = _ENCODING.match(data)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8"):
        return data
    return data.decode("utf-8", "replace").encode()


def _without_declarations(data: bytes) -> bytes:
    """Return XML without what declares its elements: nothing of that is followed, and it looks like tags."""
    at = data.find(b"<!DOCTYPE")
    found = _DECLARATIONS.match(data, at) if at >= 0 else None
    return data[: found.start()] + data[found.end() :] if found else data


def _balanced(data: bytes) -> bytes:
    """Return XML without broken tags, every element closed where the one around it ends.

    A lenient reader gives up at a broken tag; what stands behind it is as sound as what stands before.
    """
    data = _BARE_AMPERSAND.sub(b"&amp;", _without_declarations(data))
    pieces: list[bytes] = []
    open_elements: list[bytes] = []
    at = 0
    for found in _MARKUP.finditer(data):
        pieces.append(data[at : found.start()])
        at = found.end()
        name = found["name"]
        if found["broken"] is not None:
            continue
        if name and found["end"]:
            if name not in open_elements:
                continue
            while open_elements[-1] != name:
                pieces.append(b"</" + open_elements.pop() + b">")
            open_elements.pop()
        elif name and not found["empty"]:
            open_elements.append(name)
        pieces.append(found[0])
    pieces.append(data[at:])
    pieces += [b"</" + name + b">" for name in reversed(open_elements)]
    return b"".join(pieces)
