"""Vectors of the older version of a file that its newer one reuses, by the text they were made of."""

import sqlite3
from dataclasses import dataclass, field

from core.domain import Chunk
from core.knowledge.stores.documents import catalog, distilled
from core.knowledge.stores.external_stores import ExternalStores
from core.ports import Vectors


@dataclass(frozen=True)
class ReusableVectors:
    """Vectors of the present model; empty where there is no older version.

    `chunks` holds passage text -> (chunk id, vector), `others` the text of an atom or summary -> vector.
    """

    chunks: dict[str, tuple[str, Vectors]] = field(default_factory=dict)
    others: dict[str, Vectors] = field(default_factory=dict)


def reusable_vectors_at(stores: ExternalStores, path: str, collection: str) -> ReusableVectors:
    """Return the vectors of the document at a path, to be reused by its newer version."""
    with stores.database.reading() as connection:
        row = connection.execute(
            "SELECT document_id FROM entries WHERE path = ? AND collection = ?", (path, collection)
        ).fetchone()
        if row is None:
            return ReusableVectors()
        chunks = catalog.chunks(connection, row[0], None, None)
        texts = _texts(connection, row[0], chunks)
    vectors = stores.indexes["chunks"].fetch([chunk.id for chunk in chunks])
    by_text = {c.passage_text(): (c.id, vectors[c.id]) for c in chunks if c.id in vectors}
    others: dict[str, Vectors] = {}
    for layer in ("atoms", "sections", "documents"):
        found = stores.indexes[layer].fetch(list(texts[layer]))
        others |= {texts[layer][each]: vector for each, vector in found.items()}
    return ReusableVectors(by_text, others)


def _texts(
    connection: sqlite3.Connection, document_id: str, chunks: list[Chunk]
) -> dict[str, dict[str, str]]:
    """Return per layer the id and text of what was distilled."""
    atoms = distilled.atoms(connection, [chunk.id for chunk in chunks])
    summary = catalog.document(connection, document_id).summary
    return {
        "atoms": {atom.id: atom.text for atom in atoms},
        "sections": {s.id: s.summary for s in catalog.sections(connection, document_id) if s.summary},
        "documents": {document_id: summary} if summary else {},
    }
