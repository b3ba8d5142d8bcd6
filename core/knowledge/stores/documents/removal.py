"""What happens when a document, or one of its paths, is deleted.

First it is gone from SQLite, in one transaction that notes what stands elsewhere; then that is cleared from
every other store. What a crash leaves noted is cleared at the next start.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.errors import NotFound
from core.knowledge.stores.documents import catalog, distilled, links, totals
from core.knowledge.stores.external_stores import (
    VECTOR_LAYERS,
    ExternalStores,
    record_unfinished,
    remove_unfinished,
)
from core.knowledge.stores.records import Removal


@dataclass(frozen=True)
class Removals:
    """Takes documents, and what was distilled from them, away. Its caller lets one thread in at a time."""

    external: ExternalStores

    def forget_atoms(self, ids: Sequence[str]) -> None:
        """Take single atoms away, with their vectors."""
        parts = {"atoms": list(ids)}
        with self.external.database.writing() as connection:
            number = record_unfinished(connection, parts)
            connection.execute(f"DELETE FROM atoms WHERE id {catalog.IN}", (catalog.many(ids),))
            catalog.count_change(connection)
        self.finish(number, parts)

    def remove_enrichment(self, document_id: str) -> None:
        """Take away what was distilled from a document, before it is enriched anew."""
        with self.external.database.writing() as connection:
            parts = totals.parts_of(connection, document_id)
            for kind in ("chunks", "tables", "files"):
                parts[kind] = []
            number = record_unfinished(connection, parts)
            distilled.drop_distilled(connection, document_id)
            catalog.record_deletion(connection, document_id, "distilled")
            catalog.count_change(connection, document_id)
        self.finish(number, parts)

    def removal(self, document_id: str) -> Removal:
        """Return what a removal would delete, counted by kind. Raises NotFound."""
        with self.external.database.reading() as connection:
            document = catalog.document(connection, document_id)
            counts = totals.counts_of(connection, [document_id])
            counts["entities"] = len(distilled.entities_unique_to(connection, document_id))
            rows = connection.execute(
                "SELECT ifnull(sum(row_count), 0) FROM tables WHERE document_id = ?", (document_id,)
            )
            counts["rows"] = rows.fetchone()[0]
            paths = tuple(entry.path for entry in catalog.entries(connection, document_id))
        counts["files"] = self.external.originals.count(document_id) + self.external.images.count(document_id)
        return Removal(document_id=document_id, title=document.title, paths=paths, counts=counts)

    def remove(self, document_id: str) -> Removal:
        """Take the document away from every store, and count what is left of it. Raises NotFound."""
        removal = self.removal(document_id)
        with self.external.database.writing() as connection:
            if not catalog.has_document(connection, document_id):
                raise NotFound(f"there is no document {document_id}")
            parts = totals.parts_of(connection, document_id)
            entity_ids = distilled.entities_unique_to(connection, document_id)
            number = record_unfinished(connection, parts)
            connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
            connection.execute(f"DELETE FROM entities WHERE id {catalog.IN}", (catalog.many(entity_ids),))
            links.unlink_target(connection, document_id)
            catalog.record_deletion(connection, document_id, "document")
            catalog.count_change(connection, document_id)
        self.finish(number, parts)
        with self.external.database.reading() as connection:
            left = totals.remaining_rows(connection, document_id, parts["chunks"])
        for layer in VECTOR_LAYERS:
            left[f"vectors of {layer}"] = len(self.external.indexes[layer].held(parts[layer]))
        left["rows of tables"] = len(self.external.tables.names() & set(parts["tables"]))
        left["files"] = self.external.originals.count(document_id) + self.external.images.count(document_id)
        return removal.model_copy(update={"left": left})

    def unlink(self, path: str, collection: str) -> tuple[Removal | None, str]:
        """Take one path away; with the last one the document goes, and what went is returned with its id."""
        with self.external.database.writing() as connection:
            row = connection.execute(
                "DELETE FROM entries WHERE path = ? AND collection = ? RETURNING document_id",
                (path, collection),
            ).fetchone()
            if row is None:
                raise NotFound(f"nothing was added from {path} to {collection}")
            catalog.count_change(connection)
        return (self.remove(row[0]) if self.without_entry([row[0]]) else None), str(row[0])

    def without_entry(self, document_ids: Iterable[str]) -> list[str]:
        """Return the documents that no path points to."""
        with self.external.database.reading() as connection:
            return [d for d in sorted(document_ids) if not catalog.entries(connection, d)]

    def finish(self, number: int, parts: dict[str, list[str]]) -> None:
        """Clear what was noted under the number from the stores outside SQLite, and strike the note."""
        self.external.clear(parts)
        with self.external.database.writing() as connection:
            remove_unfinished(connection, number)
