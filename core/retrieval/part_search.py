"""Searches the parts of a question by themselves and lets their passages stand beside those of the whole.

A part that needs an answer nobody knows yet ("When was #1 founded?") is asked of the names that the first
passages of the other part bring and the question does not: a bridge without reading, as in IRCoT (2212.10509)
without its model. Orders are joined by reciprocal ranks (Cormack et al. 2009).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain import Passage, SubQuestion
from core.knowledge.base import KnowledgeBase
from core.text.tokens import content_words

REFERENCE = re.compile(r"#(\d)")
PASSAGES_READ_FOR_NAMES = 3  # of a part, from which names are taken
MAX_NAMES = 4  # names a part that waits is asked of
DEPTH = 10  # passages of a part that count
# Chosen on the even halves of MuSiQue, 2WikiMultiHopQA and HotpotQA, see docs/benchmarks.md
WEIGHT = 0.4  # of a part's order, against 1 for the whole question's
RANK_OFFSET = 2  # k of 1 / (k + rank), rank from 0

Ranked = Callable[[str], Sequence[Passage]]
"""Searches and orders passages for a text, best first."""


def waiting(parts: Sequence[SubQuestion]) -> bool:
    """Say whether one of the parts waits for another."""
    return any(REFERENCE.search(part.question) for part in parts)


@dataclass(frozen=True)
class PartSearch:
    """Joins what a question brings with what its parts bring."""

    knowledge: KnowledgeBase

    def joined(
        self, question: str, whole: Sequence[Passage], parts: Sequence[SubQuestion], ranked: Ranked
    ) -> list[Passage]:
        """Return the passages of the whole question and of its parts, in their joint order.

        Scores go by place. Where no part waits for another, the passages of the whole question come back
        as they are: the whole question finds those of parts that stand side by side.
        """
        if not whole or not waiting(parts):
            return list(whole)
        orders = self._orders(question, parts, ranked)
        standing = {p.chunk.id: 1 / (RANK_OFFSET + rank) for rank, p in enumerate(whole)}
        held = {p.chunk.id: p for p in whole}
        for lists in orders:
            best: dict[str, float] = {}
            for passages in lists:
                for rank, passage in enumerate(passages[:DEPTH]):
                    held.setdefault(passage.chunk.id, passage)
                    worth = 1 / (RANK_OFFSET + rank)
                    best[passage.chunk.id] = max(best.get(passage.chunk.id, 0.0), worth)
            for chunk, worth in best.items():
                standing[chunk] = standing.get(chunk, 0.0) + WEIGHT * worth
        return _scored([held[c] for c in sorted(standing, key=lambda c: -standing[c])], whole)

    def _orders(
        self, question: str, parts: Sequence[SubQuestion], ranked: Ranked
    ) -> list[list[Sequence[Passage]]]:
        """Return for each part the orders it brings: one, or one for each name it is asked of."""
        found: dict[int, Sequence[Passage]] = {}
        orders: list[list[Sequence[Passage]]] = []
        for part in parts:
            needed = [int(number) for number in REFERENCE.findall(part.question)]
            if not needed:
                asked = [part.question]
            else:
                names = self._names(found.get(needed[-1], ()), question)
                asked = [REFERENCE.sub(name.replace("\\", ""), part.question) for name in names]
            lists = [passages for text in asked if (passages := ranked(text))]
            if lists:
                found[part.id] = max(lists, key=lambda each: each[0].scores.get("rerank", 0.0))
                orders.append(lists)
        return orders

    def _names(self, passages: Sequence[Passage], question: str) -> list[str]:
        """Return names the first passages say and the question does not: what they are about first, then by
        the place of their passage."""
        asked = set(content_words(question))
        worth: dict[str, float] = {}
        for rank, passage in enumerate(passages[:PASSAGES_READ_FOR_NAMES]):
            for entity in self.knowledge.entities(chunk_id=passage.chunk.id):
                words = set(content_words(entity.name))
                if words and not words <= asked and len(entity.name) > 2:
                    title = passage.document_title
                    about = entity.name in title or passage.chunk.text.startswith(entity.name)
                    value = (2 if about else 1) / (1 + rank)
                    worth[entity.name] = max(worth.get(entity.name, 0.0), value)
        return sorted(worth, key=lambda name: -worth[name])[:MAX_NAMES]


def _scored(order: Sequence[Passage], whole: Sequence[Passage]) -> list[Passage]:
    """Return the passages with their places, and scores that fall with these: the whole question's."""
    scores = sorted((p.score for p in whole), reverse=True)
    return [
        passage.model_copy(update={"score": scores[min(place, len(scores) - 1)], "rank_after": place + 1})
        for place, passage in enumerate(order)
    ]
