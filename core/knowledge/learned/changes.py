"""What the library learnt from its readers: named changes, each with what was before and after it."""

import sqlite3
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from core.domain import Value
from core.errors import NotFound
from core.knowledge.stores.database import Database

ChangeKind = Literal[
    "verified answer",
    "usefulness",
    "tag pair",
    "plan",
    "tag removed",
    "tag replaced",
    "relation removed",
    "relation replaced",
    "gap",
]
ChangeStatus = Literal["active", "undone", "invalid"]


class ComparedAnswers(Value):
    """One question of the saved set, before a change and after it."""

    question: str
    before: str
    after: str
    outcome_before: str = ""
    outcome_after: str = ""
    support_before: float = 0.0  # share of sentences that their citations support
    support_after: float = 0.0
    documents_before: tuple[str, ...] = ()  # titles the answer cites
    documents_after: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Say whether the answer's words stayed as they were."""
        return " ".join(self.before.split()) == " ".join(self.after.split())


class Effect(Value):
    """What a change did to the saved question set; `skipped` questions were not reached in time."""

    compared: tuple[ComparedAnswers, ...] = ()
    skipped: int = 0

    @property
    def changed(self) -> int:
        return sum(not row.same for row in self.compared)


class Change(Value):
    """Something learnt, by name: what, why (the feedback's number and run), before, after, whether it holds.

    `before` and `after` hold what undoing needs, as JSON. `reason` says why it is invalid or was undone.
    """

    id: str
    kind: ChangeKind
    name: str
    what: str
    feedback: int = 0
    run: str = ""
    target: str = ""
    before: dict[str, Any] = Field(default_factory=dict)
    after: dict[str, Any] = Field(default_factory=dict)
    at: float = 0.0
    status: ChangeStatus = "active"
    reason: str = ""
    effect: Effect | None = None


def new_change(kind: ChangeKind, name: str, what: str, **more: Any) -> Change:
    """Return a change made now, with an id of its own."""
    return Change(id=uuid.uuid4().hex[:12], kind=kind, name=name, what=what, at=time.time(), **more)


@dataclass(frozen=True)
class ChangeStore:
    """Keeps every change for good; undoing is a mark."""

    database: Database

    def put(self, change: Change) -> None:
        """Write a change, new or with another status or effect."""
        with self.database.writing() as connection:
            write_change(connection, change)

    def get(self, change_id: str) -> Change:
        """Return a change. Raises NotFound."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT body FROM changes WHERE id = ?", (change_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no change {change_id}")
        return Change.model_validate_json(row[0])

    def list(self, status: ChangeStatus | None = None, feedback: int | None = None) -> Sequence[Change]:
        """Return changes, newest first: all, those of a status, those of one feedback."""
        wanted = [("status = ?", status), ("feedback = ?", feedback)]
        conditions = [text for text, value in wanted if value is not None]
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        values = [value for _, value in wanted if value is not None]
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT body FROM changes {where} ORDER BY n DESC", values).fetchall()
        return [Change.model_validate_json(row[0]) for row in rows]


def write_change(connection: sqlite3.Connection, change: Change) -> None:
    """Write a change inside a transaction that is open."""
    connection.execute(
        "INSERT INTO changes (id, kind, status, feedback, body) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body",
        (change.id, change.kind, change.status, change.feedback, change.model_dump_json()),
    )
