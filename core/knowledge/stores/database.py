"""A SQLite file that many threads share: one writer at a time, readers never wait (WAL)."""

import errno
import logging
import queue
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import DiskFull, KnowledgeError, Unlockable, Unwritable

_LOG = logging.getLogger(__name__)
UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
MIN_FREE_BYTES = 1 << 20
FULL_MEMORY_FILE = "SQLITE_IOERR_SHMSIZE"  # no room for what SQLite keeps beside a file
_NO_LOCKS = ("SQLITE_PROTOCOL", "SQLITE_IOERR_LOCK", "SQLITE_IOERR_RDLOCK", "SQLITE_IOERR_UNLOCK",
             "SQLITE_IOERR_SHMLOCK", "SQLITE_IOERR_CHECKRESERVEDLOCK")  # fmt: skip
FULL = ("disk is full", "no space left", "disk i/o error: no space")


def is_disk_full(error: Exception) -> bool:
    """Say whether an error of a library is that the disk is full."""
    if getattr(error, "sqlite_errorname", "") == FULL_MEMORY_FILE:  # its text only says "disk I/O error"
        return True
    return any(words in str(error).lower() for words in FULL)


def is_without_locks(error: Exception) -> bool:
    """Say whether an error of a library is that the system gives no locks, as a network folder may at any
    time. SQLite retries for ten seconds and then calls it a breach of its protocol, as Chroma does, too."""
    number = error.errno if isinstance(error, OSError) else None
    said = getattr(error, "sqlite_errorname", "")
    return number == errno.ENOLCK or said in _NO_LOCKS or "locking protocol" in str(error)


def no_room(folder: Path) -> bool:
    """Say whether the disk of a folder has less room left than a store writes at once."""
    return folder.exists() and shutil.disk_usage(folder).free < MIN_FREE_BYTES


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn what SQLite, DuckDB, Chroma and the file system say into KnowledgeError or DiskFull."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite quotes the bytes of a damaged file
        if is_disk_full(error):
            raise DiskFull("the disk is full") from error
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_READONLY"):
            raise Unwritable("the library's files cannot be written to: Permission denied.") from error
        if is_without_locks(error):
            raise Unlockable("the catalog could not be locked; nothing that was stored is lost.") from error
        raise KnowledgeError(f"the catalog could not be read or written: {error}") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT) or is_disk_full(
            error
        ):  # of several files, without a number
            raise DiskFull("the disk is full") from error
        if error.errno in UNWRITABLE:
            raise Unwritable(f"{error.filename} cannot be used: {error.strerror}.") from error
        if is_without_locks(error):
            raise Unlockable("the library's folder cannot be locked any more.") from error
        raise


@contextmanager
def saving_cache() -> Iterator[None]:
    """Translate errors; a cache that cannot be written to stops nothing: it is made anew at each start."""
    try:
        with translated_errors():
            yield
    except Unwritable as error:
        _LOG.warning("%s", error)


class Database:
    """Connections to one SQLite file, lent for a block at a time."""

    partial = False  # of a person who sees a part of it

    owner: str | None = None  # whose rows are seen and written; None: everybody's

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()
        self._writer = threading.RLock()
        self._open = threading.local()  # the connection of the transaction this thread is writing in
        self._closed = False

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=30.0, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        return connection

    @contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise KnowledgeError("the library is closed")
        with translated_errors():
            try:
                connection = self._idle.get_nowait()
            except queue.Empty:
                connection = self._connect()
            try:
                yield connection
                if connection.in_transaction:
                    connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if self._closed:
                    connection.close()
                else:
                    self._idle.put(connection)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection; the whole block sees one state, whatever is written meanwhile. Inside a block
        that writes it sees what that has written."""
        if (existing := self._own_connection()) is not None:
            yield existing
            return
        with self._lent() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection inside one transaction: all of the block becomes visible at once, or nothing. A
        block inside another is part of its transaction."""
        if (existing := self._own_connection()) is not None:
            with translated_errors():
                yield existing
            return
        with self._writer, self._lent() as connection:
            connection.execute("BEGIN IMMEDIATE")
            self._open.connection = connection
            try:
                yield connection
            finally:
                self._open.connection = None

    def _own_connection(self) -> sqlite3.Connection | None:
        connection: sqlite3.Connection | None = getattr(self._open, "connection", None)
        return connection

    def compact(self) -> None:
        """Write the file anew without its gaps, and empty its journal."""
        with self._writer, self._lent() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close what is idle; a block still open closes its own connection when it ends."""
        with self._writer:
            self._closed = True
            while True:
                try:
                    self._idle.get_nowait().close()
                except queue.Empty:
                    return
