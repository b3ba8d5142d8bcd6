"""Updates the graph from the catalog: adds the nodes and edges written after the last row it read."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.knowledge.search.layer_graph import EDGE_WEIGHTS, Graph
from core.knowledge.stores.database import Database, saving_cache, translated_errors
from core.knowledge.stores.documents.catalog import IN, generation, many

TABLES = (
    "documents",
    "sections",
    "chunks",
    "links",
    "mentions",
    "relations",
    "tags",
    "entity_names",
    "subjects",
)
# Whether a mention's chunk is about the entity: it begins a section or a document that is.
ABOUT = (
    "EXISTS (SELECT 1 FROM subjects s JOIN chunks c ON c.id = mentions.chunk_id"
    " WHERE s.entity_id = mentions.entity_id"
    " AND (s.node_id = c.document_id AND c.place = 0 OR s.node_id = c.section_id"
    " AND c.place = (SELECT min(place) FROM chunks WHERE section_id = c.section_id)))"
)
# While the library grows, catching up takes at most one part in this many of the time
REFRESH_TIME_SHARE = 10
MAX_STALE_SECONDS = 3.0  # seconds the graph may be behind meanwhile
SAVE_AFTER = 20_000  # rows taken in since the last saving, or a quarter of all nodes if that is more


def tag_node(tag_class: str, name: str) -> str:
    """Return the node id of a tag."""
    return f"tag:{tag_class}:{name}"


class PersistentGraph:
    """The graph with its cache on disk, if it has a folder. Safe to use from many threads."""

    def __init__(self, database: Database, folder: Path | None) -> None:
        self._database = database
        self._folder = folder
        self._lock = threading.Lock()
        self._graph = Graph()
        self._marks: dict[str, int] = dict.fromkeys((*TABLES, "forgotten"), 0)
        self._generation = -1
        self._unsaved = 0
        self._busy_until = 0.0
        with translated_errors():
            loaded = Graph.load(folder) if folder is not None else None
        if loaded is not None and set(loaded[1]) == set(self._marks) and self._known(loaded[1]):
            self._graph, self._marks = loaded

    def _known(self, marks: Mapping[str, int]) -> bool:
        """Say whether the catalog has been where the cache was: it may have been put back from a copy."""
        with self._database.reading() as connection:
            newest = dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        return all(mark <= newest.get(table, 0) for table, mark in marks.items())

    def propagate(
        self, seeds: Mapping[str, float], damping: float, weights: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Return node id -> mass; seeds that the library does not hold are passed over."""
        chosen = {**EDGE_WEIGHTS, **(weights or {})}
        with self._lock:
            graph = self._fresh(chosen)
            numbers: dict[int, float] = {}
            hanging: dict[str, float] = {}
            for node_id, mass in seeds.items():
                if node_id in graph.place:
                    number = graph.place[node_id]
                    numbers[number] = numbers.get(number, 0.0) + mass
                else:
                    hanging[node_id] = mass
            atoms = self._chunks_of(hanging) if hanging else {}
            for atom_id, chunk_id in atoms.items():
                # An atom has one edge, to its chunk, and none leads to it: rank passes on in one step.
                number = graph.place[chunk_id]
                numbers[number] = numbers.get(number, 0.0) + damping * hanging[atom_id]
            found = graph.propagate(numbers, damping, chosen)
        for atom_id in atoms:
            found[atom_id] = (1 - damping) * hanging[atom_id]
        return found

    def hops(
        self, node_ids: Sequence[str], weights: Mapping[str, float] | None = None
    ) -> dict[tuple[str, str], tuple[float, str]]:
        """Return (from, to) -> the share of a random walk from one reaching the other in one or two steps,
        and the id of the node most of it goes through (the other itself where they are tied directly)."""
        chosen = {**EDGE_WEIGHTS, **(weights or {})}
        with self._lock:
            graph = self._fresh(chosen)
            known = [node_id for node_id in node_ids if node_id in graph.place]
            hops = graph.hops([graph.place[node_id] for node_id in known], chosen)
            return {(known[a], known[b]): (hop.share, graph.ids[hop.through]) for (a, b), hop in hops.items()}

    def _chunks_of(self, atoms: Mapping[str, float]) -> dict[str, str]:
        with self._database.reading() as connection:
            rows = connection.execute(f"SELECT id, chunk_id FROM atoms WHERE id {IN}", (many(atoms),))
            return {row[0]: row[1] for row in rows if row[1] in self._graph.place}

    # -- catching up ----------------------------------------------------------------------

    def _fresh(self, weights: Mapping[str, float]) -> Graph:
        if time.monotonic() < self._busy_until:
            return self._graph
        with self._database.reading() as connection:
            now = generation(connection)
            if now == self._generation:
                return self._graph
            began = time.monotonic()
            self._forget(connection)
            self._take_in(connection)
            self._generation = now
        self._graph.pagerank(weights)
        took = time.monotonic() - began
        self._busy_until = (
            time.monotonic() + min(took * REFRESH_TIME_SHARE, MAX_STALE_SECONDS) if took > 0.05 else 0.0
        )
        if self._unsaved > max(SAVE_AFTER, len(self._graph.ids) // 4):
            self._save()
        return self._graph

    def _forget(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT n, document_id, what FROM forgotten WHERE n > ? ORDER BY n", (self._marks["forgotten"],)
        ).fetchall()
        if any(row["what"] == "edges" for row in rows):  # single edges went or came back
            self._graph = Graph()
            self._marks = {**dict.fromkeys(self._marks, 0), "forgotten": rows[-1]["n"]}
        elif rows:
            self._graph.drop(row["document_id"] for row in rows if row["what"] == "document")
            redone = [row["document_id"] for row in rows if row["what"] == "distilled"]
            if redone:
                self._graph.drop_distilled(redone)
            self._marks["forgotten"] = rows[-1]["n"]

    def _new(self, connection: sqlite3.Connection, table: str, columns: str) -> Iterator[Any]:
        """Yield the rows that came since, one by one: of a large library they are millions."""
        for row in connection.execute(
            f"SELECT n, {columns} FROM {table} WHERE n > ? ORDER BY n", (self._marks[table],)
        ):
            self._unsaved += 1
            yield row

    def _take_in(self, connection: sqlite3.Connection) -> None:
        graph = self._graph
        newest: dict[str, int] = {}
        for table in TABLES:
            row = connection.execute(f"SELECT ifnull(max(n), 0) FROM {table}").fetchone()
            newest[table] = max(self._marks[table], row[0])
        self._structure(connection)
        for _, document_id, chunk_id, target_id in self._new(
            connection, "links", "document_id, chunk_id, target_id"
        ):
            target = graph.place.get(target_id or "")
            source = graph.place.get(chunk_id, graph.place.get(document_id))
            if target is not None and source is not None:
                graph.edge("refers", source, target, owner=source)
                if target in graph.first:
                    graph.edge("leads", source, graph.first[target], owner=source)
        for _, chunk_id, entity_id, about in self._new(
            connection, "mentions", f"chunk_id, entity_id, {ABOUT}"
        ):
            chunk = graph.place[chunk_id]
            graph.edge("mentions", chunk, graph.node(entity_id, -1), about, owner=chunk)
        for _, subject, thing, chunk_id in self._new(connection, "relations", "subject, object, chunk_id"):
            ends = graph.node(subject, -1), graph.node(thing, -1)
            graph.edge("relates", *ends, owner=graph.place[chunk_id])
        for _, chunk_id, name, tag_class in self._new(connection, "tags", "chunk_id, name, tag_class"):
            chunk = graph.place[chunk_id]
            graph.edge("tagged", chunk, graph.node(tag_node(tag_class, name), -1), owner=chunk)
        self._names(connection)
        self._marks |= newest

    def _structure(self, connection: sqlite3.Connection) -> None:
        graph = self._graph
        for _, document_id in self._new(connection, "documents", "id"):
            graph.node(document_id)
        for _, section_id, document_id, parent_id in self._new(
            connection, "sections", "id, document_id, parent_id"
        ):
            home = graph.place[document_id]
            graph.edge("contains", graph.place.get(parent_id or "", home), graph.node(section_id, home))
        before, owner, part = -1, -1, ""
        for _, chunk_id, document_id, section_id in self._new(
            connection, "chunks", "id, document_id, section_id"
        ):
            home = graph.place[document_id]
            chunk = graph.node(chunk_id, home)
            if section_id in graph.place:
                graph.edge("contains", graph.place[section_id], chunk)
            graph.edge("holds", home, chunk)
            if home != owner:
                graph.first[home] = chunk
            elif section_id == part:
                graph.edge("next", before, chunk)
            before, owner, part = chunk, home, section_id

    def _names(self, connection: sqlite3.Connection) -> None:
        """Tie entities to the documents of their name, whichever came later."""
        graph = self._graph
        rows = connection.execute(
            "SELECT e.entity_id, a.document_id FROM entity_names e JOIN answers_to a ON a.key = e.key"
            " JOIN documents d ON d.id = a.document_id WHERE e.n > ?1 OR d.n > ?2",
            (self._marks["entity_names"], self._marks["documents"]),
        )
        for entity_id, document_id in rows:
            graph.edge("about", graph.node(entity_id, -1), graph.place[document_id])

    # -- keeping --------------------------------------------------------------------------

    def _save(self) -> None:
        if self._folder is None:
            return
        with saving_cache():
            self._graph.save(self._folder, self._marks)
        self._unsaved = 0

    def save(self) -> None:
        """Write the cache, if it lacks something."""
        with self._lock:
            if self._unsaved:
                self._save()

    def rebuild(self) -> None:
        """Start over from the catalog."""
        with self._lock:
            self._graph = Graph()
            self._marks = dict.fromkeys(self._marks, 0)
            self._generation, self._busy_until, self._unsaved = -1, 0.0, 1
