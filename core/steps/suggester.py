"""Suggests questions the library can answer."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.domain import Document
from core.knowledge.base import KnowledgeBase
from core.language import detect_language

_ORDINAL = re.compile(r"^[\d.()\s、一二三四五六七八九十]+")


@dataclass(frozen=True)
class Suggester:
    """Takes atomic questions where a model wrote some, else asks about a section or a table."""

    knowledge: KnowledgeBase

    def suggest(self, n: int) -> list[str]:
        """Return up to n questions, each about another document, in the document's language."""
        found: dict[str, None] = {}
        documents = self.knowledge.documents()
        for about in (self._asked, self._of_a_section, self._of_a_table):
            for document in documents:
                question = about(document)
                if question and len(found) < n:
                    found.setdefault(question)
                    documents = [other for other in documents if other.id != document.id]
        return list(found)

    def _asked(self, document: Document) -> str:
        """Return a question that was made for one of the document's passages."""
        chunks = self.knowledge.chunks(document_id=document.id)[:40]
        atoms = self.knowledge.atoms([chunk.id for chunk in chunks])
        asked = (atom.text for atom in atoms if atom.kind == "question")
        return next((text for text in asked if 20 <= len(text) <= 120), "")

    def _of_a_table(self, document: Document) -> str:
        for table in self.knowledge.tables(document_id=document.id):
            measures = [c.name for c in table.columns if c.type in ("integer", "real")]
            if measures and table.row_count > 1:
                return _of_table(measures[-1], document.title, detect_language(document.title))
        return ""

    def _of_a_section(self, document: Document) -> str:
        return _of_section(self._headings(document), document)

    def _headings(self, document: Document) -> list[str]:
        sections = self.knowledge.sections(document.id)
        return [section.path[-1] for section in sections if section.level > 1 and section.path]


def _of_table(measure: str, table: str, language: str) -> str:
    if language == "zh":
        return f"{table}中{measure}的最大值是多少？"
    return f"What is the highest {measure} in {table}?"


def _of_section(headings: Iterable[str], document: Document) -> str:
    names = [_ORDINAL.sub("", heading).strip() for heading in headings]
    names = [name for name in names if 6 <= len(name) <= 60 or (document.language == "zh" and len(name) > 2)]
    if not names:
        return ""
    if document.language == "zh":
        return f"《{document.title}》中关于“{names[0]}”说了什么？"
    return f"What does {document.title} say about {names[0][0].lower() + names[0][1:]}?"
