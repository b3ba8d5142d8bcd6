"""Multi-granularity retrieval: every layer is scored, the scores are joined and spread over the graph.

S = f(g(I,Q), g(C,Q), g(D,Q)) of PIKE-RAG (arXiv 2501.11551, section 5.2.3): g is the similarity of the
question to documents and summaries, sections and chunks, atoms and words; f a personalised PageRank over
the graph of the three layers (HippoRAG, arXiv 2405.14831). Search always returns chunks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from core.domain import Chunk, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.knowledge.search.layer_graph import EDGE_WEIGHTS
from core.ports import Embedder, Vectors
from core.retrieval.fusion import Leg, best, fuse, scaled
from core.retrieval.legs import LayerSearch, LegResults
from core.retrieval.pagerank_seeds import seeds
from core.retrieval.reasons import Reasons
from core.retrieval.search_confidence import confidence, confidence_by_words, coverage
from core.retrieval.search_port import EVERYTHING, Kind, Memo, Searches, SearchQuery, uncached_value
from core.retrieval.second_search import SHARE_OF_BEST_SCORE, SecondSearch
from core.retrieval.snapshot import Snapshots
from core.retrieval.windows import windows
from core.text import english
from core.text.chinese_english import gloss

# How much each leg counts, by what is asked for: facts stand in chunks and atoms, surveys in summaries.
LEG_WEIGHTS: dict[Kind, dict[str, float]] = {
    "factual": {"keyword": 1.5, "chunk": 1.0, "atom": 0.8, "section": 0.1, "document": 0.1},
    "reasoning": {"keyword": 1.0, "chunk": 1.0, "atom": 0.4, "section": 0.1, "document": 0.1},
    "global": {"keyword": 0.5, "chunk": 0.5, "atom": 0.2, "section": 1.0, "document": 1.0},
}
# How much the fused score counts beside the graph's: what has to be linked is found by the graph.
DIRECT: dict[Kind, float] = {"factual": 2.0, "reasoning": 0.1, "global": 1.0}
# Share of the rare words that stand in a passage as they are: they decide where one place holds the answer,
# not where one passage leads to the next.
LITERAL: dict[Kind, float] = {"factual": 0.5, "reasoning": 0.0, "global": 0.0}
LINKED_TABLE_SHARE = 0.2  # of the PageRank mass that a table keeps which only the graph leads to
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Retriever(Searches):
    """Searches all layers at once."""

    knowledge: KnowledgeBase
    embedder: Embedder
    pool: int = 100  # hits per leg
    max_seeds: int = 30  # chunks that PageRank starts from
    damping: float = 0.8
    late_interaction_share: float = 0.25  # share of the late interaction in the scores of the best
    named_seed_weight: float = 0.5  # share of PageRank's seeds that each named thing gets
    unread_script_weight: float = (
        0.25  # weight of meaning where the embedder cannot read the question's script
    )
    cosine_threshold: float = 0.25  # moves the cosine from which on a search counts as sure
    edges: Mapping[str, float] = field(default_factory=lambda: EDGE_WEIGHTS)
    memo: Memo = uncached_value  # of a question's vector and of what its legs brought
    # Parts left out: legs by name, "late", "names", "graph", "boilerplate", "second_search"
    disabled: frozenset[str] = frozenset()

    @cached_property
    def snapshots(self) -> Snapshots:
        return Snapshots(self.knowledge)

    def find(self, query: SearchQuery) -> list[Passage]:
        """Return the best chunks with their score per leg and why each is there, best first.

        `score` lies between 0 and 1 and is comparable among questions: the confidence of the whole search
        times the standing within it.
        """
        text, limit, scope, kind, topics = query.text, query.limit, query.scope, query.kind, query.topics
        if not text.strip() or limit <= 0:
            return []
        found = self._layers(text, scope, topics)
        fused = self._sharpened(text, fuse(found.legs, self._weights(text, kind)))
        fused = self._literal(text, fused, LITERAL[kind])
        if not fused:
            return []
        named = {} if "names" in self.disabled else dict(self.knowledge.link_entities(text))
        graph = self._propagated(fused, named)
        graph = self._unlisted(graph, found)
        joined = graph | {key: graph.get(key, 0.0) + DIRECT[kind] * score for key, score in fused.items()}
        joined = self._weighed(joined, min(2 * limit, self.max_seeds))
        kept = self._chunks_in_scope(best(joined, len(joined)), limit, scope, topics)
        added = self._second_search(text, named, kept, joined, scope, topics)
        if added:
            least = SHARE_OF_BEST_SCORE * joined[kept[0].id]
            joined |= {chunk: max(joined.get(chunk, 0.0), least) for chunk in added}
            kept = self._chunks_in_scope(best(joined, len(joined)), limit, scope, topics)
        return self._passages(text, kept, joined, found, graph, added)

    def is_cached(self, query: SearchQuery) -> bool:
        """Say that no search is remembered."""
        return False

    def find_words(self, query: SearchQuery) -> list[Passage]:
        """Return the best chunks by their words alone."""
        words = self.knowledge.keyword(query.text, self.pool if query.topics else query.limit, query.scope)
        leg = self._tagged(dict(words), query.topics)
        kept = self.knowledge.chunks(ids=best(leg, query.limit))
        return self._passages(query.text, kept, leg, LegResults({"keyword": leg}, {}), {})

    def find_nearest(self, query: SearchQuery) -> list[Passage]:
        """Return the chunks nearest to the question's vector alone."""
        vector = self.vector(query.text)
        leg = dict(self.knowledge.nearest(vector, "chunks", query.limit, query.scope))
        kept = self.knowledge.chunks(ids=best(leg, query.limit))
        return self._passages(query.text, kept, leg, LegResults({"chunk": leg}, {}), {})

    def without(self, *parts: str) -> "Retriever":
        """Return a retriever that leaves parts out, to see what they are worth."""
        return replace(self, disabled=self.disabled | set(parts))

    def uncached(self) -> "Retriever":
        """Return the same retriever without a memory."""
        return replace(self, memo=uncached_value)

    # -- the legs --------------------------------------------------------------------------

    def _layers(self, query: str, scope: Scope, topics: Sequence[str]) -> LegResults:
        key = ("layers", self.knowledge.generation(), self.disabled, query, scope)
        found: LegResults = self.memo(key, lambda: self._searched.search(query, self.vector(query), scope))
        return LegResults(
            {name: self._tagged(leg, topics) for name, leg in found.legs.items()}, found.through
        )

    @cached_property
    def _searched(self) -> LayerSearch:
        return LayerSearch(self.knowledge, self.pool, self.disabled)

    def vector(self, text: str) -> Vectors:
        """Return the question's vector; a text over the embedder's window gives the mean of its windows."""
        vector: Vectors = self.memo(("vector", self.embedder.digest, text), lambda: self._embedded(text))
        return vector

    def _embedded(self, text: str) -> Vectors:
        if self._unread(text) > english.MAX_UNREAD_SHARE and (words := gloss(text)):
            text = words  # a dictionary's words are more than signs that the embedder cannot read
        vectors = self.embedder.embed(list(windows(text, self.embedder)))
        mean: Vectors = vectors.mean(axis=0)
        return mean / max(float(np.linalg.norm(mean)), 1e-12)

    def _tagged(self, leg: Leg, topics: Sequence[str]) -> Leg:
        if not topics or not leg:
            return leg
        known = self.snapshots.now().spellings
        tagged = self.knowledge.tagged([name for topic in topics for name in known.get(topic.casefold(), ())])
        return {key: score for key, score in leg.items() if key in tagged}

    def _weights(self, query: str, kind: Kind) -> dict[str, float]:
        """Return the legs' weights: meaning counts less for signs the embedder was never trained on."""
        meaning = 1.0 - (1.0 - self.unread_script_weight) * min(1.0, 2 * self._unread(query))
        return {leg: w if leg == "keyword" else w * meaning for leg, w in LEG_WEIGHTS[kind].items()}

    def _sharpened(self, query: str, fused: Leg) -> Leg:
        """Return the scores with the late interaction of the best few, where token vectors are kept."""
        share = 0.0 if "late" in self.disabled else self.late_interaction_share
        if not share or self._unread(query) > english.MAX_UNREAD_SHARE:
            return fused
        first = best(fused, self.max_seeds)
        tokens = self.embedder.encode([next(windows(query, self.embedder))]).tokens
        if tokens is None or not len(tokens[0]) or not first:
            return fused
        kept = zip(first, self.knowledge.late_interaction(tokens[0], first), strict=True)
        near = scaled({chunk: similarity for chunk, similarity in kept if similarity is not None})
        return {chunk: (1 - share) * score + share * near.get(chunk, 0.0) for chunk, score in fused.items()}

    def _literal(self, query: str, fused: Leg, share: float) -> Leg:
        """Return the scores with how much of the query's rare words the best few hold, as they stand."""
        if not share or "keyword" in self.disabled:
            return fused
        first = best(fused, self.max_seeds)
        weights, held = self.knowledge.word_matches(query, first)
        covered = dict(zip(first, (held @ weights).tolist(), strict=True))
        return {key: (1 - share) * score + share * covered.get(key, 0.0) for key, score in fused.items()}

    def _unread(self, query: str) -> float:
        """Return the share of the query's characters that the embedder makes nothing of."""
        return english.unread(query) if self.embedder.english_only else 0.0

    # -- the graph -------------------------------------------------------------------------

    def _propagated(self, fused: Leg, named: Mapping[str, float]) -> Leg:
        """Return each node's personalised PageRank; seeds are the best chunks and what is named."""
        if "graph" in self.disabled:
            return {}
        start = seeds(fused, named, self.max_seeds, self.named_seed_weight)
        mass = self.knowledge.propagate(start, self.damping, self.edges)
        top = max((mass.get(chunk, 0.0) for chunk in fused), default=0.0) or 1.0
        return {node: share / top for node, share in mass.items()}

    def _weighed(self, joined: Leg, most: int) -> Leg:
        """Return the scores, of the best so many with less for boilerplate."""
        if "boilerplate" in self.disabled:
            return joined
        weights = self.snapshots.now().boilerplate.weights(self.knowledge.chunks(ids=best(joined, most)))
        return joined | {key: joined[key] * weight for key, weight in weights.items() if weight != 1.0}

    def _unlisted(self, graph: Leg, found: LegResults) -> Leg:
        """Return the PageRank masses with less for tables that neither words nor meaning found.

        A table names whatever stands in its rows, so PageRank reaches it from everywhere.
        """
        direct = found.legs.get("keyword", {}).keys() | found.legs.get("chunk", {}).keys()
        led = [key for key, mass in graph.items() if mass > LINKED_TABLE_SHARE / 10 and key not in direct]
        return graph | {
            chunk: LINKED_TABLE_SHARE * graph[chunk] for chunk in self.knowledge.tables_among(led)
        }

    def _second_search(
        self,
        query: str,
        named: Mapping[str, float],
        kept: Sequence[Chunk],
        joined: Leg,
        scope: Scope,
        topics: Sequence[str],
    ) -> dict[str, str]:
        """Return the chunk that answers for each name in the question that the best chunks leave out."""
        if "second_search" in self.disabled or not kept:
            return {}

        def allowed(chunks: Sequence[str]) -> list[str]:
            if scope == EVERYTHING and not topics:
                return list(chunks)
            return [chunk.id for chunk in self._chunks_in_scope(chunks, len(chunks), scope, topics)]

        asked = next(windows(query, self.embedder))
        return SecondSearch(self.knowledge, self.embedder, allowed).search(asked, named, kept, joined)

    # -- what is returned ------------------------------------------------------------------

    def _chunks_in_scope(
        self, order: Sequence[str], limit: int, scope: Scope, topics: Sequence[str]
    ) -> list[Chunk]:
        """Return the first chunks in the order that are in scope; nodes that are no chunks are skipped."""
        allowed = self.knowledge.document_ids(scope)
        kept: list[Chunk] = []
        step = max(20, 2 * limit)
        for start in range(0, len(order), step):
            part = order[start : start + step]
            part = list(self._tagged(dict.fromkeys(part, 1.0), topics))
            kept += [
                chunk
                for chunk in self.knowledge.chunks(ids=part)
                if (allowed is None or chunk.document_id in allowed) and chunk.id not in scope.without
            ]
            if len(kept) >= limit:
                break
        return kept[:limit]

    def _passages(
        self,
        query: str,
        chunks: Sequence[Chunk],
        standing: Leg,
        found: LegResults,
        graph: Leg,
        added: Mapping[str, str] = NOTHING,
    ) -> list[Passage]:
        titles = self.knowledge.titles({chunk.document_id for chunk in chunks})
        top = max((standing[chunk.id] for chunk in chunks), default=0.0) or 1.0
        covered = coverage(query, [chunk.passage_text() for chunk in chunks[:5]])
        cosine = max(found.legs.get("chunk", {}).values(), default=0.0)
        sure = (
            confidence_by_words(covered)
            if self._unread(query) > english.MAX_UNREAD_SHARE
            else confidence(cosine, covered, self.snapshots.now().chunks, self.cosine_threshold)
        )
        reasons = Reasons(self.knowledge, found, graph, titles, added).of(chunks)
        passages = []
        for chunk, why in zip(chunks, reasons, strict=True):
            scores = {name: leg[chunk.id] for name, leg in found.legs.items() if chunk.id in leg}
            if chunk.id in graph:
                scores["graph"] = graph[chunk.id]
            if "chunk" in scores:
                scores["cosine"] = scores["chunk"]
            passages.append(
                Passage(
                    chunk=chunk,
                    document_title=titles.get(chunk.document_id, ""),
                    query=query,
                    score=sure * standing[chunk.id] / top,
                    scores=scores,
                    why=why,
                )
            )
        return passages
