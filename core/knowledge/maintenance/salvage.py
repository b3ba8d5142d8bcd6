"""Reads what cannot be recomputed (runs, feedback, learned data) out of a damaged or old catalog.

Documents are made anew from their originals; these rows have no other source. Every row is read by itself and
taken only if it still is what its table holds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import Field, TypeAdapter, ValidationError

from core.domain import Feedback, Report, Value
from core.knowledge.learned.changes import Change
from core.knowledge.learned.gaps import Gap, Update
from core.knowledge.learned.plans import AcceptedPlan
from core.knowledge.learned.verified_answers import VerifiedAnswer
from core.knowledge.maintenance.provenance import Provenance
from core.knowledge.stores.database import translated_errors
from core.knowledge.stores.migrations import migrate
from core.trace import Stamped

SALVAGED_TABLES: dict[str, dict[str, TypeAdapter[Any]]] = {  # table -> its columns of JSON and what they hold
    "runs": {"report": TypeAdapter(Report)},
    "events": {"body": TypeAdapter(Stamped)},
    "feedback": {"body": TypeAdapter(Feedback)},
    "conversation_titles": {},
    "tag_pairs": {},
    "changes": {"body": TypeAdapter(Change)},
    "verified_answers": {"body": TypeAdapter(VerifiedAnswer)},
    "usefulness": {},
    "accepted_plans": {"body": TypeAdapter(AcceptedPlan)},
    "gaps": {"body": TypeAdapter(Gap)},
    "updates": {"body": TypeAdapter(Update)},
    "self_tests": {"body": TypeAdapter(dict[str, Any])},
    "saved_questions": {},
    "enriched_collections": {},
    "tag_classes": {"terms": TypeAdapter(list[str])},
    "library_id": {},
}


class Salvaged(Value):
    """What came out of a catalog: rows taken per table, and where its documents came from."""

    rows: dict[str, int] = Field(default_factory=dict)
    lost: int = 0  # rows that could not be read
    remembered: tuple[Provenance, ...] = ()


def salvage(source: Path, target: Path) -> Salvaged:
    """Copy rows that are still whole from one catalog into another, which is made if it is not there.

    Rows the target has already stay. Raises DiskFull, KnowledgeError where the target cannot be written.
    """
    with translated_errors(), closing(_opened(target, "rwc")) as into, closing(_opened(source, "ro")) as old:
        into.execute("BEGIN IMMEDIATE")
        migrate(into)
        copied: dict[str, int] = {}
        lost = 0
        for table, bodies in SALVAGED_TABLES.items():
            for row in _rows(old, table):
                if not _is_whole(row, bodies):
                    lost += 1
                elif _insert(into, table, row):
                    copied[table] = copied.get(table, 0) + 1
        into.execute("DELETE FROM events WHERE run_id NOT IN (SELECT id FROM runs)")
        into.execute("COMMIT")
        return Salvaged(rows=copied, lost=lost, remembered=tuple(_remembered(old)))


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    where = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(where, uri=True, isolation_level=None, timeout=10.0)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _rows(connection: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows that can be read: from the beginning to a damaged page, then from the end to it."""
    seen: set[tuple[Any, ...]] = set()
    for order in ("", "ORDER BY rowid DESC"):
        try:
            for row in connection.execute(f"SELECT * FROM {table} {order}"):
                if tuple(row) not in seen:
                    seen.add(tuple(row))
                    yield dict(row)
            return
        except (
            sqlite3.Error,
            UnicodeDecodeError,
        ):  # what is behind it is read from the other end; a table may be missing
            continue


def _is_whole(row: dict[str, Any], bodies: dict[str, TypeAdapter[Any]]) -> bool:
    try:
        for column, adapter in bodies.items():
            if row[column] is not None:
                adapter.validate_json(row[column])
    except (ValidationError, KeyError):
        return False
    return True


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> bool:
    known = {each[1] for each in connection.execute(f"PRAGMA table_info({table})")}
    columns = [column for column in row if column in known]
    marks = ", ".join("?" for _ in columns)
    try:
        cursor = connection.execute(
            f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({marks})",
            [row[column] for column in columns],
        )
    except sqlite3.IntegrityError:
        return False
    return cursor.rowcount > 0


def _remembered(connection: sqlite3.Connection) -> Iterator[Provenance]:
    """Yield where the documents of a catalog came from."""
    paths: dict[str, list[tuple[str, str]]] = {}
    for row in _rows(connection, "entries"):
        paths.setdefault(str(row["document_id"]), []).append((str(row["path"]), str(row["collection"])))
    about = {str(row["id"]): row for row in _rows(connection, "documents")}
    for document_id, entries in paths.items():
        row = about.get(document_id, {"name": Path(entries[0][0]).name, "n": len(about) + 1})
        yield Provenance(
            document_id=document_id, name=str(row["name"]), entries=tuple(entries), added=int(row["n"])
        )
