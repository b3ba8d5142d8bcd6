"""Gives back the room that deleted documents left in the files of the library."""

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from core.domain import Value
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.database import Database, translated_errors
from core.knowledge.stores.typed_tables.tables import TableStore
from core.knowledge.stores.value_cache import CacheStore


class Compacted(Value):
    """One store's size before and after, in bytes."""

    what: str
    before: int
    after: int


@dataclass(frozen=True)
class Compactor:
    """Rewrites every store without its gaps. Its caller keeps changes out meanwhile."""

    folder: Path
    database: Database
    cache: CacheStore
    tables: TableStore
    tokens: TokenFile

    def compact(self) -> list[Compacted]:
        """Return the stores with their sizes; vectors on a Chroma server are its own business."""
        steps: tuple[tuple[str, str, Callable[[], None]], ...] = (
            ("token vectors", "tokens", lambda: self.tokens.compact(wholly=True)),
            ("tables", "tables.duckdb", self.tables.compact),
            ("vectors", "chroma", self._chroma),
            ("cache", "cache.sqlite", self.cache.compact),
            ("catalog", "catalog.sqlite", self.database.compact),
        )
        done = []
        for what, name, step in steps:
            before = _size(self.folder, name)
            step()
            done.append(Compacted(what=what, before=before, after=_size(self.folder, name)))
        return done

    def _chroma(self) -> None:
        """Delete the folders of segments that no collection has, and the gaps in Chroma's own catalog."""
        catalog = self.folder / "chroma" / "chroma.sqlite3"
        if not catalog.is_file():
            return
        with translated_errors():
            connection = sqlite3.connect(catalog, timeout=10.0, isolation_level=None)
            try:
                known = {row[0] for row in connection.execute("SELECT id FROM segments")}
                for path in catalog.parent.iterdir():
                    if path.is_dir() and _is_uuid(path.name) and path.name not in known:
                        shutil.rmtree(path)
                connection.execute("VACUUM")
            finally:
                connection.close()


def _size(folder: Path, name: str) -> int:
    """Return the bytes of a folder, or of a file and the journals beside it."""
    if (folder / name).is_dir():
        return sum(path.stat().st_size for path in (folder / name).rglob("*") if path.is_file())
    return sum(path.stat().st_size for path in folder.glob(f"{name}*") if path.is_file())


def _is_uuid(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True
