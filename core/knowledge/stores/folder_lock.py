"""One process owns a library's folder: claims it, or says in a sentence why that is not possible."""

import errno
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import DiskFull, KnowledgeError, LibraryBusy, Unlockable, Unwritable
from core.knowledge.stores.database import UNWRITABLE
from core.knowledge.stores.documents.originals import make_private
from core.text.filenames import is_plain, text_of

_FULL = (errno.ENOSPC, errno.EDQUOT)
_LONGEST_LOOK = 0.5  # seconds: `claimed` of another process holds the lock for an instant


def claim(folder: Path) -> FileLock:
    """Make the folder, readable by its owner alone, and lock it until released or the process ends.

    Raises LibraryBusy, DiskFull, KnowledgeError.
    """
    must_be_a_folder(folder)
    try:
        make_private(folder)
        lock = FileLock(folder / "lock", timeout=_LONGEST_LOOK, thread_local=False, fallback_to_soft=False)
        lock.acquire(poll_interval=0.02)
        try:
            _lock_records(folder)
        except OSError:
            lock.release()
            raise
    except Timeout as error:
        raise LibraryBusy(f"{folder} is open in another Strata process.") from error
    except (OSError, NotImplementedError) as error:
        raise unusable(folder, error) from error
    return lock


def must_lock_records(folder: Path) -> None:
    """Make the folder; raise KnowledgeError (DiskFull, Unwritable) where no file in it can be locked."""
    must_be_a_folder(folder)
    try:
        make_private(folder)
        _lock_records(folder)
    except (OSError, NotImplementedError) as error:
        raise unusable(folder, error) from error


def _lock_records(folder: Path) -> None:
    """Lock a new file as SQLite and DuckDB do, by fcntl: that may fail where flock has worked.

    Raises OSError.
    """
    if sys.platform != "win32":
        import fcntl

        with tempfile.TemporaryFile(dir=folder) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def must_be_usable(folder: Path) -> None:
    """Raise KnowledgeError (Unwritable) where a library that is there cannot be opened: nothing may be
    written to its folder, or locks fail in it. Nothing is written to find out.
    """
    must_be_a_folder(folder)
    if not folder.is_dir():
        return
    if not os.access(folder, os.W_OK):
        number = errno.EROFS if _is_read_only(folder) else errno.EACCES
        raise unusable(folder, OSError(number, os.strerror(number)))
    try:
        _try_locks(folder / "lock")
    except (FileNotFoundError, PermissionError):
        return
    except OSError as error:
        raise unusable(folder, error) from error


def _is_read_only(folder: Path) -> bool:
    """Say whether the file system of a folder is mounted to be read only."""
    try:
        return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _try_locks(path: Path) -> None:
    """Lock a file that is there, shared, in both ways; that somebody else holds it shows that locks work.

    Raises OSError.
    """
    if sys.platform != "win32":
        import fcntl

        with path.open("rb") as file:
            for lock in (fcntl.flock, fcntl.lockf):
                with suppress(BlockingIOError):
                    lock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def must_be_a_folder(folder: Path) -> None:
    """Raise KnowledgeError where the path of a library, or a part of it, is a file or cannot be read."""
    if not is_plain(folder.absolute()):
        raise KnowledgeError(
            f"{text_of(folder)} is no UTF-8, and the stores take no other path.",
            hint="Set STRATA_STORE__PATH to a folder whose path is.",
        )
    for path in (folder, *folder.parents):
        try:
            if not path.exists():
                if path.is_symlink():
                    raise KnowledgeError(
                        f"{path} is a link to nothing.",
                        hint="Set STRATA_STORE__PATH to a folder; one that is not there yet is made.",
                    )
                continue
            if not path.is_dir():
                raise KnowledgeError(
                    f"{path} is a file, not a folder.",
                    hint="Set STRATA_STORE__PATH to a folder; one that is not there yet is made.",
                )
            if os.access(path, os.X_OK if path != folder else os.R_OK | os.X_OK):
                return
            reason = os.strerror(errno.EACCES)
        except OSError as error:
            reason = _reason(error)
        raise KnowledgeError(
            f"{folder} cannot be read: {reason}.",
            hint="Give yourself the right to read there, or set STRATA_STORE__PATH to another folder.",
        )


def unusable(folder: Path, error: Exception) -> KnowledgeError:
    """Return the error for a folder that cannot be used."""
    number = error.errno if isinstance(error, OSError) else errno.ENOSYS
    if number in _FULL:
        return DiskFull("the disk is full")
    if number in UNWRITABLE:
        return Unwritable(f"{folder} cannot be written to: {_reason(error)}.")
    if not folder.is_dir():
        return KnowledgeError(
            f"{folder} cannot be made: {_reason(error)}.",
            hint="Set STRATA_STORE__PATH to a folder that can be made there.",
        )
    return Unlockable(f"{folder} cannot be locked: {_reason(error)}.")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def claimed(folder: Path) -> bool:
    """Say whether a process has the library open; nothing is made in the folder."""
    if not (folder / "lock").exists():
        return False
    try:
        with FileLock(folder / "lock", timeout=0, fallback_to_soft=False):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):  # it cannot be written to, so nobody writes to it
        return False
