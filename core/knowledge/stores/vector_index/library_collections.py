"""The collections of one library on a Chroma server that other libraries use too."""

import platform
import secrets
import sqlite3
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.errors import KnowledgeError
from core.knowledge.stores import read_only
from core.knowledge.stores.database import Database
from core.knowledge.stores.external_stores import VECTOR_LAYERS, VISIBLE, owners_of
from core.knowledge.stores.vector_index.vectors import DOCUMENT, ChromaStore
from core.ports import VectorIndex

COPIED_AT_ONCE = 1000  # vectors
Identity = tuple[str, str]  # the library's id, and that of the library it is a copy of or ""
Machine = tuple[str, str]  # its name, and the number (inode) of the library's folder there


@dataclass(frozen=True)
class LibraryCollections:
    """Makes and drops the library's own collections.

    Where it has none yet, its vectors are copied from what libraries with one embedder shared before they
    had ids, or from the library that it is a copy of. What they are copied from stays: others may need it.
    """

    store: ChromaStore
    database: Database
    library: str
    former: str = ""

    @classmethod
    def of(cls, store: ChromaStore, database: Database) -> "LibraryCollections":
        """Return those of the library that is open."""
        with database.writing() as connection:
            return cls(store, database, *_identity(connection, database.path.parent))

    def index(self, name: str) -> VectorIndex:
        """Return the library's index of that name, made if it is not there."""
        own, source = own_name(name, self.library), own_name(name, self.former)
        if not self.store.has(own) and self.store.has(source):
            self._copy(name, source, own)
        return self.store.index(own)

    def drop(self, name: str) -> None:
        """Delete the library's index of that name, if there is one."""
        self.store.drop(own_name(name, self.library))

    def _copy(self, name: str, source: str, own: str) -> None:
        """Copy the library's vectors; they have the name of its own only when all are there."""
        layer = next(layer for layer in VECTOR_LAYERS if name.startswith(f"{layer}-"))
        begun = f"{own}-begun"
        self.store.drop(begun)
        there, made = self.store.index(source), self.store.index(begun)
        with self.database.reading() as connection:
            ids = [row[0] for row in connection.execute(VISIBLE[layer])]
            owners = owners_of(connection, layer, ids)
        for start in range(0, len(ids), COPIED_AT_ONCE):
            found = there.fetch(ids[start : start + COPIED_AT_ONCE])
            if found:
                import numpy as np

                about = [{DOCUMENT: owners[each]} for each in found]
                made.upsert(list(found), np.stack(list(found.values())), about)
        self.store.rename(begun, own)


def own_name(name: str, library: str) -> str:
    """Return the name of a library's collection on a server; without an id, as older versions named it."""
    return f"{name}-{library}" if library else name


def _identity(connection: sqlite3.Connection, folder: Path) -> Identity:
    """Return the library's identity, given to it where it has none or is a copy of another."""
    row = connection.execute("SELECT id, former, folder, machine, inode FROM library_id").fetchone()
    here = (str(folder.resolve()), platform.node(), str(folder.stat().st_ino))
    if row is not None and row[2:] == here:
        return str(row[0]), str(row[1])
    if row is None:
        identity = (secrets.token_hex(8), "")
    elif _came_over(row[3:], here[1:]) or (row[2] != here[0] and _lives_in(Path(row[2]), row[0], folder)):
        identity = (secrets.token_hex(8), str(row[0]))
    else:
        identity = (str(row[0]), str(row[1]))
    connection.execute(
        "INSERT OR REPLACE INTO library_id (one, id, former, folder, machine, inode)"
        " VALUES (1, ?, ?, ?, ?, ?)",
        (*identity, *here),
    )
    return identity


def _came_over(was: Machine, here: Machine) -> bool:
    """Say whether the folder was copied from another machine, where the library may still be in use.

    A container made anew has another name and the same folder; a folder restored has another number.
    """
    return was[0] not in ("", here[0]) and was[1] != here[1]


def _lives_in(folder: Path, library: str, copy: Path) -> bool:
    """Say whether the library of that id lives in a folder, which is not the copy by another name."""
    catalog = folder / "catalog.sqlite"
    try:
        if not catalog.exists() or catalog.samefile(copy / "catalog.sqlite"):
            return False
        return read_only.catalog_contents(catalog).library == library
    except (OSError, KnowledgeError):  # it cannot be read, so it may be
        return True


class VectorServer(Protocol):
    """What keeps the vectors of libraries that need not be open."""

    def ask(self) -> None:
        """Raise ServerAway where it does not answer."""

    def missing(self, name: str, library: str, ids: Set[str], *, exact: bool) -> int:
        """Return how many of the ids have no vector under a name of a library; without `exact` by their
        number alone. Raises ServerAway, KnowledgeError."""


@dataclass(frozen=True)
class ChromaServer:
    """The Chroma server at an address, as a `VectorServer`."""

    url: str

    def ask(self) -> None:
        ChromaStore(Path(), self.url).close()

    def missing(self, name: str, library: str, ids: Set[str], *, exact: bool) -> int:
        store = ChromaStore(Path(), self.url)
        try:
            own = own_name(name, library)
            if library and store.has(own):
                index = store.index(own)
                return len(ids - index.ids()) if exact else max(0, len(ids) - index.count())
            return len(ids) - len(store.index(name).held(sorted(ids))) if store.has(name) else len(ids)
        finally:
            store.close()


def server_at(url: str | None) -> ChromaServer | None:
    """Return the Chroma server at an address, None without one."""
    return None if url is None else ChromaServer(url)


@dataclass(frozen=True)
class MadeIndexes:
    """Indexes that a function makes, as a `VectorServer` of one library."""

    make: Callable[[str], VectorIndex]

    def ask(self) -> None:
        """They are always there."""

    def missing(self, name: str, library: str, ids: Set[str], *, exact: bool) -> int:
        return len(ids - self.make(name).ids())
