"""Answers somebody verified, with the passages they rest on; they hold while those stay as they were."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Chunk, Sentence, Value, identify
from core.errors import NotFound
from core.knowledge.stores.database import Database
from core.text.tokens import words

POLITE = frozenset(("the", "a", "an", "pleas", "kind", "请", "请问"))  # as `words` gives them


class Ground(Value):
    """A chunk an answer rests on and the digest of its words at the time."""

    chunk_id: str
    digest: str


class VerifiedAnswer(Value):
    """A question with the answer that was verified. `id` is that of its atom in the distilled layer.

    Citations of the sentences are 1-based numbers of `grounds`. `replaced` is what a corrected answer said
    before. `at` is in seconds since the epoch.
    """

    id: str
    question: str
    answer: str
    sentences: tuple[Sentence, ...]
    grounds: tuple[Ground, ...]
    verified_by: str = "reader"
    corrected: bool = False
    replaced: tuple[str, ...] = ()
    change: str = ""
    run: str = ""
    at: float = 0.0


def digest(chunk: Chunk) -> str:
    """Return a digest of a chunk's text, by which a change of it is noticed."""
    return identify(chunk.passage_text())


def question_key(question: str) -> str:
    """Return the form by which questions are the same: every word in its order, but articles and "please"."""
    return " ".join(word for word in words(question) if word not in POLITE)


@dataclass(frozen=True)
class VerifiedStore:
    """Keeps at most one verified answer a question."""

    database: Database

    def put(self, answer: VerifiedAnswer) -> None:
        """Keep an answer; the one the question had before is replaced."""
        with self.database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO verified_answers (key, id, body) VALUES (?, ?, ?)",
                (question_key(answer.question), answer.id, answer.model_dump_json()),
            )

    def drop(self, answer_id: str) -> None:
        """Forget an answer. Raises NotFound."""
        with self.database.writing() as connection:
            if not connection.execute("DELETE FROM verified_answers WHERE id = ?", (answer_id,)).rowcount:
                raise NotFound(f"there is no verified answer {answer_id}")

    def find(self, question: str) -> VerifiedAnswer | None:
        """Return the answer of the same question, whether or not its passages still say so."""
        key = question_key(question)
        with self.database.reading() as connection:
            row = connection.execute("SELECT body FROM verified_answers WHERE key = ?", (key,)).fetchone()
        return VerifiedAnswer.model_validate_json(row[0]) if row is not None and key else None

    def list(self) -> Sequence[VerifiedAnswer]:
        """Return all verified answers, oldest first."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT body FROM verified_answers ORDER BY n").fetchall()
        return [VerifiedAnswer.model_validate_json(row[0]) for row in rows]
