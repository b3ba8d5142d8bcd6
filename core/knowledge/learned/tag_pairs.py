"""Tag pairs that were learnt: what people say, and the library's term for it (PIKE-RAG 5.2.2)."""

import time
from dataclasses import dataclass
from typing import Literal

from core.domain import Value
from core.errors import NotFound
from core.knowledge.stores.database import Database
from core.text.tokens import normal

Teacher = Literal["samples", "feedback", "reader"]


class LearntPair(Value):
    """A pair, how often it was learnt, by whom last (seconds since the epoch), and the words that show it."""

    said: str
    meant: str
    times: int
    teacher: Teacher
    evidence: str = ""
    at: float = 0.0


@dataclass(frozen=True)
class PairStore:
    """Keeps each pair once; learning it again counts it up, unlearning takes it away."""

    database: Database

    def learn(self, text: str, meant: str, teacher: Teacher = "feedback", evidence: str = "") -> None:
        """Learn that `text` is read as `meant`. Raises ValueError for words that say the same or nothing."""
        text, meant = " ".join(text.split()), " ".join(meant.split())
        key = normal(text)
        if not key or not normal(meant) or key == normal(meant):
            raise ValueError("a pair needs two different terms")
        with self.database.writing() as connection:
            connection.execute(
                "INSERT INTO tag_pairs (key, said, meant, times, teacher, evidence, at)"
                " VALUES (?, ?, ?, 1, ?, ?, ?) ON CONFLICT (key, meant) DO UPDATE SET"
                " times = times + 1, teacher = excluded.teacher, evidence = excluded.evidence,"
                " at = excluded.at",
                (key, text, meant, teacher, evidence, time.time()),
            )

    def unlearn(self, text: str, meant: str) -> None:
        """Take a pair away. Raises NotFound."""
        with self.database.writing() as connection:
            cursor = connection.execute(
                "DELETE FROM tag_pairs WHERE key = ? AND meant = ?", (normal(text), " ".join(meant.split()))
            )
            if cursor.rowcount == 0:
                raise NotFound(f"no pair reads {text!r} as {meant!r}")

    def find(self, text: str, meant: str) -> LearntPair | None:
        """Return a pair as it is kept, or None."""
        key, meant = normal(text), " ".join(meant.split())
        return next((p for p in self.list() if normal(p.said) == key and p.meant == meant), None)

    def restore(self, pair: LearntPair) -> None:
        """Put a pair back exactly as it was."""
        with self.database.writing() as connection:
            connection.execute(
                "INSERT INTO tag_pairs (key, said, meant, times, teacher, evidence, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, meant) DO UPDATE SET said = excluded.said,"
                " times = excluded.times, teacher = excluded.teacher, evidence = excluded.evidence,"
                " at = excluded.at",
                (normal(pair.said), pair.said, pair.meant, pair.times, pair.teacher, pair.evidence, pair.at),
            )

    def list(self) -> list[LearntPair]:
        """Return all pairs, those learnt most often first."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT * FROM tag_pairs ORDER BY times DESC, n").fetchall()
        return [
            LearntPair(
                said=row["said"],
                meant=row["meant"],
                times=row["times"],
                teacher=row["teacher"],
                evidence=row["evidence"],
                at=row["at"],
            )
            for row in rows
        ]
