"""Orders the best passages once more, each read together with the question.

Two stages, as passages are reranked by BERT (Nogueira and Cho, arXiv 1901.04085): what orders many passages
cheaply first, then a network that reads question and passage at once over the best of them. What it read
is kept, so that the rules that answer from the same passages need not read them again.
"""

from collections.abc import Sequence

from core.domain import Passage
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.passage_readings import PASSAGES, Readings
from core.llm.rerankers import ordered
from core.llm.span_reader import SpanReader

WORTH = 0.25  # of a passage in which the answer surely stands, beside the 1 of the first by its other score
UNREAD = 0.3  # chance of a passage that is not read beside others that are


class ReadingReranker:
    """Adds to the score of each of the first passages how likely the answer stands in it."""

    name = "reading"

    def __init__(self, reader: SpanReader) -> None:
        self._reader = reader

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages by falling score; where nothing is read, as in another script, as they came.

        `scores["read"]` is the chance (0 to 1) of each that was read, `scores["rerank"]` the sum, 1 for the
        first; `rank_before` stays what it was.
        """
        evidence = [passage.as_evidence(n) for n, passage in enumerate(passages[:PASSAGES])]
        readings = Readings.of(self._reader, question, units(evidence))
        if not readings.held:
            return list(passages)
        read = {passages[n].chunk.id: readings.chance(n) for n in readings.held}
        most = max(passage.scores.get("rerank", 0.0) for passage in passages) or 1.0
        scores = [
            passage.scores.get("rerank", 0.0) / most
            + passage.scores.get("learnt", 0.0)
            + WORTH * read.get(passage.chunk.id, UNREAD)
            for passage in passages
        ]
        before = {passage.chunk.id: passage.rank_before for passage in passages}
        return [
            passage.model_copy(
                update={
                    "scores": {**passage.scores, **_told(read.get(passage.chunk.id))},
                    "rank_before": before[passage.chunk.id],
                }
            )
            for passage in ordered(passages, [score / max(scores) for score in scores])
        ]


def _told(chance: float | None) -> dict[str, float]:
    return {} if chance is None else {"read": chance}
