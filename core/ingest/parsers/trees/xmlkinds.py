"""XML vocabularies that are known: the entries of a feed (RSS, Atom), the head of an article (JATS)."""

import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING

from core.domain import Location
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.markup.html import read_html
from core.ingest.parsers.trees.xmlfields import attributes
from core.ingest.parsers.trees.xmlwords import line_of, tag_of, under, words
from core.text.tokens import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

_HTML = re.compile(r"<(p|br|a|div|img|b|i|em|strong|h\d|ul|ol|table|span)\b", re.I)
_TEXTS = ("encoded", "content", "description", "summary")  # the fullest first

_HELD = {
    "table-wrap": (".//{*}table",),
    "tables": (".//{*}table",),
    "table": (".//{*}tr", ".//{*}row"),
    "fig": ("{*}label", "{*}caption"),
    "ref-list": (".//{*}ref",),
    "list": ("{*}list-item",),
    "front": (".//{*}article-meta", ".//{*}abstract"),
}  # what is in these elements of an article
_PROSE = word_set("p para paragraph ptext claim-text section sec tr tgroup tbody fig xref")
_PHRASE = re.compile(r"[^\W\d_]{2,}\W*\s\W*[^\W\d_]{2,}")
_MIN_PHRASES = 0.3  # of an attribute's values; topics are often a word
_MIN_DISTINCT = 0.5


def is_data(root: "_Element") -> bool:
    """Say whether the XML holds records, with their values in attributes, and not a marked-up text."""
    tags = Counter(tag_of(element).lower() for element in root.iter())
    return sum(tags[tag] for tag in _PROSE) <= 0.05 * tags.total()


def worded_attributes(root: "_Element") -> frozenset[str]:
    """Return the attributes that hold text: phrases, mostly different from each other."""
    values: dict[str, list[str]] = {}
    for element in root.iter():
        if isinstance(element.tag, str):
            for key, value in attributes(element).items():
                values.setdefault(key, []).append(value)
    return frozenset(
        key
        for key, texts in values.items()
        if sum(_PHRASE.search(value) is not None for value in texts) >= _MIN_PHRASES * len(texts)
        and len({*texts}) >= max(_MIN_DISTINCT * len(texts), 2)
    )


def read_feed(draft: Draft, root: "_Element") -> None:
    """Read RSS and Atom: an entry becomes a section with its date, author and link."""
    channel = root if root.find("{*}channel") is None else root.find("{*}channel")
    assert channel is not None
    draft.title = under(channel, "title")
    draft.paragraph(under(channel, "description") or under(channel, "subtitle"))
    for entry in root.iter("{*}item", "{*}entry"):
        link = under(entry, "link") or next(
            (str(a.get("href")) for a in entry.findall("{*}link") if a.get("href")), ""
        )
        title = _plain(under(entry, "title")) or link or "Entry"
        draft.heading(title, 1, Location(lines=line_of(entry)), [link])
        place = Location(lines=line_of(entry))
        draft.paragraph("\n".join(f"{label}: {value}" for label, value in _about(entry) if value), place)
        text = next(filter(None, (_raw(entry, tag) for tag in _TEXTS)), "")
        if _HTML.search(text):
            read_html(draft, text, place, below=1)
        else:
            draft.paragraph(text, place)


def _plain(text: str) -> str:
    """Return a title without marks: some feeds write them into it."""
    return re.sub(r"<[^<>]+>", "", unescape(text)) if "<" in text or "&" in text else text


def _about(entry: "_Element") -> list[tuple[str, str]]:
    """Return what a feed says of an entry: when, by whom, under which words."""
    authors = [words(each.find("{*}name") if len(each) else each) for each in entry.findall("{*}author")]
    kinds = [str(each.get("term") or words(each)) for each in entry.findall("{*}category")]
    return [
        ("Published", under(entry, "pubDate") or under(entry, "published") or under(entry, "date")),
        ("Updated", under(entry, "updated")),
        ("Author", ", ".join(filter(None, [under(entry, "creator"), *authors]))),
        ("Categories", ", ".join(filter(None, dict.fromkeys(kinds)))),
    ]


def _raw(element: "_Element", tag: str) -> str:
    """Return the text of an element, with the marks of a page where it holds one."""
    from lxml import etree

    found = element.find(f"{{*}}{tag}")
    if found is None:
        return ""
    if len(found):
        return "".join(etree.tostring(child, encoding="unicode", method="html") for child in found)
    return (found.text or "").strip()


def about_article(draft: Draft, root: "_Element") -> None:
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
        f"{under(n, 'given-names')} {under(n, 'surname')}".strip()
        for contributor in meta.findall(".//{*}contrib")
        if contributor.get("contrib-type", "author") == "author"
        for n in contributor.findall(".//{*}name")
    ]
    draft.metadata["author"] = "; ".join(dict.fromkeys(filter(None, people)))
    for identifier in meta.findall("{*}article-id"):
        draft.metadata[str(identifier.get("pub-id-type") or "id")] = words(identifier)
    year = under(meta, "pub-date", "year")
    draft.date = "-".join(
        filter(None, [year, under(meta, "pub-date", "month").zfill(2) if year else ""])
    ).rstrip("-0")


def is_of_article(element: "_Element") -> bool:
    """Say whether an element with the name of a part of an article holds what that part does."""
    paths = _HELD.get(tag_of(element))
    return paths is None or any(element.find(path) is not None for path in paths)
