"""The truth about documents: entries, sections, chunks and table cards, as rows of SQLite."""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from core.domain import Chunk, Column, Document, Entry, Location, Scope, Section, Table
from core.errors import NotFound

_ATTRIBUTES = ("title", "media_type", "name", "language", "size", "pages", "summary", "date", "reading")
_OF_DOCUMENT = (*_ATTRIBUTES, "metadata")
IN = "IN (SELECT value FROM json_each(?))"


def many(ids: Iterable[str]) -> str:
    """Return the ids as the one parameter that `IN` takes, whatever their number."""
    return json.dumps(list(ids))


def _dump(location: Location) -> str:
    return location.model_dump_json(exclude_defaults=True)


def _place(text: str) -> Location:
    return Location() if text == "{}" else Location.model_validate_json(text)


def count_change(connection: sqlite3.Connection, *document_ids: str) -> None:
    """Let the generation grow: something a search could see has changed, in these documents or at large."""
    connection.execute("UPDATE counters SET value = value + 1 WHERE name = 'generation'")
    now = generation(connection)
    connection.executemany(
        "INSERT OR REPLACE INTO touched (document_id, generation) VALUES (?, ?)",
        [(document_id, now) for document_id in document_ids or ("",)],
    )


def touched_since(connection: sqlite3.Connection, since: int) -> set[str] | None:
    """Return the documents changed after a generation, None where something changed at large."""
    rows = connection.execute("SELECT document_id FROM touched WHERE generation > ?", (since,))
    found = {row[0] for row in rows}
    return None if "" in found else found


def record_deletion(connection: sqlite3.Connection, document_id: str, what: str) -> None:
    """Record for the indexes what was removed of a document: "document", or a part such as "edges"."""
    connection.execute("INSERT INTO forgotten (document_id, what) VALUES (?, ?)", (document_id, what))


# -- writing ------------------------------------------------------------------------------


def put_document(connection: sqlite3.Connection, document: Document) -> None:
    names = ("id", *_OF_DOCUMENT)
    placeholders = ", ".join(f":{name}" for name in names)
    connection.execute(
        f"INSERT INTO documents ({', '.join(names)}) VALUES ({placeholders})", _values(document)
    )


def change_document(connection: sqlite3.Connection, document: Document) -> None:
    """Write what a document says of itself anew; it stays where it is in the order of arrival."""
    changed = ", ".join(f"{name} = :{name}" for name in _OF_DOCUMENT)
    connection.execute(f"UPDATE documents SET {changed}, revised = 0 WHERE id = :id", _values(document))


def _values(document: Document) -> dict[str, str | int]:
    metadata = json.dumps(document.metadata, ensure_ascii=False)
    return {
        "id": document.id,
        "metadata": metadata,
        **{name: getattr(document, name) for name in _ATTRIBUTES},
    }


def put_entry(connection: sqlite3.Connection, entry: Entry) -> str | None:
    """Point the path to its document; return the document it pointed to before, if that was another."""
    row = connection.execute(
        "SELECT document_id FROM entries WHERE path = ? AND collection = ?", (entry.path, entry.collection)
    ).fetchone()
    connection.execute(
        "INSERT OR REPLACE INTO entries (path, collection, document_id) VALUES (?, ?, ?)",
        (entry.path, entry.collection, entry.document_id),
    )
    return row[0] if row is not None and row[0] != entry.document_id else None


def put_sections(connection: sqlite3.Connection, sections: Iterable[Section]) -> None:
    connection.executemany(
        "INSERT INTO sections (id, document_id, parent_id, path, level, place, location, summary)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                s.id,
                s.document_id,
                s.parent_id,
                json.dumps(s.path, ensure_ascii=False),
                s.level,
                s.order,
                _dump(s.location),
                s.summary,
            )
            for s in sections
        ),
    )


def put_chunks(connection: sqlite3.Connection, chunks: Iterable[Chunk]) -> None:
    connection.executemany(
        "INSERT INTO chunks (id, document_id, section_id, text, heading_path, place, tokens, kind, location,"
        " language, table_id, edited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                c.id,
                *(c.document_id, c.section_id),
                c.text,
                json.dumps(c.heading_path, ensure_ascii=False),
                c.order,
                c.tokens,
                c.kind,
                _dump(c.location),
                c.language,
                c.table_id,
                c.edited,
            )
            for c in chunks
        ),
    )


def put_tables(connection: sqlite3.Connection, tables: Iterable[Table]) -> None:
    connection.executemany(
        "INSERT INTO tables (id, document_id, name, sql_name, columns, row_count, caption, location)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                t.id,
                t.document_id,
                t.name,
                t.sql_name,
                json.dumps([c.model_dump() for c in t.columns], ensure_ascii=False),
                t.row_count,
                t.caption,
                _dump(t.location),
            )
            for t in tables
        ),
    )


# -- reading ------------------------------------------------------------------------------


def generation(connection: sqlite3.Connection) -> int:
    """Return a number that grows with every change of the library."""
    row = connection.execute("SELECT value FROM counters WHERE name = 'generation'").fetchone()
    return int(row[0])


def known(connection: sqlite3.Connection, table: str, ids: Sequence[str]) -> set[str]:
    """Return those of the ids that the table holds."""
    return {row[0] for row in connection.execute(f"SELECT id FROM {table} WHERE id {IN}", (many(ids),))}


def in_scope(connection: sqlite3.Connection, scope: Scope) -> list[str] | None:
    """Return the ids of the documents a scope allows (its collections and its documents), None for all."""
    if not scope.collections and not scope.documents:
        return None
    rows = connection.execute(
        f"SELECT id FROM documents WHERE id {IN} UNION SELECT document_id FROM entries WHERE collection {IN}",
        (many(scope.documents), many(scope.collections)),
    )
    return [row[0] for row in rows]


def read_document(row: sqlite3.Row) -> Document:
    """Return the document of a row."""
    metadata = json.loads(row["metadata"])
    return Document(id=row["id"], metadata=metadata, **{name: row[name] for name in _ATTRIBUTES})


def documents(connection: sqlite3.Connection, scope: Scope) -> list[Document]:
    """Return the documents of a scope in the order in which they came."""
    allowed = in_scope(connection, scope)
    where, values = ("", ()) if allowed is None else (f" WHERE id {IN}", (many(allowed),))
    return [
        read_document(row) for row in connection.execute(f"SELECT * FROM documents{where} ORDER BY n", values)
    ]


def document(connection: sqlite3.Connection, document_id: str) -> Document:
    """Return a document. Raises NotFound."""
    row = connection.execute("SELECT * FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        raise NotFound(f"there is no document {document_id}")
    return read_document(row)


def has_document(connection: sqlite3.Connection, document_id: str) -> bool:
    """Say whether the library holds a document."""
    return connection.execute("SELECT 1 FROM documents WHERE id = ?", (document_id,)).fetchone() is not None


def entries(connection: sqlite3.Connection, document_id: str | None) -> list[Entry]:
    """Return the paths of a document, or all of them."""
    where, values = ("", ()) if document_id is None else (" WHERE document_id = ?", (document_id,))
    rows = connection.execute(f"SELECT * FROM entries{where} ORDER BY collection, path", values)
    return [Entry(path=r["path"], document_id=r["document_id"], collection=r["collection"]) for r in rows]


def sections(connection: sqlite3.Connection, document_id: str) -> list[Section]:
    """Return the sections of a document in reading order."""
    rows = connection.execute(
        "SELECT * FROM sections WHERE document_id = ? ORDER BY place, n", (document_id,)
    )
    return [
        Section(
            id=r["id"],
            document_id=r["document_id"],
            parent_id=r["parent_id"],
            path=tuple(json.loads(r["path"])),
            level=r["level"],
            order=r["place"],
            location=_place(r["location"]),
            summary=r["summary"],
        )
        for r in rows
    ]


def read_chunk(row: sqlite3.Row) -> Chunk:
    """Return the chunk of a row."""
    return Chunk(
        id=row["id"],
        document_id=row["document_id"],
        section_id=row["section_id"],
        text=row["text"],
        heading_path=tuple(json.loads(row["heading_path"])),
        order=row["place"],
        tokens=row["tokens"],
        kind=row["kind"],
        location=_place(row["location"]),
        language=row["language"],
        table_id=row["table_id"],
        summary=row["summary"],
        edited=bool(row["edited"]),
    )


def chunks(
    connection: sqlite3.Connection,
    document_id: str | None,
    section_id: str | None,
    ids: Sequence[str] | None,
    most: int | None = None,
) -> list[Chunk]:
    """Return chunks in reading order, all or the first so many, or, where ids are given, in their order."""
    wanted: list[str] = []
    values: list[str | int] = []
    for clause, value in (("document_id = ?", document_id), ("section_id = ?", section_id)):
        if value is not None:
            wanted.append(clause)
            values.append(value)
    if ids is not None:
        wanted.append(f"id {IN}")
        values.append(many(ids))
    where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    order = "ORDER BY document_id, place, n LIMIT ?"
    values.append(-1 if most is None else most)  # -1: no limit
    found = [read_chunk(row) for row in connection.execute(f"SELECT * FROM chunks{where} {order}", values)]
    if ids is None:
        return found
    by_id = {chunk.id: chunk for chunk in found}
    return [by_id[i] for i in dict.fromkeys(ids) if i in by_id]


def tables(connection: sqlite3.Connection, document_id: str | None, scope: Scope) -> list[Table]:
    """Return the tables in scope; one with a banned passage is left out as a whole."""
    allowed = in_scope(connection, scope) if document_id is None else [document_id]
    banned = f"id NOT IN (SELECT table_id FROM chunks WHERE table_id IS NOT NULL AND id {IN})"
    where, values = f" WHERE {banned}", [many(scope.without)]
    if allowed is not None:
        where, values = f"{where} AND document_id {IN}", [*values, many(allowed)]
    return [
        Table(
            id=r["id"],
            document_id=r["document_id"],
            name=r["name"],
            sql_name=r["sql_name"],
            columns=tuple(Column(**c) for c in json.loads(r["columns"])),
            row_count=r["row_count"],
            caption=r["caption"],
            location=_place(r["location"]),
        )
        for r in connection.execute(f"SELECT * FROM tables{where} ORDER BY document_id, sql_name", values)
    ]
