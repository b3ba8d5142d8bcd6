"""Answers a question from the library's tables: link the schema, query, cite the rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from core.domain import (
    Cell,
    Chunk,
    Column,
    Passage,
    Scope,
    Table,
    identify,
)
from core.errors import QueryError
from core.i18n.messages import mark
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.documents.catalog_queries import TracedResult
from core.ports import LLM, Emit
from core.retrieval.passage_details import cell_of
from core.retrieval.result_columns import ROW, ResultNames, row_column
from core.retrieval.table_cards import TableCards, text_of, titled
from core.tasks import Query, WriteQuery
from core.text.codes import words_with_digit
from core.text.identifiers import as_words
from core.text.proper_names import names_in
from core.text.sql_quoting import quoted_text
from core.text.tokens import content_words
from core.trace import TableQueried

if TYPE_CHECKING:
    import pandas as pd

COMPUTED = mark("computed from {table}: {query}")
MAX_TABLES = 200  # tables whose values are looked through for a code or a name of the question
VALUE_ONLY_SCORE = 0.1  # what a table scores of which the question names nothing but a value


@dataclass(frozen=True)
class TableAnswer:
    """What a query returned: passages that show its result and cite rows, and the query itself."""

    passages: tuple[Passage, ...] = ()
    sql: str = ""


class QueryRequest(NamedTuple):
    """A question and the query that was written for it, as it is shown."""

    question: str
    sql: str
    sub_question: int | None
    names: ResultNames


@dataclass(frozen=True)
class TableQuery:
    """Chooses tables for a question, has a query written, runs it, and repairs it once."""

    knowledge: KnowledgeBase
    llm: LLM
    tables: int = 6  # cards handed over
    rows: int = 50  # most rows of a result that are read
    listed: int = 12  # rows a result may have to count as an answer
    runs: int = 4  # most separate runs of rows that are cited one by one

    def linked(self, question: str, scope: Scope, hits: Sequence[Passage] = ()) -> list[Table]:
        """Return the tables the question may be about, most likely first, and those of the same document.

        A table scores by the share of the question's words on its card and in its document's title, and by
        standing among the passages the search found.
        """
        asked = set(content_words(question))
        found: dict[str, float] = {}
        documents: dict[str, float] = {}
        for rank, passage in enumerate(hits, start=1):
            if passage.chunk.table_id:
                found.setdefault(passage.chunk.table_id, 1 / rank)
            documents.setdefault(passage.chunk.document_id, 0.3 / rank)
        tables = self.knowledge.tables(scope=scope)
        rated: list[tuple[float, str, Table]] = []
        for table in tables:
            columns = " ".join(f"{column.name} {column.note}" for column in table.columns)
            called = f"{table.called()} {columns}"
            named = set(content_words(f"{called} {as_words(called)}"))
            score = len(asked & named) / max(1, len(asked)) + found.get(table.id, 0.0)
            score += documents.get(table.document_id, 0.0)
            rated.append((score, table.id, table))
        names = [name.text for name in names_in(question)]
        codes = [word.lower() for word in (*words_with_digit(question), *names)]
        if codes and len(rated) <= MAX_TABLES:
            rated = [
                (score or VALUE_ONLY_SCORE * self._contains_code(table, codes), key, table)
                for score, key, table in rated
            ]
        rated.sort(key=lambda each: (-each[0], each[1]))
        return [table for score, _, table in rated if score > 0][: self.tables]

    def _contains_code(self, table: Table, codes: Sequence[str]) -> bool:
        """Say whether a value of the table holds a code or a name of the question."""
        texts = [column.name for column in table.columns if column.type == "text"]
        return bool(self.knowledge.values_with(table, texts, codes))

    def ask(
        self,
        question: str,
        scope: Scope,
        emit: Emit,
        *,
        hits: Sequence[Passage] = (),
        terms: str = "",
        sub_question: int | None = None,
        language: str = "en",
    ) -> TableAnswer:
        """Query the tables; `terms` are the library's words for the question.

        Errors are emitted as events; after one failed repair the answer is empty.
        """
        linked = self.linked(f"{question} {terms}".strip(), scope, hits)
        if not linked:
            return TableAnswer()
        cards = TableCards(self.knowledge).of(linked, question)
        failed = failure = ""
        for _ in range(2):
            task = WriteQuery(
                question=question, tables=cards, failed=failed, failure=failure, language=language
            )
            reply = self.llm.run(task, into=Query)
            if not reply.sql.strip():
                break
            event = TableQueried(table="", sql=filled(reply.sql, reply.parameters), sub_question=sub_question)
            try:
                result = self.knowledge.traced_query(reply.sql, self.rows, scope, reply.parameters)
            except QueryError as error:
                failed, failure = reply.sql, str(error)
                emit(event.model_copy(update={"table": _named_in(reply.sql, linked), "failure": failure}))
                continue
            request = QueryRequest(question, event.sql, sub_question, ResultNames(f"{question} {terms}"))
            columns = request.names.columns(result)
            emit(
                event.model_copy(
                    update={
                        "table": ", ".join(table.name for table in result.tables),
                        "columns": tuple(column.name for column in columns),
                        "rows": _texts(result.frame),
                    }
                )
            )
            if result.frame.dropna(how="all").empty or len(result.frame) > self.listed:
                break  # too many rows, or none: no answer
            return TableAnswer(self.passages(request, result), event.sql)
        return TableAnswer()

    def passages(self, request: QueryRequest, result: TracedResult) -> tuple[Passage, ...]:
        """Return the result as evidence: by runs of rows where the query kept their numbers, else as one."""
        columns = request.names.columns(result)
        shown = [at for at, column in enumerate(columns) if column.name.casefold() != ROW]
        frame, shown_columns = result.frame.iloc[:, shown], [columns[at] for at in shown]
        if frame.empty:
            return ()
        numbers = row_column(result)
        if numbers is None:
            return tuple(
                self._passage(request, table, shown_columns, frame, (0, table.row_count - 1))
                for table in result.tables
            )
        (table,) = result.tables
        rows = result.frame.iloc[:, numbers]
        runs = [part for run in _runs(map(int, rows.dropna())) for part in table.location.on_pages(*run)]
        if 0 < len(runs) <= self.runs:
            return tuple(
                self._passage(request, table, shown_columns, frame[rows.isin(range(a, b + 1))], (a, b))
                for a, b in runs
            )
        place = (runs[0][0], runs[-1][1]) if runs else None
        return (self._passage(request, table, shown_columns, frame, place),)

    def _passage(
        self,
        request: QueryRequest,
        table: Table,
        shown_columns: Sequence[Column],
        frame: "pd.DataFrame",
        rows: tuple[int, int] | None,
    ) -> Passage:
        columns = tuple(Column(name=c.name, unit=c.unit, note=c.note) for c in shown_columns)
        shown = [column.label() for column in columns]
        lines = [
            "; ".join(f"{n}: {cell}" for n, cell in zip(shown, row, strict=True)) for row in _texts(frame)
        ]
        place = table.location if rows is None else table.location.at_rows(rows[0], max(rows))
        text = "\n".join(lines)
        chunk = Chunk(
            id=identify("query", table.id, request.sql, text),
            document_id=table.document_id,
            section_id="",
            text=text,
            heading_path=(titled(table),),
            order=0,
            tokens=0,
            kind="table",
            location=place,
            table_id=table.id,
        )
        cells = tuple(
            tuple(cell_of(value) for value in row) for row in frame.itertuples(index=False, name=None)
        )
        return Passage(
            chunk=chunk,
            document_title=self.knowledge.document(table.document_id).title,
            query=request.question,
            score=1.0,
            scores={"table": 1.0},
            why=(COMPUTED.format(table=table.name, query=request.sql),),
            sub_question=request.sub_question,
            table=titled(table),
            columns=columns,
            rows=cells,
        )


def filled(sql: str, parameters: Sequence[Cell]) -> str:
    """Return the query as a reader sees it: its values in place of the marks. It is shown, never run."""
    parts = sql.split("?")
    if len(parts) != len(parameters) + 1:
        return sql
    values = [str(v) if isinstance(v, int | float) else quoted_text(str(v)) for v in parameters]
    return "".join(part + value for part, value in zip(parts, [*values, ""], strict=True))


def _named_in(sql: str, tables: Sequence[Table]) -> str:
    """Return the names of the tables that a query which was not run mentions."""
    return ", ".join(table.name for table in tables if table.sql_name.casefold() in sql.casefold())


def _texts(frame: "pd.DataFrame") -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text_of(cell) for cell in row) for row in frame.itertuples(index=False, name=None))


def _runs(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Return the rows as runs of neighbours, first and last included."""
    runs: list[tuple[int, int]] = []
    for row in sorted(set(rows)):
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs
