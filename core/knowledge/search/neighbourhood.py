"""The neighbourhood of a node of the graph, read from the catalog for drawing."""

import sqlite3
from collections import deque

from core.domain import Location
from core.errors import NotFound
from core.knowledge.search.graph_index import tag_node
from core.knowledge.stores.records import Edge, Neighbourhood, Node, NodeKind

MAX_LABEL_CHARACTERS = 60
MAX_NEIGHBOURS = 40  # most neighbours of one kind that are looked at
TOGETHER = "named together with"  # the edge of entities that share chunks
MIN_SHARED_CHUNKS = 2  # of two entities named together
MAX_RELATED_ENTITIES = 8  # shown of those

KINDS: dict[NodeKind, str] = {  # kind -> label by id
    "document": "SELECT title FROM documents WHERE id = ?",
    "section": "SELECT coalesce(json_extract(path, '$[#-1]'), '') FROM sections WHERE id = ?",
    "chunk": "SELECT text, location FROM chunks WHERE id = ?",
    "atom": "SELECT text FROM atoms WHERE id = ?",
    "entity": "SELECT name, kind FROM entities WHERE id = ?",
}
NEIGHBOURS: dict[NodeKind, tuple[str, ...]] = {  # kind -> selects of (neighbour id, kind of edge)
    "document": (
        "SELECT id, 'contains' FROM sections WHERE document_id = ?1 AND parent_id IS NULL ORDER BY place",
        "SELECT id, 'contains' FROM chunks WHERE document_id = ?1"
        " AND section_id NOT IN (SELECT id FROM sections) ORDER BY place",
        "SELECT DISTINCT target_id, 'refers' FROM links WHERE document_id = ?1 AND target_id IS NOT NULL",
        "SELECT DISTINCT document_id, 'refers' FROM links WHERE target_id = ?1",
    ),
    "section": (
        "SELECT coalesce(parent_id, document_id), 'contains' FROM sections WHERE id = ?1",
        "SELECT id, 'contains' FROM sections WHERE parent_id = ?1 ORDER BY place",
        "SELECT id, 'contains' FROM chunks WHERE section_id = ?1 ORDER BY place",
    ),
    "chunk": (
        "SELECT CASE WHEN section_id IN (SELECT id FROM sections) THEN section_id ELSE document_id END,"
        " 'contains' FROM chunks WHERE id = ?1",
        "SELECT entity_id, 'mentions' FROM mentions WHERE chunk_id = ?1 ORDER BY times DESC, n",
        "SELECT id, 'asks' FROM atoms WHERE chunk_id = ?1 ORDER BY n",
        "SELECT 'tag:' || tag_class || ':' || name, 'tagged' FROM tags WHERE chunk_id = ?1 ORDER BY n",
        "SELECT target_id, 'refers' FROM links WHERE chunk_id = ?1 AND target_id IS NOT NULL",
    ),
    "atom": ("SELECT chunk_id, 'asks' FROM atoms WHERE id = ?1",),
    "entity": (
        "SELECT object, predicate FROM relations WHERE subject = ?1 AND object IN (SELECT id FROM entities)",
        "SELECT subject, predicate FROM relations WHERE object = ?1 AND subject IN (SELECT id FROM entities)",
        # Named in the same chunks again and again: an edge of its own kind, for it says nothing of how.
        f"SELECT * FROM (SELECT o.entity_id, '{TOGETHER}' FROM mentions m JOIN mentions o"
        " ON o.chunk_id = m.chunk_id AND o.entity_id <> m.entity_id WHERE m.entity_id = ?1"
        f" GROUP BY o.entity_id HAVING count(*) >= {MIN_SHARED_CHUNKS} ORDER BY count(*) DESC, o.entity_id"
        f" LIMIT {MAX_RELATED_ENTITIES})",
        "SELECT chunk_id, 'mentions' FROM mentions WHERE entity_id = ?1 ORDER BY times DESC, n",
    ),
    "tag": (
        "SELECT chunk_id, 'tagged' FROM tags WHERE 'tag:' || tag_class || ':' || name = ?1"
        " AND name = substr(?1, -length(name)) ORDER BY n",
    ),
}


def around(connection: sqlite3.Connection, node_id: str, budget: int) -> Neighbourhood:
    """Return up to `budget` nodes around one, breadth first, with the edges among them. Raises NotFound."""
    start = _node(connection, node_id)
    if start is None:
        raise NotFound(f"there is no {node_id} in the library")
    nodes = {node_id: start}
    edges: dict[tuple[str, str, str], Edge] = {}
    waiting = deque([start])
    more = False
    while waiting:
        at = waiting.popleft()
        for select in NEIGHBOURS[at.kind]:
            for other, kind in connection.execute(f"{select} LIMIT {MAX_NEIGHBOURS}", (at.id,)):
                if other not in nodes:
                    found = _node(connection, other) if len(nodes) < budget else None
                    if found is None:
                        more = more or len(nodes) >= budget
                        continue
                    nodes[other] = found
                    waiting.append(found)
                a, b = sorted((at.id, other))
                edges.setdefault((a, b, kind), Edge(a=at.id, b=other, kind=kind))
    return Neighbourhood(nodes=tuple(nodes.values()), edges=tuple(edges.values()), more=more)


def _node(connection: sqlite3.Connection, node_id: str) -> Node | None:
    if node_id.startswith("tag:"):
        tag_class, _, name = node_id.removeprefix("tag:").partition(":")
        row = connection.execute("SELECT 1 FROM tags WHERE name = ? AND tag_class = ?", (name, tag_class))
        return None if row.fetchone() is None else Node(id=tag_node(tag_class, name), kind="tag", label=name)
    for kind, select in KINDS.items():
        row = connection.execute(select, (node_id,)).fetchone()
        if row is not None:
            label = " ".join(str(row[0]).split())
            return Node(
                id=node_id,
                kind=kind,
                label=label
                if len(label) <= MAX_LABEL_CHARACTERS
                else f"{label[: MAX_LABEL_CHARACTERS - 1]}…",
                location=Location.model_validate_json(row[1]) if kind == "chunk" else Location(),
                thing=row[1] if kind == "entity" else "",
            )
    return None
