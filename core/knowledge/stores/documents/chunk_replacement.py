"""Replaces a chunk by others, with their vectors, in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Atom, Chunk, Distilled
from core.errors import NotFound
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.documents import catalog, distilled, totals
from core.knowledge.stores.external_stores import ExternalStores, record_unfinished, remove_unfinished
from core.ports import Vectors


@dataclass(frozen=True)
class ChunkReplacement:
    """Replaces a chunk. Its caller lets one thread in at a time."""

    external: ExternalStores
    tokens: TokenFile

    def replace(
        self, old: str, chunks: Sequence[Chunk], vectors: Vectors, tokens: Sequence[Vectors] | None
    ) -> None:
        """Put `chunks` (with vectors (chunks, d) and token vectors) where `old` stands. Raises NotFound.

        What was distilled from the document goes, but for verified answers: it is to be enriched anew.
        """
        document_id = chunks[0].document_id
        number = self.external.announce({"chunks": [chunk.id for chunk in chunks]})
        self.external.put_vectors(
            "chunks", [(c.id, v, document_id) for c, v in zip(chunks, vectors, strict=True)]
        )
        rows = list(zip((c.id for c in chunks), tokens, strict=True)) if tokens is not None else []
        spans = self.tokens.append(rows) if rows else []
        with self.external.database.writing() as connection:
            current = catalog.chunks(connection, document_id, None, None)
            at = next((n for n, chunk in enumerate(current) if chunk.id == old), None)
            if at is None:
                raise NotFound(f"there is no chunk {old}")
            token_spans = self.tokens.spans([chunk.id for chunk in current if chunk.id != old])
            parts = totals.parts_of(connection, document_id)
            verified = [a for a in distilled.atoms(connection, parts["chunks"]) if a.verified_by is not None]
            here = [atom for atom in verified if atom.chunk_id != old]
            removed = _removed(parts, old, here)
            left = record_unfinished(connection, removed)
            distilled.drop_distilled(connection, document_id)
            connection.execute("DELETE FROM enriched_documents WHERE document_id = ?", (document_id,))
            connection.execute("UPDATE documents SET revised = 1 WHERE id = ?", (document_id,))
            for what in ("document", "edges"):
                catalog.record_deletion(connection, document_id, what)
            # The indexes take in rows above the last they saw, so all rows of the document come anew.
            connection.execute("DELETE FROM chunks WHERE document_id = ?", (document_id,))
            ordered = [*current[:at], *chunks, *current[at + 1 :]]
            catalog.put_chunks(
                connection, [chunk.model_copy(update={"order": n}) for n, chunk in enumerate(ordered)]
            )
            self.tokens.record(connection, [*((c, *span) for c, span in token_spans.items()), *spans])
            connection.execute(
                "UPDATE OR IGNORE links SET chunk_id = ? WHERE chunk_id = ?", (chunks[0].id, old)
            )
            distilled.put_distilled(connection, Distilled(atoms=tuple(here)))
            remove_unfinished(connection, number)
            catalog.count_change(connection, document_id)
        self.external.clear(removed)
        with self.external.database.writing() as connection:
            remove_unfinished(connection, left)


def _removed(parts: dict[str, list[str]], old: str, remaining: Sequence[Atom]) -> dict[str, list[str]]:
    """Return the ids that lose their vectors, by kind: the chunk, and what is not kept of its distillate."""
    stay = {atom.id for atom in remaining}
    return {
        "chunks": [old],
        "atoms": [each for each in parts["atoms"] if each not in stay],
        "sections": parts["sections"],
        "documents": parts["documents"],
    }
