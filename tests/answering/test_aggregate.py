"""Evidence of the parts and of the original question becomes one list, ranked against the original."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.answering.aggregate import MAX_OTHER_PIECES, Aggregator
from core.knowledge.base import KnowledgeBase
from core.llm.encoders.rerankers import NoReranker
from core.retrieval.evidence_pieces import as_evidence
from tests.making import library, part, passage


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """A library with the one document that every passage here says it comes from."""
    with library(tmp_path, "text", date="2024-05-01") as base:
        yield base


def test_a_chunk_found_twice_stands_once_with_all_its_scores(knowledge):
    own = passage("A", score=1, chunk=0.3).model_copy(update={"why": ("chunk",)})
    again = passage("A", score=2, chunk=0.2, atom=0.9).model_copy(update={"why": ("atom: A?",)})
    (kept,) = Aggregator(knowledge, NoReranker()).aggregate("q", [own], [part(1, "A?", "a", again)])
    assert kept.scores["chunk"] == 0.3
    assert kept.scores["atom"] == 0.9
    assert kept.why == ("chunk", "atom: A?")


def test_what_a_part_rests_on_is_kept_whatever_ranks_above_it(knowledge):
    own = [passage(f"near {n}", score=10 - n) for n in range(8)]
    bridge = passage("the middle of the chain", score=0.1)
    kept = Aggregator(knowledge, NoReranker(), most=4).aggregate("q", own, [part(1, "A?", "a", bridge)])
    assert len(kept) == 4
    assert "the middle of the chain" in [p.chunk.text for p in kept]


def test_a_failed_part_takes_no_place(knowledge):
    own = [passage(f"near {n}", score=10 - n) for n in range(4)]
    failed = part(1, "A?", "", passage("far", score=0), failure="LLMTimeout")
    kept = Aggregator(knowledge, NoReranker(), most=4).aggregate("q", own, [failed])
    assert "far" not in [p.chunk.text for p in kept]


def test_evidence_of_a_single_question_keeps_its_order(knowledge):
    own = [passage("second", score=1), passage("first", score=2)]
    kept = Aggregator(knowledge, NoReranker()).aggregate("q", own, [])
    assert [p.chunk.text for p in kept] == ["second", "first"]


def test_passages_carry_the_date_of_their_document(knowledge):
    (kept,) = Aggregator(knowledge, NoReranker()).aggregate("q", [passage("text")], [])
    assert kept.date == "2024-05-01"


WORDS = ("pump", "seal", "valve", "filter", "motor", "belt", "hose", "gauge", "chuck", "liner", "ring", "lid")
LOG = "2025-03-{day:02d} tool ETCH-03 chamber B helium leak alarm E-217 raised value {n}"


def test_rows_of_a_log_that_differ_in_figures_stand_for_more_of_them(knowledge):
    """Only where a model reads little, and not a row whose day the question names."""
    rows = [passage(LOG.format(day=n + 1, n=100 + n), score=20 - n) for n in range(9)]
    other = passage("The helium line was replaced after the alarms.", score=1)
    read_little = Aggregator(knowledge, NoReranker(), reading=500)
    kept = read_little.aggregate("Why was the alarm raised?", [*rows, other], [])
    seen = [(p.chunk.text[-3:], p.alike) for p in kept]
    assert seen == [("100", 0), ("101", 0), ("102", 6), ("ms.", 0)]
    assert as_evidence(kept)[2].place.endswith("(+6)")
    named = read_little.aggregate("What was raised, 104?", [*rows, other], [])
    assert ("104", 0) in [(p.chunk.text[-3:], p.alike) for p in named]
    assert len(Aggregator(knowledge, NoReranker()).aggregate("Why?", [*rows, other], [])) == 10


def test_what_a_part_rests_on_is_never_folded(knowledge):
    rows = [passage(LOG.format(day=n + 1, n=100 + n), score=20 - n) for n in range(9)]
    kept = Aggregator(knowledge, NoReranker(), each=5, reading=500).aggregate(
        "q", rows, [part(1, "A?", "a", *rows[:5])]
    )
    assert [(p.chunk.text, p.alike) for p in kept] == [(row.chunk.text, 0) for row in rows[:5]]


def test_a_model_reads_few_pieces_beside_what_parts_rest_on(knowledge):
    own = [passage(f"The {word} is old.", score=1) for word in WORDS]
    parts = [part(n, f"{n}?", "a", passage(f"Answer {n}", score=0.1)) for n in (1, 2)]
    reads = Aggregator(knowledge, NoReranker(), reading=5000).aggregate("q", own, parts)
    assert len(reads) == MAX_OTHER_PIECES and {"Answer 1", "Answer 2"} <= {p.chunk.text for p in reads}
    assert len(Aggregator(knowledge, NoReranker()).aggregate("q", own, parts)) == 12


def test_a_piece_a_model_has_read_stays_word_for_word(knowledge):
    result = passage("Confidential to all. The pump is old.", score=1).model_copy(update={"file": "a.txt"})
    before = result.model_copy(update={"beside": ("Confidential to all.",)})
    kept = Aggregator(knowledge, NoReranker()).aggregate(
        "q", [result], [part(1, "A?", "a", result)], read=[before]
    )
    assert as_evidence(kept)[0].text == as_evidence([before])[0].text == "The pump is old."
