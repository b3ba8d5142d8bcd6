"""A seal on a closed library: size, time and digest of every file of its stores.

Whoever opens the library next sees what happened to its files meanwhile. Files as old and as large as they
were count as unchanged without being read; `deep` reads those too, which finds bits that rotted.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from core.domain import identify
from core.knowledge.stores.documents.originals import digest_of

SEAL = "seal.json"
SEALED = (
    "catalog.sqlite",
    "tables.duckdb",
    "cache.sqlite",
    "chroma",
    "tokens",
    "keywords",
    "graph",
    "second_copy.sqlite",
)
JOURNALS = ("catalog.sqlite-wal", "tables.duckdb.wal", "cache.sqlite-wal")
MAX_HASHED_BYTES = 256 << 20  # bytes; of a larger file only size and time are sealed


class Sealed(NamedTuple):
    """A file as it was when the library was closed. `at` is its time in nanoseconds."""

    size: int
    at: int
    digest: str  # "" where the file was too large to be read at each closing


@dataclass
class Seal:
    """The seal of the library in a folder."""

    folder: Path
    _before: dict[str, Sealed] = field(default_factory=dict)

    def changed(self, deep: bool = False) -> list[str]:
        """Return the files, relative to the folder, that are not what they were; none without a seal."""
        found = []
        for name, sealed in self._read().items():
            try:
                about = (self.folder / name).stat()
                same = about.st_size == sealed.size and (
                    not sealed.digest
                    or (not deep and about.st_mtime_ns == sealed.at)
                    or digest_of(self.folder / name) == sealed.digest
                )
            except OSError:
                same = False
            if not same:
                found.append(name)
        return sorted(found)

    def damaged(self) -> bool:
        """Say whether a seal is there that tells nothing."""
        return (self.folder / SEAL).is_file() and self._contents() is None

    def open(self) -> None:
        """Take the seal off: from now on the files change."""
        self._before = self._read()
        seal = self.folder / SEAL
        if seal.is_dir():  # not ours, so it is not deleted
            seal.rename(seal.with_name(f"{SEAL}.folder-{time.time_ns()}"))
        seal.unlink(missing_ok=True)

    def close(self) -> None:
        """Seal the files as they are now; not while a journal holds what they lack."""
        if any(_size(self.folder / name) for name in JOURNALS):
            return
        files = {name: self._sealed(name) for name in self._names()}
        body = json.dumps(files, ensure_ascii=False, sort_keys=True)
        part = self.folder / f"{SEAL}.part"
        part.write_text(f"{identify(body)}\n{body}", "utf-8")
        part.replace(self.folder / SEAL)

    def _sealed(self, name: str) -> Sealed:
        path = self.folder / name
        about = path.stat()
        before = self._before.get(name)
        if before is not None and (about.st_size, about.st_mtime_ns) == before[:2]:
            return before
        digest = digest_of(path) if about.st_size <= MAX_HASHED_BYTES else ""
        return Sealed(about.st_size, about.st_mtime_ns, digest)

    def _names(self) -> Iterator[str]:
        for name in SEALED:
            path = self.folder / name
            for each in (path,) if path.is_file() else sorted(path.rglob("*")):
                if each.is_file():
                    yield each.relative_to(self.folder).as_posix()

    def _read(self) -> dict[str, Sealed]:
        return self._contents() or {}

    def _contents(self) -> dict[str, Sealed] | None:
        """Return the sealed files by name; None where the seal is missing or damaged."""
        try:
            digest, body = (self.folder / SEAL).read_text("utf-8").split("\n", 1)
            if digest != identify(body):
                return None
            return {name: Sealed(*values) for name, values in json.loads(body).items()}
        except (OSError, ValueError, TypeError):
            return None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
