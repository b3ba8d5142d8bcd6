"""Elements of XML as text: names without namespaces, words, places and links."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

DROPPED = frozenset({"tex-math", "style", "script", "permissions", "object-id", "ext", "colspec"})
_HREF = "{http://www.w3.org/1999/xlink}href"


def tag_of(element: "_Element") -> str:
    """Return the name of an element without its namespace."""
    tag = element.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def words(element: "_Element") -> str:
    """Return all the text in an element, white space folded."""
    parts = [
        text for child in element.iter() if tag_of(child) not in DROPPED for text in _own(child, element)
    ]
    return " ".join("".join(parts).split())


def _own(child: "_Element", top: "_Element") -> Iterator[str]:
    if isinstance(child.tag, str):
        yield child.text or ""
    if child is not top:
        yield child.tail or ""


def under(element: "_Element", *path: str) -> str:
    found = element.find("/".join(f"{{*}}{step}" for step in path))
    return words(found) if found is not None else ""


def line_of(element: "_Element") -> tuple[int, int]:
    line = int(element.sourceline or 1) - 1
    return line, line


def links_of(element: "_Element") -> list[str]:
    targets = [child.get(_HREF) or child.get("href") or child.get("url") for child in element.iter()]
    return [str(target) for target in targets if target]
