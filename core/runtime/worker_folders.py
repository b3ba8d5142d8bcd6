"""Folders for what worker processes write for a while: none outlives its process.

A folder is the TMPDIR of a worker and of all it starts, which is how those are found that have lost their
parent. It is locked by the process that made it; the system frees a lock with its process, so a folder that
nobody has locked belonged to one that was killed, and the next process removes it.
"""

import fcntl
import os
import select
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

import psutil

_PREFIX = "strata-worker-"
_NEW_SECONDS = 60.0  # seconds until a folder must have been locked
_ROUNDS = 20  # looks for processes that others have started meanwhile
_END_SECONDS = 5.0

Tidy = Callable[[Path], None]  # removes what was made elsewhere for a folder
_swept: set[str] = set()


class WorkerFolder:
    """A folder for one worker."""

    def __init__(self, tidy: Tidy | None = None) -> None:
        self._tidy = tidy
        around = tempfile.gettempdir()
        if around not in _swept:
            _swept.add(around)
            sweep(Path(around), tidy)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._removing = Lock()
        self._lock = _locked(self.path)

    def remove(self) -> None:
        """End what still runs in the folder and remove it; who comes second waits until that is done."""
        with self._removing:
            if self._lock is not None:
                _remove(self.path, self._tidy)
                os.close(self._lock)
                self._lock = None


def sweep(around: Path, tidy: Tidy | None = None) -> None:
    """Remove the folders of processes that are gone, and end what they left running."""
    for folder in around.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if folder.stat().st_uid == os.getuid() and time.time() - folder.stat().st_mtime > _NEW_SECONDS:
                lock = _locked(folder)
                if lock is not None:
                    _remove(folder, tidy)
                    os.close(lock)


def leave_without_owner(tidy: Tidy | None = None, *, wait: bool = False) -> None:
    """Where nobody can send this worker a request any more, remove the folder it was given and end what it
    started: nobody else will. `wait`: do so once that is the case."""
    pipe = select.poll()
    pipe.register(sys.stdin.fileno(), select.POLLHUP)
    folder = Path(os.environ.get("TMPDIR", ""))
    orphaned = any(event & select.POLLHUP for _, event in pipe.poll(None if wait else 0))
    if orphaned and folder.name.startswith(_PREFIX):
        _remove(folder, tidy)


def end_processes_in(folder: Path) -> None:
    """End every other process whose TMPDIR is the folder or lies in it, and what those start meanwhile."""
    for _ in range(_ROUNDS):
        found = [process for process in psutil.process_iter() if _works_in(process, folder)]
        if not found:
            return
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, timeout=_END_SECONDS)


def _works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
            return False
        place = process.environ().get("TMPDIR", "")
    except (psutil.Error, OSError):  # it has ended, or is somebody else's
        return False
    return place == str(folder) or place.startswith(f"{folder}{os.sep}")


def _remove(folder: Path, tidy: Tidy | None) -> None:
    end_processes_in(folder)
    if tidy is not None:
        tidy(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _locked(folder: Path) -> int | None:
    """Lock the folder; return the lock, None where another process has it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
