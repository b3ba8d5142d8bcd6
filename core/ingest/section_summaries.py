"""Summaries of sections and of the document, each from the level below (RAPTOR, arXiv 2401.18059).

They are the most central sentences of the level below, chosen by counting words: no model is asked. Where a
document consists of tables, their titles and columns are summed up; labels inside a figure are no sentences.
"""

import re
from collections.abc import Mapping, Sequence

from core.domain import Chunk, Document, Section
from core.text.central_sentences import central_sentences
from core.text.tokens import is_cjk

_GROUP_CHARACTERS = 6000  # characters summed up at once
_MIN_CHUNKS = 3  # chunks below a section that is worth a summary
_MOST_READ = 60  # sections the summary of a long collection reads, evenly spaced
_CARD = re.compile(r"(?P<called>.+?)\. (?P<rows>[\d,]+) rows?\. Columns: (?P<columns>.+)\.")
_NO_NAME = re.compile(r"(?:Table|Slide|Form fields|pages?|to|[\s,\d])*")
_DECLARED = "Columns: "  # how the parser of dumps begins what the table's card says, too
_TYPE = re.compile(r" \((?:text|integer|real|date|time|datetime|boolean)\)")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_MIN_CAPTION_WORDS = 3  # words of a line on a figure that says something
_RECORDS = ("application/json", "application/x-ndjson")  # one section a record


def passages_of(document: Document, sections: Sequence[Section], chunks: Sequence[Chunk]) -> list[str]:
    """Return for each chunk the id of the text it reads on in: the document, or, where that is a collection
    of records or of very many things, its top section."""
    tops: dict[str, str] = {}
    for section in sections:  # those above come first
        tops[section.id] = tops.get(section.parent_id or "", section.id)
    if document.media_type in _RECORDS or len(set(tops.values())) > _MOST_READ:
        return [tops[chunk.section_id] for chunk in chunks]
    return [document.id] * len(chunks)


def section_summaries(
    document: Document, sections: Sequence[Section], chunks: Sequence[Chunk], summaries: Mapping[str, str]
) -> tuple[dict[str, str], str]:
    """Return section id -> summary for sections of some length, and the document's summary.

    `summaries` are those of chunks, by id; a chunk without one is read itself.
    """
    tree = _Tree(sections, chunks, summaries)
    found: dict[str, str] = {}
    top = [text for section in tree.below(None) if (text := _section(section, tree, found)[0])]
    step = max(1, len(top) // _MOST_READ)
    summary = _condense(document.title, top[::step][:_MOST_READ]) if top else ""
    return found, summary or document.title


def _section(section: Section, tree: "_Tree", found: dict[str, str]) -> tuple[str, int]:
    """Return what a section says, summed up where it is long, and the number of chunks below it."""
    parts = list(tree.texts(section))
    size = len(parts)
    for child in tree.below(section.id):
        text, chunks = _section(child, tree, found)
        parts.append(text)
        size += chunks
    parts = [part for part in parts if part]
    if size < _MIN_CHUNKS or not parts:
        return "\n".join(parts), size
    found[section.id] = _condense(section.path[-1], parts)
    return found[section.id], size


def _condense(title: str, parts: Sequence[str]) -> str:
    """Sum up parts in groups, then the summaries, until one is left."""
    groups: list[list[str]] = [[]]
    length = 0
    for part in parts:
        if groups[-1] and length + len(part) > _GROUP_CHARACTERS:
            groups.append([])
            length = 0
        groups[-1].append(part[:_GROUP_CHARACTERS])
        length += len(part)
    level: list[str] = []
    for group in groups:
        level.append(central_sentences("\n".join(group), title, level[-1] if level else ""))
    if len(level) == 1:
        return level[0]
    return _condense(title, [part[: _GROUP_CHARACTERS // 4] for part in level])


class _Tree:
    """The sections of a document by parent, and what their own chunks say, both in order."""

    def __init__(
        self, sections: Sequence[Section], chunks: Sequence[Chunk], summaries: Mapping[str, str]
    ) -> None:
        self._below: dict[str | None, list[Section]] = {}
        self._texts: dict[str, list[str]] = {}
        for section in sections:
            self._below.setdefault(section.parent_id, []).append(section)
        tables = sum(chunk.kind == "table" for chunk in chunks)
        for chunk in chunks:
            text = summaries.get(chunk.id, chunk.text)
            if chunk.kind == "table":
                text = _card(chunk.text) if 2 * tables >= len(chunks) else ""
            elif chunk.kind == "figure":
                text = "\n".join(
                    line
                    for line in text.split("\n")
                    if len(_WORDS.findall(line)) >= _MIN_CAPTION_WORDS or is_cjk(line)
                )
            elif chunk.kind == "code" or text.startswith(_DECLARED):
                text = ""
            self._texts.setdefault(chunk.section_id, []).append(text)

    def below(self, parent: str | None) -> Sequence[Section]:
        return self._below.get(parent, ())

    def texts(self, section: Section) -> Sequence[str]:
        return self._texts.get(section.id, ())


def _card(text: str) -> str:
    """Return what a table holds as a sentence, from the card its first chunk begins with."""
    card = _CARD.match(text)
    if card is None or ": continues " in card["called"]:
        return ""
    columns = _TYPE.sub("", card["columns"])
    named = not _NO_NAME.fullmatch(card["called"])
    return f"{card['called'].removeprefix('Table ')}: {columns}." if named else f"{columns}."
