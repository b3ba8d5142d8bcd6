"""What is known of an XML file by its kind: the entries of a feed, the head of an article."""

import re
from typing import TYPE_CHECKING

from core.domain import Location
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.html import read_html
from core.ingest.parsers.xmlwords import line_of, under, words

if TYPE_CHECKING:
    from lxml.etree import _Element

_HTML = re.compile(r"<(p|br|a|div|img|b|i|h\d|ul)\b", re.I)


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
        draft.heading(under(entry, "title") or link or "Entry", 1, Location(lines=line_of(entry)), [link])
        about = [under(entry, key) for key in ("pubDate", "published", "updated", "creator")]
        draft.paragraph(" · ".join(filter(None, about)), Location(lines=line_of(entry)))
        full = _raw(entry, "encoded") or _raw(entry, "content")
        for text in (full or _raw(entry, "description") or _raw(entry, "summary"),):
            if _HTML.search(text):
                read_html(draft, text, Location(lines=line_of(entry)))
            else:
                draft.paragraph(text, Location(lines=line_of(entry)))


def _raw(element: "_Element", tag: str) -> str:
    found = element.find(f"{{*}}{tag}")
    return "".join(map(str, found.itertext())).strip() if found is not None else ""


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
        for n in meta.findall(".//{*}contrib//{*}name")
    ]
    draft.metadata["author"] = ", ".join(dict.fromkeys(filter(None, people)))
    for identifier in meta.findall("{*}article-id"):
        draft.metadata[str(identifier.get("pub-id-type") or "id")] = words(identifier)
    year = under(meta, "pub-date", "year")
    draft.date = "-".join(
        filter(None, [year, under(meta, "pub-date", "month").zfill(2) if year else ""])
    ).rstrip("-0")
