"""The best passages of a fact are ordered once more by reading each with the question."""

import pytest

from core.llm.reading_reranker import ReadingReranker
from core.llm.span_reader import SpanReader
from tests.making import passage

TEXTS = (
    "The feed pump P-11 is of cast steel and stands in hall 3 beside the spare pump.",
    "The seal of feed pump P-11 was replaced by Dana Ruiz on 4 May.",
    "The canteen is closed on Fridays.",
)


@pytest.fixture(scope="module")
def reranker() -> ReadingReranker:
    return ReadingReranker(SpanReader(bf16=False))


def found(*scores: float):
    return [
        passage(text, rerank=score).model_copy(update={"rank_before": 9})
        for text, score in zip(TEXTS, scores, strict=True)
    ]


def test_the_passage_that_answers_rises_and_scores_stay_in_order(reranker):
    ranked = reranker.rerank("Who replaced the seal of P-11?", found(1.0, 0.9, 0.5))
    assert [p.chunk.text for p in ranked] == [TEXTS[1], TEXTS[0], TEXTS[2]]
    assert ranked[0].scores["read"] > 0.9 > 0.2 > ranked[2].scores["read"]
    scores = [p.scores["rerank"] for p in ranked]
    assert scores[0] == 1.0 and scores == sorted(scores, reverse=True)
    assert [(p.rank_before, p.rank_after) for p in ranked] == [(9, 1), (9, 2), (9, 3)]


def test_reading_does_not_outweigh_a_far_better_passage(reranker):
    ranked = reranker.rerank("Who replaced the seal of P-11?", found(1.0, 0.4, 0.1))
    assert ranked[0].chunk.text == TEXTS[0]


def test_what_is_not_read_stays_in_its_order(reranker):
    before = found(0.2, 0.9, 0.5)
    assert reranker.rerank("谁更换了泵的密封？", before) == before
