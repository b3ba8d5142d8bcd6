"""Finds runs by what is said of them: words, level, outcome, effort, engine and time."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from core.knowledge.stores.database import Database
from core.knowledge.stores.records import RunCard, RunFilter

_CARDS = """
WITH cards AS (
  SELECT runs.id, n, conversation, question, status, started, finished,
    coalesce(json_extract(report, '$.level'), '') AS level,
    coalesce(json_extract(report, '$.outcome'), '') AS outcome,
    coalesce(json_extract(report, '$.engine'), '') AS engine,
    coalesce(json_extract(body, '$.event.effort'), '') AS effort,
    coalesce(json_extract(body, '$.event.parent'), '') AS parent
  FROM runs LEFT JOIN events ON events.run_id = runs.id AND events.seq = 0
  WHERE {first}
)
"""
_ALL = "1"
_SHOWN = ("id", "conversation", "question", "status", "started", "parent")
_CHOSEN = ("level", "outcome", "effort", "engine")


@dataclass(frozen=True)
class RunSearch:
    """Looks runs up without reading their reports."""

    database: Database

    def find(self, wanted: RunFilter, limit: int = 20, offset: int = 0) -> tuple[Sequence[RunCard], int]:
        """Return a page of the runs, newest first, and how many there are in all."""
        first, values = _cheap(wanted)
        then, more = _chosen(wanted)
        cards = _CARDS.format(first=first)
        counted = f"{cards} SELECT count(*) FROM cards WHERE {then}"
        if then == _ALL:  # no report is opened for that
            counted = f"SELECT count(*) FROM runs WHERE {first}"
        with self.database.reading() as connection:
            total = connection.execute(counted, (*values, *more)).fetchone()[0]
            rows = connection.execute(
                f"{cards} SELECT * FROM cards WHERE {then} ORDER BY n DESC LIMIT ? OFFSET ?",
                (*values, *more, limit, offset),
            ).fetchall()
        return [_card(row) for row in rows], int(total)

    def engines(self) -> Sequence[str]:
        """Return the engines that answered, by name."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT json_extract(report, '$.engine') FROM runs WHERE report IS NOT NULL"
            ).fetchall()
        return sorted(row[0] for row in rows if row[0])


def _cheap(wanted: RunFilter) -> tuple[str, list[object]]:
    """Return the conditions that need no report."""
    conditions, values = [_ALL], list[object]()
    for word in wanted.text.split():
        conditions.append("instr(lower(question), lower(?)) > 0")
        values.append(word)
    if wanted.since is not None:
        conditions.append("started >= ?")
        values.append(wanted.since)
    if wanted.until is not None:
        conditions.append("started < ?")
        values.append(wanted.until)
    return " AND ".join(conditions), values


def _chosen(wanted: RunFilter) -> tuple[str, list[object]]:
    """Return the conditions on what the report and the first event say."""
    filters = (wanted.levels, wanted.outcomes, wanted.efforts, wanted.engines)
    conditions, values = [_ALL], list[object]()
    for column, chosen in zip(_CHOSEN, filters, strict=True):
        if chosen:
            conditions.append(f"{column} IN ({', '.join('?' * len(chosen))})")
            values += chosen
    return " AND ".join(conditions), values


def _card(row: sqlite3.Row) -> RunCard:
    finished = row["finished"]
    return RunCard(
        seconds=None if finished is None else max(0.0, finished - row["started"]),
        **{name: row[name] for name in (*_SHOWN, *_CHOSEN)},
    )
