"""What state the stores of a library are in: there, whole, and in agreement with the catalog.

It works on files alone, beside a process that has the library open and in folders that cannot be written to.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import numpy as np

from core.domain import Value
from core.errors import KnowledgeError, ServerAway, Unlockable
from core.i18n.messages import recorded
from core.knowledge.maintenance.provenance import provenance_of, read_record
from core.knowledge.maintenance.record_files import unreadable
from core.knowledge.maintenance.seal import SEAL, Seal
from core.knowledge.stores import read_only
from core.knowledge.stores.documents.originals import FileStore, digest_of
from core.knowledge.stores.external_stores import VECTOR_LAYERS
from core.knowledge.stores.read_only import CatalogContents
from core.knowledge.stores.vector_index.embeddings import collection
from core.knowledge.stores.vector_index.library_collections import VectorServer

Store = Literal[
    "catalog", "copy", "tables", "vectors", "tokens", "originals", "cache", "keywords", "graph", "records",
    "repair", "seal", "server",
]  # fmt: skip
PLACES: dict[Store, tuple[str, ...]] = {  # what of the folder is set aside with a store
    "catalog": ("catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"),
    "tables": ("tables.duckdb", "tables.duckdb.wal"),
    "vectors": ("chroma",),
    "tokens": ("tokens",),
    "cache": ("cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm"),
    "copy": ("second_copy.sqlite", "second_copy.sqlite-journal"),
    "keywords": ("keywords",),
    "graph": ("graph",),
    "seal": (SEAL,),
}
DISPOSABLE: tuple[Store, ...] = ("cache", "copy", "keywords", "graph", "seal")  # begun anew at opening
UNDER_REPAIR = "repairing.json"  # is in the folder until a repair is through
SEGMENT = ("header.bin", "data_level0.bin", "length.bin", "index_metadata.pickle")


class Fault(Value):
    """Something wrong with a store. `stops`: questions would be answered wrongly until it is repaired."""

    store: Store
    message: str
    stops: bool = True
    documents: tuple[str, ...] = ()  # whose originals it is about


@dataclass(frozen=True)
class LibraryDiagnosis:
    """Examines the library in a folder; `server` keeps its vectors where they are not in the folder."""

    folder: Path
    server: VectorServer | None = None

    def ask_server(self) -> None:
        """Raise ServerAway where the server that keeps the vectors does not answer."""
        if self.server is not None:
            self.server.ask()

    def faults(self, deep: bool = False) -> list[Fault]:
        """Return the faults of all stores; `deep` reads every file, not sizes alone. Raises Unlockable."""
        found = self._by_seal(deep)
        if (self.folder / UNDER_REPAIR).exists():
            found.append(
                Fault(store="repair", message=recorded("A repair of this library was not finished."))
            )
        catalog = self.folder / "catalog.sqlite"
        try:
            contents = self._catalog(catalog, deep)
        except KnowledgeError as error:
            return _once([_fault("catalog", error), *found])
        if contents is None:
            return _once(found)
        for store, look in self._looks(contents, deep).items():
            try:
                found += [Fault(store=store, message=_sentence(message)) for message in look()]
            except BlockingIOError:  # a process that has the library open keeps others out
                continue
            except ServerAway as error:  # opening the library reports it
                message = f"{_sentence(str(error))} {error.hint}"
                found.append(Fault(store="server", message=message, stops=False))
            except KnowledgeError as error:
                found.append(_fault(store, error))
        if deep:
            found += self._deep(contents)
        return _once(found)

    def _looks(self, contents: CatalogContents, deep: bool) -> dict[Store, Callable[[], Iterator[str]]]:
        return {
            "tables": lambda: self._tables(contents, deep),
            "vectors": lambda: (
                self._on_server(contents, deep) if self.server else self._vectors(contents, deep)
            ),
            "tokens": lambda: self._tokens(contents),
        }

    # -- store by store -------------------------------------------------------------------

    def _by_seal(self, deep: bool) -> list[Fault]:
        """Return the faults of files that changed since the library was closed, by its seal."""
        names: dict[Store, list[str]] = {}
        seal = Seal(self.folder)
        if seal.damaged():
            message = recorded(
                "seal.json is damaged: what changed while no Strata had the library open cannot be told."
            )
            return [Fault(store="seal", message=message, stops=False)]
        for name in seal.changed(deep):
            store = next(s for s, places in PLACES.items() if name.split("/")[0] in places)
            names.setdefault(store, []).append(name)
        return [
            Fault(
                store=store,
                message=recorded(
                    f"{', '.join(files[:3])} changed or went while no Strata had the library open."
                ),
                stops=store not in DISPOSABLE,
            )
            for store, files in names.items()
        ]

    def _catalog(self, path: Path, deep: bool) -> CatalogContents | None:
        """Return the catalog's contents; None for a new library. Raises KnowledgeError."""
        others = self._others()
        if not path.exists() or not path.stat().st_size:
            if others:
                state = "empty" if path.exists() else "gone"
                raise KnowledgeError(f"the catalog is {state}, while {others} are there")
            return None
        if not read_only.begins_with(path, read_only.SQLITE):
            raise KnowledgeError("catalog.sqlite is damaged: it is no SQLite file")
        if not others and not self._anything_else() and read_only.is_blank(path):
            return None  # its first start was broken off
        contents = read_only.catalog_contents(path)
        originals = self.originals().documents() - contents.going
        if not contents.documents and originals:
            raise KnowledgeError(f"the catalog holds no document, while {others} are there")
        if deep and (wrong := read_only.integrity(path)):
            raise KnowledgeError(f"catalog.sqlite is damaged: {wrong}")
        return contents

    def originals(self) -> FileStore:
        """Return the kept originals."""
        return FileStore(self.folder / "originals")

    def _others(self) -> str:
        """Name the stores the folder holds where its catalog is missing."""
        count = len(self.originals().documents())
        tables = self.folder / "tables.duckdb"
        if not (tables.exists() and tables.stat().st_size > 12_288):
            return recorded(f"{count} kept originals") if count else ""
        return recorded(f"{count} kept originals and tables") if count else "tables"

    def _anything_else(self) -> bool:
        """Say whether there is any other store, whatever it holds."""
        others = (name for store, names in PLACES.items() if store != "catalog" for name in names)
        return any((self.folder / name).exists() for name in others)

    def _tables(self, contents: CatalogContents, deep: bool) -> Iterator[str]:
        if not contents.tables:
            return
        path = self.folder / "tables.duckdb"
        if not path.exists() or not path.stat().st_size:
            yield recorded(f"The rows of {len(contents.tables)} tables are gone.")
            return
        if not read_only.begins_with(path, read_only.DUCKDB, 8):
            yield recorded("tables.duckdb is damaged: it is no DuckDB file.")
            return
        if deep:
            rows = read_only.rows_of_tables(path)
            wrong = [name for name, count in contents.tables.items() if rows.get(name) != count]
            if wrong:
                yield recorded(f"Rows of {len(wrong)} tables are missing: {', '.join(sorted(wrong)[:3])}.")

    def _vectors(self, contents: CatalogContents, deep: bool) -> Iterator[str]:
        if not contents.chunks or not contents.serving or contents.filling:
            return
        folder = self.folder / "chroma"
        path = folder / "chroma.sqlite3"
        if not path.exists() or not path.stat().st_size:
            yield recorded("The vectors are gone.")
            return
        if not read_only.begins_with(path, read_only.SQLITE):
            yield recorded("chroma.sqlite3 is damaged: it is no SQLite file.")
            return
        if deep and (wrong := read_only.integrity(path)):
            yield recorded(f"chroma.sqlite3 is damaged: {wrong}.")
        for segment in read_only.written_segments(path):
            lacks = [name for name in SEGMENT if not _filled(folder / segment / name)]
            if lacks:
                yield recorded(f"The vectors in {segment} lack {', '.join(lacks)}.")
        if deep:
            ids = read_only.vectors_by_layer(path, contents.serving)
            visible = read_only.visible_ids(self.folder / "catalog.sqlite")
            missing = len(visible["chunks"] - ids["chunks"])
        else:
            missing = contents.chunks - read_only.count_of_vectors(path, contents.serving)
        if missing > 0:
            yield recorded(f"Vectors of {missing} chunks are missing.")

    def _on_server(self, contents: CatalogContents, deep: bool) -> Iterator[str]:
        if not contents.chunks or not contents.serving or contents.filling or self.server is None:
            return
        layers = VECTOR_LAYERS if deep else VECTOR_LAYERS[:1]
        for layer, ids in read_only.visible_ids(self.folder / "catalog.sqlite", layers).items():
            name = collection(layer, contents.serving)
            missing = self.server.missing(name, contents.library, ids, exact=deep)
            if missing > 0:
                yield recorded(f"Vectors of {missing} {layer} are missing on the Chroma server.")

    def _tokens(self, contents: CatalogContents) -> Iterator[str]:
        number, rows, width = contents.tokens
        path = self.folder / "tokens" / f"tokens-{number}.int8"
        there = path.stat().st_size // max(width, 1) if path.exists() else 0
        if there < rows:
            yield recorded(f"The token file ends at row {there}, the catalog expects {rows}.")
        projection = path.with_suffix(".npz")
        if (contents.projected and rows and not projection.exists()) or not _is_npz(projection):
            file = projection.name
            yield recorded(f"{file}, which the token vectors are read with, is missing or damaged.")

    # -- what takes reading ---------------------------------------------------------------

    def _deep(self, contents: CatalogContents) -> list[Fault]:
        """Return the faults that affect no answer: of originals, caches, records of evaluations."""
        found = list(self._files(contents))
        path = self.folder / "cache.sqlite"
        try:
            if path.exists() and path.stat().st_size and (wrong := read_only.integrity(path)):
                found.append(
                    Fault(store="cache", message=recorded(f"cache.sqlite is damaged: {wrong}."), stops=False)
                )
        except KnowledgeError as error:
            found.append(Fault(store="cache", message=_sentence(str(error)), stops=False))
        bad = [path.relative_to(self.folder).as_posix() for path in unreadable(self.folder)]
        if bad:
            message = recorded(f"{', '.join(bad[:3])} cannot be read as what they should be.")
            found.append(Fault(store="records", message=message, stops=False))
        return found

    def _files(self, contents: CatalogContents) -> Iterator[Fault]:
        store = self.originals()
        lost: list[str] = []
        records: list[str] = []
        with read_only.reading_only(self.folder / "catalog.sqlite") as connection:
            for document_id in contents.documents:
                path = store.find(document_id)
                if path is None or digest_of(path) != document_id:
                    lost.append(document_id)
                elif read_record(store, document_id) != provenance_of(connection, document_id):
                    records.append(document_id)
        if lost:
            message = recorded(f"The kept originals of {len(lost)} documents are missing or damaged.")
            yield Fault(store="originals", message=message, stops=False, documents=tuple(lost))
        if records:
            message = recorded(f"The records beside {len(records)} kept originals are missing or damaged.")
            yield Fault(store="originals", message=message, stops=False, documents=tuple(records))
        strange = store.documents() - contents.documents.keys() - contents.going
        if strange:
            message = recorded(f"{len(strange)} kept originals are not in the catalog.")
            yield Fault(store="originals", message=message, documents=tuple(sorted(strange)), stops=False)


def _is_npz(path: Path) -> bool:
    """Say whether the projection can be read, or is not there."""
    try:
        with np.load(path) as arrays:
            return {"projection", "scale"} <= {key for key in arrays.files if arrays[key] is not None}
    except FileNotFoundError:
        return True
    except (OSError, ValueError, EOFError, BadZipFile):
        return False


def _filled(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _fault(store: Store, error: KnowledgeError) -> Fault:
    if isinstance(error, Unlockable):  # nothing is damaged by that
        raise error
    return Fault(store=store, message=_sentence(str(error)))


def _once(faults: list[Fault]) -> list[Fault]:
    """Return the faults, of a store that lacks everything only the first."""
    return list({(fault.store, fault.message): fault for fault in faults}.values())
