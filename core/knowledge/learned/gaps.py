"""What the library could not answer, and what came of asking it again."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain import Report, Scope, Value, identify
from core.errors import NotFound
from core.knowledge.learned.verified_answers import question_key
from core.knowledge.stores.database import Database

GapStatus = Literal["open", "closed", "dismissed"]
UpdateStatus = Literal["waiting", "running", "done", "cancelled"]


class Gap(Value):
    """A question the library did not answer, whole or in part. Times are seconds since the epoch."""

    id: str
    question: str
    scope: Scope = Scope()
    missing: tuple[str, ...] = ()
    reason: str = ""  # "nothing found", "gap", "said to be wrong", "evidence changed"
    run: str = ""
    at: float = 0.0
    answer: str = ""  # what was said then, "" for nothing
    outcome: str = ""
    status: GapStatus = "open"
    asked: int = 0  # times it was asked again
    last_asked: float = 0.0
    closed_by: str = ""  # "run <id>", "update <number>"


class Difference(Value):
    """An answer that differs from the earlier one, and the documents it now rests on."""

    id: str
    question: str
    of: Literal["gap", "verified answer"]
    source: str  # id of the gap, or of the verified answer
    before: str
    after: str
    outcome_before: str = ""
    outcome_after: str = ""
    because: tuple[str, ...] = ()  # titles of new documents it cites
    report: Report | None = None  # so that it can be accepted
    decision: Literal["", "accepted", "rejected"] = ""


class Update(Value):
    """One time of asking again after the library changed. Times are seconds since the epoch."""

    number: int = 0
    status: UpdateStatus = "waiting"
    at: float = 0.0
    finished: float = 0.0
    new: tuple[str, ...] = ()  # ids of documents that came since the last time
    gone: int = 0  # documents that went
    pending: tuple[str, ...] = ()  # "gap <id>", "verified <id>", still to be asked
    asked: int = 0
    skipped: int = 0  # over the most that are asked in one update
    differences: tuple[Difference, ...] = ()


def gap_id(question: str, scope: Scope) -> str:
    """Return the id of the gap a question leaves: one for each question and scope."""
    return identify("gap", question_key(question), *sorted(scope.collections), *sorted(scope.documents))


@dataclass(frozen=True)
class GapStore:
    """One gap a question."""

    database: Database

    def put(self, gap: Gap) -> None:
        """Write a gap, new or changed."""
        with self.database.writing() as connection:
            connection.execute(
                "INSERT INTO gaps (id, key, status, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                " status = excluded.status, body = excluded.body",
                (gap.id, question_key(gap.question), gap.status, gap.model_dump_json()),
            )

    def drop(self, gap_id: str) -> None:
        """Forget a gap, as if it had never been there."""
        with self.database.writing() as connection:
            connection.execute("DELETE FROM gaps WHERE id = ?", (gap_id,))

    def get(self, gap_id: str) -> Gap:
        """Return a gap. Raises NotFound."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT body FROM gaps WHERE id = ?", (gap_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no gap {gap_id}")
        return Gap.model_validate_json(row[0])

    def list(self, status: GapStatus | None = None) -> Sequence[Gap]:
        """Return gaps, the latest first."""
        where, values = ("", ()) if status is None else ("WHERE status = ?", (status,))
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT body FROM gaps {where} ORDER BY n DESC", values).fetchall()
        return [Gap.model_validate_json(row[0]) for row in rows]


@dataclass(frozen=True)
class UpdateStore:
    """Keeps every update with its differences."""

    database: Database

    def start(self, update: Update) -> Update:
        """Write a new update; return it with its number."""
        with self.database.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO updates (status, body) VALUES (?, ?)", (update.status, update.model_dump_json())
            )
            return update.model_copy(
                update={"number": int(cursor.lastrowid or 0), "at": update.at or time.time()}
            )

    def put(self, update: Update) -> None:
        """Save an update, in progress or finished."""
        with self.database.writing() as connection:
            connection.execute(
                "UPDATE updates SET status = ?, body = ? WHERE n = ?",
                (update.status, update.model_dump_json(), update.number),
            )

    def list(self, limit: int = 20) -> Sequence[Update]:
        """Return updates, the latest first."""
        return self._select("ORDER BY n DESC LIMIT ?", limit)

    def get(self, number: int) -> Update:
        """Return an update. Raises NotFound."""
        found = self._select("WHERE n = ?", number)
        if not found:
            raise NotFound(f"there is no update {number}")
        return found[0]

    def unfinished(self) -> Update | None:
        """Return the update that was waiting or running when the library was last closed."""
        found = self._select("WHERE status IN ('waiting', 'running') ORDER BY n LIMIT 1")
        return found[0] if found else None

    def _select(self, rest: str, *values: object) -> "Sequence[Update]":
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT n, body FROM updates {rest}", values).fetchall()
        return [Update.model_validate_json(row[1]).model_copy(update={"number": row[0]}) for row in rows]
