"""Conversations: the runs that belong together, by the title a reader gave or their first question."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import NotFound
from core.knowledge.stores.database import Database
from core.knowledge.stores.records import Conversation

_ALL = """
SELECT conversation, max(started) AS updated, max(n) AS latest, count(*) AS times,
  coalesce(max(t.title), (SELECT question FROM runs f WHERE f.conversation = r.conversation
    ORDER BY n LIMIT 1)) AS title
FROM runs r LEFT JOIN conversation_titles t ON t.id = r.conversation
WHERE {} GROUP BY conversation ORDER BY latest DESC LIMIT ?
"""
_MENTIONS = """
conversation IN (SELECT conversation FROM runs LEFT JOIN conversation_titles s ON s.id = conversation
  WHERE instr(lower(question || ' ' || coalesce(s.title, '')
    || ' ' || coalesce(json_extract(report, '$.answer'), '')), lower(?)) > 0)
"""


@dataclass(frozen=True)
class ConversationStore:
    """Lists, names and deletes conversations."""

    database: Database

    def list(self, limit: int = 50, words: str = "") -> Sequence[Conversation]:
        """Return conversations, the latest first; with words, those whose title, questions or answers hold
        each of them."""
        wanted = words.split()
        where = " AND ".join([_MENTIONS] * len(wanted)) or "1"
        with self.database.reading() as connection:
            rows = connection.execute(_ALL.format(where), (*wanted, limit)).fetchall()
        return [
            Conversation(id=r["conversation"], title=r["title"], updated=r["updated"], runs=r["times"])
            for r in rows
        ]

    def title(self, conversation: str) -> str:
        """Return the title a reader gave, else the first question. Raises NotFound."""
        with self.database.reading() as connection:
            row = connection.execute(_ALL.format("r.conversation = ?"), (conversation, 1)).fetchone()
        if row is None:
            raise NotFound(f"there is no conversation {conversation}")
        return str(row["title"])

    def rename(self, conversation: str, title: str) -> None:
        """Keep this title; with "", it goes by its first question again. Raises NotFound."""
        with self.database.writing() as connection:
            known = connection.execute("SELECT 1 FROM runs WHERE conversation = ?", (conversation,))
            if known.fetchone() is None:
                raise NotFound(f"there is no conversation {conversation}")
            connection.execute("DELETE FROM conversation_titles WHERE id = ?", (conversation,))
            if title.strip():
                values = (conversation, " ".join(title.split()))
                connection.execute("INSERT INTO conversation_titles (id, title) VALUES (?, ?)", values)

    def delete(self, conversation: str) -> None:
        """Delete its runs with their events; feedback on them stays, it is learnt from."""
        with self.database.writing() as connection:
            connection.execute("DELETE FROM runs WHERE conversation = ?", (conversation,))
            connection.execute("DELETE FROM conversation_titles WHERE id = ?", (conversation,))
