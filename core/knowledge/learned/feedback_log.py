"""Feedback: written once, never changed, undone by a mark."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Feedback, Value
from core.errors import NotFound
from core.knowledge.stores.database import Database


class RecordedFeedback(Value):
    """Feedback as it was given: its number, when (seconds since the epoch) and whether it was taken back."""

    number: int
    at: float
    feedback: Feedback
    undone: bool = False


@dataclass(frozen=True)
class FeedbackStore:
    """An append-only log of readers' feedback."""

    database: Database

    def give(self, feedback: Feedback) -> int:
        """Add feedback and return its number, by which it can be undone."""
        with self.database.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO feedback (run, at, body) VALUES (?, ?, ?)",
                (feedback.run, time.time(), feedback.model_dump_json()),
            )
            return int(cursor.lastrowid or 0)

    def undo(self, number: int) -> None:
        """Take feedback back; the record keeps that it was given. Raises NotFound."""
        with self.database.writing() as connection:
            cursor = connection.execute(
                "UPDATE feedback SET undone = ifnull(undone, ?) WHERE n = ?", (time.time(), number)
            )
            if cursor.rowcount == 0:
                raise NotFound(f"there is no feedback {number}")

    def history(self, run: str | None = None) -> Sequence[RecordedFeedback]:
        """Return all that was ever given, oldest first, what was undone marked so."""
        where, values = ("", ()) if run is None else ("WHERE run = ?", (run,))
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT * FROM feedback {where} ORDER BY n", values).fetchall()
        return [
            RecordedFeedback(
                number=row["n"],
                at=row["at"],
                feedback=Feedback.model_validate_json(row["body"]),
                undone=row["undone"] is not None,
            )
            for row in rows
        ]

    def list(self, run: str | None = None) -> Sequence[Feedback]:
        """Return the feedback that stands, oldest first."""
        return [entry.feedback for entry in self.history(run) if not entry.undone]
