import pytest

from core.domain import Scope
from core.evaluation.retrieval_tester import LEGS, PARTS, RetrievalTester, term_spans
from core.llm.builtin import BuiltinLLM
from core.llm.encoders.rerankers import LateInteractionReranker
from core.retrieval.gatherer import Gatherer
from core.retrieval.hybrid_retriever import HybridRetriever
from core.retrieval.search_cache import CachingRetriever, SearchCache

QUESTION = "How long does the wet clean of the etch chamber take?"


@pytest.fixture(scope="module")
def tester(library, embedder):
    found = CachingRetriever(HybridRetriever(library, embedder), SearchCache())
    reranker = LateInteractionReranker(embedder, library.tokens)
    return RetrievalTester(Gatherer(found, library, reranker, BuiltinLLM()))


def test_every_leg_is_shown_with_its_passages_and_its_time(tester):
    found = tester.test(QUESTION, limit=4)
    assert [leg.name for leg in found.legs] == list(LEGS)
    for leg in found.legs:
        assert "wet clean" in leg.passages[0].chunk.text
        assert leg.seconds > 0
    assert all(len(found.leg(name)) <= 4 for name in ("keyword", "semantic", "graph", "reranked"))
    assert set(found.leg("keyword")[0].scores) == {"keyword"}
    assert {"keyword", "chunk", "graph"} <= set(found.leg("graph")[0].scores)
    assert [p.rank_after for p in found.leg("reranked")] == [1, 2, 3, 4]
    assert found.sure > 0.5
    assert found.seconds >= sum(leg.seconds for leg in found.legs)


def test_what_the_gathering_did_is_told_as_in_a_run(tester):
    found = tester.test(QUESTION)
    assert "wet clean" in found.topics
    assert {"searched", "reranked"} <= {event.name for event in found.events}
    assert found.leg("final")[0].why


def test_only_the_legs_that_are_asked_for_are_searched(tester):
    found = tester.test(QUESTION, legs=["reranked"])
    assert [leg.name for leg in found.legs] == ["reranked"]
    assert found.leg("reranked")
    assert found.events == ()


@pytest.mark.parametrize("part", PARTS)
def test_a_part_can_be_left_out_to_see_what_it_is_worth(tester, part):
    found = tester.test(QUESTION, without=[part], legs=["graph", "reranked"])
    assert found.without == (part,)
    if part in ("keyword", "chunk", "atom", "section", "document", "graph"):
        assert all(part not in passage.scores for passage in found.leg("graph"))
    if part == "rerank":
        assert [p.chunk.id for p in found.leg("reranked")] == [p.chunk.id for p in found.leg("graph")]


def test_a_part_there_is_not_is_refused(tester):
    with pytest.raises(ValueError, match="no such part: luck"):
        tester.test(QUESTION, without=["luck"])


def test_the_scope_and_the_kind_hold_for_every_leg(tester):
    found = tester.test("When does it open?", scope=Scope(collections=("food",)), kind="global")
    assert {p.document_title for leg in found.legs for p in leg.passages} == {"Canteen"}
    assert found.kind == "global"


def test_nothing_is_remembered_so_that_every_time_is_its_own(tester):
    whole = tester.gatherer.retriever
    plain = whole.uncached()
    whole.search(QUESTION, 5)
    assert whole.remembers(QUESTION, 5) and not plain.remembers(QUESTION, 5)
    assert plain.search(QUESTION, 5) == whole.search(QUESTION, 5)


def test_the_words_of_the_question_are_found_in_the_text():
    text = "Wet cleaning takes 4 hours; see SOP-ETCH-012. 静电吸盘每3个月更换一次。"
    asked = "How long does the wet clean by SOP-ETCH-012 take? 静电吸盘"
    marked = [text[span.start : span.end] for span in term_spans(asked, text)]
    assert marked == ["Wet", "cleaning", "takes", "SOP-ETCH-012", "静电吸盘"]
    assert term_spans("the of and", text) == ()
