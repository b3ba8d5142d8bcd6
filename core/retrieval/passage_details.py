"""Adds to passages what the library knows about each: file and date, of a table columns and rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from core.domain import Cell, Column, Document, Passage, Table
from core.errors import KnowledgeError, NotFound, QueryError
from core.knowledge.base import KnowledgeBase
from core.retrieval.boilerplate import Boilerplate
from core.retrieval.listed_passages import LISTED, THEME
from core.text.file_kinds import kind_words
from core.text.tokens import query_words

MOST_ROWS = 60  # of one passage


@dataclass(frozen=True)
class PassageDetails:
    """Completes passages with the metadata of their documents and tables."""

    knowledge: KnowledgeBase

    def add(self, question: str, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Return the passages with file, date, columns and rows; those that have them keep them.

        Each says which words of the question its document holds in whichever passage, or is called by.
        """
        asked = frozenset(query_words(question))
        words = self.knowledge.words_of_documents(
            question, {passage.chunk.document_id for passage in passages}
        )
        boilerplate = Boilerplate(self.knowledge, self.knowledge.counts()["documents"])
        documents = {of: self._document(of) for of in {passage.chunk.document_id for passage in passages}}
        completed = []
        for passage in passages:
            document = documents[passage.chunk.document_id]
            document_words = set(words.get(passage.chunk.document_id, ()))
            if document is not None:
                document_words |= asked & kind_words(document.media_type)
                if not passage.file:
                    passage = self._one(question, passage, document, boilerplate)
            completed.append(passage.model_copy(update={"document_words": tuple(sorted(document_words))}))
        return tuple(completed)

    def _document(self, document_id: str) -> Document | None:
        try:
            return self.knowledge.document(document_id)
        except NotFound:  # removed while the question was answered
            return None

    def _one(self, question: str, passage: Passage, document: Document, boilerplate: Boilerplate) -> Passage:
        chunk = passage.chunk
        known: dict[str, Any] = {"file": document.name, "date": passage.date or document.date}
        if passage.scores == THEME:
            question = ""  # what many documents repeat says nothing of a theme, even where it holds its words
        known["beside"] = boilerplate.beside(question, chunk, searched=passage.scores not in (LISTED, THEME))
        table = self._table(passage)
        if table is not None:
            columns, rows = self._rows(table, passage)
            known |= {"table": table.called(), "columns": columns, "rows": rows, "row_count": table.row_count}
        return passage.model_copy(update=known)

    def _table(self, passage: Passage) -> Table | None:
        if passage.chunk.table_id is None or passage.rows:  # a query's result holds its own rows
            return None
        tables = self.knowledge.tables(document_id=passage.chunk.document_id)
        return next((table for table in tables if table.id == passage.chunk.table_id), None)

    def _rows(
        self, table: Table, passage: Passage
    ) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
        """Return the columns and the rows the passage shows; none where the table cannot be read."""
        place = passage.chunk.location.rows
        base = table.location.rows[0] if table.location.rows else 0
        first, count = (0, MOST_ROWS) if place is None else (place[0] - base, place[1] - place[0] + 1)
        try:
            rows = self.knowledge.row_values(table.id, max(0, first), min(count, MOST_ROWS))
        except (QueryError, KnowledgeError):
            return (), ()
        return table.columns, tuple(tuple(cell_of(value) for value in row) for row in rows)


def cell_of(value: Any) -> Cell:
    """Return a value of a query's result as a cell."""
    if value is None or (isinstance(value, float) and math.isnan(value)) or str(value) in ("NaT", "<NA>"):
        return None
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "item"):
        value = value.item()
    return value if isinstance(value, str | int | float | bool) else str(value)
