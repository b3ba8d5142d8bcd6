"""The stores outside SQLite, taken together: vectors by layer, tables, files.

What is about to be written there, or must go from there, stands first in the catalog's list of unfinished
work: whatever happens in between, opening the library again finishes it.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.domain import RULES
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents.catalog import IN, count_change, many
from core.knowledge.stores.documents.originals import FileStore
from core.knowledge.stores.typed_tables.tables import TableStore
from core.ports import VectorIndex, Vectors

VectorLayer = Literal["chunks", "atoms", "sections", "documents"]
VECTOR_LAYERS: tuple[VectorLayer, ...] = get_args(VectorLayer)
VISIBLE: dict[VectorLayer, str] = {  # the ids whose vectors may be there
    "chunks": "SELECT id FROM chunks",
    "atoms": f"SELECT id FROM atoms WHERE maker <> '{RULES}'",
    "sections": "SELECT id FROM sections WHERE summary <> ''",
    "documents": "SELECT id FROM documents WHERE summary <> ''",
}
Parts = Mapping[str, Sequence[str]]  # layer, "tables" or "files" -> ids


def visible(connection: sqlite3.Connection, layer: VectorLayer, ids: Iterable[str]) -> set[str]:
    """Return those of the ids that a search may return."""
    clause = "AND" if "WHERE" in VISIBLE[layer] else "WHERE"
    return {row[0] for row in connection.execute(f"{VISIBLE[layer]} {clause} id {IN}", (many(ids),))}


OWNER: dict[VectorLayer, str] = {
    "chunks": "SELECT id, document_id FROM chunks",
    "atoms": "SELECT a.id, c.document_id FROM atoms a JOIN chunks c ON c.id = a.chunk_id",
    "sections": "SELECT id, document_id FROM sections",
    "documents": "SELECT id, id FROM documents",
}


def owners_of(connection: sqlite3.Connection, layer: VectorLayer, ids: Sequence[str]) -> dict[str, str]:
    """Return id -> document id, of those that are there."""
    column = "a.id" if layer == "atoms" else "id"
    return dict(connection.execute(f"{OWNER[layer]} WHERE {column} {IN}", (many(ids),)).fetchall())


@dataclass(frozen=True)
class ExternalStores:
    """Writes to and clears the stores outside SQLite."""

    database: Database
    indexes: dict[VectorLayer, VectorIndex]
    tables: TableStore
    originals: FileStore
    images: FileStore

    def announce(self, parts: Parts) -> int:
        """Note what is about to be written; return the note's number."""
        with self.database.writing() as connection:
            return record_unfinished(connection, parts)

    def put_vectors(self, layer: VectorLayer, rows: Iterable[tuple[str, Vectors, str]]) -> None:
        """Store (id, vector, document id)."""
        listed = list(rows)
        if listed:
            import numpy as np

            ids = [row[0] for row in listed]
            about = [{"document": row[2]} for row in listed]
            self.indexes[layer].upsert(ids, np.stack([row[1] for row in listed]), about)

    def missing(self, layer: VectorLayer) -> list[str]:
        """Return the visible ids of a layer that have no vector."""
        indexed = self.indexes[layer].ids()
        with self.database.reading() as connection:
            return [row[0] for row in connection.execute(VISIBLE[layer]) if row[0] not in indexed]

    def give_vectors(self, layer: VectorLayer, ids: Sequence[str], vectors: Vectors) -> None:
        """Store vectors (ids, d) of visible ids; with the generation, so that searches are made anew."""
        with self.database.reading() as connection:
            owners = owners_of(connection, layer, ids)
        rows = zip(ids, vectors, strict=True)
        self.put_vectors(layer, [(i, vector, owners[i]) for i, vector in rows if i in owners])
        with self.database.writing() as connection:
            count_change(connection)

    def sweep(self) -> int:
        """Finish what was left unfinished: what is noted and not visible is deleted. Returns how many."""
        with self.database.reading() as connection:
            notes = connection.execute("SELECT n, parts FROM unfinished ORDER BY n").fetchall()
        for number, parts in notes:
            self.clear(json.loads(parts))
            with self.database.writing() as connection:
                remove_unfinished(connection, number)
        return len(notes)

    def clear(self, parts: Parts) -> None:
        """Delete the parts that the catalog does not show."""
        with self.database.reading() as connection:
            removed: dict[str, list[str]] = {}
            for layer in VECTOR_LAYERS:
                shown = visible(connection, layer, parts.get(layer, ()))
                removed[layer] = [i for i in parts.get(layer, ()) if i not in shown]
            for kind, column, table in (("tables", "sql_name", "tables"), ("files", "id", "documents")):
                rows = connection.execute(
                    f"SELECT {column} FROM {table} WHERE {column} {IN}", (many(parts.get(kind, ())),)
                )
                shown = {row[0] for row in rows}
                removed[kind] = [i for i in parts.get(kind, ()) if i not in shown]
        for layer in VECTOR_LAYERS:
            if removed[layer]:
                self.indexes[layer].delete(removed[layer])
        self.tables.drop(removed["tables"])
        for document_id in removed["files"]:
            self.originals.drop(document_id)
            self.images.drop(document_id)


def record_unfinished(connection: sqlite3.Connection, parts: Parts) -> int:
    """Write down parts that may be, or still are, in the outer stores."""
    cursor = connection.execute(
        "INSERT INTO unfinished (parts) VALUES (?)", (json.dumps({k: list(v) for k, v in parts.items()}),)
    )
    return int(cursor.lastrowid or 0)


def remove_unfinished(connection: sqlite3.Connection, number: int) -> None:
    """Delete a note whose work is done."""
    connection.execute("DELETE FROM unfinished WHERE n = ?", (number,))


MakeIndex = Callable[[str], VectorIndex]
