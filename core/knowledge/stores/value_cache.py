"""A cache by content: the same key always means the same value. Bounded: the longest unused goes first."""

import time
from pathlib import Path

from core.knowledge.stores.database import Database

TOUCH_AFTER = 60.0  # seconds; a read notes its time no more often than this


class CacheStore:
    """Keeps replies and vectors in a file of its own, apart from the truth: it may be deleted any time."""

    def __init__(self, path: Path, most_bytes: int = 1 << 30) -> None:
        self._database = Database(path)
        self._most = most_bytes
        with self._database.writing() as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS cache (key TEXT PRIMARY KEY, size INTEGER NOT NULL,"
                " used REAL NOT NULL, value BLOB NOT NULL)"
            )
            connection.execute("CREATE INDEX IF NOT EXISTS cache_used ON cache (used, size)")
            row = connection.execute("SELECT total(size) FROM cache").fetchone()
        self._size = int(row[0])

    def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        now = time.time()
        with self._database.reading() as connection:
            row = connection.execute("SELECT value, used FROM cache WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        if now - row["used"] > TOUCH_AFTER:
            with self._database.writing() as connection:
                connection.execute("UPDATE cache SET used = ? WHERE key = ?", (now, key))
        value: bytes = row["value"]
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep the value; a value larger than the whole cache is not kept."""
        self.put_many({key: value})

    def put_many(self, values: dict[str, bytes]) -> None:
        """Keep values in one transaction."""
        now = time.time()
        with self._database.writing() as connection:
            for key, value in values.items():
                if len(value) > self._most:
                    continue
                old = connection.execute("SELECT size FROM cache WHERE key = ?", (key,)).fetchone()
                connection.execute(
                    "INSERT OR REPLACE INTO cache (key, size, used, value) VALUES (?, ?, ?, ?)",
                    (key, len(value), now, value),
                )
                self._size += len(value) - (0 if old is None else old[0])
            if self._size > self._most:
                excess = self._size - int(self._most * 0.9)
                oldest = connection.execute("SELECT key, size FROM cache ORDER BY used, key")
                gone: list[tuple[str]] = []
                for row in oldest:
                    if excess <= 0:
                        break
                    gone.append((row["key"],))
                    excess -= row["size"]
                    self._size -= row["size"]
                connection.executemany("DELETE FROM cache WHERE key = ?", gone)

    def size(self) -> int:
        """Return the bytes of all values kept."""
        return self._size

    def compact(self) -> None:
        """Give back the room of what was let go."""
        self._database.compact()

    def close(self) -> None:
        self._database.close()
