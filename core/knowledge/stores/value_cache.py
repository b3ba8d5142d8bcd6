"""A cache by content: the same key always means the same value. Bounded: the longest unused goes first."""

import hashlib
import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.errors import DiskFull, KnowledgeError
from core.knowledge.stores.database import Database

R = TypeVar("R")
_LOG = logging.getLogger(__name__)
_DIGEST_BYTES = 10  # bytes of the digest before each value

TOUCH_AFTER = 60.0  # seconds; a read notes its time no more often than this


class CacheStore:
    """Keeps replies and vectors in its own file, apart from the truth: it may be deleted any time.

    A file that is damaged is begun anew, a value that is not what was kept counts as missing.
    """

    def __init__(self, path: Path, most_bytes: int = 1 << 30) -> None:
        self._path = path
        self._most = most_bytes
        self._size = 0
        self._database = Database(path)
        self._surely(self._prepare)

    def _prepare(self) -> None:
        with self._database.writing() as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS cache (key TEXT PRIMARY KEY, size INTEGER NOT NULL,"
                " used REAL NOT NULL, value BLOB NOT NULL)"
            )
            connection.execute("CREATE INDEX IF NOT EXISTS cache_used ON cache (used, size)")
            row = connection.execute("SELECT total(size) FROM cache").fetchone()
        self._size = int(row[0])

    def _surely(self, act: Callable[[], R]) -> R:
        """Do something with the file; where it turns out to be damaged, with a new one."""
        try:
            return act()
        except DiskFull:
            raise
        except KnowledgeError as error:
            cause = error.__cause__
            if not isinstance(cause, sqlite3.DatabaseError) or isinstance(cause, sqlite3.OperationalError):
                raise
            _LOG.warning("cache.sqlite was damaged and is begun anew: %s", cause)
            self._database.close()
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._database = Database(self._path)
            self._prepare()
            return act()

    def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        return self._surely(lambda: self._get(key))

    def _get(self, key: str) -> bytes | None:
        now = time.time()
        with self._database.reading() as connection:
            row = connection.execute("SELECT value, used FROM cache WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        blob: bytes = row["value"]
        value = blob[_DIGEST_BYTES:]
        if blob[:_DIGEST_BYTES] != _digest(key, value):
            return None
        if now - row["used"] > TOUCH_AFTER:
            with self._database.writing() as connection:
                connection.execute("UPDATE cache SET used = ? WHERE key = ?", (now, key))
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep the value; a value larger than the whole cache is not kept."""
        self.put_many({key: value})

    def put_many(self, values: dict[str, bytes]) -> None:
        """Keep values in one transaction."""
        self._surely(lambda: self._put_many(values))

    def _put_many(self, values: dict[str, bytes]) -> None:
        now = time.time()
        with self._database.writing() as connection:
            for key, value in values.items():
                if len(value) > self._most:
                    continue
                old = connection.execute("SELECT size FROM cache WHERE key = ?", (key,)).fetchone()
                connection.execute(
                    "INSERT OR REPLACE INTO cache (key, size, used, value) VALUES (?, ?, ?, ?)",
                    (key, len(value), now, _digest(key, value) + value),
                )
                self._size += len(value) - (0 if old is None else old[0])
            if self._size > self._most:
                self._drop_oldest(connection)

    def _drop_oldest(self, connection: sqlite3.Connection) -> None:
        excess = self._size - int(self._most * 0.9)
        evicted: list[tuple[str]] = []
        for row in connection.execute("SELECT key, size FROM cache ORDER BY used, key"):
            if excess <= 0:
                break
            evicted.append((row["key"],))
            excess -= row["size"]
            self._size -= row["size"]
        connection.executemany("DELETE FROM cache WHERE key = ?", evicted)

    def size(self) -> int:
        """Return the bytes of all values kept."""
        return self._size

    def compact(self) -> None:
        """Give back the room of what was dropped."""
        self._database.compact()

    def close(self) -> None:
        self._database.close()


def _digest(key: str, value: bytes) -> bytes:
    return hashlib.blake2b(
        value, digest_size=_DIGEST_BYTES, key=key.encode("utf-8", "surrogatepass")[:64]
    ).digest()
