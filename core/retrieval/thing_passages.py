"""Collects what the library holds on one thing: its rows in every table, and passages that name it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Chunk, Passage, Scope, Table
from core.knowledge.base import KnowledgeBase
from core.ports import Emit
from core.retrieval.listed_passages import ids_mentioning, listed
from core.retrieval.reasons import OF_THING
from core.retrieval.result_columns import ROW, ResultNames
from core.retrieval.table_query import MAX_TABLES, QueryRequest, TableQuery, filled
from core.text.sql_quoting import quoted
from core.text.thing_questions import is_named
from core.trace import TableQueried

MAX_ROWS = 8  # rows that a table may have of a thing; a log of events says what happened, not what it is
MAX_PASSAGES = 16  # that are read of those which name it
PASSAGES_A_DOCUMENT = 2  # of these, from each document
POOL_CHUNKS = 60  # found by its words, where no entity is called so


@dataclass(frozen=True)
class ThingPassages:
    """Reads the rows that carry a thing's name, by a query each, and what documents say of it in words."""

    knowledge: KnowledgeBase
    tables: TableQuery

    def read(
        self, thing: str, question: str, scope: Scope, language: str, emit: Emit, sub_question: int | None
    ) -> list[Passage]:
        """Return the rows, then the passages, those in the language of the question first."""
        tables = self.knowledge.tables(scope=scope)[:MAX_TABLES]
        request = QueryRequest(question, "", sub_question, ResultNames(question))
        rows = [self._rows(thing, table, request, scope, emit) for table in tables]
        return [
            *(passage for found in rows for passage in found),
            *self._passages(thing, question, scope, language),
        ]

    def _rows(
        self, thing: str, table: Table, request: QueryRequest, scope: Scope, emit: Emit
    ) -> Sequence[Passage]:
        """Return the few rows of a table that the thing's name stands for: those of the column that names the
        rows, which is the first of words, or the only row of another."""
        texts = [column.name for column in table.columns if column.type == "text"]
        values = self.knowledge.values_with(table, texts, [thing.lower()])
        column, value = next(
            (
                (name, each)
                for name, found in values.items()
                for each in found
                if each.lower() == thing.lower()
            ),
            ("", ""),
        )
        if not column:
            return ()
        shown = ", ".join(quoted(each.name) for each in table.columns)
        sql = f"SELECT {shown}, {ROW} FROM {quoted(table.sql_name)} WHERE {quoted(column)} = ? ORDER BY {ROW}"
        result = self.knowledge.traced_query(sql, MAX_ROWS + 1, scope, (value,))
        if not 0 < len(result.frame) <= (MAX_ROWS if column == texts[0] else 1):
            return ()
        request = request._replace(sql=filled(sql, (value,)))
        emit(TableQueried(table=table.name, sql=request.sql, sub_question=request.sub_question))
        return self.tables.passages(request, result)

    def _passages(self, thing: str, question: str, scope: Scope, language: str) -> list[Passage]:
        titles = {document.id: document.title for document in self.knowledge.documents(scope)}
        chunks = [
            chunk
            for chunk in self._naming(thing, scope)
            if chunk.document_id in titles
            and chunk.id not in scope.without
            and chunk.table_id is None
            and is_named(thing, chunk.text)
        ]
        chunks.sort(key=lambda chunk: chunk.language != language)
        selected: list[Chunk] = []
        for chunk in chunks:
            if sum(one.document_id == chunk.document_id for one in selected) < PASSAGES_A_DOCUMENT:
                selected.append(chunk)
        return listed(selected[:MAX_PASSAGES], titles, question, OF_THING)

    def _naming(self, thing: str, scope: Scope) -> Sequence[Chunk]:
        """Return the chunks that an entity called so is mentioned in, and those its words find, in order."""
        ids = ids_mentioning(self.knowledge, thing)
        found = [chunk for chunk, _ in self.knowledge.keyword(thing, POOL_CHUNKS, scope)]
        return self.knowledge.chunks(ids=list(dict.fromkeys((*found, *ids))))
