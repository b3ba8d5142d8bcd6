import pytest

from core.domain import Scope
from core.llm.builtin import BuiltinLLM
from core.llm.encoders.rerankers import LateInteractionReranker, NoReranker
from core.retrieval.gatherer import Gatherer, joined
from core.retrieval.sentence_highlighter import SentenceHighlighter
from core.tasks import (
    Query,
    TagPair,
    WriteQuery,
)
from core.trace import Reranked, Searched, TableQueried, WordsMapped
from tests.doubles import ScriptedLLM
from tests.making import passage

QUESTION = "How long does the wet clean of the etch chamber take?"


def model(**replies):
    """A model that answers each kind of task as scripted, and has nothing to say about the others."""
    silent = {
        WriteQuery: Query(),
    }
    shown = {kind: replies.get(kind.__name__, reply) for kind, reply in silent.items()}
    return ScriptedLLM(lambda task: shown[type(task)])


@pytest.fixture
def gather(retriever, library):
    def gathered(
        llm, question=QUESTION, scope=None, type="factual", reranker=None, proposed=(), topics=(), **numbers
    ):
        events = []
        gatherer = Gatherer(retriever, library, reranker or NoReranker(), llm, **numbers)
        return gatherer.gather(
            question, scope or Scope(), events.append, type, 7, "en", proposed, topics
        ), events

    return gathered


def of(events, kind):
    return [event for event in events if isinstance(event, kind)]


def test_three_by_words_three_by_meaning_and_the_best_three_become_three_to_nine(gather):
    found, events = gather(model())
    assert 3 <= len(found.passages) <= 9
    assert len({p.chunk.id for p in found.passages}) == len(found.passages)
    assert found.passages[0].document_title == "SOP-ETCH-012 Chamber wet clean"
    assert [e.kind for e in of(events, Searched)] == ["plain", "topics"]
    assert [p.rank_after for p in of(events, Reranked)[0].passages] == list(range(1, len(found.passages) + 1))
    one, _ = gather(model(), keyword=1, semantic=1, reranked=1)
    assert len(one.passages) <= 3


def test_every_event_and_passage_names_its_sub_question(gather):
    found, events = gather(model(), topics=("wet clean",))
    assert {event.sub_question for event in events} == {7}
    assert {p.sub_question for p in found.passages} == {7}


def test_topics_of_the_question_bring_a_second_search_that_keeps_to_them(gather):
    _, events = gather(model(), "How long does it take?", topics=("Wet Clean", "no such tag"))
    plain, topical = of(events, Searched)
    assert (plain.kind, topical.kind, topical.topics) == ("plain", "topics", ("wet clean",))
    assert {p.document_title for p in topical.passages} == {"SOP-ETCH-012 Chamber wet clean"}


def test_words_are_read_as_the_librarys_and_the_trace_says_so(gather):
    pairs = (TagPair(said="dirt specks", meant="particles"), TagPair(said="lot", meant="lot"))
    found, events = gather(model(), "Which lot had dirt specks?", proposed=pairs)
    assert of(events, WordsMapped)[0].pairs == pairs[:1]
    assert of(events, Searched)[0].query == "Which lot had dirt specks? (particles)"
    assert "DR-2025-041 Edge particles" in {p.document_title for p in found.passages}


def test_learnt_pairs_are_read_without_a_model_and_told(gather, library):
    library.learn_tag_pair("dirt specks", "particles", evidence="a reader's correction")
    try:
        _, events = gather(model(), "Which lot had Dirt Specks?")
    finally:
        library.unlearn_tag_pair("dirt specks", "particles")
    assert of(events, WordsMapped)[0].pairs == (TagPair(said="dirt specks", meant="particles"),)
    assert of(events, Searched)[0].query == "Which lot had Dirt Specks? (particles)"


def test_a_pair_the_library_speaks_against_is_not_read(gather):
    pairs = (TagPair(said="PE-300", meant="particles"),)
    _, events = gather(model(), "How is the PE-300 cleaned?", proposed=pairs)
    assert of(events, WordsMapped) == []


def test_a_quantitative_question_queries_a_table_without_being_told_to(gather):
    sql = 'SELECT avg("Yield") AS "mean yield" FROM monthly_yield'
    found, events = gather(model(WriteQuery=Query(sql=sql)), "What is the mean yield?", type="quantitative")
    assert found.sql == sql
    assert found.passages[0].chunk.text == "mean yield: 90.5"
    assert of(events, TableQueried)[0].rows == (("90.5",),)


def test_rules_write_the_query_before_a_model_is_asked(gather, library, retriever):
    asked = model()
    gatherer = Gatherer(retriever, library, NoReranker(), asked, rules=BuiltinLLM())
    found = gatherer.gather("What is the mean yield?", Scope(), lambda event: None)
    assert "90.5" in found.passages[0].chunk.text and "avg" in found.sql
    assert not any(isinstance(task, WriteQuery) for task in asked.asked)


def test_the_sentences_that_matter_are_marked_in_the_text(gather):
    found, _ = gather(model(), "Every how many RF hours?")
    first = found.passages[0]
    marked = [first.chunk.text[s.start : s.end] for s in first.highlights]
    assert marked == ["It is due every 300 RF hours."]


def test_highlights_follow_chinese_sentences_too():
    chinese = passage("静电吸盘每三个月更换。更换后做漏率测试！")
    (marked,) = SentenceHighlighter().highlight("漏率测试什么时候做？", [chinese])
    assert [marked.chunk.text[s.start : s.end] for s in marked.highlights] == ["更换后做漏率测试！"]
    assert SentenceHighlighter().highlight("?", [chinese])[0].highlights == ()


def test_nothing_in_scope_gives_nothing(gather):
    found, _ = gather(model(), scope=Scope(collections=("none",)))
    assert found.passages == ()


def test_the_built_in_engine_gathers_with_late_interaction(gather, library, embedder):
    reranker = LateInteractionReranker(embedder, library.tokens)
    found, events = gather(BuiltinLLM(), reranker=reranker)
    assert "four hours" in found.passages[0].chunk.text
    assert found.passages[0].highlights
    assert of(events, Reranked)[0].reranker == "late-interaction"


def test_joining_keeps_the_first_place_and_the_scores_of_all():
    first, again = passage("a", score=0.2, keyword=3.0), passage("a", score=0.6, chunk=0.4)
    other = passage("b")
    merged = joined([first, other], [again])
    assert [p.chunk.text for p in merged] == ["a", "b"]
    assert merged[0].scores == {"keyword": 3.0, "chunk": 0.4} and merged[0].score == 0.6
