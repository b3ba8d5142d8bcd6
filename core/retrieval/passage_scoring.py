"""How passages are scored: legs fused, sharpened by late interaction and rare words, spread over the graph.

S = f(g(I,Q), g(C,Q), g(D,Q)) of PIKE-RAG (arXiv 2501.11551, section 5.2.3): g is the similarity of the
question to documents and summaries, sections and chunks, atoms and words; f a personalised PageRank over
the graph of the three layers (HippoRAG, arXiv 2405.14831).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.knowledge.base import KnowledgeBase
from core.ports import Embedder
from core.retrieval.pagerank_seeds import seeds
from core.retrieval.score_fusion import Leg, best, fuse_scores, min_max_scaled
from core.retrieval.search_legs import LegResults
from core.retrieval.search_port import Kind
from core.retrieval.snapshot import Snapshots
from core.retrieval.windows import windows
from core.text import english

# How much each leg counts, by what is asked for: facts are in chunks and atoms, surveys in summaries.
LEG_WEIGHTS: dict[Kind, dict[str, float]] = {
    "factual": {"keyword": 1.5, "chunk": 1.0, "atom": 0.8, "section": 0.1, "document": 0.1},
    "reasoning": {"keyword": 1.0, "chunk": 1.0, "atom": 0.4, "section": 0.1, "document": 0.1},
    "global": {"keyword": 0.5, "chunk": 0.5, "atom": 0.2, "section": 1.0, "document": 1.0},
}
# How much the fused score counts beside the graph's: what has to be linked is found by the graph.
FUSED_WEIGHT: dict[Kind, float] = {"factual": 2.0, "reasoning": 0.1, "global": 1.0}
# Share of the rare words that are in a passage as they are: they decide where one place holds the answer,
# not where one passage leads to the next.
RARE_WORDS_SHARE: dict[Kind, float] = {"factual": 0.5, "reasoning": 0.0, "global": 0.0}
LINKED_TABLE_SHARE = 0.2  # of the PageRank mass that a table keeps which only the graph leads to


class NodeScores(NamedTuple):
    """The scores of one search by the id of a chunk, or of another node that PageRank reached."""

    joined: Leg  # what passages are ordered by
    graph: Leg  # personalised PageRank, 1 for the chunk with the most; empty without the graph


@dataclass(frozen=True)
class PassageScorer:
    """Scores what the legs of a search found. `disabled` names parts that are left out."""

    knowledge: KnowledgeBase
    embedder: Embedder
    snapshots: Snapshots
    edges: Mapping[str, float]
    disabled: frozenset[str]
    max_seeds: int
    damping: float
    late_interaction_share: float
    named_seed_weight: float
    unread_script_weight: float

    def score(
        self, query: str, kind: Kind, found: LegResults, named: Mapping[str, float], most: int
    ) -> NodeScores:
        """Return the scores, empty where no leg found any; boilerplate is sought among the best `most`."""
        fused = self._late_interaction(query, fuse_scores(found.legs, self._leg_weights(query, kind)))
        fused = self._rare_words(query, fused, RARE_WORDS_SHARE[kind])
        if not fused:
            return NodeScores({}, {})
        graph = self._linked_tables(self._pagerank(fused, named), found)
        weight = FUSED_WEIGHT[kind]
        joined = graph | {key: graph.get(key, 0.0) + weight * score for key, score in fused.items()}
        return NodeScores(self._boilerplate(joined, most), graph)

    def unread(self, query: str) -> float:
        """Return the share of the query's characters that the embedder cannot read."""
        return english.unread(query) if self.embedder.english_only else 0.0

    def _leg_weights(self, query: str, kind: Kind) -> dict[str, float]:
        """Return the legs' weights: meaning counts less for signs the embedder was never trained on."""
        meaning = 1.0 - (1.0 - self.unread_script_weight) * min(1.0, 2 * self.unread(query))
        return {leg: w if leg == "keyword" else w * meaning for leg, w in LEG_WEIGHTS[kind].items()}

    def _late_interaction(self, query: str, fused: Leg) -> Leg:
        """Return the scores with the late interaction of the best few, where token vectors are kept."""
        share = 0.0 if "late" in self.disabled else self.late_interaction_share
        if not share or self.unread(query) > english.MAX_UNREAD_SHARE:
            return fused
        first = best(fused, self.max_seeds)
        tokens = self.embedder.encode([next(windows(query, self.embedder))]).tokens
        if tokens is None or not len(tokens[0]) or not first:
            return fused
        similarities = zip(first, self.knowledge.late_interaction(tokens[0], first), strict=True)
        near = min_max_scaled(
            {chunk: similarity for chunk, similarity in similarities if similarity is not None}
        )
        return {chunk: (1 - share) * score + share * near.get(chunk, 0.0) for chunk, score in fused.items()}

    def _rare_words(self, query: str, fused: Leg, share: float) -> Leg:
        """Return the scores with how much of the query's rare words the best few hold, as they stand."""
        if not share or "keyword" in self.disabled:
            return fused
        first = best(fused, self.max_seeds)
        weights, matches = self.knowledge.word_matches(query, first)
        covered = dict(zip(first, (matches @ weights).tolist(), strict=True))
        return {key: (1 - share) * score + share * covered.get(key, 0.0) for key, score in fused.items()}

    def _pagerank(self, fused: Leg, named: Mapping[str, float]) -> Leg:
        """Return each node's personalised PageRank; seeds are the best chunks and what is named."""
        if "graph" in self.disabled:
            return {}
        start = seeds(fused, named, self.max_seeds, self.named_seed_weight)
        mass = self.knowledge.propagate(start, self.damping, self.edges)
        top = max((mass.get(chunk, 0.0) for chunk in fused), default=0.0) or 1.0
        return {node: share / top for node, share in mass.items()}

    def _linked_tables(self, graph: Leg, found: LegResults) -> Leg:
        """Return the PageRank masses with less for tables that neither words nor meaning found.

        A table names whatever is in its rows, so PageRank reaches it from everywhere.
        """
        direct = found.legs.get("keyword", {}).keys() | found.legs.get("chunk", {}).keys()
        led = [key for key, mass in graph.items() if mass > LINKED_TABLE_SHARE / 10 and key not in direct]
        return graph | {
            chunk: LINKED_TABLE_SHARE * graph[chunk] for chunk in self.knowledge.tables_among(led)
        }

    def _boilerplate(self, joined: Leg, most: int) -> Leg:
        """Return the scores, of the best so many with less for boilerplate."""
        if "boilerplate" in self.disabled:
            return joined
        weights = self.snapshots.now().boilerplate.weights(self.knowledge.chunks(ids=best(joined, most)))
        return joined | {key: joined[key] * weight for key, weight in weights.items() if weight != 1.0}
