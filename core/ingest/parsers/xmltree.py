"""XML: articles, feeds and records, read without entities, DTDs or network."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Location, Parsed
from core.errors import ParseError
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.html import read_html
from core.language import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADS = frozenset({"title", "heading", "head", "article-title", "subtitle"})
_DROPPED = frozenset({"tex-math", "style", "script", "permissions", "object-id", "ext", "colspec"})
_INLINE = word_set(
    """b i u bold italic sup sub em strong xref ext-link link a span emph emphasis ref quote q code term
    small o named-content styled-content inline-formula email uri sc monospace underline figref claim-ref
    abbr date"""
)
_DEEPEST = 60
_HREF = "{http://www.w3.org/1999/xlink}href"
_HTML = re.compile(r"<(p|br|a|div|img|b|i|h\d|ul)\b", re.I)


@dataclass(frozen=True)
class XmlParser:
    """Reads .xml. Entities are never expanded; what is not well-formed is read as far as it goes."""

    media_types: tuple[str, ...] = ("application/xml",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        root = _root(draft, path.read_bytes())
        kind = tag_of(root)
        if kind in ("rss", "feed", "RDF"):
            _feed(draft, root)
        else:
            _about(draft, root)
            _Walk(draft).walk(root, 1)
        return draft.parsed()


def _root(draft: Draft, data: bytes) -> "_Element":
    from lxml import etree

    safe = {
        "resolve_entities": False,
        "no_network": True,
        "load_dtd": False,
        "remove_comments": True,
        "remove_pis": True,
    }
    try:
        return etree.fromstring(data, etree.XMLParser(**safe))
    except etree.XMLSyntaxError as error:
        first = error
    mended = etree.fromstring(data, etree.XMLParser(**safe, recover=True))
    if mended is None:
        raise ParseError(f"{draft.name} is not XML: {first}.")
    draft.skipped.append(f"The XML is not well-formed ({first}); what could be read was kept.")
    return mended


def tag_of(element: "_Element") -> str:
    """Return the name of an element without its namespace."""
    tag = element.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def words(element: "_Element") -> str:
    """Return all the text in an element, white space folded."""
    parts = [
        text for child in element.iter() if tag_of(child) not in _DROPPED for text in _own(child, element)
    ]
    return " ".join("".join(parts).split())


def _own(child: "_Element", top: "_Element") -> Iterator[str]:
    if isinstance(child.tag, str):
        yield child.text or ""
    if child is not top:
        yield child.tail or ""


def _under(element: "_Element", *path: str) -> str:
    found = element.find("/".join(f"{{*}}{step}" for step in path))
    return words(found) if found is not None else ""


def _feed(draft: Draft, root: "_Element") -> None:
    """Read RSS and Atom: an entry becomes a section with its date, author and link."""
    channel = root if root.find("{*}channel") is None else root.find("{*}channel")
    assert channel is not None
    draft.title = _under(channel, "title")
    draft.paragraph(_under(channel, "description") or _under(channel, "subtitle"))
    for entry in root.iter("{*}item", "{*}entry"):
        link = _under(entry, "link") or next(
            (str(a.get("href")) for a in entry.findall("{*}link") if a.get("href")), ""
        )
        draft.heading(_under(entry, "title") or link or "Entry", 1, Location(lines=_line(entry)), [link])
        about = [_under(entry, key) for key in ("pubDate", "published", "updated", "creator")]
        draft.paragraph(" · ".join(filter(None, about)), Location(lines=_line(entry)))
        full = _raw(entry, "encoded") or _raw(entry, "content")
        for text in (full or _raw(entry, "description") or _raw(entry, "summary"),):
            if _HTML.search(text):
                read_html(draft, text, Location(lines=_line(entry)))
            else:
                draft.paragraph(text, Location(lines=_line(entry)))


def _raw(element: "_Element", tag: str) -> str:
    found = element.find(f"{{*}}{tag}")
    return "".join(map(str, found.itertext())).strip() if found is not None else ""


def _line(element: "_Element") -> tuple[int, int]:
    line = int(element.sourceline or 1) - 1
    return line, line


def _about(draft: Draft, root: "_Element") -> None:
    """Take the title, authors and identifiers of an article (JATS) where it has them."""
    meta = root.find(".//{*}article-meta")
    title = (
        root.find(".//{*}invention-title") if meta is None else meta.find("{*}title-group/{*}article-title")
    )
    if title is None:
        title = root.find("{*}title")
    draft.title = words(title) if title is not None else ""
    if meta is None:
        return
    people = [
        f"{_under(n, 'given-names')} {_under(n, 'surname')}".strip()
        for n in meta.findall(".//{*}contrib//{*}name")
    ]
    draft.metadata["author"] = ", ".join(dict.fromkeys(filter(None, people)))
    for identifier in meta.findall("{*}article-id"):
        draft.metadata[str(identifier.get("pub-id-type") or "id")] = words(identifier)
    year = _under(meta, "pub-date", "year")
    draft.date = "-".join(
        filter(None, [year, _under(meta, "pub-date", "month").zfill(2) if year else ""])
    ).rstrip("-0")


class _Walk:
    """Turns any tree into headings, paragraphs and tables by its shape, with names known from articles."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.special: dict[str, Callable[[_Element, int], None]] = {
            "table-wrap": self._wrapped,
            "tables": self._wrapped,
            "table": self._table,
            "fig": self._figure,
            "ref-list": self._references,
            "list": self._list,
            "disp-formula": lambda e, _: self._add("formula", e),
            "front": self._front,
        }

    def walk(self, element: "_Element", level: int) -> None:
        from core.ingest.parsers.xmltables import records

        name = tag_of(element)
        if not name or name in _DROPPED:
            return
        if name in self.special:
            self.special[name](element, level)
        elif name in _HEADS and len(words(element)) < 300:
            self.draft.heading(words(element), level, Location(lines=_line(element)), _links(element))
        elif self._is_text(element) or level > _DEEPEST:
            self._prose(element)
        elif (rows := records(element)) is not None:
            self.draft.rows(rows.name, rows.rows, location=Location(lines=_line(element)), header=1)
            for child in rows.rest:
                self.walk(child, level)
        else:
            self._children(element, level)

    def _children(self, element: "_Element", level: int) -> None:
        inner = level + 1 if any(tag_of(child) in _HEADS for child in element) else level
        fields: list[str] = []
        for child in element:
            if self._is_field(child):
                fields.append(f"{tag_of(child).replace('_', ' ').replace('-', ' ')}: {words(child)}")
                continue
            self.draft.paragraph("\n".join(fields), Location(lines=_line(element)))
            fields = []
            self.walk(child, inner if tag_of(child) not in _HEADS else level)
        self.draft.paragraph("\n".join(fields), Location(lines=_line(element)))

    def _is_field(self, element: "_Element") -> bool:
        """A leaf with a short value, under a name that is not known as prose."""
        name = tag_of(element)
        known = (
            name in _HEADS or name in self.special or name in ("p", "para", "paragraph", "text", "abstract")
        )
        return not known and len(element) == 0 and 0 < len((element.text or "").strip()) < 200

    def _is_text(self, element: "_Element") -> bool:
        if tag_of(element) in ("p", "para", "paragraph", "claim-text") or len(element) == 0:
            return not any(tag_of(c) in self.special for c in element)
        mixed = bool((element.text or "").strip()) or any((c.tail or "").strip() for c in element)
        return mixed and all(tag_of(c) in _INLINE or len(c) == 0 for c in element)

    def _prose(self, element: "_Element") -> None:
        attributes = "" if len(element) or (element.text or "").strip() else _attributes(element)
        self.draft.paragraph(words(element) or attributes, Location(lines=_line(element)), _links(element))

    def _add(self, kind: str, element: "_Element") -> None:
        self.draft.add(
            "formula" if kind == "formula" else "figure", words(element), Location(lines=_line(element))
        )

    def _wrapped(self, element: "_Element", level: int) -> None:
        from core.ingest.parsers.xmltables import grid

        label = " ".join(filter(None, [_under(element, "label"), _under(element, "caption")]))
        place = Location(lines=_line(element))
        self.draft.add("caption", label, place)
        for table in element.iter("{*}table"):
            found = grid(table)
            name = label[:80] or f"Table {len(self.draft.tables) + 1}"
            self.draft.rows(name, found.rows, caption=label, location=place, header=found.header)
        for note in element.findall("{*}table-wrap-foot"):
            self.draft.add("footnote", words(note), place)

    def _table(self, element: "_Element", level: int) -> None:
        from core.ingest.parsers.xmltables import grid

        found = grid(element)
        if found.rows:
            place = Location(lines=_line(element))
            self.draft.rows(
                f"Table {len(self.draft.tables) + 1}", found.rows, location=place, header=found.header
            )
        else:
            self._children(element, level)

    def _figure(self, element: "_Element", level: int) -> None:
        text = " ".join(filter(None, [_under(element, "label"), _under(element, "caption")]))
        self.draft.add("figure", text, Location(lines=_line(element)))

    def _references(self, element: "_Element", level: int) -> None:
        self.draft.heading(_under(element, "title") or "References", level)
        for reference in element.iter("{*}ref"):
            text = " ".join(" ".join(map(str, reference.itertext())).split())
            self.draft.item(text, Location(lines=_line(reference)), _links(reference))

    def _list(self, element: "_Element", level: int) -> None:
        for item in element.findall("{*}list-item"):
            self.draft.item("- " + words(item), Location(lines=_line(item)), _links(item))

    def _front(self, element: "_Element", level: int) -> None:
        self.draft.heading(self.draft.title, level)
        for abstract in element.iter("{*}abstract"):
            if abstract.find("{*}title") is None:
                self.draft.heading("Abstract", level + 1)
            self._children(abstract, level + 1)
        words_ = [words(keyword) for keyword in element.iter("{*}kwd")]
        self.draft.paragraph("Keywords: " + ", ".join(words_) if words_ else "")


def _attributes(element: "_Element") -> str:
    pairs = Counter({str(key).rsplit("}", 1)[-1]: str(value) for key, value in element.attrib.items()})
    return f"{tag_of(element)}: " + ", ".join(f"{k} {v}" for k, v in pairs.items()) if pairs else ""


def _links(element: "_Element") -> list[str]:
    targets = [child.get(_HREF) or child.get("href") or child.get("url") for child in element.iter()]
    return [str(target) for target in targets if target]
