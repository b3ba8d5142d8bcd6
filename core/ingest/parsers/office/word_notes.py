"""Footnotes, endnotes and comments of a Word document."""

from typing import Any

from core.ingest.parsers.office import ooxml
from core.ingest.parsers.office.ooxml import W
from core.ingest.parsers.trees.safe_xml import parse_xml


def notes_of(relation: Any) -> dict[str, str]:
    """Return the notes or comments a part holds by the mark that stands for them in the text."""
    kind = relation.reltype.rsplit("/", 1)[-1]
    if kind not in ("footnotes", "endnotes", "comments"):
        return {}
    found: dict[str, str] = {}
    for note in parse_xml(relation.target_part.blob):
        if note.get(W + "type") in ("separator", "continuationSeparator", "continuationNotice"):
            continue
        text = " ".join(filter(None, (ooxml.words(p) for p in note.iter(W + "p"))))
        number, author = note.get(W + "id"), note.get(W + "author")
        if kind == "comments":
            key, lead = f"comment {number}", f"Comment by {author}: " if author else "Comment: "
        else:
            key = f"^{'e' if kind == 'endnotes' else ''}{number}"
            lead = f"[{key}] "
        found[key] = lead + text if text else ""
    return found
