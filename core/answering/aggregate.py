"""Joins the evidence of the parts with that of the original question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answering.near_duplicates import folded
from core.domain import Effort, PartAnswer, Passage
from core.knowledge.base import KnowledgeBase
from core.ports import Reranker
from core.retrieval.passage_details import PassageDetails

# Passages a model reads besides the required ones; 12 gave no better answers
MAX_OTHER_PIECES = 10


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
    reading: int | None = None  # tokens a model reads of what is not needed in any case; None: all of it

    def for_effort(self, effort: Effort) -> "Aggregator":
        """Return an aggregator that keeps all evidence in thorough effort."""
        return replace(self, reading=None) if effort == "thorough" else self

    def aggregate(
        self,
        question: str,
        own: Sequence[Passage],
        parts: Sequence[PartAnswer],
        loop_passages: Sequence[Passage] = (),
        pinned: Sequence[Passage] = (),
        read: Sequence[Passage] = (),
    ) -> tuple[Passage, ...]:
        """Return at most `most` passages without duplicates, best first, with both ranks set.

        What the knowledge-aware loop chose (`loop_passages`) is kept as a part's best is; what the reader
        `pinned` is always there. Evidence of a single question comes ranked already and stays as it is. What
        a model has `read` for a part stands first and in that order: a server that keeps it reads it once.
        """
        joined = _join(
            [*pinned, *loop_passages, *own, *(passage for part in parts for passage in part.passages)]
        )
        if not parts and not loop_passages:
            alone = joined if self.reading is None else folded(question, joined)
            return self._details.add(
                question, self._brief(alone[: max(self.most, len(pinned))], len(pinned) or 1)
            )
        ranked = self.reranker.rerank(question, joined)
        placed = {passage.chunk.id for passage in loop_passages} | {
            passage.chunk.id
            for part in parts
            if not part.failure
            for passage in part.passages[: None if part.lines else self.each]  # lines cite all of them
        }
        wanted = [passage for passage in ranked if passage.pinned]
        placed -= {passage.chunk.id for passage in wanted}
        most = max(self.most, sum(len(part.passages) for part in parts if part.lines))
        room = max(0, most - len(wanted))
        chosen = [*wanted, *[passage for passage in ranked if passage.chunk.id in placed][:room]]
        placed |= {passage.chunk.id for passage in wanted}
        free = max(0, most - len(chosen))
        others = [passage for passage in ranked if passage.chunk.id not in placed][:free]
        selected = {passage.chunk.id for passage in (*chosen, *others)}
        again = [passage.chunk.id for passage in read]
        place = {number: n for n, number in enumerate(again)}
        first = sorted((p for p in ranked if p.chunk.id in place), key=lambda p: place[p.chunk.id])
        rest = [p for p in ranked if p.chunk.id in selected and p.chunk.id not in place]
        wide = [p for p in rest if p.pinned or p.chunk.id in placed]
        rest = rest[: max(most - len(first), len(wide))]
        needed = [*first, *wide]
        others = [passage for passage in rest if passage not in wide]
        if self.reading is not None:
            others = folded(question, [*needed, *others])[len(folded(question, needed)) :]
        brief = {p.chunk.id: p for p in self._brief([*needed, *others], len(needed))}
        brief |= {
            p.chunk.id: brief[p.chunk.id].model_copy(update={"beside": p.beside})
            for p in read
            if p.chunk.id in brief
        }
        return self._details.add(
            question, [brief[p.chunk.id] for p in (*first, *rest) if p.chunk.id in brief]
        )

    def _brief(self, passages: Sequence[Passage], needed: int) -> list[Passage]:
        """Return the first `needed` passages, and of the others as many as a model reads in good time."""
        brief: list[Passage] = []
        tokens = 0
        for passage in passages:
            tokens += _tokens(passage.evidence_text)
            enough = tokens > (self.reading or 0) or len(brief) >= MAX_OTHER_PIECES
            if len(brief) >= needed and self.reading is not None and enough:
                break
            brief.append(passage)
        return brief

    @property
    def _details(self) -> PassageDetails:
        return PassageDetails(self.knowledge)


def _tokens(text: str) -> int:
    """Return about how many tokens a text is: four letters one, a Chinese sign one."""
    wide = sum(char > "\u2e7f" for char in text)
    return wide + (len(text) - wide) // 4


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
