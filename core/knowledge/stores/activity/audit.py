"""What was changed, by whom and when: a file of its own, to which is only ever added."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.domain import Value
from core.errors import DiskFull, KnowledgeError
from core.knowledge.stores.database import Database
from core.knowledge.stores.read_only import reading_only

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


def must_be_whole(path: Path) -> None:
    """Raise KnowledgeError where there is an audit that cannot be read whole."""
    if not path.exists():
        return
    if not os.access(path, os.R_OK):
        raise KnowledgeError(
            f"{path} cannot be read: Permission denied.",
            hint="Give yourself the right to read there, or set STRATA_STORE__PATH to another folder.",
        )
    try:
        with reading_only(path) as connection:
            (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            (tables,) = connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'audit'"
            ).fetchone()
    except (BlockingIOError, DiskFull):  # a process writes to it, or there is no room for a copy
        return
    except KnowledgeError:
        state, tables = "damaged", 0
    if state != "ok" or not tables:
        raise KnowledgeError(
            f"The audit in {path} is damaged, so nothing is changed that would stand in it.",
            hint=f"Keep it aside with `mv {path} {path}.damaged`; the next change begins a new one.",
        )


class AuditStore:
    """The audit of a library; several processes may write to it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._database = Database(self._path)

    def must_be_ready(self) -> None:
        """Check, before a change is made, that it can be noted. Raises KnowledgeError."""
        must_be_whole(self._path)
        if not self._path.exists():  # set aside meanwhile: what is open writes to where it lies now
            self._database.close()
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
        with suppress(PermissionError):  # it is somebody else's, who lets others write to the folder
            self._path.chmod(0o600)

    def list(self, limit: int = 100) -> Sequence[AuditEntry]:
        """Return the changes under the names they have now, the latest first. Raises KnowledgeError."""
        if not self._path.exists():
            return []
        must_be_whole(self._path)
        with reading_only(self._path) as connection:  # also where nothing may be written
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
