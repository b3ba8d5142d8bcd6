"""Elements of XML as text: names without namespaces, words, places and links."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from core.ingest.parsers.raised import lowered, raised
from core.ingest.parsers.xml_namespaces import XLINK_HREF
from core.text.tokens import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

DROPPED = frozenset({"tex-math", "style", "script", "permissions", "object-id", "ext", "colspec"})
INLINE = word_set(
    """b i u bold italic sup sub em strong xref ext-link link a span emph emphasis ref quote q code term
    small o named-content styled-content inline-formula email uri sc monospace underline figref claim-ref
    abbr date"""
)
_TYPE = word_set(
    """b i u bold hi italic sup sub em strong small o underline monospace sc emphasis emph span styled-content
    sb sp hil"""
)  # marks that only set a part of a word in another type
PARAGRAPHS = word_set("p para paragraph ptext claim-text")
_HUMP = re.compile(r"(?<=[a-z]{2})[A-Z](?:[a-z]+|[A-Z\d]*(?![a-z]))|(?<=[A-Z]{2})[A-Z](?=[a-z]{2})[a-z]+")
_FIRST_CJK = "\u2e80"
_BREAKS = word_set("br break")
_MARKS: dict[str, Callable[[str], str]] = {"sup": raised, "sub": lowered}
_NAMED = "{urn:named:"


def tag_of(element: "_Element") -> str:
    """Return the name of an element without its namespace."""
    tag = element.tag
    return local_name(tag) if isinstance(tag, str) else ""


def local_name(tag: str) -> str:
    """Return a name without its namespace; one that `named_tag` made, as it was."""
    return unquote(tag[len(_NAMED) : -2]) if tag.startswith(_NAMED) else tag.rsplit("}", 1)[-1]


def is_named(element: "_Element") -> bool:
    """Say whether `named_tag` made the tag of an element."""
    return isinstance(element.tag, str) and element.tag.startswith(_NAMED)


def named_tag(name: str) -> str:
    """Return the tag of an element with any name, of which XML allows few."""
    return f"{_NAMED}{quote(name, safe='')}}}_"


def words(element: "_Element") -> str:
    """Return all the text in an element, white space folded; parts with no text between are kept apart."""
    return " ".join("".join(_pieces(element)).split())


def _pieces(top: "_Element") -> Iterator[str]:
    """Yield the text in reading order, without recursion: a tree may be deep."""
    yield top.text or ""
    inside: list[tuple[_Element, Iterator[_Element]]] = [(top, iter(top))]
    while inside:
        parent, children = inside[-1]
        child = next(children, None)
        if child is None:
            inside.pop()
            if inside:
                yield " " if _runs_on(parent, parent.text or "", parent.tail or "") else ""
                yield parent.tail or ""
        elif not tag_of(child) or tag_of(child) in DROPPED:
            yield child.tail or ""
        else:
            yield _gap(child)
            yield _MARKS.get(tag_of(child), str)(child.text or "")
            inside.append((child, iter(child)))


def _gap(child: "_Element") -> str:
    """Return what parts an element from the one before it where no text does."""
    before, parent = child.getprevious(), child.getparent()
    tag = tag_of(child)
    if tag in _BREAKS:
        return " "
    if parent is None:
        return ""
    between = (parent.text if before is None else before.tail) or ""
    if before is None or between.strip():
        return " " if _runs_on(child, between, child.text or "") else ""
    if _is_one_word(before, child):
        return ""
    if (tag_of(before), tag) == ("fpage", "lpage"):
        return "–"
    if tag_of(parent).endswith("citation") or tag == tag_of(before) == "name":
        return ", "
    if len(before) == len(child) == 0:
        return " "  # two values
    holder = next((t for t in map(tag_of, child.iterancestors()) if _is_holder(t)), "")
    return "" if holder.lower() in PARAGRAPHS else " "


def _runs_on(value: "_Element", before: str, after: str) -> bool:
    """Say whether a value within a text would be one word with what stands beside it; a mark in a line may
    be, and where no spaces are written nothing is."""
    if len(value) or tag_of(value).lower() in INLINE | _TYPE | _BREAKS:
        return False
    last, first = before[-1:], after[:1]
    return last.isalnum() and first.isalnum() and not last >= _FIRST_CJK <= first


def _is_one_word(before: "_Element", child: "_Element") -> bool:
    """Say whether elements with nothing between them may be parts of a word: one is set in another type, or
    holds more than a value."""
    tags = {tag_of(before).lower(), tag_of(child).lower()}
    return bool(tags & _TYPE) or (bool(tags & INLINE) and len(before) + len(child) > 0)


def spoken(name: str) -> str:
    """Return a name of an element as words: "partNumber" is "part number", "unitID" is "unit ID"."""
    return _HUMP.sub(lambda hump: " " + (hump[0].lower() if hump[0][1:].islower() else hump[0]), name)


def _is_holder(tag: str) -> bool:
    return tag.lower() in PARAGRAPHS or tag.endswith(("citation", "-wrap", "-group"))


def under(element: "_Element", *path: str) -> str:
    found = element.find("/".join(f"{{*}}{step}" for step in path))
    return words(found) if found is not None else ""


def line_of(element: "_Element") -> tuple[int, int]:
    line = int(element.sourceline or 1) - 1
    return line, line


def links_of(element: "_Element") -> list[str]:
    targets = [child.get(XLINK_HREF) or child.get("href") or child.get("url") for child in element.iter()]
    return [str(target) for target in targets if target]
