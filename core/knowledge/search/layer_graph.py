"""The three layers as one graph of sparse matrices; `pagerank` spreads scores over it.

Nodes are documents, sections, chunks, entities and tags by their ids (a tag's is "tag:class:name"); an
atom belongs to one chunk and is added when it is asked for. Edges are undirected; each kind has a weight.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.knowledge.search.pagerank import Hop, PersonalisedPageRank
from core.knowledge.stores.disk_cache import read_cache, write_cache

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

# The weight of an edge of each kind: little for what only stands together, since thousands of passages in one
# file are no link.
EDGE_WEIGHTS: dict[str, float] = {
    "contains": 0.05,  # document - section - section - chunk
    "holds": 0.02,  # document - chunk
    "next": 0.05,  # chunk - next chunk
    "refers": 1.0,  # chunk - document it names
    "leads": 1.0,  # chunk - first chunk of a document it names
    "mentions": 1.0,  # chunk - entity, less for an entity that many chunks name
    "relates": 0.1,  # entity - entity
    "about": 1.0,  # entity - document of that name
    "tagged": 0.05,  # chunk - tag, less for a tag that many chunks have
}
# How much more of an entity's mass goes to the chunks about it than to all others together
SUBJECT_EDGE_FACTOR = 6.0
BACK_EDGE_WEIGHT = 0.25  # weight of the edge from a chunk to the entity it is about
MENTIONED_ENTITY_WEIGHT = 0.25  # how much an entity counts that no chunk is about
# Chunks from which on such an entity, or a section or document that holds them, connects nothing
MAX_HUB_CHUNKS = 50
COLUMNS = ("a", "b", "weight", "owner")
MAX_GRAPH_NODES = 1000  # nodes in a result


def _mentioned(entity: Ints, about: NDArray[np.bool_], tied: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the weights of the hops from chunks to the entities they name, and back.

    A thing leads to the chunks that are `about` it (by mention), which stand under its name. The others that
    name it are many, and each says little; what many name that nothing is about connects nothing, and so does
    what only one chunk names, unless it is `tied` (by node) to more than chunks.
    """
    size = len(tied)
    named = np.bincount(entity, minlength=size)
    known = np.bincount(entity, about, minlength=size)
    there = np.where(about, BACK_EDGE_WEIGHT, 1.0) / np.log2(1 + named[entity])
    connects = np.where(
        known[entity] > 0, 1.0, np.where(named[entity] > MAX_HUB_CHUNKS, 0.0, MENTIONED_ENTITY_WEIGHT)
    )
    connects = np.where((named[entity] > 1) | tied[entity], connects, 0.0)
    others = np.maximum(named - known, 1)[entity]
    back = np.where(about, SUBJECT_EDGE_FACTOR / np.maximum(known[entity], 1), 1.0 / others)
    return (there * connects).astype(np.float32), back.astype(np.float32)


class Edges:
    """The edges of one kind, in columns; `owner` is the chunk that says so.

    The weight of a mention is 1 where the chunk is about the entity, else 0.
    """

    def __init__(self) -> None:
        self.a = array("i")
        self.b = array("i")
        self.weight = array("f")
        self.owner = array("i")

    def add(self, a: int, b: int, weight: float, owner: int) -> None:
        """Add an edge between two nodes by their numbers; `owner` is the document that gives it."""
        self.a.append(a)
        self.b.append(b)
        self.weight.append(weight)
        self.owner.append(owner)

    def columns(self) -> tuple[Ints, Ints, Floats, Ints]:
        """Return ends a and b, weights and owners, (n,) each."""
        return (
            np.array(self.a, np.int32),
            np.array(self.b, np.int32),
            np.array(self.weight, np.float32),
            np.array(self.owner, np.int32),
        )

    def keep(self, mask: NDArray[np.bool_]) -> None:
        """Keep the edges where the mask is true."""
        a, b, weight, owner = self.columns()
        self.put(a[mask], b[mask], weight[mask], owner[mask])

    def put(self, a: Ints, b: Ints, weight: Floats, owner: Ints) -> None:
        """Replace all edges."""
        self.a, self.b = array("i", a.tobytes()), array("i", b.tobytes())
        self.weight, self.owner = array("f", weight.tobytes()), array("i", owner.tobytes())


class Graph:
    """Nodes and edges in memory. Not safe for threads by itself: `PersistentGraph` sees to that."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.place: dict[str, int] = {}
        self.home = array("i")  # the document a node goes away with, -1 for entities and tags
        self.first: dict[int, int] = {}  # document -> its first chunk
        self.edges: dict[str, Edges] = {kind: Edges() for kind in EDGE_WEIGHTS}
        self._pageranks: dict[tuple[float, ...], PersonalisedPageRank] = {}

    def node(self, node_id: str, home: int | None = None) -> int:
        """Return the number of a node, which is made if it is not there; a document is its own home."""
        number = self.place.get(node_id)
        if number is None:
            number = self.place[node_id] = len(self.ids)
            self.ids.append(node_id)
            self.home.append(number if home is None else home)
            self._pageranks.clear()
        return number

    def edge(self, kind: str, a: int, b: int, weight: float = 1.0, owner: int = -1) -> None:
        self.edges[kind].add(a, b, weight, owner)
        self._pageranks.clear()

    def drop(self, document_ids: Iterable[str]) -> None:
        """Drop documents with all that goes away with them."""
        homes = [self.place[d] for d in document_ids if d in self.place]
        if not homes:
            return
        removed = np.isin(np.array(self.home, np.int32), homes)
        for number in np.flatnonzero(removed):
            self.place.pop(self.ids[number], None)
            self.first.pop(int(number), None)
        for edges in self.edges.values():
            a, b, _, owner = edges.columns()
            if len(a):
                edges.keep(~(removed[a] | removed[b] | (removed[owner] & (owner >= 0))))
        self._pageranks.clear()

    def drop_distilled(self, document_ids: Iterable[str]) -> None:
        """Drop the edges distilled from documents that stay."""
        homes = [self.place[d] for d in document_ids if d in self.place]
        home = np.array(self.home, np.int32)
        for kind in ("mentions", "relates", "tagged"):
            _, _, _, owner = self.edges[kind].columns()
            if len(owner):
                self.edges[kind].keep(~np.isin(home[owner], homes))
        self._pageranks.clear()

    # -- PageRank -------------------------------------------------------------------------

    def pagerank(self, weights: Mapping[str, float]) -> PersonalisedPageRank:
        """Return the hops under these weights of the kinds of edges."""
        key = tuple(weights[kind] for kind in EDGE_WEIGHTS)
        if key not in self._pageranks:
            self._pageranks[key] = PersonalisedPageRank(self._matrix(weights))
        return self._pageranks[key]

    def _matrix(self, weights: Mapping[str, float]) -> Any:
        """Return the transition matrix: column j holds where the mass of node j goes."""
        size = len(self.ids)
        rows: list[Ints] = []
        columns: list[Ints] = []
        values: list[Floats] = []
        for kind, edges in self.edges.items():
            a, b, weight, _ = edges.columns()
            if not len(a) or not weights[kind]:
                continue
            there = back = weight
            if kind == "mentions":
                there, back = _mentioned(b, weight > 0, self._tied())
            elif kind in ("holds", "contains"):
                there = back = weight * (np.bincount(a, minlength=size)[a] <= MAX_HUB_CHUNKS)
            elif kind == "tagged":
                there /= np.log2(1 + np.bincount(b, minlength=size)[b])
            rows += [b, a]
            columns += [a, b]
            values += [there * np.float32(weights[kind]), back * np.float32(weights[kind])]
        none: Any = np.zeros(0, np.int32)
        at = (np.concatenate([none, *rows]), np.concatenate([none, *columns]))
        matrix = sparse.csc_matrix(
            (np.concatenate([none, *values]), at), shape=(size, size), dtype=np.float32
        )
        matrix.eliminate_zeros()
        totals = np.asarray(matrix.sum(axis=0)).ravel()
        totals[totals == 0] = 1.0
        matrix.data /= np.repeat(totals, np.diff(matrix.indptr))
        return matrix

    def _tied(self) -> NDArray[np.bool_]:
        """Return for each node whether it is an entity with relations or a document of its name."""
        tied = np.zeros(len(self.ids), bool)
        for kind in ("relates", "about"):
            a, b, _, _ = self.edges[kind].columns()
            tied[a] = True
            tied[b] = True
        return tied

    def propagate(
        self, seeds: Mapping[int, float], damping: float, weights: Mapping[str, float]
    ) -> dict[str, float]:
        """Return node id -> mass after a personalised PageRank (HippoRAG, arXiv 2405.14831, section 2.3): a
        random walk that continues with probability `damping` and otherwise starts again from the seeds."""
        reached, masses = self.pagerank(weights).spread(seeds, damping)
        if len(reached) > MAX_GRAPH_NODES:
            heavy = np.argpartition(masses, -MAX_GRAPH_NODES)[-MAX_GRAPH_NODES:]
            reached, masses = reached[heavy], masses[heavy]
        return {
            self.ids[n]: mass for n, mass in zip(reached.tolist(), masses.tolist(), strict=True) if mass > 0
        }

    def hops(self, nodes: Sequence[int], weights: Mapping[str, float]) -> dict[tuple[int, int], Hop]:
        """Return (from, to) -> the hop in at most two steps, as places in `nodes`."""
        return self.pagerank(weights).hops(nodes)

    # -- keeping --------------------------------------------------------------------------

    def save(self, folder: Path, marks: Mapping[str, int]) -> None:
        """Write the graph as a cache, with marks of what it holds."""
        columns: dict[str, Any] = {"home": np.array(self.home, np.int32)}
        for kind, edges in self.edges.items():
            for name, column in zip(COLUMNS, edges.columns(), strict=True):
                columns[f"{kind}.{name}"] = column
        living = [node_id if self.place.get(node_id) == n else "" for n, node_id in enumerate(self.ids)]
        write_cache(folder, "graph", [dict(marks), living, list(self.first.items())], columns)

    @classmethod
    def load(cls, folder: Path) -> "tuple[Graph, dict[str, int]] | None":
        """Read what `save` wrote; None where it is missing or broken."""
        cached = read_cache(folder, "graph")
        if cached is None:
            return None
        (marks, ids, first), arrays = cached
        if set(arrays) != {"home", *(f"{kind}.{name}" for kind in EDGE_WEIGHTS for name in COLUMNS)}:
            return None
        graph = cls()
        graph.home = array("i", arrays["home"].tobytes())
        for kind, edges in graph.edges.items():
            edges.put(*(arrays[f"{kind}.{name}"] for name in COLUMNS))
        graph.ids = ids
        graph.place = {node_id: number for number, node_id in enumerate(ids) if node_id}
        graph.first = dict(first)
        return graph, marks
