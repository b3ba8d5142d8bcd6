"""Finds the rows that a question names by their label: "Chambers" among the properties of the PE-300."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.domain import Chunk, Passage, Scope
from core.i18n.messages import mark
from core.knowledge.base import KnowledgeBase
from core.text.tokens import content_words

BY_ROW = mark("names its row {label}")
POOL_CHUNKS = 60  # chunks whose words are most like the question's: what of them is a table is read
_BESIDE = re.compile(r"\s*[(（,，;；].*$")  # "Focus ring, silicon": the label is what stands before it


@dataclass(frozen=True)
class _LabelledRow:
    """A row of a table by its label, its words and the chunk it is in."""

    label: str
    words: frozenset[str]
    chunk: Chunk


@dataclass(frozen=True)
class NamedRows:
    """Looks the labels of table rows up in a question.

    A row is named where the question says its label, all of it. Of a label of one word it must say what the
    table is about too: its caption, heading or title. A label that several rows of a table carry names none
    of them: of a log of alarms the tool is no label.
    """

    knowledge: KnowledgeBase
    most: int = 3  # chunks that are returned

    def find(self, question: str, terms: str, scope: Scope) -> list[Passage]:
        """Return the chunks that hold such a row, those with the longest labels first.

        `terms` is the question with the library's words for it; a label may be said in these.
        """
        asked = frozenset(content_words(terms))
        hits = dict(self.knowledge.keyword(terms, POOL_CHUNKS, scope)) if asked else {}
        in_tables = self.knowledge.tables_among(list(hits))
        ids = [chunk for chunk in hits if chunk in in_tables and chunk not in scope.without]
        chunks = self.knowledge.chunks(ids=ids)
        titles = self.knowledge.titles({chunk.document_id for chunk in chunks})
        found: dict[tuple[str, frozenset[str]], list[_LabelledRow]] = {}
        for chunk in chunks:
            about = frozenset(content_words(f"{titles.get(chunk.document_id, '')} {_announced(chunk)}"))
            for label in _labels(chunk.text):
                label_words = _words_of(label)
                if (
                    label_words
                    and label_words <= asked
                    and (len(label_words) > 1 or not about.isdisjoint(asked - label_words))
                ):
                    table = chunk.table_id or chunk.id
                    found.setdefault((table, label_words), []).append(_LabelledRow(label, label_words, chunk))
        rows = [same[0] for same in found.values() if len(same) == 1]
        rows.sort(key=lambda row: -len(row.words))
        labels: dict[str, list[str]] = {}
        for row in rows:
            labels.setdefault(row.chunk.id, []).append(row.label)
        named = {row.chunk.id: row.chunk for row in rows}
        return [
            Passage(
                chunk=chunk,
                document_title=titles.get(chunk.document_id, ""),
                query=question,
                score=0.0,
                scores={"keyword": hits[chunk.id]},
                why=tuple(BY_ROW.format(label=label) for label in labels[chunk.id]),
            )
            for chunk in list(named.values())[: self.most]
        ]


def _announced(chunk: Chunk) -> str:
    """Return the text above a table: its headings and what its passage says before the rows."""
    return f"{' '.join(chunk.heading_path)} {chunk.text.partition(' | ')[0]}"


def _labels(text: str) -> Iterator[str]:
    """Yield what may be the labels of the rows: their first two cells that are no figures."""
    lines = [line.split(" | ") for line in text.split("\n") if " | " in line]
    for cells in lines[1:]:
        if len(cells) == len(lines[0]):
            worded = [cell.strip() for cell in cells if not cell.strip()[:1].isdigit()]
            yield from worded[:2]


@lru_cache(maxsize=20_000)
def _words_of(label: str) -> frozenset[str]:
    """Return the words of a label without what is added to it; none for a code, by which more is named."""
    label_words = frozenset(content_words(_BESIDE.sub("", label)))
    return label_words if any(word.isalpha() and len(word) > 1 for word in label_words) else frozenset()
