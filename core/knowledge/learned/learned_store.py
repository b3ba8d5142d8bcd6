"""Facade over all learned data: changes, verified answers, usefulness, plans, gaps, self-tests."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from core.domain import Relation, Tag, Value
from core.errors import NotFound
from core.knowledge.learned.changes import ChangeStore
from core.knowledge.learned.gaps import GapStore, UpdateStore
from core.knowledge.learned.plans import PlanStore
from core.knowledge.learned.usefulness import UsefulnessStore
from core.knowledge.learned.verified_answers import VerifiedStore, question_key
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents import catalog, distilled


class GrowthMark(Value):
    """How far the library had grown and shrunk at some moment: the last row numbers of two tables."""

    documents: int = 0  # of documents, in the order they were added
    forgotten: int = 0  # of the log of removals


class StoredTest(NamedTuple):
    """A value kept by number, as JSON, with when (seconds since the epoch)."""

    number: int
    at: float
    body: str


@dataclass(frozen=True)
class LearnedStore:
    """What readers taught the library, and how it fared since."""

    database: Database
    whose: str = ""  # small states are kept by person

    @cached_property
    def changes(self) -> ChangeStore:
        """What feedback changed; each change can be undone."""
        return ChangeStore(self.database)

    @cached_property
    def verified(self) -> VerifiedStore:
        """Answers a reader called right."""
        return VerifiedStore(self.database)

    @cached_property
    def plans(self) -> PlanStore:
        """Plans a reader called right."""
        return PlanStore(self.database)

    @cached_property
    def usefulness(self) -> UsefulnessStore:
        """How often passages helped, by tag and kind of question."""
        return UsefulnessStore(self.database)

    @cached_property
    def gaps(self) -> GapStore:
        """Questions the library could not answer."""
        return GapStore(self.database)

    @cached_property
    def updates(self) -> UpdateStore:
        """What came of asking gaps and verified answers again."""
        return UpdateStore(self.database)

    # -- small states by name -------------------------------------------------------------

    def state(self, name: str) -> str | None:
        """Return the JSON kept under a name, or None."""
        with self.database.reading() as connection:
            row = connection.execute(
                "SELECT body FROM learnt_state WHERE name = ?", (self.whose + name,)
            ).fetchone()
        return None if row is None else str(row[0])

    def keep_state(self, name: str, body: str) -> None:
        """Keep JSON under a name."""
        with self.database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO learnt_state (name, body) VALUES (?, ?)", (self.whose + name, body)
            )

    # -- the saved question set -----------------------------------------------------------

    def questions(self) -> list[str]:
        """Return the saved question set in its order."""
        with self.database.reading() as connection:
            return [row[0] for row in connection.execute("SELECT question FROM saved_questions ORDER BY n")]

    def keep_questions(self, questions: Sequence[str]) -> None:
        """Replace the saved question set. Raises ValueError where two questions are the same."""
        keys = [question_key(question) for question in questions]
        twice = [question for question, key in zip(questions, keys, strict=True) if keys.count(key) > 1]
        if twice:
            raise ValueError(f"asked twice: {twice[0]}")
        with self.database.writing() as connection:
            connection.execute("DELETE FROM saved_questions")
            connection.executemany(
                "INSERT INTO saved_questions (key, question) VALUES (?, ?)", zip(keys, questions, strict=True)
            )

    # -- self-tests -----------------------------------------------------------------------

    def keep_test(self, body: str) -> StoredTest:
        """Keep the result of a self-test."""
        at = time.time()
        with self.database.writing() as connection:
            cursor = connection.execute("INSERT INTO self_tests (at, body) VALUES (?, ?)", (at, body))
            return StoredTest(int(cursor.lastrowid or 0), at, body)

    def tests(self, limit: int = 100) -> list[StoredTest]:
        """Return the latest self-tests, oldest first."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT n, at, body FROM self_tests ORDER BY n DESC LIMIT ?", (limit,)
            ).fetchall()
        return [StoredTest(*row) for row in reversed(rows)]

    # -- how the library grows ------------------------------------------------------------

    def marks(self) -> GrowthMark:
        """Return how far the library has grown and shrunk until now."""
        with self.database.reading() as connection:
            newest = connection.execute("SELECT ifnull(max(n), 0) FROM documents").fetchone()[0]
            forgotten = connection.execute("SELECT ifnull(max(n), 0) FROM forgotten").fetchone()[0]
        return GrowthMark(documents=newest, forgotten=forgotten)

    def since(self, marks: GrowthMark) -> tuple[tuple[str, ...], int]:
        """Return the ids of documents added after the marks, and how many were removed."""
        with self.database.reading() as connection:
            came = connection.execute(
                "SELECT id FROM documents WHERE n > ? ORDER BY n", (marks.documents,)
            ).fetchall()
            removed = connection.execute(
                "SELECT count(*) FROM forgotten WHERE n > ? AND what = 'document'", (marks.forgotten,)
            ).fetchone()[0]
        return tuple(row[0] for row in came), int(removed)

    # -- tags and relations that were wrong -----------------------------------------------

    def take_tags(self, name: str, chunk_id: str = "") -> list[tuple[int, Tag]]:
        """Take a tag off a chunk ("" for every chunk); return what was there. Raises NotFound."""
        where, values = "name = ? COLLATE NOCASE", [name]
        if chunk_id:
            where, values = f"{where} AND chunk_id = ?", [name, chunk_id]
        with self.database.writing() as connection:
            rows = connection.execute(f"SELECT * FROM tags WHERE {where} ORDER BY n", values).fetchall()
            if not rows:
                raise NotFound(f"no chunk carries the tag {name}")
            connection.execute(f"DELETE FROM tags WHERE {where}", values)
            _redraw(connection, rows[0]["chunk_id"])
        return [
            (row["n"], Tag(chunk_id=row["chunk_id"], name=row["name"], tag_class=row["tag_class"]))
            for row in rows
        ]

    def put_tags(self, rows: Sequence[tuple[int, Tag]]) -> None:
        """Put tags back where they were (place 0: a new one); those of chunks that went are skipped."""
        with self.database.writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO tags (n, chunk_id, name, tag_class)"
                " SELECT nullif(?, 0), id, ?, ? FROM chunks WHERE id = ?",
                ((n, tag.name, tag.tag_class, tag.chunk_id) for n, tag in rows),
            )
            _redraw(connection, rows[0][1].chunk_id)

    def take_relation(self, relation_id: str) -> tuple[int, Relation]:
        """Take a relation out of the graph; return it with its place. Raises NotFound."""
        with self.database.writing() as connection:
            row = connection.execute(
                "SELECT n, chunk_id FROM relations WHERE id = ?", (relation_id,)
            ).fetchone()
            if row is None:
                raise NotFound(f"there is no relation {relation_id}")
            relations = distilled.relations(connection, None, row["chunk_id"])
            connection.execute("DELETE FROM relations WHERE id = ?", (relation_id,))
            _redraw(connection, row["chunk_id"])
        return row["n"], next(relation for relation in relations if relation.id == relation_id)

    def put_relation(self, place: int, relation: Relation) -> None:
        """Put a relation where it was (place 0: a new one), if its chunk is still there."""
        with self.database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO relations (n, id, subject, predicate, object, chunk_id, maker)"
                " SELECT nullif(?, 0), ?, ?, ?, ?, id, ? FROM chunks WHERE id = ?",
                (
                    place,
                    relation.id,
                    relation.subject,
                    relation.predicate,
                    relation.object,
                    relation.by,
                    relation.chunk_id,
                ),
            )
            _redraw(connection, relation.chunk_id)


def _redraw(connection: sqlite3.Connection, chunk_id: str) -> None:
    """Record that edges were removed or restored, so that the graph index updates them."""
    catalog.record_deletion(connection, chunk_id, "edges")
    catalog.count_change(connection)
