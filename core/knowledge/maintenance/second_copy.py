"""A second copy of what cannot be recomputed: questions, answers, feedback, learned data.

It is updated whenever the library is closed, and read when the catalog is lost.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from core.knowledge.maintenance.salvage import SALVAGED_TABLES
from core.knowledge.stores.database import translated_errors
from core.knowledge.stores.migrations import migrate

COPY = "second_copy.sqlite"
# Runs and their events are many: only those that came or changed are copied. All else is small.
CHANGED = (
    "SELECT id FROM runs r WHERE NOT EXISTS (SELECT 1 FROM copy.runs c WHERE c.id = r.id"
    " AND c.n IS r.n AND c.ended IS r.ended AND c.status = r.status"
    " AND ifnull(c.finished, 0) = ifnull(r.finished, 0)"
    " AND length(ifnull(c.report, '')) = length(ifnull(r.report, '')))"
)


def keep_second_copy(library: Path) -> None:
    """Bring the copy up to date; a damaged one is begun anew. Raises DiskFull, KnowledgeError."""
    target = library / COPY
    try:
        _keep(library / "catalog.sqlite", target)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            with translated_errors():
                raise
        target.unlink(missing_ok=True)
        with translated_errors():
            _keep(library / "catalog.sqlite", target)


def _keep(source: Path, target: Path) -> None:
    with closing(_opened(target, "rwc")) as copy:
        copy.execute("BEGIN IMMEDIATE")
        migrate(copy)
        copy.execute("COMMIT")
    with closing(_opened(source, "rw")) as connection:
        connection.execute("ATTACH ? AS copy", (str(target),))
        connection.execute("PRAGMA copy.synchronous = OFF")  # it can be made again
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"CREATE TEMP TABLE changed AS {CHANGED}")
        connection.execute("DELETE FROM copy.events WHERE run_id NOT IN (SELECT id FROM main.runs)")
        connection.execute("DELETE FROM copy.events WHERE run_id IN (SELECT id FROM changed)")
        connection.execute("DELETE FROM copy.runs WHERE id NOT IN (SELECT id FROM main.runs)")
        connection.execute("DELETE FROM copy.runs WHERE id IN (SELECT id FROM changed)")
        _copy(connection, "runs", "WHERE id IN (SELECT id FROM changed)")
        _copy(connection, "events", "WHERE run_id IN (SELECT id FROM changed)")
        for table in SALVAGED_TABLES:
            if table not in ("runs", "events"):
                connection.execute(f"DELETE FROM copy.{table}")
                _copy(connection, table)
        connection.execute("COMMIT")


def _copy(connection: sqlite3.Connection, table: str, which: str = "") -> None:
    columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA copy.table_info({table})"))
    connection.execute(f"INSERT INTO copy.{table} ({columns}) SELECT {columns} FROM main.{table} {which}")


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    where = f"file:{quote(str(path.absolute()))}?mode={mode}"
    return sqlite3.connect(where, uri=True, isolation_level=None, timeout=10.0)
