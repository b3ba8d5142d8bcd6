"""Multi-granularity retrieval: every layer is searched, and the best chunks of all of them come back.

The legs are searched by `search_legs`, what they found is scored by `passage_scoring`. Search always returns
chunks, whatever layer it entered by (PIKE-RAG, arXiv 2501.11551, section 5.2.3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

from core.domain import Chunk, Passage, Scope, identify
from core.knowledge.base import KnowledgeBase
from core.knowledge.search.layer_graph import EDGE_WEIGHTS
from core.ports import Embedder, Vectors
from core.retrieval.passage_scoring import PassageScorer
from core.retrieval.reasons import Reasons
from core.retrieval.score_fusion import Leg, best
from core.retrieval.search_confidence import confidence, confidence_by_words, coverage
from core.retrieval.search_legs import LayerSearch, LegResults, searchers
from core.retrieval.search_port import EVERYTHING, Memo, PassageSearch, SearchQuery, uncached_value
from core.retrieval.second_search import SHARE_OF_BEST_SCORE, SecondSearch
from core.retrieval.snapshot import Snapshots
from core.retrieval.windows import question_vector, windows
from core.text import english
from core.text.chinese_english import gloss

NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class HybridRetriever(PassageSearch):
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
    memo: Memo = uncached_value  # of a question's vector and of what its legs returned
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
        linking = None if "names" in self.disabled else searchers().submit(self.knowledge.link_entities, text)
        found = self._layers(text, scope, topics)
        named = dict(linking.result()) if linking is not None else {}
        joined, graph = self._scorer.score(text, kind, found, named, min(2 * limit, self.max_seeds))
        if not joined:
            return []
        chunks = self._chunks_in_scope(best(joined, len(joined)), limit, scope, topics)
        added = self._second_search(text, named, chunks, joined, scope, topics)
        if added:
            least = SHARE_OF_BEST_SCORE * joined[chunks[0].id]
            joined |= {chunk: max(joined.get(chunk, 0.0), least) for chunk in added}
            chunks = self._chunks_in_scope(best(joined, len(joined)), limit, scope, topics)
        return self._passages(text, chunks, joined, found, graph, added)

    def is_cached(self, query: SearchQuery) -> bool:
        """Say that no search is remembered."""
        return False

    def find_words(self, query: SearchQuery) -> list[Passage]:
        """Return the best chunks by their words alone."""
        words = self.knowledge.keyword(query.text, self.pool if query.topics else query.limit, query.scope)
        leg = self._tagged(dict(words), query.topics)
        chunks = self.knowledge.chunks(ids=best(leg, query.limit))
        return self._passages(query.text, chunks, leg, LegResults({"keyword": leg}, {}), {})

    def find_nearest(self, query: SearchQuery) -> list[Passage]:
        """Return the chunks nearest to the question's vector alone."""
        vector = self.vector(query.text)
        leg = dict(self.knowledge.nearest(vector, "chunks", query.limit, query.scope))
        chunks = self.knowledge.chunks(ids=best(leg, query.limit))
        return self._passages(query.text, chunks, leg, LegResults({"chunk": leg}, {}), {})

    def without(self, *parts: str) -> "HybridRetriever":
        """Return a retriever that leaves parts out, to see what they are worth."""
        return replace(self, disabled=self.disabled | set(parts))

    def uncached(self) -> "HybridRetriever":
        """Return the same retriever without a memory."""
        return replace(self, memo=uncached_value)

    def fingerprint(self) -> str:
        """Identify how it searches: by every field but the library and the memory, whatever is added."""
        knobs = {each.name: getattr(self, each.name) for each in fields(self)}
        del knobs["knowledge"], knobs["memo"]
        knobs["embedder"] = self.embedder.digest
        return identify(*(f"{name}={_written(value)}" for name, value in sorted(knobs.items())))

    # -- the legs --------------------------------------------------------------------------

    def _layers(self, query: str, scope: Scope, topics: Sequence[str]) -> LegResults:
        key = ("layers", self.knowledge.generation(), self.fingerprint(), query, scope)
        found: LegResults = self.memo(
            key, lambda: self._searched.search(query, lambda: self.vector(query), scope)
        )
        return LegResults(
            {name: self._tagged(leg, topics) for name, leg in found.legs.items()}, found.through
        )

    @cached_property
    def _searched(self) -> LayerSearch:
        return LayerSearch(self.knowledge, self.pool, self.disabled)

    @cached_property
    def _scorer(self) -> PassageScorer:
        return PassageScorer(
            self.knowledge,
            self.embedder,
            self.snapshots,
            edges=self.edges,
            disabled=self.disabled,
            max_seeds=self.max_seeds,
            damping=self.damping,
            late_interaction_share=self.late_interaction_share,
            named_seed_weight=self.named_seed_weight,
            unread_script_weight=self.unread_script_weight,
        )

    def vector(self, text: str) -> Vectors:
        """Return the question's vector; a text over the embedder's window gives the mean of its windows."""
        vector: Vectors = self.memo(("vector", self.embedder.digest, text), lambda: self._embedded(text))
        return vector

    def _embedded(self, text: str) -> Vectors:
        if self._scorer.unread(text) > english.MAX_UNREAD_SHARE and (words := gloss(text)):
            text = words  # a dictionary's words are more than signs that the embedder cannot read
        return question_vector(text, self.embedder)

    def _tagged(self, leg: Leg, topics: Sequence[str]) -> Leg:
        if not topics or not leg:
            return leg
        known = self.snapshots.now().spellings
        tagged = self.knowledge.tagged([name for topic in topics for name in known.get(topic.casefold(), ())])
        return {key: score for key, score in leg.items() if key in tagged}

    def _second_search(
        self,
        query: str,
        named: Mapping[str, float],
        best_chunks: Sequence[Chunk],
        joined: Leg,
        scope: Scope,
        topics: Sequence[str],
    ) -> dict[str, str]:
        """Return the chunk that answers for each name in the question that the best chunks leave out."""
        if "second_search" in self.disabled or not best_chunks:
            return {}

        def allowed(chunks: Sequence[str]) -> list[str]:
            if scope == EVERYTHING and not topics:
                return list(chunks)
            return [chunk.id for chunk in self._chunks_in_scope(chunks, len(chunks), scope, topics)]

        asked = next(windows(query, self.embedder))
        return SecondSearch(self.knowledge, self.embedder, allowed).search(asked, named, best_chunks, joined)

    # -- what is returned ------------------------------------------------------------------

    def _chunks_in_scope(
        self, order: Sequence[str], limit: int, scope: Scope, topics: Sequence[str]
    ) -> list[Chunk]:
        """Return the first chunks in the order that are in scope; nodes that are no chunks are skipped."""
        allowed = self.knowledge.document_ids(scope)
        selected: list[Chunk] = []
        step = max(20, 2 * limit)
        for start in range(0, len(order), step):
            part = order[start : start + step]
            part = list(self._tagged(dict.fromkeys(part, 1.0), topics))
            selected += [
                chunk
                for chunk in self.knowledge.chunks(ids=part)
                if (allowed is None or chunk.document_id in allowed) and chunk.id not in scope.without
            ]
            if len(selected) >= limit:
                break
        return selected[:limit]

    def _passages(
        self,
        query: str,
        chunks: Sequence[Chunk],
        ranks: Leg,
        found: LegResults,
        graph: Leg,
        added: Mapping[str, str] = NOTHING,
    ) -> list[Passage]:
        titles = self.knowledge.titles({chunk.document_id for chunk in chunks})
        top = max((ranks[chunk.id] for chunk in chunks), default=0.0) or 1.0
        covered = coverage(query, [chunk.passage_text() for chunk in chunks[:5]])
        cosine = max(found.legs.get("chunk", {}).values(), default=0.0)
        sure = (
            confidence_by_words(covered)
            if self._scorer.unread(query) > english.MAX_UNREAD_SHARE
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
                    score=sure * ranks[chunk.id] / top,
                    scores=scores,
                    why=why,
                )
            )
        return passages


def _written(knob: object) -> str:
    """Return a knob's value as text, the same in every process. Raises TypeError for other kinds of value."""
    match knob:
        case bool() | int() | float() | str() | None:
            return repr(knob)
        case Mapping():
            return repr(sorted((_written(key), _written(value)) for key, value in knob.items()))
        case frozenset():
            return repr(sorted(map(_written, knob)))
        case tuple():
            return repr([_written(each) for each in knob])
    raise TypeError(f"{type(knob).__name__} identifies no search on disk")
