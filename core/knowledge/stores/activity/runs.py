"""Runs and the events they are made of, appended as they happen."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from core.domain import Report
from core.errors import NotFound
from core.knowledge.stores.database import Database
from core.knowledge.stores.records import Run
from core.trace import TRACE, Stamped

_HEAD = ("id", "conversation", "question", "status", "started", "finished")


def _run(row: sqlite3.Row) -> Run:
    return Run(
        report=None if row["report"] is None else Report.model_validate_json(row["report"]),
        **{name: row[name] for name in _HEAD},
    )


def _run_as_far_as_readable(row: sqlite3.Row) -> Run:
    try:
        return _run(row)
    except ValidationError:
        return Run(**{name: row[name] for name in _HEAD})


@dataclass(frozen=True)
class RunStore:
    """Keeps runs, whole or in progress."""

    database: Database

    def save_run(self, run: Run) -> None:
        """Write the run, new or changed; its events stay."""
        report = None if run.report is None else run.report.model_dump_json()
        with self.database.writing() as connection:
            connection.execute(
                "INSERT INTO runs (id, conversation, question, status, started, finished, report)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                " conversation = excluded.conversation, question = excluded.question,"
                " status = excluded.status, started = excluded.started, finished = excluded.finished,"
                " report = excluded.report",
                (run.id, run.conversation, run.question, run.status, run.started, run.finished, report),
            )

    def append(self, run_id: str, events: Sequence[Stamped]) -> None:
        """Add events; one that is there already (same seq) stays as it is. Raises NotFound."""
        with self.database.writing() as connection:
            if connection.execute("SELECT 1 FROM runs WHERE id = ?", (run_id,)).fetchone() is None:
                raise NotFound(f"there is no run {run_id}")
            connection.executemany(
                "INSERT OR IGNORE INTO events (run_id, seq, body) VALUES (?, ?, ?)",
                ((run_id, event.seq, event.model_dump_json()) for event in events),
            )

    def events(self, run_id: str, after: int = -1) -> list[Stamped]:
        """Return the events with a seq above `after`, in order."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT body FROM events WHERE run_id = ? AND seq > ? ORDER BY seq", (run_id, after)
            ).fetchall()
        return TRACE.validate_json(f"[{','.join(row[0] for row in rows)}]")

    def get(self, run_id: str) -> Run:
        """Return a run; raises NotFound."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT * FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no run {run_id}")
        return _run(row)

    def list(self, conversation: str | None = None, limit: int = 50) -> list[Run]:
        """Return runs, asked last first; those of one conversation asked first first, as it is read."""
        with self.database.reading() as connection:
            if conversation is None:
                rows = connection.execute("SELECT * FROM runs ORDER BY n DESC LIMIT ?", (limit,))
                return [_run(row) for row in rows]
            rows = connection.execute(
                "SELECT * FROM runs WHERE conversation = ? ORDER BY n DESC LIMIT ?",
                (conversation, limit),
            )
            return [_run(row) for row in rows][::-1]

    def heads(self, conversation: str, limit: int = 50) -> Sequence[Run]:
        """Return the runs of a conversation as `list` does, but without opening their reports."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT {', '.join(_HEAD)} FROM runs WHERE conversation = ? ORDER BY n DESC LIMIT ?",
                (conversation, limit),
            ).fetchall()
        return [Run(**{name: row[name] for name in _HEAD}) for row in rows][::-1]

    def finished_since(self, number: int, limit: int = 500) -> Sequence[tuple[int, Run]]:
        """Return runs that ended well after the run that was the number-th to end, in the order in which they
        ended, each with its number; the clock, which may be set back, is not asked. A report that is damaged
        is left out of its run."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT * FROM runs WHERE ended > ? AND status = 'done' ORDER BY ended LIMIT ?",
                (number, limit),
            ).fetchall()
        return [(row["ended"], _run_as_far_as_readable(row)) for row in rows]

    def interrupted(self) -> Sequence[Run]:
        """Return the runs that were still going (or waiting) when the library was last closed."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT * FROM runs WHERE status IN ('queued', 'running') ORDER BY n"
            ).fetchall()
        return [_run(row) for row in rows]

    def delete(self, run_id: str) -> None:
        """Delete a run with its events; feedback on it stays, it is learnt from."""
        with self.database.writing() as connection:
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
