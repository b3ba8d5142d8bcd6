"""A question's own words about its document find the document; the others find the place in it."""

import numpy as np
import pytest

from core.domain import Passage
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.fact_reranker import FactReranker, densest
from tests.making import library

REPORT = (
    "Demolition committee of Sainte-Rose: the committee met on the demolition of the barn.",
    "The demolition committee of Sainte-Rose thanks the owners of the demolition site.",
    "Ann Roy took the minutes as secretary.",
    "The committee adjourned at nine.",
)


@pytest.fixture(scope="module")
def embedder():
    return PackagedEmbedder(precision="float32")


def test_the_place_is_found_by_what_its_document_says_seldom(tmp_path, embedder):
    with library(tmp_path, *REPORT, title="Demolition committee of Sainte-Rose") as base:
        question = "Who was the secretary of the demolition committee of Sainte-Rose?"
        hits = base.keyword(question, 10)
        chunks = {chunk.id: chunk for chunk in base.chunks(ids=[hit.id for hit in hits])}
        passages = [
            Passage(
                chunk=chunks[hit.id], document_title="", query=question, score=1.0, scores={"keyword": 1.0}
            )
            for hit in hits
        ]
        found = FactReranker(embedder, base.tokens, base).rerank(question, passages)
        assert found[0].chunk.text == REPORT[2]
        assert found[0].scores["rerank"] == 1.0
        assert [passage.rank_after for passage in found] == [1, 2, 3, 4]
        assert FactReranker(embedder, base.tokens, base).rerank(question, []) == []


def test_words_count_where_they_stand_together():
    weights = np.asarray([1.0, 3.0, 0.0])
    words = ["pump", "oil", "the"]
    assert densest("The pump. " + "Filler words here. " * 30 + "Its oil.", words, weights) == 0.75
    assert densest("The pump takes oil.", words, weights) == 1.0
    assert densest("The valve.", words, weights) == densest("", words, np.zeros(3)) == 0.0
