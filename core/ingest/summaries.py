"""Summaries: of chunks in reading order (PIKE-RAG, arXiv 2501.11551, 5.2.1), of sections and documents each
from the level below (RAPTOR, arXiv 2401.18059)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.domain import Chunk, Document, Section
from core.ports import LLM, Listener
from core.tasks import Call, Summarise, Summary

_GROUP = 6000  # characters summarised at once
_LEAST = 3  # chunks below a section that is worth a summary
_MOST_READ = 60  # sections the summary of a long collection reads, evenly spaced
_SHORT = 40  # tokens; a shorter chunk is its own summary
_RECORDS = ("application/json", "application/x-ndjson")  # one section a record


@dataclass
class Summariser:
    """Summarises bottom up; every call knows the summary of what came before (PIKE-RAG 5.2.1)."""

    llm: LLM
    listener: Listener | None = None
    calls: list[Call] = field(default_factory=list)

    def summarise(
        self, document: Document, sections: Sequence[Section], chunks: Sequence[Chunk]
    ) -> tuple[dict[str, str], str]:
        """Return section id -> summary for sections of some length, and the document's summary."""
        tree = _Tree(sections, chunks)
        summaries: dict[str, str] = {}
        said = [self._section(section, tree, summaries, document.language)[0] for section in tree.below(None)]
        top = [text for text in said if text]
        step = max(1, len(top) // _MOST_READ)
        summary = self._condense(document.title, top[::step][:_MOST_READ], document.language) if top else ""
        return summaries, summary or document.title

    def forward(
        self, document: Document, sections: Sequence[Section], chunks: Sequence[Chunk]
    ) -> Iterator[tuple[str, str]]:
        """Yield chunk ids with summaries, each made knowing the one before it in reading order: the forward
        summary of PIKE-RAG 5.2.1. Raises LLMError, Stopped.

        Chunks that are short or hold a table, code, a figure or a recording get none and pass on what came
        before. In a collection of independent passages nothing passes from one to the next, and a passage of
        one chunk gets none.
        """
        passages = _passages(document, sections, chunks)
        held = Counter(passages)
        before, last = "", ""
        for chunk, passage in zip(chunks, passages, strict=True):
            if passage != last:
                before, last = "", passage
            if held[passage] == 1 or chunk.kind != "text" or chunk.tokens < _SHORT:
                continue
            if self.listener is not None:
                self.listener.check()
            title = chunk.heading_path[-1] if chunk.heading_path else document.title
            if summary := self._ask(title, chunk.text, before, chunk.language):
                yield chunk.id, summary
                before = summary

    def _section(
        self, section: Section, tree: "_Tree", summaries: dict[str, str], language: str
    ) -> tuple[str, int]:
        """Return what a section says, summed up where it is long, and the number of chunks below it."""
        parts = list(tree.texts(section))
        size = len(parts)
        for child in tree.below(section.id):
            text, chunks = self._section(child, tree, summaries, language)
            parts.append(text)
            size += chunks
        parts = [part for part in parts if part]
        if size < _LEAST or not parts:
            return "\n".join(parts), size
        summaries[section.id] = self._condense(section.path[-1], parts, language)
        return summaries[section.id], size

    def _condense(self, title: str, parts: Sequence[str], language: str) -> str:
        """Summarise parts in groups, then the summaries, until one is left."""
        groups: list[list[str]] = [[]]
        length = 0
        for part in parts:
            if groups[-1] and length + len(part) > _GROUP:
                groups.append([])
                length = 0
            groups[-1].append(part[:_GROUP])
            length += len(part)
        level: list[str] = []
        for group in groups:
            level.append(self._ask(title, "\n".join(group), level[-1] if level else "", language))
        if len(level) == 1:
            return level[0]
        return self._condense(title, [part[: _GROUP // 4] for part in level], language)

    def _ask(self, title: str, text: str, before: str, language: str) -> str:
        task = Summarise(title=title, before=before, text=text, language=language)
        reply = self.llm.run(task, Summary, self.listener)
        if reply.call:
            self.calls.append(reply.call)
        return reply.summary.strip()


def _passages(document: Document, sections: Sequence[Section], chunks: Sequence[Chunk]) -> list[str]:
    """Return for each chunk the id of the text it reads on in: the document, or, where that is a collection
    of records or of very many things, its top section."""
    tops: dict[str, str] = {}
    for section in sections:  # those above come first
        tops[section.id] = tops.get(section.parent_id or "", section.id)
    if document.media_type in _RECORDS or len(set(tops.values())) > _MOST_READ:
        return [tops[chunk.section_id] for chunk in chunks]
    return [document.id] * len(chunks)


class _Tree:
    """The sections of a document by parent, and the texts of their own chunks, both in order."""

    def __init__(self, sections: Sequence[Section], chunks: Sequence[Chunk]) -> None:
        self._below: dict[str | None, list[Section]] = {}
        self._texts: dict[str, list[str]] = {}
        for section in sections:
            self._below.setdefault(section.parent_id, []).append(section)
        for chunk in chunks:
            text = chunk.text
            if chunk.kind == "table":  # its card says what it holds; rows do not sum up
                text = text.partition("\n")[0] if text.startswith("Table ") else ""
            self._texts.setdefault(chunk.section_id, []).append(text)

    def below(self, parent: str | None) -> Sequence[Section]:
        return self._below.get(parent, ())

    def texts(self, section: Section) -> Sequence[str]:
        return self._texts.get(section.id, ())
