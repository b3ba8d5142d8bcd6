"""Suggests questions the library can answer, of different kinds and about different documents."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from core.domain import Document, Table
from core.knowledge.base import KnowledgeBase

_ORDINAL = re.compile(r"^[\d.()\s、一二三四五六七八九十]+(?=\D)")
_CODE = re.compile(r"[A-Z]{1,6}-\d{2,6}[A-Z]?")
_EMPTY = {"summary", "purpose", "introduction", "overview", "scope", "general", "contents", "records"}
_EMPTY |= {"目的", "摘要", "概述", "范围"}
_MAX_QUESTION_LETTERS = 120  # letters of a question that is still read at a glance

Alike = Callable[[str, Sequence[str]], Sequence[int]]  # the places of those that may ask for the same


@dataclass(frozen=True)
class Suggester:
    """Takes atomic questions where a model wrote some, else asks about codes, series and sections."""

    knowledge: KnowledgeBase
    alike: Alike | None = None

    def verified(self, question: str, n: int) -> list[str]:
        """Return up to n questions whose answers were verified and that may ask for the same."""
        if self.alike is None:
            return []
        held = [answer.question for answer in self.knowledge.learned.verified.list()]
        return [held[at] for at in self.alike(question, held) if held[at] != question][:n]

    def about(self, documents: Sequence[str], n: int) -> list[str]:
        """Return up to n questions about these documents, a kind after the other, none twice."""
        known = {document.id: document for document in self.knowledge.documents()}
        held = [known[each] for each in documents if each in known]
        kinds = (self._coded, self._section, self._asked, self._ahead, self._whole)
        made = [question for kind in kinds for document in held if (question := kind(document))]
        return list(dict.fromkeys(made))[:n]

    def suggest(self, n: int) -> list[str]:
        """Return up to n questions, the kinds in turn, each about another document and in its language."""
        kinds: list[Callable[[Document], str]] = [
            self._asked, self._coded, self._ahead, self._section, self._whole,
        ]  # fmt: skip
        documents = sorted(self.knowledge.documents(), key=lambda document: document.title)
        found: list[str] = []
        while documents and len(found) < n and kinds:
            for kind in list(kinds):
                question, about = next(islice(_first(kind, documents), 1), ("", None))
                if about is None:
                    kinds.remove(kind)
                elif len(found) < n:
                    found.append(question)
                    documents = [document for document in documents if document.id != about.id]
        return found

    def _asked(self, document: Document) -> str:
        """Return a question that was made for one of the document's passages."""
        chunks = self.knowledge.chunks(document_id=document.id)[:40]
        atoms = self.knowledge.atoms([chunk.id for chunk in chunks])
        asked = (atom.text for atom in atoms if atom.kind == "question")
        return next((text for text in asked if 20 <= len(text) <= _MAX_QUESTION_LETTERS), "")

    def _coded(self, document: Document) -> str:
        """Ask for the meaning of a code that a short table explains."""
        for table in self.knowledge.tables(document_id=document.id):
            key = table.columns[0].name
            if table.row_count <= 60 and len(table.columns) > 1 and table.columns[0].type == "text":
                values = [str(value) for value in self.knowledge.samples(table, key, 60)]
                codes = [value for value in values if _CODE.fullmatch(value)]
                if len(codes) == len(values) == table.row_count:
                    code = codes[len(codes) // 2]
                    return f"{code} 是什么意思？" if document.language == "zh" else f"What does {code} mean?"
        return ""

    def _ahead(self, document: Document) -> str:
        """Ask how a measure goes on that a table follows through time."""
        for table in self.knowledge.tables(document_id=document.id):
            measures = [c.name for c in table.columns if c.type == "real" and c.unit]
            if table.row_count < 24 or not measures or not _timed(table):
                continue
            named = self._named(table)
            if document.language == "zh":
                return f"未来六个月{named}的{measures[0]}会如何变化？"
            of = f" of {named}" if named else ""
            return f"How will the {measures[0].lower()}{of} develop in the next six months?"
        return ""

    def _named(self, table: Table) -> str:
        """Return a value of a text column that repeats: a product, a tool, a site."""
        for column in table.columns:
            if column.type == "text":
                values = self.knowledge.samples(table, column.name, 20)
                if 1 < len(values) < 12:
                    return str(values[0])
        return ""

    def _section(self, document: Document) -> str:
        """Ask what the document says under one of its headings."""
        for section in self.knowledge.sections(document.id):
            name = _ORDINAL.sub("", section.path[-1]).strip() if section.path else ""
            if section.level < 2 or name.lower() in _EMPTY or not 3 <= len(name) <= 60:
                continue
            if document.language == "zh":
                return f"《{document.title}》关于“{name}”说了什么？"
            question = f"What does {document.title} say about “{name}”?"
            if len(name) >= 6 and len(question) <= _MAX_QUESTION_LETTERS:
                return question
        return ""

    def _whole(self, document: Document) -> str:
        """Ask what the document is about."""
        question = f"What is {document.title} about?"
        if document.language == "zh":
            question = f"《{document.title}》讲什么？"
        return question if len(question) <= _MAX_QUESTION_LETTERS else ""


def _first(kind: Callable[[Document], str], documents: list[Document]) -> Iterator[tuple[str, Document]]:
    for document in documents:
        question = kind(document)
        if question:
            yield question, document


def _timed(table: Table) -> bool:
    return any(column.type in {"date", "datetime"} for column in table.columns)
