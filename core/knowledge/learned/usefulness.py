"""Counts how often readers judged a passage useful or useless, per tag and type of question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.knowledge.stores.database import Database
from core.knowledge.stores.documents.catalog import IN, count_change, many


class UsefulnessCount(NamedTuple):
    """Verdicts on a passage for questions about a tag ("" for none) of one type."""

    chunk_id: str
    tag: str
    type: str
    good: int
    bad: int


@dataclass(frozen=True)
class UsefulnessStore:
    """Counts of verdicts; a count that falls to nothing is forgotten."""

    database: Database

    def add(self, rows: Iterable[UsefulnessCount]) -> None:
        """Add to the counts (negative ones take back)."""
        with self.database.writing() as connection:
            connection.executemany(
                "INSERT INTO usefulness (chunk_id, tag, type, good, bad) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (chunk_id, tag, type) DO UPDATE SET good = max(0, good + excluded.good),"
                " bad = max(0, bad + excluded.bad)",
                rows,
            )
            connection.execute("DELETE FROM usefulness WHERE good <= 0 AND bad <= 0")
            count_change(connection)

    def of(self, chunk_ids: Sequence[str], type: str) -> Sequence[UsefulnessCount]:
        """Return the counts of these passages for a type of question."""
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT * FROM usefulness WHERE chunk_id {IN} AND type = ? ORDER BY chunk_id, tag",
                (many(chunk_ids), type),
            ).fetchall()
        return [UsefulnessCount(*row) for row in rows]

    def list(self) -> Sequence[UsefulnessCount]:
        """Return all counts."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT * FROM usefulness ORDER BY chunk_id, tag, type").fetchall()
        return [UsefulnessCount(*row) for row in rows]
