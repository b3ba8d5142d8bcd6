"""Joins the evidence of the parts with that of the original question."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import PartAnswer, Passage
from core.knowledge.base import KnowledgeBase
from core.ports import Reranker
from core.retrieval.passage_details import PassageDetails


@dataclass(frozen=True)
class Aggregator:
    """Keeps what the parts rest on and fills up with what ranks best against the original question.

    The joined evidence is reranked against the original question (arXiv 2507.00355). Reranking alone
    would drop the middle of a chain, which shares no word with the original; so the best `each`
    passages of every part that was answered have a place before the others compete.
    """

    knowledge: KnowledgeBase
    reranker: Reranker
    most: int = 12
    each: int = 2

    def aggregate(
        self,
        question: str,
        own: Sequence[Passage],
        parts: Sequence[PartAnswer],
        walked: Sequence[Passage] = (),
        pinned: Sequence[Passage] = (),
    ) -> tuple[Passage, ...]:
        """Return at most `most` passages without duplicates, best first, with both ranks set.

        What the knowledge-aware loop `walked` to is kept as a part's best is, and what the reader `pinned`
        is always there. Evidence of a single question comes ranked already and stays as it is.
        """
        joined = _join([*pinned, *walked, *own, *(passage for part in parts for passage in part.passages)])
        if not parts and not walked:
            return self._details.add(joined[: max(self.most, len(pinned))])
        ranked = self.reranker.rerank(question, joined)
        placed = {passage.chunk.id for passage in walked} | {
            passage.chunk.id for part in parts if not part.failure for passage in part.passages[: self.each]
        }
        wanted = [passage for passage in ranked if passage.pinned]
        placed -= {passage.chunk.id for passage in wanted}
        room = max(0, self.most - len(wanted))
        chosen = [*wanted, *[passage for passage in ranked if passage.chunk.id in placed][:room]]
        placed |= {passage.chunk.id for passage in wanted}
        free = max(0, self.most - len(chosen))
        others = [passage for passage in ranked if passage.chunk.id not in placed][:free]
        kept = {passage.chunk.id for passage in (*chosen, *others)}
        return self._details.add([passage for passage in ranked if passage.chunk.id in kept])

    @property
    def _details(self) -> PassageDetails:
        return PassageDetails(self.knowledge)


def _join(passages: Sequence[Passage]) -> list[Passage]:
    """Return one passage a chunk, in order, with the scores, reasons and highlights of all."""
    found: dict[str, Passage] = {}
    for passage in passages:
        known = found.get(passage.chunk.id)
        if known is None:
            found[passage.chunk.id] = passage
            continue
        scores = dict(known.scores)
        for leg, score in passage.scores.items():
            scores[leg] = max(score, scores.get(leg, score))
        found[passage.chunk.id] = known.model_copy(
            update={
                "scores": scores,
                "score": max(known.score, passage.score),
                "why": tuple(dict.fromkeys((*known.why, *passage.why))),
                "highlights": tuple(dict.fromkeys((*known.highlights, *passage.highlights))),
                "sub_question": known.sub_question or passage.sub_question,
                "pinned": known.pinned or passage.pinned,
            }
        )
    return list(found.values())
