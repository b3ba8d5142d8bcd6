"""Looks at a library before it is opened: refuses one whose stores are not whole, drops damaged caches."""

import logging
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from core.errors import KnowledgeError
from core.knowledge.maintenance.diagnosis import DISPOSABLE, PLACES, Fault, LibraryDiagnosis
from core.knowledge.stores.read_only import left_of_write
from core.knowledge.stores.vector_index.library_collections import VectorServer

_LOG = logging.getLogger(__name__)


def make_ready(folder: Path, server: VectorServer | None, *, repairing: bool) -> None:
    """Examine a library at a glance; caches that are damaged are made again as they are asked for.

    Raises KnowledgeError where other stores are not whole, unless it is `repairing`.
    """
    _take_back(folder / "chroma" / "chroma.sqlite3")
    faults = LibraryDiagnosis(folder, server).faults()
    if not repairing:
        _refuse(faults)
    for fault in faults:
        if fault.store in DISPOSABLE:
            _LOG.warning("%s It was begun anew.", fault.message)
            for name in PLACES[fault.store]:
                target = folder / name
                if target.is_dir():
                    shutil.rmtree(target)
                else:
                    target.unlink(missing_ok=True)


def _take_back(path: Path) -> None:
    """Have SQLite take back a write that was broken off, as it does whenever the file is opened to write."""
    if path.exists() and left_of_write(path):
        with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master")


def _refuse(faults: Sequence[Fault]) -> None:
    stopping = [fault for fault in faults if fault.stops]
    if stopping:
        raise KnowledgeError(
            " ".join(fault.message for fault in stopping[:3]),
            hint="Run `strata doctor --repair`: it rebuilds what is missing from what is there and deletes "
            "nothing. Or bring back a backup with `strata restore`; or, where you changed the files "
            "yourself, take them as they are with `strata doctor --trust`.",
        )
