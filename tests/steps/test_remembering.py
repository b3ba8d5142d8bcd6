"""A search made before is not made again until the library changes."""

from pathlib import Path

from core.domain import Entry
from core.llm.embedders import PackagedEmbedder
from core.steps.remembering import Memory, RememberingRetriever
from core.steps.retriever import Retriever
from tests.steps.making import library


def test_what_was_used_longest_ago_is_forgotten_first():
    memory, made = Memory(most=2), []

    def make(name: str) -> str:
        return memory.recall(name, lambda: made.append(name) or name)

    for name in ("a", "b", "a", "c", "a", "b"):
        assert make(name) == name
    assert made == ["a", "b", "c", "b"]


def test_the_same_question_is_searched_once_and_anew_after_a_change(tmp_path: Path):
    with library(tmp_path, "The limit of alarm EX-05 is 12 Pa.", "The pump was replaced.") as knowledge:
        memory = Memory()
        embedder = PackagedEmbedder()
        remembering = RememberingRetriever(knowledge, embedder, memory=memory)
        plain = Retriever(knowledge, embedder)
        first = remembering.search("limit of EX-05", 5)
        assert first == plain.search("limit of EX-05", 5)
        assert remembering.by_keyword("limit", 5) == plain.by_keyword("limit", 5)
        kept = len(memory._kept)
        again = RememberingRetriever(knowledge, embedder, memory=memory)
        assert again.search("limit of EX-05", 5) == first
        assert len(memory._kept) == kept
        knowledge.link(Entry(path="/other.txt", document_id=first[0].chunk.document_id))
        again.search("limit of EX-05", 5)
        assert len(memory._kept) == kept + 1
