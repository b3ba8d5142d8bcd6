"""A file that its owner alone can read, written whole or not at all, by one process at a time."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import AccountError, DiskFull


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let nobody else change the accounts meanwhile; `path` is the lock. Raises AccountError."""
    lock = FileLock(path, timeout=10, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise AccountError(
            "Another process is changing the accounts.", hint="Try again when it has ended."
        ) from error
    except (OSError, NotImplementedError) as error:
        raise AccountError(
            f"{path.parent} cannot be locked: {getattr(error, 'strerror', None) or error}.",
            hint="A library needs a disk of this machine: network folders without locks lose data. "
            "Set STRATA_STORE__PATH to one, and copy the library there.",
        ) from error
    try:
        yield
    finally:
        lock.release()


def write(path: Path, text: str) -> None:
    """Put a text in the file's place; where that fails the file stays as it was, and nothing lies beside it.

    Raises DiskFull, AccountError.
    """
    try:
        _write(path, text)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull("the disk is full") from error
        raise AccountError(
            f"{path} cannot be written to: {error.strerror or error}.",
            hint="Nothing was changed. Give yourself the right to write there.",
        ) from error


def _write(path: Path, text: str) -> None:
    handle, named = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # for its owner alone
    part = Path(named)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
