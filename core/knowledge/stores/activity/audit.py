"""What was changed, by whom and when: a file of its own, to which is only ever added."""

import time
from collections.abc import Sequence
from pathlib import Path

from core.domain import Value
from core.knowledge.stores.database import Database

FILE = "audit.sqlite"
# What entries written before 2026-11-25 call a change, and what it is called since: they are never rewritten.
RENAMED = {
    "library.remove": "library.delete_permanently",
    "library.discard": "library.move_to_trash",
    "library.undiscard": "library.restore_from_trash",
}


class AuditEntry(Value):
    """One change. `at` is seconds since the epoch; `about` names what was changed."""

    at: float
    who: str
    what: str
    about: str = ""


class AuditStore:
    """The audit of a library; several processes may write to it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._database = Database(self._path)

    def note(self, who: str, what: str, about: str = "") -> None:
        """Add a change. Raises DiskFull, KnowledgeError."""
        with self._database.writing() as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS audit (n INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL,"
                " who TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL)"
            )
            for act in ("UPDATE", "DELETE"):
                connection.execute(
                    f"CREATE TRIGGER IF NOT EXISTS no_{act} BEFORE {act} ON audit"
                    " BEGIN SELECT RAISE(ABORT, 'an audit is only added to'); END"
                )
            connection.execute(
                "INSERT INTO audit (at, who, what, about) VALUES (?, ?, ?, ?)",
                (time.time(), who, what, about[:300]),
            )
        self._path.chmod(0o600)

    def list(self, limit: int = 100) -> Sequence[AuditEntry]:
        """Return the changes under the names they have now, the latest first."""
        if not self._path.exists():
            return []
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT at, who, what, about FROM audit ORDER BY n DESC LIMIT ?", (limit,)
            ).fetchall()
        return [
            AuditEntry(at=at, who=who, what=RENAMED.get(what, what), about=about)
            for at, who, what, about in rows
        ]

    def close(self) -> None:
        """Close the file."""
        self._database.close()
