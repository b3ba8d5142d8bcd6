import json
import math

import pytest

from core.domain import Chunk, Document, Entry, Location, Section, identify
from core.errors import EmptyFile, ParseError
from core.evaluation.retrieval_scores import (
    RetrievalEvaluator,
    changes,
    measures,
    ndcg,
    read_questions,
    recall,
    reciprocal_rank,
)
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.llm.encoders.rerankers import LateInteractionReranker
from core.retrieval.hybrid_retriever import HybridRetriever

GOLD = frozenset({"a", "b"})
CORPUS = [
    {"id": "p1", "title": "Wet clean", "text": "The wet clean of the etch chamber takes four hours."},
    {"id": "p2", "title": "Canteen", "text": "The canteen opens at eleven.\u2028On Fridays there is fish."},
    {"id": "p3", "title": "Parking", "text": "Visitors park on level two of the garage."},
]
QUESTIONS = [
    {"id": "q1", "question": "How long does the wet clean take?", "gold_ids": ["p1"]},
    {"id": "q2", "question": "When does the canteen open?", "gold_ids": ["p2"]},
]


def test_recall_counts_what_is_found_of_all_that_is_known():
    assert recall(["a", "x", "b"], GOLD, 2) == 0.5
    assert recall(["a", "x", "b"], GOLD, 3) == 1.0
    assert recall([], GOLD, 5) == 0.0


def test_ndcg_is_that_of_its_definition():
    ideal = 1 + 1 / math.log2(3)
    assert ndcg(["a", "b"], GOLD) == pytest.approx(1.0)
    assert ndcg(["x", "a", "y", "b"], GOLD) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)
    assert ndcg(["x"], GOLD) == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_hit():
    assert reciprocal_rank(["x", "b", "a"], GOLD) == 0.5
    assert reciprocal_rank(["x"], GOLD) == 0.0


def test_measures_are_means_over_the_questions():
    found = measures([["a"], ["x"]], [frozenset("a"), frozenset("a")])
    assert found == {
        "recall@1": 0.5, "recall@2": 0.5, "recall@5": 0.5, "recall@10": 0.5, "ndcg@10": 0.5, "mrr": 0.5,
    }  # fmt: skip


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in CORPUS), "utf-8")
    return path


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, QUESTIONS)), "utf-8")
    return path


@pytest.fixture
def evaluator(tmp_path, corpus, embedder):
    """A library that holds the corpus as ingestion lays it down: a section a record, located by its line."""
    document = Document(
        id=identify("corpus"), title="corpus", media_type="application/x-ndjson", name=corpus.name
    )
    sections = tuple(
        Section(
            id=identify(r["id"]),
            document_id=document.id,
            parent_id=None,
            path=(r["title"],),
            level=1,
            order=n,
        )
        for n, r in enumerate(CORPUS)
    )
    chunks = tuple(
        Chunk(
            id=identify(document.id, r["id"]),
            document_id=document.id,
            section_id=identify(r["id"]),
            text=r["text"],
            heading_path=(r["title"],),
            order=n,
            tokens=20,
            location=Location(lines=(n, n)),
        )
        for n, r in enumerate(CORPUS)
    )
    encoded = embedder.encode([chunk.passage_text() for chunk in chunks])
    with KnowledgeBase(tmp_path / "library", embedder.digest) as library:
        library.add(
            IndexableDocument(document, sections, chunks, (), (), encoded.vectors, encoded.tokens),
            Entry(path=str(corpus), document_id=document.id),
        )
        reranker = LateInteractionReranker(embedder, library.tokens)
        yield RetrievalEvaluator(library, HybridRetriever(library, embedder), reranker)


def test_every_leg_is_measured_over_the_records_of_the_corpus(evaluator, corpus, questions):
    result = evaluator.evaluate(corpus, questions)
    assert result.questions == 2
    assert list(result.legs) == ["keyword", "semantic", "hybrid", "graph", "all"]
    for leg in result.legs.values():
        assert leg["recall@1"] == leg["recall@5"] == leg["ndcg@10"] == leg["mrr"] == 1.0
        assert 0 < leg["p50_ms"] <= leg["p95_ms"]
    assert evaluator.evaluate(corpus, questions, most=1).questions == 1
    assert evaluator.evaluate(corpus, questions, every=2).questions == 1


def test_a_corpus_the_library_does_not_hold_is_said(evaluator, tmp_path, questions):
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "x", "text": "y"}\n', "utf-8")
    with pytest.raises(ParseError, match=r"no passages of other\.jsonl"):
        evaluator.evaluate(other, questions)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('{"question": "?", "gold_ids": ["a"]}\n{', "line 2 is not JSON"),
        ("[1]", "line 1 is not an object"),
        ('{"question": "?", "gold_ids": []}', "question 1 lacks"),
        ('{"gold_ids": ["a"]}', "question 1 lacks"),
    ],
)
def test_a_questions_file_that_is_none_says_where(tmp_path, text, content):
    path = tmp_path / "questions.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(ParseError, match=content):
        read_questions(path)


def test_an_empty_questions_file_is_said(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text("\n\n", "utf-8")
    with pytest.raises(EmptyFile):
        read_questions(path)


def test_two_records_are_compared_leg_by_leg():
    before = {"legs": {"all": {"recall@5": 0.9, "p50_ms": 10.0}, "old": {"recall@5": 0.1}}}
    after = {"legs": {"all": {"recall@5": 0.95, "p50_ms": 12.0, "mrr": 0.5}, "new": {"recall@5": 0.2}}}
    assert changes(before, after) == {"all": {"recall@5": 0.05, "p50_ms": 2.0}}
