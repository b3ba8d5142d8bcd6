"""Backups of a library: consistent copies of its stores, each with a manifest that says what is in it.

The catalog is copied through SQLite's backup API, which works beside a process that writes to it. The other
stores are copied only while nothing has the library open: what a backup lacks is rebuilt from what it holds.
Kept originals never change, so all backups of a folder share one copy of each.
"""

import shutil
import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from core.domain import Value
from core.errors import KnowledgeError, NotFound
from core.i18n.messages import recorded
from core.knowledge.stores import read_only
from core.knowledge.stores.database import translated_errors
from core.knowledge.stores.documents.originals import digest_of
from core.knowledge.stores.migrations import MIGRATIONS
from core.ports import Progress

BACKUPS = "backups"
MANIFEST = "manifest.json"
POOL = "originals"
STORES = ("tables.duckdb", "tables.duckdb.wal", "chroma", "tokens")
PAGE_FOLDERS = ("mappings", "evaluations", "learning", "images")  # written by their pages, a file at a time
KEPT_MIGRATIONS = 2
Reason = Literal["asked", "migration"]


class Backup(Value):
    """One backup. `files` maps each file, relative to its folder, to its digest."""

    name: str
    at: float
    number: int = 0  # in the order they were made, which a clock that is set back does not change
    reason: Reason
    whole: bool  # it holds every store, not only the catalog and what cannot be rebuilt
    version: int  # of the catalog's schema
    documents: tuple[str, ...] = ()
    files: dict[str, str] = Field(default_factory=dict)
    size: int = 0

    def description(self) -> str:
        """Say in a line what it is."""
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.at))
        kind = "every store" if self.whole else "the catalog"
        why = ", before a change of the schema" if self.reason == "migration" else ""
        return f"{self.name}  {when}  {len(self.documents)} documents, {kind}{why}, {self.size / 1e6:.1f} MB"


@dataclass(frozen=True)
class Backups:
    """The backups of a library, in its folder or where else they are kept."""

    library: Path
    elsewhere: Path | None = None

    @property
    def folder(self) -> Path:
        return self.elsewhere or self.library / BACKUPS

    def list(self) -> "Sequence[Backup]":
        """Return the backups, newest first; a folder that is none is passed over."""
        found = [read_manifest(path) for path in self.folder.glob(f"*/{MANIFEST}")]
        return sorted((each for each in found if each), key=_order, reverse=True)

    def get(self, name: str = "") -> Backup:
        """Return a backup by its name, or the newest one that was asked for. Raises NotFound."""
        there = self.list()
        for backup in there:
            if backup.name == name or (not name and backup.reason == "asked"):
                return backup
        raise NotFound(
            f"There is no backup {name} in {self.folder}."
            if name
            else f"There is no backup in {self.folder}.",
            hint="`strata backup` makes one; `strata restore --list` lists those there are.",
        )

    def damaged(self, backup: Backup) -> "Sequence[str]":
        """Return the files of a backup that are missing or not what was copied."""
        home = self.folder / backup.name
        bad = [name for name, digest in backup.files.items() if _digest(home / name) != digest]
        pool = self.folder / POOL
        if backup.reason == "asked":
            bad += [f"{POOL}/{each}" for each in backup.documents if not _original(pool / each)]
        return bad

    def make(
        self, reason: Reason, keep: int, *, at_rest: bool, progress: Progress = lambda message: None
    ) -> Backup:
        """Copy the library; delete what is older than the newest `keep` made for the same reason.

        `at_rest`: the caller holds the claim on the folder and has no store open. Raises DiskFull,
        KnowledgeError, NotFound where there is no library.
        """
        catalog = self.library / "catalog.sqlite"
        if not catalog.exists() or not catalog.stat().st_size:
            raise NotFound(
                f"There is no library in {self.library}.", hint="Name its folder in STRATA_STORE__PATH."
            )
        name = self._free_name(reason)
        part = self.folder / f"{name}.part"
        with translated_errors():
            try:
                part.mkdir(mode=0o700, parents=True)
                backup = self._copied(name, part, reason, at_rest, progress)
                (part / MANIFEST).write_text(backup.model_dump_json(indent=1), "utf-8")
                part.replace(self.folder / name)
            finally:
                shutil.rmtree(part, ignore_errors=True)
        self._prune(reason, keep)
        return backup

    def _copied(self, name: str, part: Path, reason: Reason, at_rest: bool, progress: Progress) -> Backup:
        progress(recorded("Copying the catalog."))
        copy_database(self.library / "catalog.sqlite", part / "catalog.sqlite")
        contents = read_only.catalog_contents(part / "catalog.sqlite")
        whole = at_rest and reason == "asked"
        if reason == "asked":
            for place in (*(STORES if whole else ()), *PAGE_FOLDERS):
                progress(recorded(f"Copying the file {place}."))
                _copy(self.library / place, part / place)
            progress(recorded(f"Copying {len(contents.documents)} originals."))
            for document_id in contents.documents:
                self._pool(document_id)
        files = {
            path.relative_to(part).as_posix(): digest_of(path)
            for path in sorted(part.rglob("*"))
            if path.is_file()
        }
        size = sum((part / each).stat().st_size for each in files)
        return Backup(
            name=name,
            at=time.time(),
            number=max((each.number for each in self.list()), default=0) + 1,
            reason=reason,
            whole=whole,
            version=contents.version,
            documents=tuple(contents.documents),
            files=files,
            size=size,
        )

    def _pool(self, document_id: str) -> None:
        """Copy a kept original, whole or not at all, unless a whole copy is there."""
        source, target = self.library / POOL / document_id, self.folder / POOL / document_id
        if not source.is_dir() or _original(target):
            return
        part = target.with_name(f"{document_id}.part")
        shutil.rmtree(part, ignore_errors=True)
        try:
            shutil.copytree(source, part)
            shutil.rmtree(target, ignore_errors=True)
            part.replace(target)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def _prune(self, reason: Reason, keep: int) -> None:
        mine = [each for each in self.list() if each.reason == reason]
        for backup in mine[max(keep, 1) :]:
            shutil.rmtree(self.folder / backup.name)
        wanted = {each for backup in self.list() for each in backup.documents}
        for path in (self.folder / POOL).glob("*"):
            if path.name not in wanted:
                shutil.rmtree(path)

    def _free_name(self, reason: Reason) -> str:
        base = time.strftime("%Y%m%d-%H%M%S") + ("-migration" if reason == "migration" else "")
        name, more = base, 1
        while (self.folder / name).exists():
            more += 1
            name = f"{base}-{more}"
        return name


def _order(backup: Backup) -> tuple[int, float, str]:
    """Return the key that sorts backups by age; those made before backups had numbers are the oldest."""
    return backup.number, backup.at, backup.name


def back_up_before(library: Path) -> None:
    """Keep a copy of the catalog where the newest schema is about to change it. Raises DiskFull."""
    catalog = library / "catalog.sqlite"
    if catalog.exists() and catalog.stat().st_size and 0 < read_only.version(catalog) < len(MIGRATIONS):
        Backups(library).make("migration", KEPT_MIGRATIONS, at_rest=True)


def read_manifest(path: Path) -> Backup | None:
    """Return the backup a manifest describes, None where it cannot be read."""
    try:
        return Backup.model_validate_json(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def newest_catalog(library: Path) -> Path | None:
    """Return the newest whole copy of the catalog among the backups in a library's folder."""
    backups = Backups(library)
    for backup in backups.list():
        path = backups.folder / backup.name / "catalog.sqlite"
        if _digest(path) == backup.files.get("catalog.sqlite"):
            return path
    return None


def copy_database(source: Path, target: Path) -> None:
    """Copy a SQLite file as it is at one moment, whoever writes to it meanwhile. Raises KnowledgeError."""
    with read_only.reading_only(source) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        target.mkdir(parents=True)
        for path in sorted(source.iterdir()):
            _copy(path, target / path.name)
    elif source.name == "chroma.sqlite3":
        copy_database(source, target)
    elif source.is_file():
        shutil.copy2(source, target)


def _original(folder: Path) -> bool:
    """Say whether a folder holds the original of the document it is named after."""
    files = [path for path in folder.glob("*") if not path.name.startswith(".")]
    return any(_digest(path) == folder.name for path in files)


def _digest(path: Path) -> str:
    try:
        return digest_of(path)
    except OSError:
        return ""


def put_back(files: Iterable[str], home: Path, library: Path) -> None:
    """Copy files of a backup into a library, each whole or not at all."""
    with translated_errors():
        for name in files:
            target = library / name
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f"{target.name}.part")
            try:
                shutil.copyfile(home / name, part)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)


def must_be_whole(backups: Backups, backup: Backup) -> None:
    """Raise KnowledgeError where files of a backup are missing or damaged."""
    bad = backups.damaged(backup)
    if bad:
        more = " and more" if len(bad) > 3 else ""
        raise KnowledgeError(
            f"The backup {backup.name} is damaged: {', '.join(bad[:3])}{more}.",
            hint="`strata restore --list` lists the others. The library was left as it is.",
        )
