"""Answers a quantitative question from the library's tables: link the schema, query, cite the rows."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from core.domain import Chunk, Passage, Scope, Table, identify
from core.errors import QueryError
from core.knowledge.base import KnowledgeBase
from core.ports import LLM, Tell
from core.tasks import Call, Query, WriteQuery
from core.text.tokens import content_words, words
from core.trace import TableQueried

if TYPE_CHECKING:
    import pandas as pd

ROW = "_row"  # the column that numbers a table's rows
FEW = 200  # tables of which each one's sample values are looked through
NAMED = 0.1  # what a table scores of which the question names nothing but a value
SAMPLES = 20  # different values of a text column on its card


@dataclass(frozen=True)
class TableAnswer:
    """What a query brought: passages that show its result and cite rows, and the query itself."""

    passages: tuple[Passage, ...] = ()
    sql: str = ""
    calls: tuple[Call, ...] = ()


class _Asked(NamedTuple):
    question: str
    sql: str
    sub_question: int | None


@dataclass(frozen=True)
class TableQuery:
    """Chooses tables for a question, has a query written, runs it, and repairs it once."""

    knowledge: KnowledgeBase
    llm: LLM
    tables: int = 4  # cards handed over
    rows: int = 50  # most rows of a result that are read
    shown: int = 12  # most rows of a result that are shown as evidence
    runs: int = 4  # most separate runs of rows that are cited one by one

    def linked(self, question: str, scope: Scope, hits: Sequence[Passage] = ()) -> list[Table]:
        """Return the tables the question may be about, most likely first.

        A table scores by the share of the question's words on its card (names and columns count more than
        sample values), by standing among the passages the search found, and in a library of few tables by
        values the question names.
        """
        asked = set(content_words(question))
        found = {passage.chunk.table_id: 1 / rank for rank, passage in enumerate(hits, start=1)}
        rated: list[tuple[float, str, Table]] = []
        for table in self.knowledge.tables(scope=scope):
            named = set(
                content_words(f"{table.name} {table.caption} {' '.join(c.name for c in table.columns)}")
            )
            score = len(asked & named) / max(1, len(asked)) + found.get(table.id, 0.0)
            rated.append((score, table.id, table))
        if len(rated) <= FEW:
            said = question.casefold()
            rated = [(score or NAMED * self._names(table, said), key, table) for score, key, table in rated]
        rated.sort(key=lambda each: (-each[0], each[1]))
        likely = [table for score, _, table in rated if score > 0][: 3 * self.tables]
        return self._by_values(asked, likely)[: self.tables]

    def ask(
        self,
        question: str,
        scope: Scope,
        tell: Tell,
        *,
        hits: Sequence[Passage] = (),
        terms: str = "",
        named: str = "",
        sub_question: int | None = None,
        language: str = "en",
    ) -> TableAnswer:
        """Query the tables; `terms` are the library's words for it, `named` the table to read first.

        What goes wrong is told as an event; after one repair the answer stays empty.
        """
        linked = self.linked(f"{question} {terms}".strip(), scope, hits)
        if not linked:
            return TableAnswer()
        linked.sort(
            key=lambda table: named.casefold() not in (table.sql_name.casefold(), table.name.casefold())
        )
        cards = tuple(self.card(table, question) for table in linked)
        calls: list[Call] = []
        failed = failure = ""
        for _ in range(2):
            task = WriteQuery(
                question=question, tables=cards, failed=failed, failure=failure, language=language
            )
            reply = self.llm.run(task, into=Query)
            call = (reply.call,) if reply.call else ()
            calls += call
            if not reply.sql.strip():
                break
            used = [table for table in linked if table.sql_name.casefold() in reply.sql.casefold()]
            event = TableQueried(
                table=", ".join(table.name for table in used),
                sql=reply.sql,
                sub_question=sub_question,
                calls=call,
            )
            try:
                frame = self.knowledge.query(reply.sql, limit=self.rows, scope=scope)
            except QueryError as error:
                failed, failure = reply.sql, str(error)
                tell(event.model_copy(update={"failure": failure}))
                continue
            columns, rows = _texts(frame)
            tell(event.model_copy(update={"columns": columns, "rows": rows}))
            passages = self._passages(_Asked(question, reply.sql, sub_question), used, frame)
            return TableAnswer(passages, reply.sql, tuple(calls))
        return TableAnswer(calls=tuple(calls))

    def card(self, table: Table, question: str = "") -> str:
        """Return the schema card of the form `core.tasks.WriteQuery` describes.

        Values of text columns that the question names come first, however far down the table they stand.
        """
        said = self._said(table, question)
        lines = [f"TABLE {_quoted(table.sql_name)}: {_title(table)} ({table.row_count} rows)"]
        for column in table.columns:
            unit = f" [{column.unit}]" if column.unit else ""
            held = self._samples(table, column.name, column.type == "text")
            samples = ", ".join(dict.fromkeys([*said.get(column.name, ()), *held]))
            lines.append(f"- {_quoted(column.name)} {column.type}{unit}: {samples}")
        return "\n".join(lines)

    def _samples(self, table: Table, column: str, text: bool) -> list[str]:
        """Return different values of the column: many of a text column, since a question names them."""
        found = self.knowledge.samples(table, column, SAMPLES if text else 3)
        values = [_text(value)[:60] for value in found]
        return [f"'{value}'" for value in values] if text else values

    def _said(self, table: Table, question: str) -> dict[str, list[str]]:
        """Return the values of long text columns that stand in the question, by column."""
        long = [
            column.name
            for column in table.columns
            if column.type == "text" and len(self._samples(table, column.name, True)) >= SAMPLES
        ]
        if not long or not question.strip():
            return {}
        asked = question[:1000].casefold().replace("'", "''")
        parts = [
            f"SELECT DISTINCT {at} AS place, {_quoted(name)} AS value FROM {_quoted(table.sql_name)} "
            f"WHERE length({_quoted(name)}) > 2 AND contains('{asked}', lower({_quoted(name)}))"
            for at, name in enumerate(long)
        ]
        frame = self.knowledge.query(" UNION ALL ".join(parts), limit=SAMPLES)
        found: dict[str, list[str]] = {}
        for place, value in frame.itertuples(index=False, name=None):
            found.setdefault(long[int(place)], []).append(f"'{_text(value)[:60]}'")
        return found

    def _names(self, table: Table, said: str) -> bool:
        """Say whether the question, in lower case, names a value on the table's card."""
        values = (
            value.strip("'").casefold()
            for column in table.columns
            if column.type == "text"
            for value in self._samples(table, column.name, True)
        )
        return any(len(value) > 2 and value in said for value in values)

    def _by_values(self, asked: set[str], likely: Sequence[Table]) -> list[Table]:
        """Put tables first whose sample values the question names."""

        def named(table: Table) -> int:
            samples = " ".join(
                " ".join(self._samples(table, column.name, True))
                for column in table.columns
                if column.type == "text"
            )
            return len(asked & set(words(samples)))

        scored = [(len(likely) - place + 2 * named(table), place) for place, table in enumerate(likely)]
        return [likely[place] for _, place in sorted(scored, key=lambda each: (-each[0], each[1]))]

    def _passages(self, asked: _Asked, used: Sequence[Table], frame: "pd.DataFrame") -> tuple[Passage, ...]:
        """Return the result as evidence: by runs of rows where the query kept their numbers, else as one."""
        if frame.empty or not used:
            return ()
        table = used[0]
        if ROW in frame.columns and len(used) == 1:
            runs = _runs(int(row) for row in frame[ROW].dropna())
            if 0 < len(runs) <= self.runs:
                return tuple(
                    self._passage(asked, table, frame[frame[ROW].isin(range(a, b + 1))], (a, b))
                    for a, b in runs
                )
            return (self._passage(asked, table, frame, (runs[0][0], runs[-1][1]) if runs else None),)
        return tuple(self._passage(asked, each, frame, (0, each.row_count - 1)) for each in used)

    def _passage(
        self, asked: _Asked, table: Table, frame: "pd.DataFrame", rows: tuple[int, int] | None
    ) -> Passage:
        columns, cells = _texts(frame.drop(columns=[ROW], errors="ignore"))
        units = {column.name: column.unit for column in table.columns if column.unit}
        columns = tuple(f"{name} [{units[name]}]" if name in units else name for name in columns)
        lines = [
            "; ".join(f"{column}: {cell}" for column, cell in zip(columns, row, strict=True))
            for row in cells[: self.shown]
        ]
        if len(cells) > self.shown:
            lines.append(f"({len(cells) - self.shown} more rows)")
        base = table.location.rows[0] if table.location.rows else 0
        place = table.location
        if rows is not None:
            place = place.model_copy(update={"rows": (base + rows[0], base + max(rows))})
        text = "\n".join(lines)
        chunk = Chunk(
            id=identify("query", table.id, asked.sql, text),
            document_id=table.document_id,
            section_id="",
            text=text,
            heading_path=(_title(table),),
            order=0,
            tokens=0,
            kind="table",
            location=place,
            table_id=table.id,
        )
        title = self.knowledge.document(table.document_id).title
        return Passage(
            chunk=chunk,
            document_title=title,
            query=asked.question,
            score=1.0,
            scores={"table": 1.0},
            why=(f"computed from {table.name}: {asked.sql}",),
            sub_question=asked.sub_question,
        )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _title(table: Table) -> str:
    """Return the name and the caption, once where one says what the other says."""
    said_once = not table.caption or table.caption in table.name
    return re.sub(r"\s+", " ", table.name if said_once else f"{table.name}, {table.caption}")


def _text(value: object) -> str:
    """Return a cell as a reader would write it: no time on a date, no tail of binary fractions."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.10g}"
    return re.sub(r" 00:00:00$", "", str(value)) if value is not None else ""


def _texts(frame: "pd.DataFrame") -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    rows = tuple(tuple(_text(cell) for cell in row) for row in frame.itertuples(index=False, name=None))
    return tuple(str(column) for column in frame.columns), rows


def _runs(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Return the rows as runs of neighbours, first and last included."""
    runs: list[tuple[int, int]] = []
    for row in sorted(set(rows)):
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs
