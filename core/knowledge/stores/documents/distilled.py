"""The distilled layer as rows of SQLite: atoms, entities, mentions, relations, tags and summaries."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from core.domain import Atom, Distilled, Entity, Relation, Tag
from core.knowledge.stores.documents.catalog import IN, many
from core.text.tokens import normal


def put_distilled(connection: sqlite3.Connection, distilled: Distilled) -> None:
    """Add what is new; what is there already stays as it is, so putting twice changes nothing."""
    connection.executemany(
        "INSERT OR IGNORE INTO atoms (id, chunk_id, kind, text, maker, verified_by)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ((a.id, a.chunk_id, a.kind, a.text, a.by, a.verified_by) for a in distilled.atoms),
    )
    _put_entities(connection, distilled.entities)
    connection.executemany(
        "INSERT OR IGNORE INTO mentions (chunk_id, entity_id, times) VALUES (?, ?, ?)",
        ((m.chunk_id, m.entity_id, m.count) for m in distilled.mentions),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO relations (id, subject, predicate, object, chunk_id, maker)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ((r.id, r.subject, r.predicate, r.object, r.chunk_id, r.by) for r in distilled.relations),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO tags (chunk_id, name, tag_class) VALUES (?, ?, ?)",
        ((t.chunk_id, t.name, t.tag_class) for t in distilled.tags),
    )
    connection.executemany(
        "UPDATE sections SET summary = ? WHERE id = ?",
        ((summary, section) for section, summary in distilled.section_summaries.items()),
    )
    connection.executemany(
        "UPDATE chunks SET summary = ? WHERE id = ?",
        ((summary, chunk) for chunk, summary in distilled.chunk_summaries.items()),
    )


def _put_entities(connection: sqlite3.Connection, entities: Sequence[Entity]) -> None:
    """Add entities; one that is there gains the names and subjects it lacks, and a kind that says more."""
    connection.executemany(
        "INSERT INTO entities (id, name, kind, aliases) VALUES (?, ?, ?, '[]') ON CONFLICT (id) DO UPDATE"
        " SET kind = excluded.kind WHERE kind = 'thing' AND excluded.kind <> 'thing'",
        ((entity.id, entity.name, entity.kind) for entity in entities),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO entity_names (entity_id, name, key) VALUES (?, ?, ?)",
        ((entity.id, name, normal(name)) for entity in entities for name in (entity.name, *entity.aliases)),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO subjects (entity_id, node_id, document_id)"
        " SELECT ?1, id, document_id FROM sections WHERE id = ?2"
        " UNION ALL SELECT ?1, id, id FROM documents WHERE id = ?2",
        ((entity.id, node_id) for entity in entities for node_id in entity.about),
    )
    connection.execute(
        "UPDATE entities SET aliases = (SELECT json_group_array(name) FROM (SELECT n.name FROM entity_names n"
        " WHERE n.entity_id = entities.id AND n.name <> entities.name ORDER BY n.n))"
        f" WHERE id IN (SELECT entity_id FROM entity_names WHERE entity_id {IN}"
        " GROUP BY entity_id HAVING count(*) > 1)",
        (many({entity.id for entity in entities}),),
    )


def entities_of(connection: sqlite3.Connection, document_id: str) -> list[str]:
    """Return the entities a document's chunks name or relate."""
    rows = connection.execute(
        "SELECT m.entity_id FROM mentions m JOIN chunks c ON c.id = m.chunk_id WHERE c.document_id = :d"
        " UNION SELECT r.subject FROM relations r JOIN chunks c ON c.id = r.chunk_id WHERE c.document_id = :d"
        " UNION SELECT r.object FROM relations r JOIN chunks c ON c.id = r.chunk_id WHERE c.document_id = :d",
        {"d": document_id},
    )
    return [row[0] for row in rows]


def entities_unique_to(connection: sqlite3.Connection, document_id: str) -> list[str]:
    """Return the entities that no other document names or relates: they go with this one."""
    others = "JOIN chunks c ON c.id = x.chunk_id WHERE c.document_id <> ? AND"
    rows = connection.execute(
        f"SELECT e.id FROM entities e WHERE e.id {IN}"
        f" AND NOT EXISTS (SELECT 1 FROM mentions x {others} x.entity_id = e.id)"
        f" AND NOT EXISTS (SELECT 1 FROM relations x {others} x.subject = e.id)"
        f" AND NOT EXISTS (SELECT 1 FROM relations x {others} x.object = e.id)",
        (many(entities_of(connection, document_id)), document_id, document_id, document_id),
    )
    return [row[0] for row in rows]


def drop_distilled(connection: sqlite3.Connection, document_id: str) -> list[str]:
    """Delete what was distilled from a document; return the ids of the atoms, whose vectors must go too."""
    entity_ids = entities_unique_to(connection, document_id)
    here = "chunk_id IN (SELECT id FROM chunks WHERE document_id = ?)"
    atoms = [row[0] for row in connection.execute(f"SELECT id FROM atoms WHERE {here}", (document_id,))]
    for table in ("atoms", "mentions", "relations", "tags"):
        connection.execute(f"DELETE FROM {table} WHERE {here}", (document_id,))
    connection.execute("DELETE FROM subjects WHERE document_id = ?", (document_id,))
    connection.execute(f"DELETE FROM entities WHERE id {IN}", (many(entity_ids),))
    connection.execute("UPDATE sections SET summary = '' WHERE document_id = ?", (document_id,))
    connection.execute("UPDATE chunks SET summary = '' WHERE document_id = ?", (document_id,))
    connection.execute("UPDATE documents SET summary = '' WHERE id = ?", (document_id,))
    return atoms


# -- reading ------------------------------------------------------------------------------


def atoms(connection: sqlite3.Connection, chunk_ids: Sequence[str]) -> list[Atom]:
    """Return the atoms of chunks in the order in which they were made."""
    rows = connection.execute(f"SELECT * FROM atoms WHERE chunk_id {IN} ORDER BY n", (many(chunk_ids),))
    return [
        Atom(
            id=r["id"],
            chunk_id=r["chunk_id"],
            kind=r["kind"],
            text=r["text"],
            by=r["maker"],
            verified_by=r["verified_by"],
        )
        for r in rows
    ]


def atoms_by_id(connection: sqlite3.Connection, ids: Sequence[str]) -> list[Atom]:
    """Return atoms in the order of the ids; unknown ids are left out."""
    rows = connection.execute(f"SELECT chunk_id FROM atoms WHERE id {IN}", (many(ids),))
    found = {atom.id: atom for atom in atoms(connection, [row[0] for row in rows])}
    return [found[i] for i in ids if i in found]


def _entity(row: sqlite3.Row) -> Entity:
    return Entity(
        id=row["id"],
        name=row["name"],
        kind=row["kind"],
        aliases=tuple(json.loads(row["aliases"])),
        about=tuple(json.loads(row["about"])),
    )


def entities(
    connection: sqlite3.Connection,
    chunk_id: str | None,
    named: str | None,
    ids: Sequence[str] | None,
    limit: int,
) -> list[Entity]:
    """Return entities, the most mentioned first; `named` keeps those with the words in a name or alias."""
    wanted: list[str] = []
    values: list[str | int] = []
    if chunk_id is not None:
        wanted.append("e.id IN (SELECT entity_id FROM mentions WHERE chunk_id = ?)")
        values.append(chunk_id)
    if named is not None:
        wanted.append("e.id IN (SELECT entity_id FROM entity_names WHERE instr(lower(name), lower(?)))")
        values.append(named)
    if ids is not None:
        wanted.append(f"e.id {IN}")
        values.append(many(ids))
    where = f"WHERE {' AND '.join(wanted)}" if wanted else ""
    rows = connection.execute(
        "SELECT e.*, (SELECT count(*) FROM mentions m WHERE m.entity_id = e.id) AS named,"
        " (SELECT json_group_array(node_id) FROM subjects s WHERE s.entity_id = e.id) AS about"
        " FROM entities e"
        f" {where} ORDER BY named DESC, e.name LIMIT ?",
        (*values, limit),
    )
    return [_entity(row) for row in rows]


def entities_called(connection: sqlite3.Connection, names: Sequence[str]) -> list[Entity]:
    """Return the entities that go by one of the names, without regard to capitals and joints, the most
    mentioned first."""
    rows = connection.execute(
        "SELECT e.*, (SELECT json_group_array(node_id) FROM subjects s WHERE s.entity_id = e.id) AS about"
        f" FROM entities e WHERE e.id IN (SELECT entity_id FROM entity_names WHERE key {IN})"
        " ORDER BY (SELECT count(*) FROM mentions m WHERE m.entity_id = e.id) DESC, e.name",
        (many([normal(name) for name in names]),),
    )
    return [_entity(row) for row in rows]


def shared_names(
    connection: sqlite3.Connection, chunk_ids: Sequence[str], others: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return chunk id -> entity id -> name of what the chunks and one of the others name, what the library
    mentions most first."""
    rows = connection.execute(
        "WITH named AS MATERIALIZED (SELECT e.id, e.name, (SELECT count(*) FROM mentions"
        " WHERE entity_id = e.id) AS times FROM entities e WHERE e.id IN"
        f" (SELECT entity_id FROM mentions WHERE chunk_id {IN}))"
        " SELECT m.chunk_id, n.id, n.name FROM mentions m JOIN named n ON n.id = m.entity_id"
        f" WHERE m.chunk_id {IN} ORDER BY n.times DESC, n.name",
        (many(others), many(chunk_ids)),
    )
    found: dict[str, dict[str, str]] = {}
    for chunk_id, entity_id, name in rows:
        found.setdefault(chunk_id, {})[entity_id] = name
    return found


def names_of(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return entity id -> name; ids of other things are passed over."""
    rows = connection.execute(f"SELECT id, name FROM entities WHERE id {IN}", (many(ids),))
    return {row[0]: row[1] for row in rows}


def mentions(connection: sqlite3.Connection, entity_id: str) -> list[str]:
    """Return the ids of the chunks that name an entity."""
    rows = connection.execute("SELECT chunk_id FROM mentions WHERE entity_id = ? ORDER BY n", (entity_id,))
    return [row[0] for row in rows]


def relations(connection: sqlite3.Connection, entity_id: str | None, chunk_id: str | None) -> list[Relation]:
    """Return relations an entity takes part in, as subject or object, or those said in a chunk."""
    wanted: list[str] = []
    values: list[str] = []
    if entity_id is not None:
        wanted.append("(subject = ? OR object = ?)")
        values += [entity_id, entity_id]
    if chunk_id is not None:
        wanted.append("chunk_id = ?")
        values.append(chunk_id)
    where = f"WHERE {' AND '.join(wanted)}" if wanted else ""
    return [
        Relation(
            id=r["id"],
            subject=r["subject"],
            predicate=r["predicate"],
            object=r["object"],
            chunk_id=r["chunk_id"],
            by=r["maker"],
        )
        for r in connection.execute(f"SELECT * FROM relations {where} ORDER BY n", values)
    ]


def tags(connection: sqlite3.Connection, chunk_id: str | None) -> list[Tag]:
    """Return the tags of a chunk, or of all."""
    where, values = ("", ()) if chunk_id is None else ("WHERE chunk_id = ?", (chunk_id,))
    rows = connection.execute(f"SELECT * FROM tags {where} ORDER BY n", values)
    return [Tag(chunk_id=r["chunk_id"], name=r["name"], tag_class=r["tag_class"]) for r in rows]


def tag_counts(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """Return (class, name, chunks), the most used first; names that differ in case only are one, written as
    most of its chunks have it."""
    spelt: dict[tuple[str, str], Counter[str]] = {}
    for of_class, name, times in connection.execute(
        "SELECT tag_class, name, count(*) FROM tags GROUP BY tag_class, name ORDER BY name"
    ):
        spelt.setdefault((of_class, name.lower()), Counter())[name] += times
    found = [(of_class, names.most_common(1)[0][0], names.total()) for (of_class, _), names in spelt.items()]
    return sorted(found, key=lambda each: (-each[2], each[0], each[1]))


def document_tags(connection: sqlite3.Connection) -> dict[str, Counter[str]]:
    """Return, per document, how many of its chunks carry each tag."""
    rows = connection.execute(
        "SELECT chunks.document_id, tags.name, count(DISTINCT chunk_id) FROM tags"
        " JOIN chunks ON chunks.id = tags.chunk_id GROUP BY 1, 2"
    )
    found: dict[str, Counter[str]] = {}
    for document_id, name, times in rows:
        found.setdefault(document_id, Counter())[name] = times
    return found
