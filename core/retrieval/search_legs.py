"""One search in every layer: words, and the vectors of chunks, atoms, sections and documents side by side."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

from core.domain import Scope
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.external_stores import VectorLayer
from core.ports import Vectors
from core.retrieval.score_fusion import Leg, Scores

LEG_LAYERS: dict[str, VectorLayer] = {
    "chunk": "chunks",
    "atom": "atoms",
    "section": "sections",
    "document": "documents",
}
CHUNKS_PER_SUMMARY = 10  # of the pool: one summary is looked at per so many chunks or atoms
# A hit on a summary of more chunks than this counts only for those near the question themselves
WIDE_SUMMARY_CHUNKS = 30


@dataclass(frozen=True)
class LegResults:
    """The legs of one search: chunk id -> score, and the atom or summary that led to a chunk."""

    legs: dict[str, Leg]
    through: dict[str, dict[str, str]]  # leg -> chunk id -> id of the atom, section or document


@dataclass(frozen=True)
class LayerSearch:
    """Asks every layer for its best; legs that are `disabled` are left out."""

    knowledge: KnowledgeBase
    pool: int  # hits per leg
    disabled: frozenset[str]

    def search(self, query: str, vector: Callable[[], Vectors], scope: Scope) -> LegResults:
        """Return the scores of chunks per leg: "keyword", "chunk", "atom", "section", "document".

        Embedder and vector index release Python's lock while they compute, so the words are looked up while
        the question's `vector` is made, and the layers are asked all at once.
        """
        words = (
            searchers().submit(self.knowledge.keyword, query, self.pool, scope)
            if "keyword" not in self.disabled
            else None
        )
        asked = vector()
        under_way = {
            leg: searchers().submit(self.knowledge.nearest, asked, layer, self._width(leg), scope)
            for leg, layer in LEG_LAYERS.items()
            if leg not in self.disabled
        }
        legs: dict[str, Leg] = {}
        through: dict[str, dict[str, str]] = {}
        if words is not None:
            legs["keyword"] = dict(words.result())
        hits = {leg: dict(layer.result()) for leg, layer in under_way.items()}
        for leg, found in hits.items():
            if leg == "chunk":
                legs[leg] = found
            else:
                legs[leg], through[leg] = _lifted(found, self._owned(leg, found, hits.get("chunk", {})))
        return LegResults(legs, through)

    def _width(self, leg: str) -> int:
        return self.pool if leg in ("chunk", "atom") else self.pool // CHUNKS_PER_SUMMARY

    def _owned(self, leg: str, found: Leg, near: Leg) -> Mapping[str, Sequence[str]]:
        """Return the chunks that each hit stands for."""
        if leg == "atom":
            return {atom: (chunk,) for atom, chunk in self.knowledge.chunk_of(list(found)).items()}
        return self.knowledge.chunks_of(list(found), WIDE_SUMMARY_CHUNKS, list(near))


@cache
def searchers() -> ThreadPoolExecutor:
    """Return the threads that ask the layers, shared by all searches of the process."""
    return ThreadPoolExecutor(2 * len(LEG_LAYERS), thread_name_prefix="layer")


def _lifted(hits: Scores, owners: Mapping[str, Sequence[str]]) -> tuple[Leg, dict[str, str]]:
    """Turn hits of another layer into scores of chunks (the best per chunk), and say which hit it was."""
    scores: Leg = {}
    through: dict[str, str] = {}
    for hit, score in hits.items():
        for chunk in owners.get(hit, ()):
            if score > scores.get(chunk, -1.0):
                scores[chunk], through[chunk] = score, hit
    return scores, through
