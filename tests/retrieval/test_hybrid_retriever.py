import pytest

from core.domain import Scope, identify
from core.retrieval.pagerank_seeds import seeds
from core.retrieval.score_fusion import best, fuse_scores, min_max_scaled
from core.retrieval.search_confidence import confidence, confidence_by_words, coverage
from core.retrieval.windows import windows


def titles(passages):
    return [passage.document_title for passage in passages]


def test_scores_are_scaled_by_their_own_list():
    assert min_max_scaled({"a": 30.0, "b": 20.0, "c": 10.0}) == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert min_max_scaled({"a": 3.0}) == {"a": 1.0}
    assert min_max_scaled({}) == {}


def test_fusing_weighs_the_legs_that_found_something():
    legs = {"keyword": {"a": 9.0, "b": 1.0}, "chunk": {"b": 0.9, "a": 0.1}, "atom": {}}
    assert fuse_scores(legs, {"keyword": 3.0, "chunk": 1.0, "atom": 5.0}) == {"a": 0.75, "b": 0.25}
    assert fuse_scores({"keyword": {}}, {"keyword": 1.0}) == {}


def test_equal_scores_come_in_the_order_of_their_ids():
    assert best({"b": 1.0, "a": 1.0, "c": 2.0}, 2) == ["c", "a"]


def test_pagerank_starts_at_the_best_and_at_what_is_named():
    start = seeds({"a": 1.0, "b": 0.5, "c": 0.0}, {"thing": 0.8, "a": 0.1}, most=2, named_weight=0.5)
    assert start == pytest.approx({"a": 8 / 9 + 0.05, "b": 1 / 9, "thing": 0.4})


def test_what_is_asked_with_the_librarys_words_is_found_first(retriever):
    found = retriever.search("How long does the wet clean of the etch chamber take?", 3)
    assert titles(found)[0] == "SOP-ETCH-012 Chamber wet clean"
    assert "four hours" in found[0].chunk.text
    assert {"keyword", "chunk", "cosine", "atom", "graph"} <= set(found[0].scores)
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    assert found[0].why[0].startswith("words: number 1")


def test_other_words_for_the_same_thing_are_found_by_meaning(retriever):
    assert titles(retriever.by_meaning("When can I get lunch?", 2))[0] == "Canteen"
    assert titles(retriever.search("When can I get lunch?", 2))[0] == "Canteen"


def test_the_graph_leads_from_what_the_question_names_to_what_it_does_not(retriever):
    question = "In which city is the maker of the part that caused the edge particles of LOT-2231?"
    with_graph, without = (titles(r.search(question, 4)) for r in (retriever, retriever.without("graph")))
    assert {"DR-2025-041 Edge particles", "Helix chuck", "Marwick Seals"} <= set(with_graph)
    assert "Marwick Seals" not in without[:3]


def test_a_passage_says_which_name_led_to_it(retriever):
    found = retriever.search("What caused the particles of LOT-2231?", 4)
    chuck = next(p for p in found if p.document_title == "Helix chuck")
    assert any("Helix chuck" in why and why.startswith("linked from") for why in chuck.why)


def test_a_chinese_question_is_found_by_its_words(retriever):
    found = retriever.search("静电吸盘多久更换一次？", 2)
    assert titles(found)[0] == "静电吸盘更换"
    assert found[0].score > 0.5


def test_a_question_the_library_cannot_answer_is_told_by_its_score(retriever):
    answerable = ["How long does the wet clean take?", "What is served on Fridays?", "静电吸盘多久更换一次？"]
    foreign = ["Who won the world cup in 1998?", "What is the capital of Mongolia?", "如何烤面包？"]
    lowest = min(retriever.search(q, 3)[0].score for q in answerable)
    highest = max((p.score for q in foreign for p in retriever.search(q, 3)), default=0.0)
    assert highest < 0.35 < 0.5 < lowest


def test_a_scope_keeps_everything_else_out(retriever):
    food = Scope(collections=("food",))
    assert set(titles(retriever.search("wet clean of the chamber", 5, food))) == {"Canteen"}
    only = Scope(documents=(identify("Helix chuck"),))
    assert set(titles(retriever.search("LOT-2231 particles", 5, only))) == {"Helix chuck"}
    assert retriever.search("anything", 5, Scope(collections=("none",))) == []


def test_topics_keep_to_passages_with_the_tag(retriever):
    found = retriever.search("What is due every 300 hours?", 5, topics=("wet clean",))
    assert set(titles(found)) == {"SOP-ETCH-012 Chamber wet clean"}
    assert titles(retriever.by_keyword("the wafer edge", 5, topics=("Particles",))) == [
        "DR-2025-041 Edge particles"
    ]


@pytest.mark.parametrize("kind", ["factual", "reasoning", "global"])
def test_every_kind_of_question_gives_chunks(retriever, kind):
    assert len(retriever.search("What is known about cleaning chambers?", 3, kind=kind)) == 3


@pytest.mark.parametrize("question", ["", "   ", "?!", "🙂🙂", "the of and"])
def test_a_question_without_words_breaks_nothing(retriever, question):
    assert len(retriever.search(question, 3)) <= 3


def test_a_question_longer_than_the_window_is_read_whole(retriever, embedder):
    filler = "The weather was fine and nothing happened at all that day. " * 60
    question = filler + "How long does the wet clean of the etch chamber take?"
    parts = list(windows(question, embedder))
    assert len(parts) > 1 and all(embedder.count(part) <= embedder.window for part in parts)
    assert "".join(parts).replace(" ", "") == question.replace(" ", "")
    assert "SOP-ETCH-012 Chamber wet clean" in titles(retriever.search(question, 5))
    assert len(list(windows("pump,valve;" * 900, embedder))) > 1


def test_an_empty_library_finds_nothing(tmp_path, embedder):
    from core.knowledge.base import KnowledgeBase
    from core.retrieval.hybrid_retriever import HybridRetriever

    with KnowledgeBase(tmp_path / "empty", embedder.digest) as empty:
        retriever = HybridRetriever(empty, embedder)
        assert retriever.search("anything", 3) == retriever.by_keyword("anything", 3) == []


def test_the_same_question_gives_the_same_passages(retriever, library, tmp_path, embedder):
    again = retriever.search("What caused the particles of LOT-2231?", 4)
    assert again == retriever.search("What caused the particles of LOT-2231?", 4)


def test_coverage_and_confidence_stay_within_bounds():
    assert coverage("When is the pump cleaned?", ["the pump", "it is cleaned on Monday"]) == 1.0
    assert coverage("?", ["text"]) == 0.0
    values = [confidence(c, s, n) for c in (-0.2, 0.0, 0.3, 0.9) for s in (0.0, 1.0) for n in (0, 10, 10**6)]
    assert all(0.0 <= value <= 1.0 for value in values)
    assert confidence(0.6, 0.9, 100) > confidence(0.3, 0.9, 100) > confidence(0.3, 0.1, 100)
    assert confidence(0.45, 0.7, 10) > 0.5 > confidence(0.45, 0.7, 10_000)
    assert confidence(0.45, 0.7, 1000, minimum=0.1) > confidence(0.45, 0.7, 1000)
    assert confidence_by_words(0.9) > 0.9 and confidence_by_words(0.1) < 0.1


def test_a_chinese_question_is_near_english_passages_in_meaning_by_its_gloss(retriever):
    english, chinese = (
        retriever.vector(q) for q in ("wafer defect equipment malfunction", "晶圆缺陷设备故障")
    )
    assert float(english @ chinese) > 0.99
    assert float(retriever.vector("wafer defects by equipment") @ chinese) > 0.6
