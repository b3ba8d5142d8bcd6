import json
import threading

import pytest

from core.errors import EmptyFile, KnowledgeError, NotFound, ParseError
from core.evaluation.retrieval_scores import GoldQuestion, RetrievalEvaluator
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.rerankers import LateInteractionReranker
from core.retrieval.hybrid_retriever import HybridRetriever
from core.work.checks.evaluation_records import (
    EvaluationRecord,
    EvaluationRecords,
    differences,
    grown,
    question_set_digest,
)
from core.work.checks.evaluations import Evaluator
from tests.fab_library import make_library

ASKED = [
    {"question": "How long does the wet clean take?", "gold_ids": ["SOP-ETCH-012 Chamber wet clean.txt"]},
    {"question": "When does the canteen open?", "gold_ids": ["Canteen"]},
]


def record(**fields):
    return EvaluationRecord.model_validate(
        {"at": 1_750_000_000.0, "corpus": "c.jsonl", "questions": 1, "legs": {"all": {"mrr": 0.5}}, **fields}
    )


@pytest.fixture(scope="module")
def embedder():
    return PackagedEmbedder(precision="float32")


@pytest.fixture(scope="module")
def library(tmp_path_factory, embedder):
    with make_library(tmp_path_factory.mktemp("fab") / "library", embedder) as made:
        yield made


@pytest.fixture
def records(tmp_path):
    return EvaluationRecords(tmp_path / "evaluations")


@pytest.fixture
def evaluator(library, embedder, records):
    def make():
        reranker = LateInteractionReranker(embedder, library.tokens)
        return RetrievalEvaluator(library, HybridRetriever(library, embedder), reranker)

    made = Evaluator(make, records)
    yield made
    made.close()


def questions(tmp_path, rows):
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def test_records_are_kept_under_names_of_their_own_newest_first(records):
    first = records.keep(record())
    second = records.keep(record(questions=2))
    third = records.keep(record(at=1_750_000_100.0, corpus="../../evil name.jsonl"))
    assert len({first.name, second.name, third.name}) == 3
    assert all(path.parent == records.folder for path in records.folder.iterdir())
    assert [held.name for held in records.list()] == [third.name, first.name, second.name]
    assert records.get(second.name) == second
    assert records.get(str(records.folder / f"{second.name}.json")) == second
    records.drop(second.name)
    with pytest.raises(NotFound):
        records.get(second.name)


def test_a_file_that_is_no_record_is_passed_over_in_the_list_and_told_when_asked_for(records):
    kept = records.keep(record())
    (records.folder / "junk.json").write_text('{"legs": 3}', "utf-8")
    assert records.list() == [kept]
    with pytest.raises(ParseError, match="no record"):
        records.get("junk")


def test_a_library_without_records_has_an_empty_list(records):
    assert records.list() == []


def test_two_records_are_compared_measure_by_measure():
    assert grown(record(), record(legs={"all": {"mrr": 0.75}, "new": {"mrr": 1.0}})) == {"all": {"mrr": 0.25}}


def test_questions_over_the_whole_library_name_documents(evaluator, records, tmp_path):
    evaluator.start(questions(tmp_path, ASKED))
    state = evaluator.wait(60)
    assert (state.state, state.done, state.total) == ("done", 10, 10)
    kept = records.get(state.record)
    assert kept.questions == 2
    assert list(kept.legs) == ["keyword", "semantic", "hybrid", "graph", "all"]
    assert kept.legs["all"]["recall@1"] == 1.0
    assert (kept.corpus, kept.embedder, kept.reranker) == (
        "library", "all-MiniLM-L6-v2", "late-interaction",
    )  # fmt: skip


def test_questions_about_documents_there_are_not_say_what_they_should_name(evaluator, tmp_path):
    with pytest.raises(EmptyFile) as result:
        evaluator.start(questions(tmp_path, [{"question": "?", "gold_ids": ["nothing.pdf"]}]))
    assert "gold_ids" in result.value.hint
    assert evaluator.state().state == "idle"


def test_a_corpus_the_library_does_not_hold_is_refused(evaluator, tmp_path):
    with pytest.raises(NotFound):
        evaluator.start(questions(tmp_path, ASKED), corpus="feedface")


def test_one_evaluation_runs_at_a_time_and_can_be_stopped(library, embedder, records, tmp_path):
    began, go = threading.Event(), threading.Event()

    class Waiting(HybridRetriever):
        """A real retriever whose searches wait until the test lets them go."""

        def by_keyword(self, *asked):
            began.set()
            go.wait(30)
            return super().by_keyword(*asked)

    def make():
        reranker = LateInteractionReranker(embedder, library.tokens)
        return RetrievalEvaluator(library, Waiting(library, embedder), reranker)

    held = Evaluator(make, records)
    held.start(questions(tmp_path, ASKED))
    assert began.wait(30)
    assert held.state().state == "running"
    with pytest.raises(KnowledgeError, match="running"):
        held.start(questions(tmp_path, ASKED))
    held.stop()
    go.set()
    assert held.wait(30).state == "stopped"
    assert records.list() == []
    held.start(questions(tmp_path, ASKED))
    assert held.wait(60).state == "done"
    held.close()


def test_records_of_the_same_questions_and_corpus_are_compared_without_a_warning():
    same = record(asked="q", over="c", chunks=9)
    assert differences(same, same.model_copy(update={"embedder": "other", "seconds": 2.0})) == ()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"asked": "other"}, "though both times 1 were asked"),
        ({"questions": 40}, "1 then, 40 now"),
        ({"over": "other", "corpus": "d.jsonl"}, "c.jsonl then, d.jsonl now"),
        ({"over": "other"}, "c.jsonl has changed since"),
        ({"chunks": 12}, "9 chunks then, 12 now"),
        ({"asked": "", "over": ""}, "does not say what was asked"),
        ({"over": "", "corpus": "d.jsonl"}, "d.jsonl with 9 now"),
    ],
)
def test_records_of_other_questions_or_another_corpus_are_compared_with_a_warning(fields, text):
    before = record(asked="q", over="c", chunks=9)
    (warning,) = differences(before, before.model_copy(update=fields))
    assert text in warning


def test_a_set_of_questions_is_known_by_its_words_and_gold_whatever_the_order():
    one, two = GoldQuestion("1", "a?", frozenset("xy")), GoldQuestion("2", "b?", frozenset("z"))
    assert question_set_digest([one, two]) == question_set_digest([two, one])
    assert (
        question_set_digest([one])
        != question_set_digest([one._replace(gold=frozenset("x"))])
        != question_set_digest([two])
    )


def test_an_evaluation_keeps_what_it_asked_and_what_it_searched(evaluator, records, tmp_path):
    evaluator.start(questions(tmp_path, ASKED))
    evaluator.wait(60)
    evaluator.start(questions(tmp_path, ASKED[:1]))
    evaluator.wait(60)
    fewer, all_of_them = records.list()
    assert fewer.over == all_of_them.over != "" and fewer.asked != all_of_them.asked
    assert differences(all_of_them, fewer) == ("The questions are not the same (2 then, 1 now).",)
