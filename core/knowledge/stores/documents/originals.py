"""Copies of the originals and images of figures, a folder a document."""

import hashlib
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from core.knowledge.stores.database import translated_errors
from core.text.filenames import storable


def make_private(folder: Path) -> None:
    """Make a library's folder that nobody but its owner may enter; one made earlier is closed to others.

    A folder that is no library yet keeps its mode: it may hold more than one.
    """
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o700)
    elif os.name == "posix" and (folder / "catalog.sqlite").exists():
        status = folder.stat()
        if status.st_uid == os.getuid() and not status.st_mode & stat.S_ISVTX and status.st_mode & 0o077:
            folder.chmod(status.st_mode & 0o700)


RECORD = ".record.json"  # what is written down of the document beside its original


@dataclass(frozen=True)
class FileStore:
    """Keeps files under `folder/<document id>/`."""

    folder: Path

    def _home(self, document_id: str) -> Path:
        if not document_id.isalnum():
            raise ValueError(f"not an id: {document_id!r}")
        return self.folder / document_id

    def keep(self, document_id: str, name: str, source: Path) -> Path:
        """Copy a file in, whole or not at all; return where it stands."""
        home = self._home(document_id)
        target = home / (storable(name).lstrip(".") or "original")
        with translated_errors():
            home.mkdir(parents=True, exist_ok=True)
            part = home / ".part"
            try:
                shutil.copyfile(source, part)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
        return target

    def write(self, document_id: str, name: str, data: bytes) -> Path:
        """Write a small file, whole or not at all."""
        home = self._home(document_id)
        with translated_errors():
            home.mkdir(parents=True, exist_ok=True)
            part = home / f".{name}.part"
            part.write_bytes(data)
            part.replace(home / name)
        return home / name

    def find(self, document_id: str, name: str | None = None) -> Path | None:
        """Return the file of that name, or the document's only file; None where there is none."""
        home = self._home(document_id)
        if name is not None:
            return home / name if (home / name).is_file() else None
        return next((p for p in sorted(home.glob("*")) if not p.name.startswith(".")), None)

    def path(self, document_id: str, name: str) -> Path:
        """Return where a file of that name stands, whether or not it is there."""
        return self._home(document_id) / name

    def count(self, document_id: str) -> int:
        """Return how many files of the document are kept; its record is none."""
        files = (path for path in self._home(document_id).glob("*") if path.is_file())
        return sum(1 for path in files if path.name != RECORD)

    def drop(self, document_id: str) -> None:
        shutil.rmtree(self._home(document_id), ignore_errors=True)

    def documents(self) -> set[str]:
        """Return the ids of the documents that have files here."""
        return {path.name for path in self.folder.glob("*") if path.is_dir() and path.name.isalnum()}


def digest_of(path: Path) -> str:
    """Return 20 hex digits of the file's bytes (BLAKE2b), read in pieces: the id of a document."""
    found = hashlib.blake2b(digest_size=10)
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            found.update(piece)
    return found.hexdigest()
