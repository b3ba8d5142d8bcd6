"""SQLite files: every table, opened read-only with nothing in the file allowed to run."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from core.domain import Location, Parsed
from core.errors import DamagedFile
from core.ingest.parsers.cells import plain
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.skipped_parts import Part
from core.text.sql_quoting import quoted

_MOST_ROWS = 200_000
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})


@dataclass(frozen=True)
class DatabaseParser:
    """Reads .db and .sqlite."""

    most_rows: int = _MOST_ROWS
    media_types: tuple[str, ...] = ("application/vnd.sqlite3",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        draft.title = Path(name).stem
        with _opened(path, name) as connection:
            made = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
            )
            for table, sql in made.fetchall():
                if table.startswith("sqlite_") or "VIRTUAL TABLE" in (sql or "").upper():
                    continue
                with Part(draft, f"Table {table}"):
                    self._table(draft, connection, table, sql or "")
            views = connection.execute("SELECT sql FROM sqlite_master WHERE type = 'view'").fetchall()
        for (sql,) in views:
            draft.add("code", sql or "")
        return draft.parsed()

    def _table(self, draft: Draft, connection: sqlite3.Connection, table: str, sql: str) -> None:
        cursor = connection.execute(f"SELECT * FROM {quoted(table)} LIMIT {self.most_rows + 1}")
        names = [column[0] for column in cursor.description]
        rows: list[list[object]] = []
        with Part(draft, f"Table {table}: a part of its rows"):
            rows.extend([_cell(value) for value in row] for row in cursor)
        draft.heading(f"Table {table}", 1)
        draft.add("code", sql)
        if len(rows) > self.most_rows:
            rows = rows[: self.most_rows]
            draft.skipped.append(f"Table {table} was read up to its first {self.most_rows:,} rows.")
        if rows:
            place = Location(sheet=table, rows=(0, len(rows) - 1))
            draft.rows(table, [names, *rows], location=place, header=1)
        else:
            draft.skipped.append(f"Table {table} has no rows.")


@contextmanager
def _opened(path: Path, name: str) -> Iterator[sqlite3.Connection]:
    uri = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(uri, uri=True)
    except sqlite3.Error as error:
        raise DamagedFile(f"{name} cannot be opened as a SQLite database ({error}).") from error
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.set_authorizer(
        lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
    )
    try:
        yield connection
    except sqlite3.DatabaseError as error:
        raise DamagedFile(f"{name} is a damaged SQLite database ({error}).") from error
    finally:
        connection.close()


def _cell(value: object) -> object:
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else plain(value)
