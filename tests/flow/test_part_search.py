"""What a whole question brings stands in one order with what its parts bring by themselves."""

from core.domain import Passage, SubQuestion
from core.retrieval.hybrid_retriever import HybridRetriever
from core.retrieval.part_search import PartSearch

QUESTION = "In which year was the company founded that makes the dry pump of ETCH-07?"
PARTS = (
    SubQuestion(id=1, question="Which company makes the dry pump of ETCH-07?", type="bridging"),
    SubQuestion(id=2, question="In which year was #1 founded?", depends_on=(1,)),
)


def test_a_part_that_waits_is_asked_of_the_names_that_the_other_brings(library):
    retriever = HybridRetriever(library.knowledge, library.embedder)
    asked: list[str] = []

    def ranked(text: str) -> list[Passage]:
        asked.append(text)
        return retriever.search(text, 5)

    whole = [p for p in ranked(QUESTION) if "Norvac company" not in p.document_title]
    found = PartSearch(library.knowledge).joined(QUESTION, whole, PARTS, ranked)
    assert "In which year was Norvac founded?" in asked
    assert any("founded in 1987" in passage.chunk.text for passage in found[:5])
    scores = [passage.score for passage in found]
    assert scores == sorted(scores, reverse=True)
    assert PartSearch(library.knowledge).joined(QUESTION, whole, PARTS[:1], ranked) == whole


def test_the_trace_tells_what_the_parts_of_a_question_were_asked(asking):
    asking.ask("Who founded the company that makes the dry pump of ETCH-07?")
    orders = [e for e in asking.of("reranked") if e.reranker == "parts of the question"]
    assert len(orders) == 1
    titles = [passage.document_title for passage in orders[0].passages[:4]]
    assert "Norvac company profile" in titles, titles
    assert "Who founded Norvac?" in [event.query for event in asking.of("searched")]
