"""XML: articles, feeds and records, read without entities, DTDs or network."""

from collections.abc import Callable
from dataclasses import dataclass
from html.entities import html5
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain import Location, Parsed
from core.errors import DamagedFile
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.trees.recovered_xml import recovered
from core.ingest.parsers.trees.safe_xml import parse_xml
from core.ingest.parsers.trees.st32 import is_patent, name_parts, title_of
from core.ingest.parsers.trees.xmlfields import attributes, field_text, is_field, label
from core.ingest.parsers.trees.xmlkeys import with_named_fields
from core.ingest.parsers.trees.xmlkinds import (
    about_article,
    is_data,
    is_of_article,
    read_feed,
    worded_attributes,
)
from core.ingest.parsers.trees.xmlrecords import UntabledElement, above, is_one_of_many, records
from core.ingest.parsers.trees.xmlwords import (
    DROPPED,
    INLINE,
    PARAGRAPHS,
    is_named,
    line_of,
    links_of,
    spoken,
    tag_of,
    under,
    words,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADS = frozenset({"title", "heading", "head", "article-title", "subtitle"})
_MAX_DEPTH = 60


@dataclass(frozen=True)
class XmlParser:
    """Reads .xml. Entities are never expanded; what is not well-formed is read as far as it goes."""

    media_types: tuple[str, ...] = ("application/xml",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        root = _root(draft, path.read_bytes())
        _without_entities(draft, root)
        kind = tag_of(root)
        if kind in ("rss", "feed", "RDF"):
            read_feed(draft, root)
        else:
            about_article(draft, root)
            if is_patent(root):
                draft.title = title_of(root)
                name_parts(root)
            if data := is_data(root):
                with_named_fields(root)
            _XmlConverter(draft, data=data, worded=worded_attributes(root)).visit(root, 1)
        return draft.parsed()


def _root(draft: Draft, data: bytes) -> "_Element":
    from lxml import etree

    try:
        return parse_xml(data, bare=True)
    except etree.XMLSyntaxError as error:
        first = error
    repaired = recovered(data, bare=True)
    if repaired is None or not _has_content(repaired):
        raise DamagedFile(f"{draft.name} is not well-formed XML, and nothing in it can be read ({first}).")
    draft.skipped.append(f"The XML is not well-formed ({first}); what could be read was kept.")
    return repaired


def _has_content(root: "_Element") -> bool:
    """Say whether there is a word or an attribute in the tree."""
    return any(
        element.attrib or (element.text or "").strip() or (element.tail or "").strip()
        for element in root.iter()
        if isinstance(element.tag, str)
    )


def _without_entities(draft: Draft, root: "_Element") -> None:
    """Say which entities the text refers to: what a file itself declares is never resolved.

    Names of characters that HTML knows ("&ldquo;") are these characters.
    """
    from lxml import etree

    found: dict[str, None] = {}
    for entity in list(root.iter(etree.Entity)):
        name = str(entity.text)
        character = html5.get(name.lstrip("&"))
        if character is None or entity.getparent() is None:
            found[name] = None
            continue
        entity.tail = character + (entity.tail or "")
    if found:
        listed = ", ".join(list(found)[:3]) + (" and more" if len(found) > 3 else "")
        draft.skipped.append(f"What stands for {listed} was left out: entities of a file are not resolved.")


class _XmlConverter:
    """Turns any tree into headings, paragraphs and tables by its shape, with names known from articles."""

    def __init__(self, draft: Draft, *, data: bool, worded: frozenset[str]) -> None:
        self.draft = draft
        self.data = data
        self.worded = worded
        if data and not draft.title:
            draft.title = Path(draft.name).stem  # a record's heading is not the name of all of them
        self.special: dict[str, Callable[[_Element, int], None]] = {
            "table-wrap": self._wrapped,
            "tables": self._wrapped,
            "table": self._table,
            "fig": self._figure,
            "ref-list": self._references,
            "list": self._list,
            "disp-formula": lambda e, _: self._add("formula", e),
            "supplementary-material": self._supplement,
            "front": self._front,
            "front-stub": self._stub,
        }

    def visit(self, element: "_Element", level: int) -> None:
        name = tag_of(element)
        if not name or (name in DROPPED and not self.data):
            return
        if self._is_special(element):
            self.special[name](element, level)
        elif name in _HEADS and len(words(element)) < 300:
            self.draft.heading(words(element), level, Location(lines=line_of(element)), links_of(element))
        elif self._is_text(element) or level > _MAX_DEPTH:
            self._prose(element)
        elif self._may_hold_records(element) and (
            found := records(element, above(element) if self.data else {})
        ):
            own, *others = found.rest
            self._rest(own, element, level)
            for table in found.tables:
                place = Location(lines=line_of(element))
                self.draft.rows(table.name, table.rows, caption=table.caption, location=place, header=1)
            for rest in others:
                self._rest(rest, element, level)
        else:
            self._attributes_of(element, level)
            self._children(element, level)

    def _is_special(self, element: "_Element") -> bool:
        """Say whether an element is what articles call so: others give such names to other things."""
        return tag_of(element) in self.special and is_of_article(element)

    def _may_hold_records(self, element: "_Element") -> bool:
        """Sections, notes and quotes of a text look like records to who does not know a paragraph."""
        return self.data or not any(
            tag_of(each).lower() in PARAGRAPHS or self._is_special(each) for each in element.iter()
        )

    def _attributes_of(self, element: "_Element", level: int) -> None:
        """Tell in data what an element says of itself, under its name where it is one of several."""
        self._rest(UntabledElement(element, attributes(element), []), element, level)

    def _rest(self, rest: UntabledElement, top: "_Element", level: int) -> None:
        """Write what no table took of an element, in data with its values and under its name."""
        fields = {key: text for key, text in rest.fields.items() if self.data or key in self.worded}
        left = [child for child in rest.children if not is_field(child, fields)]
        place = Location(lines=line_of(rest.element))
        named = self.data and bool(fields or left) and (rest.element is not top or is_one_of_many(top))
        if named:
            self.draft.heading(label(rest.element, fields, rest.naming), level, place)
        self.draft.paragraph("\n".join(f"{_spoken(key)}: {value}" for key, value in fields.items()), place)
        for child in left:
            self.visit(child, level + named)

    def _children(self, element: "_Element", level: int) -> None:
        inner = level + 1 if any(tag_of(child) in _HEADS for child in element) else level
        fields: list[str] = []
        for child in element:
            if self._is_field(child):
                fields.append(f"{_spoken(tag_of(child))}: {field_text(child) if self.data else words(child)}")
                continue
            self.draft.paragraph("\n".join(fields), Location(lines=line_of(element)))
            fields = []
            self.visit(child, inner if tag_of(child) not in _HEADS else level)
        self.draft.paragraph("\n".join(fields), Location(lines=line_of(element)))

    def _is_field(self, element: "_Element") -> bool:
        """A leaf with a short value, under a name that is not known as prose."""
        name = tag_of(element)
        known = (
            name in _HEADS
            or self._is_special(element)
            or name in ("p", "para", "paragraph", "text", "abstract")
        )
        return not known and len(element) == 0 and 0 < len((element.text or "").strip()) < 200

    def _is_text(self, element: "_Element") -> bool:
        if tag_of(element).lower() in PARAGRAPHS or len(element) == 0:
            return not any(map(self._is_special, element))
        mixed = bool((element.text or "").strip()) or any((c.tail or "").strip() for c in element)
        return mixed and all(tag_of(c) in INLINE or len(c) == 0 for c in element)

    def _prose(self, element: "_Element") -> None:
        text = words(element)
        attribute_text = _attributes(element)
        if attribute_text and (not text or self.data):
            text = f"{attribute_text}\n{text}"
        elif self.data and text and (is_named(element) or self._is_field(element)):
            text = f"{_spoken(tag_of(element))}: {text}"
        self.draft.paragraph(text, Location(lines=line_of(element)), links_of(element))

    def _add(self, kind: str, element: "_Element") -> None:
        self.draft.add(
            "formula" if kind == "formula" else "figure", words(element), Location(lines=line_of(element))
        )

    def _wrapped(self, element: "_Element", level: int) -> None:
        from core.ingest.parsers.trees.xmltables import grid

        label = " ".join(filter(None, [under(element, "label"), under(element, "caption")]))
        place = Location(lines=line_of(element))
        self.draft.add("caption", label, place)
        for table in element.iter("{*}table"):
            found = grid(table)
            name = label[:80] or f"Table {len(self.draft.tables) + 1}"
            self.draft.rows(name, found.rows, caption=label, location=place, header=found.header)
        for note in element.findall("{*}table-wrap-foot"):
            self.draft.add("footnote", words(note), place)

    def _table(self, element: "_Element", level: int) -> None:
        from core.ingest.parsers.trees.xmltables import grid

        found = grid(element)
        if found.rows:
            place = Location(lines=line_of(element))
            self.draft.rows(
                f"Table {len(self.draft.tables) + 1}",
                found.rows,
                caption=found.title,
                location=place,
                header=found.header,
            )
        else:
            self._children(element, level)

    def _figure(self, element: "_Element", level: int) -> None:
        text = " ".join(filter(None, [under(element, "label"), under(element, "caption")]))
        self.draft.add("figure", text, Location(lines=line_of(element)))

    def _supplement(self, element: "_Element", level: int) -> None:
        text = " ".join(filter(None, [under(element, "label"), under(element, "caption")]))
        self.draft.paragraph(text or words(element), Location(lines=line_of(element)), links_of(element))

    def _references(self, element: "_Element", level: int) -> None:
        self.draft.heading(under(element, "title") or "References", level)
        for reference in element.iter("{*}ref"):
            self.draft.item(words(reference), Location(lines=line_of(reference)), links_of(reference))

    def _list(self, element: "_Element", level: int) -> None:
        for child in element:
            if tag_of(child) == "list-item":
                self.draft.item("- " + words(child), Location(lines=line_of(child)), links_of(child))
            else:
                self.visit(child, level)

    def _front(self, element: "_Element", level: int) -> None:
        self.draft.heading(self.draft.title, level)
        for abstract in element.iter("{*}abstract"):
            if abstract.find("{*}title") is None:
                self.draft.heading("Abstract", level + 1)
            self._children(abstract, level + 1)
        words_ = [words(keyword) for keyword in element.iter("{*}kwd")]
        self.draft.paragraph("Keywords: " + ", ".join(words_) if words_ else "")

    def _stub(self, element: "_Element", level: int) -> None:
        """Read the front of an article within one: its title stands before the rest."""
        title = element.find("{*}title-group")
        if title is not None:
            self._children(title, level)
            element.remove(title)
        self._children(element, level)


def _attributes(element: "_Element") -> str:
    pairs = ", ".join(f"{spoken(key)} {value}" for key, value in attributes(element).items())
    return f"{spoken(tag_of(element))}: {pairs}" if pairs else ""


def _spoken(name: str) -> str:
    return spoken(name).replace("_", " ").replace("-", " ")
