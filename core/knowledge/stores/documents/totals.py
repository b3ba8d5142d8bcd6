"""How much the library holds, as a whole, in a scope, or of one document."""

import sqlite3
from typing import NamedTuple

from core.domain import Scope
from core.knowledge.stores.documents.catalog import IN, in_scope, many

OF_DOCUMENTS: dict[str, str] = {  # what is counted -> rows of the documents `d`
    "documents": "SELECT id FROM documents WHERE id IN d",
    "sections": "SELECT id FROM sections WHERE document_id IN d",
    "chunks": "SELECT id FROM chunks WHERE document_id IN d",
    "tables": "SELECT id FROM tables WHERE document_id IN d",
    "references": "SELECT n FROM links WHERE document_id IN d",
    "atoms": "SELECT a.n FROM atoms a JOIN chunks c ON c.id = a.chunk_id WHERE c.document_id IN d",
    "entities": "SELECT DISTINCT m.entity_id FROM mentions m JOIN chunks c ON c.id = m.chunk_id"
    " WHERE c.document_id IN d",
    "mentions": "SELECT m.n FROM mentions m JOIN chunks c ON c.id = m.chunk_id WHERE c.document_id IN d",
    "relations": "SELECT r.n FROM relations r JOIN chunks c ON c.id = r.chunk_id WHERE c.document_id IN d",
    "tags": "SELECT t.n FROM tags t JOIN chunks c ON c.id = t.chunk_id WHERE c.document_id IN d",
}
ALL = {
    "documents": "documents",
    "sections": "sections",
    "chunks": "chunks",
    "tables": "tables",
    "references": "links",
    "atoms": "atoms",
    "entities": "entities",
    "mentions": "mentions",
    "relations": "relations",
    "tags": "tags",
}


def counts(connection: sqlite3.Connection, scope: Scope) -> dict[str, int]:
    """Return how many of each kind the scope holds."""
    allowed = in_scope(connection, scope)
    if allowed is not None:
        return counts_of(connection, allowed)
    return {
        kind: int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
        for kind, table in ALL.items()
    }


def counts_of(connection: sqlite3.Connection, document_ids: list[str]) -> dict[str, int]:
    """Return how many of each kind the documents hold together."""
    return {
        kind: int(
            connection.execute(
                f"WITH d AS (SELECT value FROM json_each(?)) SELECT count(*) FROM ({rows})",
                (many(document_ids),),
            ).fetchone()[0]
        )
        for kind, rows in OF_DOCUMENTS.items()
    }


def parts_of(connection: sqlite3.Connection, document_id: str) -> dict[str, list[str]]:
    """Return the ids under which the stores outside SQLite may hold parts of the document."""
    chunks = "SELECT id FROM chunks WHERE document_id = ?"
    wanted = {
        "chunks": chunks,
        "atoms": f"SELECT id FROM atoms WHERE chunk_id IN ({chunks})",
        "sections": "SELECT id FROM sections WHERE document_id = ?",
        "documents": "SELECT id FROM documents WHERE id = ?",
        "tables": "SELECT sql_name FROM tables WHERE document_id = ?",
        "files": "SELECT id FROM documents WHERE id = ?",
    }
    return {
        kind: [row[0] for row in connection.execute(select, (document_id,))]
        for kind, select in wanted.items()
    }


def remaining_rows(connection: sqlite3.Connection, document_id: str, chunk_ids: list[str]) -> dict[str, int]:
    """Return how many rows the catalog holds of a document and its chunks, by kind; 0 once it is gone."""
    of_chunks = ("atoms", "mentions", "relations", "tags", "token_spans", "links")
    of_document = ("sections", "chunks", "tables", "entries", "links", "answers_to")
    left = dict.fromkeys((*of_chunks, *of_document), 0)
    for table in of_chunks:
        row = connection.execute(f"SELECT count(*) FROM {table} WHERE chunk_id {IN}", (many(chunk_ids),))
        left[table] += int(row.fetchone()[0])
    for table in of_document:
        row = connection.execute(f"SELECT count(*) FROM {table} WHERE document_id = ?", (document_id,))
        left[table] += int(row.fetchone()[0])
    return left


class StoredReading(NamedTuple):
    """By which version of reading a document was made, "" where its catalog does not say."""

    document_id: str
    media_type: str
    version: str
    edited: bool  # a reader changed or split its chunks
    paths: tuple[str, ...]


def stored_readings(connection: sqlite3.Connection) -> list[StoredReading]:
    """Return the reading of every document, also from the catalog of an older Strata."""
    version = "reading" if _has(connection, "documents", "reading") else "''"
    edited = "edited <> 0" if _has(connection, "chunks", "edited") else "0"
    revised = "revised <> 0" if _has(connection, "documents", "revised") else "0"
    rows = f"SELECT document_id FROM chunks WHERE {edited} UNION SELECT id FROM documents WHERE {revised}"
    changed = {row[0] for row in connection.execute(rows)}
    paths: dict[str, list[str]] = {}
    for document_id, path in connection.execute("SELECT document_id, path FROM entries"):
        paths.setdefault(document_id, []).append(path)
    return [
        StoredReading(row[0], row[1], row[2], row[0] in changed, tuple(paths.get(row[0], ())))
        for row in connection.execute(f"SELECT id, media_type, {version} FROM documents ORDER BY n")
    ]


def _has(connection: sqlite3.Connection, table: str, column: str) -> bool:
    return column in {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


def sample_texts(connection: sqlite3.Connection, most: int) -> list[str]:
    """Return the texts of prose passages, at most so many, evenly from the whole library."""
    whole = int(connection.execute("SELECT count(*) FROM chunks WHERE kind = 'text'").fetchone()[0])
    rows = connection.execute(
        "SELECT text FROM (SELECT text, row_number() OVER (ORDER BY n) AS place FROM chunks"
        " WHERE kind = 'text') WHERE place % ? = 0 LIMIT ?",
        (max(1, whole // max(1, most)), most),
    ).fetchall()
    return [row[0] for row in rows]
