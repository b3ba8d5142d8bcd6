"""Typed tables in DuckDB: their rows, and read-only queries over them."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from core.domain import Cell, Table, TableData
from core.errors import DiskFull, KnowledgeError
from core.knowledge.stores.database import is_disk_full
from core.knowledge.stores.typed_tables.column_texts import ColumnTexts
from core.knowledge.stores.typed_tables.query_process import QUERY_SECONDS, QueryProcess
from core.knowledge.stores.typed_tables.query_validation import allowed_query
from core.knowledge.stores.typed_tables.typed_rows import ROW, frame_of
from core.text.sql_quoting import quoted

if TYPE_CHECKING:
    import pandas as pd

MEMORY = "1GB"
REMEMBERED_PAGES, REMEMBERED_ROWS = 1000, 100  # pages of rows that are kept in memory, and rows of one


@contextmanager
def _translated_errors() -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        if is_disk_full(error):
            raise DiskFull("the disk is full") from error
        message = str(error).splitlines()[0].rstrip(".")
        raise KnowledgeError(f"The tables could not be read or written: {message}.") from error


class TableStore:
    """One DuckDB file. It can reach no other file and no network, and that cannot be switched back on."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._path = path
        self._sampled: dict[tuple[str, str, int], list[Any]] = {}
        self._values: dict[tuple[str, int, int], list[tuple[Any, ...]]] = {}
        self._changes = 0
        self._remembering = threading.Lock()
        self._texts = ColumnTexts()
        self._queries = QueryProcess(path.with_name("queries"), self._batches)
        with _translated_errors():
            self._connection = self._opened()

    def _opened(self) -> duckdb.DuckDBPyConnection:
        options: dict[str, Any] = {
            "enable_external_access": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "memory_limit": MEMORY,
            "threads": "2",
        }
        connection = duckdb.connect(str(self._path), config=options)
        connection.execute("SET lock_configuration = true")
        return connection

    def put(self, table: Table, data: TableData) -> Table:
        """Store the rows under the table's sql_name; return the card as stored (names made different,
        types that fit every cell, rows counted)."""
        columns, frame = frame_of(data)
        self._forget([table.sql_name])
        with self._lock, _translated_errors():
            self._connection.register("incoming", frame)
            try:
                self._connection.execute(
                    f"CREATE OR REPLACE TABLE {quoted(table.sql_name)} AS SELECT * FROM incoming"
                )
            finally:
                self._connection.unregister("incoming")
        self._forget([table.sql_name])
        self._queries.forget({table.sql_name})
        return table.model_copy(update={"columns": columns, "row_count": len(data.rows)})

    def has_same_rows(self, table: Table, data: TableData) -> bool:
        """Say whether the rows stored under the card are just these, of these columns."""
        columns, frame = frame_of(data)
        if (columns, len(data.rows)) != (
            table.columns,
            table.row_count,
        ) or table.sql_name not in self.names():
            return False
        sql = f"SELECT * FROM {quoted(table.sql_name)} ORDER BY {ROW}"
        with _translated_errors():
            stored: Any = self._connection.cursor().sql(sql).to_arrow_table()
        return bool(stored.cast(frame.schema).equals(frame))

    def _forget(self, sql_names: Sequence[str]) -> None:
        dropped = set(sql_names)
        self._texts.forget(dropped)
        with self._remembering:
            self._changes += 1
            self._values = {key: rows for key, rows in self._values.items() if key[0] not in dropped}
            self._sampled = {key: values for key, values in self._sampled.items() if key[0] not in dropped}

    def drop(self, sql_names: Sequence[str]) -> None:
        """Delete tables; names that are not there are passed over."""
        self._forget(sql_names)
        with self._lock, _translated_errors():
            for name in sql_names:
                self._connection.execute(f"DROP TABLE IF EXISTS {quoted(name)}")
        self._forget(sql_names)
        self._queries.forget(set(sql_names))

    def names(self) -> set[str]:
        """Return the tables there are."""
        with _translated_errors():
            found = self._connection.cursor().execute("SELECT table_name FROM information_schema.tables")
            return {row[0] for row in found.fetchall()}

    def rows(self, sql_name: str, offset: int, limit: int) -> "pd.DataFrame":
        """Return rows in their order, without the row number."""
        with _translated_errors():
            return self._page(sql_name, offset, limit).df()

    def values(self, sql_name: str, offset: int, limit: int) -> list[tuple[Any, ...]]:
        """Return the values of `rows`, None for empty cells, without pandas: it loads slowly. Remembered."""
        key, changes = (sql_name, offset, limit), self._changes
        if (rows := self._values.get(key)) is not None:
            return rows
        with _translated_errors():
            rows = self._page(sql_name, offset, limit).fetchall()
        with self._remembering:
            if limit <= REMEMBERED_ROWS and changes == self._changes:  # nobody changed a table meanwhile
                if len(self._values) >= REMEMBERED_PAGES:
                    self._values.clear()
                self._values[key] = rows
        return rows

    def _page(self, sql_name: str, offset: int, limit: int) -> duckdb.DuckDBPyConnection:
        sql = f"SELECT * EXCLUDE ({ROW}) FROM {quoted(sql_name)} ORDER BY {ROW} LIMIT ? OFFSET ?"
        return self._connection.cursor().execute(sql, [limit, offset])

    def samples(self, sql_name: str, column: str, limit: int) -> list[Any]:
        """Return different values of the column in the order of their first rows; remembered."""
        key, changes = (sql_name, column, limit), self._changes
        if (values := self._sampled.get(key)) is not None:
            return values
        self._queries.warm()  # who asks for samples is about to query
        name = quoted(column)
        with _translated_errors():
            found = self._connection.cursor().execute(
                f"SELECT {name} AS v, min({ROW}) AS r FROM {quoted(sql_name)} WHERE {name} IS NOT NULL "
                "GROUP BY 1 ORDER BY r LIMIT ?",
                [limit],
            )
            values = [value for value, _ in found.fetchall()]  # pandas takes a second to load
        with self._remembering:
            if changes == self._changes:
                self._sampled[key] = values
        return values

    def extent(self, sql_name: str, column: str) -> tuple[Any, Any]:
        """Return the least and the greatest value of the column, None twice where it has none; remembered."""
        key, changes = (sql_name, column, 0), self._changes
        if (values := self._sampled.get(key)) is None:
            name = quoted(column)
            with _translated_errors():
                found = self._connection.cursor().execute(
                    f"SELECT min({name}), max({name}) FROM {quoted(sql_name)}"
                )
                values = list(found.fetchone() or (None, None))
            with self._remembering:
                if changes == self._changes:
                    self._sampled[key] = values
        return values[0], values[1]

    def query(
        self,
        sql: str,
        tables: Sequence[str],
        limit: int,
        seconds: float = QUERY_SECONDS,
        parameters: Sequence[Cell] = (),
    ) -> "pd.DataFrame":
        """Run one read-only query in another process, its `?` filled by `parameters`; return `limit` rows.

        Raises QueryError.
        """
        allowed = allowed_query(sql, tables, len(parameters))
        rows = self._queries.run(allowed.sql, allowed.tables, limit, seconds, parameters)
        with _translated_errors():
            frame: pd.DataFrame = self._connection.cursor().from_arrow(rows).df()
        return frame

    def values_with(
        self, sql_name: str, columns: Sequence[str], words: Sequence[str], limit: int = 40
    ) -> dict[str, list[str]]:
        """Return, by column, different values that hold one of the words, in any case of letters.

        The words are in small letters. Columns are read once and remembered, unless they are large.
        """
        found: dict[str, list[str]] = {}
        with _translated_errors():
            for column in columns if words else ():
                read = partial(self._different, sql_name, column)
                values = self._texts.holding(sql_name, column, words, limit, read)
                if values is None:
                    values = self._scanned(sql_name, column, words, limit)
                if values:
                    found[column] = values
        return found

    def _different(self, sql_name: str, column: str) -> Iterator[tuple[object, str]]:
        """Yield the different values of a column in their order, each with its text in small letters."""
        name = quoted(column)
        rows = self._connection.cursor().execute(
            "SELECT v, lower(CAST(v AS VARCHAR)) FROM "
            f"(SELECT DISTINCT {name} AS v FROM {quoted(sql_name)}) WHERE v IS NOT NULL ORDER BY 1"
        )
        while some := rows.fetchmany(1000):
            yield from some

    def _scanned(self, sql_name: str, column: str, words: Sequence[str], limit: int) -> list[str]:
        name = quoted(column)
        holds = " OR ".join([f"contains(lower(CAST({name} AS VARCHAR)), ?)"] * len(words))
        rows = self._connection.cursor().execute(
            f"SELECT DISTINCT {name} FROM {quoted(sql_name)} WHERE {holds} ORDER BY 1 LIMIT {int(limit)}",
            list(words),
        )
        return [str(value) for (value,) in rows.fetchall()]

    def refers(self, sql_name: str, column: str, other: str, key: str) -> bool:
        """Say whether every value of a column is in the `key` of `other`, where none is twice."""
        a, b = quoted(column), quoted(key)
        with _translated_errors():
            row = (
                self._connection.cursor()
                .execute(
                    f"SELECT (SELECT count(*) FROM {quoted(sql_name)} WHERE {a} IS NOT NULL AND {a} NOT IN "
                    f"(SELECT {b} FROM {quoted(other)} WHERE {b} IS NOT NULL)), "
                    f"(SELECT count({b}) - count(DISTINCT {b}) FROM {quoted(other)}), "
                    f"(SELECT count(DISTINCT {a}) FROM {quoted(sql_name)})"
                )
                .fetchone()
            )
        return row is not None and row[0] == 0 and row[1] == 0 and row[2] > 1

    def share_rows(self, sql_name: str, other: str, columns: Sequence[str]) -> bool:
        """Say whether a row of these columns is in both tables."""
        names = ", ".join(map(quoted, columns))
        with _translated_errors():
            row = (
                self._connection.cursor()
                .execute(
                    f"SELECT count(*) FROM (SELECT {names} FROM {quoted(sql_name)} "
                    f"INTERSECT SELECT {names} FROM {quoted(other)})"
                )
                .fetchone()
            )
        return row is not None and row[0] > 0

    def _batches(self, sql_name: str) -> Any:
        """Return a reader over the rows of a table."""
        with _translated_errors():
            return self._connection.cursor().sql(f"SELECT * FROM {quoted(sql_name)}").to_arrow_reader()

    def compact(self) -> None:
        """Write the file anew: DuckDB keeps the room of tables that were dropped."""
        fresh = self._path.with_name(f"{self._path.name}.part")
        with self._lock, _translated_errors():
            self._connection.close()
            try:
                fresh.unlink(missing_ok=True)
                with duckdb.connect(":memory:") as copier:
                    for path, name in ((self._path, "held"), (fresh, "fresh")):
                        copier.execute(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS {name}")
                    copier.execute("COPY FROM DATABASE held TO fresh")
                if fresh.stat().st_size < self._path.stat().st_size:
                    fresh.replace(self._path)
            finally:
                fresh.unlink(missing_ok=True)
                self._connection = self._opened()

    def close(self) -> None:
        """Release the file."""
        self._queries.close()
        self._connection.close()
