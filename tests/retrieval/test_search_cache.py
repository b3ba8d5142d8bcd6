"""A search made before is not made again until the library changes."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import pytest

from core.domain import Document, Entry, Section, identify
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.knowledge.stores.value_cache import CacheStore
from core.llm.encoders.embedders import PackagedEmbedder
from core.retrieval import search_cache
from core.retrieval.hybrid_retriever import HybridRetriever
from core.retrieval.search_cache import (
    CachingReranker,
    CachingRetriever,
    SearchCache,
    code_digest,
    code_files,
)
from core.runtime.code_digest import compiled
from tests.making import library, passage


def test_what_was_used_longest_ago_is_forgotten_first():
    memory, made = SearchCache(most=2), []

    def make(name: str) -> str:
        return memory.get_or_make(name, lambda: made.append(name) or name)

    for name in ("a", "b", "a", "c", "a", "b"):
        assert make(name) == name
    assert made == ["a", "b", "c", "b"]


def remembering(knowledge: KnowledgeBase, memory: SearchCache | None = None) -> CachingRetriever:
    return CachingRetriever(HybridRetriever(knowledge, PackagedEmbedder()), memory or SearchCache())


def test_the_same_question_is_searched_once_and_found_again_after_a_restart(tmp_path: Path):
    with library(tmp_path, "The limit of alarm EX-05 is 12 Pa.", "The pump was replaced.") as knowledge:
        first = remembering(knowledge)
        plain = HybridRetriever(knowledge, first.embedder)
        assert not first.remembers("limit of EX-05", 5) and not plain.remembers("limit of EX-05", 5)
        found = first.search("limit of EX-05", 5)
        assert found == plain.search("limit of EX-05", 5)
        assert first.by_keyword("limit", 5) == plain.by_keyword("limit", 5)
        assert first.remembers("limit of EX-05", 5)
        again = remembering(knowledge)  # another process: nothing in memory
        assert again.remembers("limit of EX-05", 5)
        assert again.search("limit of EX-05", 5) == found
        assert not again.remembers("limit of EX-05", 4)
        assert not again.without("graph").remembers("limit of EX-05", 5)
        again.memory.forget()
        assert not again.remembers("limit of EX-05", 5)


def test_every_knob_of_the_search_counts_also_one_that_is_added(tmp_path: Path):
    @dataclass(frozen=True)
    class Added(HybridRetriever):
        another: int = 1

    class OtherWeights(PackagedEmbedder):
        digest = "other weights"

    with KnowledgeBase(tmp_path, "none") as knowledge, KnowledgeBase(tmp_path / "other", "none") as other:
        plain = Added(knowledge, PackagedEmbedder())
        same = {"knowledge": other, "memo": SearchCache().get_or_make}
        changed = {"embedder": OtherWeights(), "edges": {"next": 0.1}, "disabled": frozenset({"graph"})}
        assert replace(plain, **same).fingerprint() == plain.fingerprint()
        named = {plain.fingerprint()}
        for knob in (each.name for each in fields(plain) if each.name not in same):
            value = changed[knob] if knob in changed else getattr(plain, knob) + 1
            named.add(replace(plain, **{knob: value}).fingerprint())
        assert len(named) == 1 + len(fields(plain)) - len(same)
        with pytest.raises(TypeError, match="object"):
            replace(plain, another=object()).fingerprint()
        assert remembering(knowledge).search("limit", 5) == []
        searched = CachingRetriever(plain, SearchCache())
        searched.search("limit of EX-05", 5)
        assert searched.remembers("limit of EX-05", 5)
        assert not CachingRetriever(replace(plain, another=2), searched.memory).remembers("limit of EX-05", 5)


@pytest.mark.parametrize(
    ("text", "holds"),
    [("Lunch is served at noon.", True), ("The limit of alarm EX-05.", False)],
)
def test_a_new_document_counts_only_where_it_comes_near_to_what_was_found(tmp_path: Path, text, holds):
    statement = ("The limit of alarm EX-05 is 12 Pa.", "Alarm EX-05 has a limit.")
    with KnowledgeBase(tmp_path, "none") as knowledge:
        memory = SearchCache()
        embed = remembering(knowledge, memory).embedder.embed
        for n, one in enumerate(statement):
            add(knowledge, one, f"Manual {n}", embed([one]))
        found = remembering(knowledge, memory).search("limit of alarm EX-05", 2)
        add(knowledge, text, "Canteen", embed([text]))
        assert remembering(knowledge, memory).remembers("limit of alarm EX-05", 2) is holds
        assert remembering(knowledge).remembers("limit of alarm EX-05", 2) is holds
        if holds:
            assert remembering(knowledge, memory).search("limit of alarm EX-05", 2) == found


def test_what_was_found_in_a_document_is_searched_anew_once_the_document_changes(tmp_path: Path):
    with library(tmp_path, "The limit of alarm EX-05 is 12 Pa.") as knowledge:
        memory = SearchCache()
        document = remembering(knowledge, memory).search("limit of EX-05", 5)[0].chunk.document_id
        knowledge.link(Entry(path="/other.txt", document_id=document))
        assert not remembering(knowledge, memory).remembers("limit of EX-05", 5)
        remembering(knowledge, memory).search("limit of EX-05", 5)
        knowledge.remove(document)
        assert not remembering(knowledge, memory).remembers("limit of EX-05", 5)
        assert remembering(knowledge, memory).search("limit of EX-05", 5) == []


def add(knowledge: KnowledgeBase, text: str, title: str, vectors: np.ndarray) -> None:
    """Add a document of one chunk."""
    chunk = passage(text, title=title).chunk
    section = Section(
        id=chunk.section_id, document_id=chunk.document_id, parent_id=None, path=(), level=0, order=0
    )
    document = Document(id=chunk.document_id, title=title, media_type="text/plain", name="c.txt")
    entry = Entry(path=f"/{title}.txt", document_id=document.id)
    knowledge.add(IndexableDocument(document, (section,), (chunk,), (), (), vectors, None), entry)


def test_passages_are_put_in_order_once_while_they_and_the_library_stay_as_they_are(tmp_path: Path):
    class Counting:
        name = "counting"
        asked = 0

        def rerank(self, question, passages):
            self.asked += 1
            return sorted(passages, key=lambda p: -p.score)

    with library(tmp_path, "The limit is 12 Pa.") as knowledge:
        reranker = Counting()
        kept = CachingReranker(reranker, knowledge, SearchCache())
        low, high = passage("a", score=0.1), passage("b", score=0.9)
        assert kept.rerank("q", [low, high]) == kept.rerank("q", [low, high]) == [high, low]
        assert reranker.asked == 1
        raised = low.model_copy(update={"score": 1.0})
        assert kept.rerank("q", [raised, high]) == [raised, high]
        knowledge.link(Entry(path="/other.txt", document_id=passage("x").chunk.document_id))
        kept.rerank("q", [low, high])
        assert (kept.name, reranker.asked) == ("counting", 3)
        pinned = low.model_copy(update={"pinned": True})
        assert kept.rerank("q", [pinned, high]) == [high, pinned]


def test_a_comment_or_a_local_name_keeps_what_was_found_and_another_tokeniser_does_not():
    source = '"""Words."""\n\n\ndef words(text):\n    """Cut."""\n    return text.split()\n'
    result = source.replace("Cut.", "Cut at blanks.").replace("return", "# at blanks\n    return")
    assert compiled(source) == compiled(result)
    assert compiled(source) != compiled(source.replace("split()", "lower().split()"))
    nested = "def parts(text):\n    held = text.split()\n    return lambda at: (held[at], low(text))\n"
    assert compiled(nested) == compiled(nested.replace("held", "cut").replace("at", "place"))
    assert compiled(nested) != compiled(nested.replace("low", "fold"))
    assert compiled(nested) != compiled(nested.replace("low(text)", "low(held)"))


def test_what_compiling_the_code_came_to_is_kept_with_the_library(tmp_path):
    kept = CacheStore(tmp_path / "cache.sqlite")
    with ThreadPoolExecutor(4) as pool:
        (first,) = {asked.result() for asked in [pool.submit(code_digest, kept) for _ in range(4)]}
    assert kept.get(identify("code", search_cache._files_digest())) == first.encode()
    kept.put(identify("code", search_cache._files_digest()), b"kept")
    assert code_digest(kept) == "kept"
    kept.close()


def test_whatever_decides_what_a_search_brings_counts():
    core = Path(search_cache.__file__).parent.parent
    named = {str(file.relative_to(core)) for file in code_files()}
    assert {"text/tokens.py", "knowledge/search/okapi.py", "retrieval/passage_scoring.py"} <= named
    assert {"llm/encoders/rerankers.py", "text/vocabulary/relations.toml"} <= named
