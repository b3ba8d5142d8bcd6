"""Suggests questions the library can answer, of different kinds and about different documents."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from core.domain import Column, Document, Table
from core.knowledge.base import KnowledgeBase
from core.text.brackets import CLOSING, bracket_pairs
from core.text.codes import is_serial_code

_ORDINAL = re.compile(r"^[\d.()\s、一二三四五六七八九十]+(?=\D)")
_AMOUNT = re.compile(r"[$€£¥]\s?\d|\d[.,]\d")  # a line of a bill, set like a heading
_OF_SECTION = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*[.)]?\s+(?=\D)|[一二三四五六七八九十]+、)")
_EMPTY = {"summary", "purpose", "introduction", "overview", "scope", "general", "contents", "records"}
_EMPTY |= {"abstract", "目的", "摘要", "概述", "范围"}
_MEANING = {"meaning", "meant", "description", "definition", "stands for", "含义", "说明", "描述", "定义"}
_MAX_QUESTION_LETTERS = 120  # letters of a question that is still read at a glance
MIN_TEXT_CHARACTERS = 200  # of a section or document that says something of what it is about
_LONG, _SHORT = timedelta(days=540), timedelta(days=60)  # of a series, to tell of the next months or weeks

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
        questions = [answer.question for answer in self.knowledge.learned.verified.list()]
        return [questions[at] for at in self.alike(question, questions) if questions[at] != question][:n]

    def about(self, documents: Sequence[str], n: int) -> list[str]:
        """Return up to n questions about these documents, a kind after the other, none twice."""
        known = {document.id: document for document in self.knowledge.documents()}
        present = [known[each] for each in documents if each in known]
        kinds = (self._coded, self._section, self._asked, self._forecast_question, self._whole)
        made = [question for kind in kinds for document in present if (question := kind(document))]
        return list(dict.fromkeys(made))[:n]

    def suggest(self, n: int) -> list[str]:
        """Return up to n questions, the kinds in turn, each about another document and in its language."""
        kinds: list[Callable[[Document], str]] = [
            self._asked, self._coded, self._forecast_question, self._section, self._whole,
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
        return next(
            (text for text in asked if 20 <= len(text) <= _MAX_QUESTION_LETTERS and _is_whole(text)), ""
        )

    def _coded(self, document: Document) -> str:
        """Ask about a code that a short table explains or lists."""
        for table in self.knowledge.tables(document_id=document.id):
            key = table.columns[0].name
            if table.row_count <= 60 and len(table.columns) > 1 and table.columns[0].type == "text":
                values = [str(value) for value in self.knowledge.samples(table, key, 60)]
                codes = [value for value in values if is_serial_code(value)]
                if len(codes) == len(values) == table.row_count:
                    return _of_code(codes[len(codes) // 2], table.columns[1:], document.language)
        return ""

    def _forecast_question(self, document: Document) -> str:
        """Ask how a measure continues that a table follows through time."""
        for table in self.knowledge.tables(document_id=document.id):
            measures = [_readable(c) for c in table.columns if c.type == "real" and c.unit]
            span = self._span(table) if table.row_count >= 24 and measures else timedelta()
            if span < _SHORT:
                continue
            named = self._named(table)
            if document.language == "zh":
                return f"未来{'六个月' if span >= _LONG else '两周'}{named}的{measures[0]}会如何变化？"
            of, ahead = f" of {named}" if named else "", "six months" if span >= _LONG else "two weeks"
            return f"How will the {measures[0]}{of} develop in the next {ahead}?"
        return ""

    def _span(self, table: Table) -> timedelta:
        """Return the time that a table covers."""
        key = next((c.name for c in table.columns if c.type in {"date", "datetime"}), None)
        days = self.knowledge.samples(table, key, table.row_count) if key is not None else []
        dated = [day for day in days if isinstance(day, date)]
        return max(dated) - min(dated) if len(dated) > 1 else timedelta()

    def _has_prose_or_table(self, document: Document, section: str | None = None) -> bool:
        """Say whether the document, or a section of it, holds prose, or, the whole, a table."""
        chunks = self.knowledge.chunks(document.id, section)
        prose = sum(len(chunk.text) for chunk in chunks if chunk.kind == "text")
        wide = MIN_TEXT_CHARACTERS // (3 if document.language == "zh" else 1)
        return prose >= wide or (section is None and any(chunk.kind == "table" for chunk in chunks))

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
            name = _ORDINAL.sub("", section.path[-1]).strip(" :：") if section.path else ""
            if section.level < 2 or name.lower() in _EMPTY or not 3 <= len(name) <= 60:
                continue
            if _AMOUNT.search(name) or name.lower() in document.title.lower():
                continue
            if not self._has_prose_or_table(document, section.id):
                continue
            if document.language == "zh":
                return f"《{document.title}》关于“{name}”说了什么？"
            question = f"What does {document.title} say about “{name}”?"
            if len(name) >= 6 and len(question) <= _MAX_QUESTION_LETTERS:
                return question
        return ""

    def _whole(self, document: Document) -> str:
        """Ask what the document is about; one headed like a section has no title of its own."""
        bare = _OF_SECTION.match(document.title) or document.title.strip().lower() in _EMPTY
        if bare or not self._has_prose_or_table(document):
            return ""
        question = f"What is {document.title} about?"
        if document.language == "zh":
            question = f"《{document.title}》讲什么？"
        return question if len(question) <= _MAX_QUESTION_LETTERS else ""


def _first(kind: Callable[[Document], str], documents: list[Document]) -> Iterator[tuple[str, Document]]:
    for document in documents:
        question = kind(document)
        if question:
            yield question, document


def _of_code(code: str, columns: Sequence[Column], language: str) -> str:
    """Ask what the code means where a column says it, else for a figure of the thing, else for all."""
    chinese = language == "zh"
    if any(column.name.strip().lower() in _MEANING for column in columns):
        return f"{code} 是什么意思？" if chinese else f"What does {code} mean?"
    measured = (c for c in columns if c.type == "real" or (c.type == "integer" and c.unit))
    measure = next(measured, None)
    if measure is None:
        return f"{code} 的情况是什么？" if chinese else f"What is known about {code}?"
    return f"{code} 的{measure.name}是多少？" if chinese else f"What is the {_readable(measure)} of {code}?"


def _readable(column: Column) -> str:
    """Return a column's name as it is said in a sentence: helium leak of helium_leak_sccm; RF power stays."""
    words = column.name.replace("_", " ").split()
    if len(words) > 1 and words[-1].casefold() in (column.unit.casefold(), column.unit.strip("°").casefold()):
        words.pop()
    return " ".join(word if word[1:] != word[1:].lower() else word.lower() for word in words)


def _is_whole(text: str) -> bool:
    """Say whether a question holds no half of a bracket or quotation."""
    paired = {at for pair in bracket_pairs(text) for at in pair}
    signs = (at for at, sign in enumerate(text) if sign in CLOSING or sign in CLOSING.values())
    return text.count('"') % 2 == 0 and paired.issuperset(signs)
