"""The second search: for a name in the question that nothing found mentions (PIKE-RAG 5.2.3).

A question of two subjects is drawn to the one that its other words lie near. PageRank starts at
both names; where the best passages still leave one out, the passages that name it are searched by
themselves, and the best of them stands among the candidates.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.domain import Chunk
from core.knowledge.base import KnowledgeBase
from core.ports import Embedder
from core.retrieval.score_fusion import Leg, best

CHECKED_PASSAGES = 5  # passages, best first, that should mention all that is named
# How much a name must say to be searched anew: what stands everywhere is no subject
MIN_NAME_SPECIFICITY = 0.3
MAX_NAME_PASSAGES = 200  # passages of one name that are looked at
SHARE_OF_BEST_SCORE = 0.5  # of the best score: enough to be reranked, not to stand first by itself


@dataclass(frozen=True)
class SecondSearch:
    """Searches the passages of each name that the first search left unanswered."""

    knowledge: KnowledgeBase
    embedder: Embedder
    allowed: Callable[[Sequence[str]], list[str]] = list  # keeps the chunks a search may return

    def search(
        self, question: str, named: Mapping[str, float], found: Sequence[Chunk], known: Leg
    ) -> dict[str, str]:
        """Return chunk id -> id of the entity or document it answers for; the best chunk of each.

        `named` is entity or document id -> specificity, `found` the chunks of the first search, best first,
        `known` their scores: the order where no token vectors are kept. `question` fits the window.
        """
        left = {
            node: chunks
            for node, specific in named.items()
            if specific >= MIN_NAME_SPECIFICITY
            and (chunks := self._unanswered(node, found[:CHECKED_PASSAGES], known))
        }
        if not left:
            return {}
        tokens = self.embedder.encode([question]).tokens
        best_of: dict[str, str] = {}
        for node, chunks in left.items():
            near = self.knowledge.late_interaction(tokens[0], chunks) if tokens else [None] * len(chunks)
            scores = {
                chunk: known.get(chunk, 0.0) - 1.0 if alike is None else alike
                for chunk, alike in zip(chunks, near, strict=True)
            }
            best_of[best(scores, 1)[0]] = node
        return best_of

    def _unanswered(self, node: str, first: Sequence[Chunk], known: Leg) -> list[str]:
        """Return the chunks of the entity, already scored ones first; none if a top result covers it."""
        if any(chunk.document_id == node for chunk in first):
            return []
        chunks = self.knowledge.mentions(node) or self.knowledge.chunks_of([node], MAX_NAME_PASSAGES).get(
            node, []
        )
        if {chunk.id for chunk in first} & set(chunks):
            return []
        return self.allowed(sorted(chunks, key=lambda chunk: -known.get(chunk, 0.0))[:MAX_NAME_PASSAGES])
