"""A changed file: what stayed as it was is not embedded again, and the library is as after a fresh ingest."""

from pathlib import Path

import numpy as np

from core.ingest.ingestion import Ingestion
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.usefulness import UsefulnessCount
from core.knowledge.learned.verified_answers import Ground, VerifiedAnswer, digest
from core.knowledge.stores.value_cache import CacheStore
from core.llm.cache import CachedLLM
from core.tasks import Enrich
from tests.ingest.ingestion_parts import AskedLLM, WordEmbedder, ingestion, inventory
from tests.ingest.test_ingestion import file, ingest
from tests.making import nothing_left

PARTS = [
    f"## Part {n}\nThe pump number {n} of tool ETCH-0{n} was replaced by Jonas Weber after {n} hours.\n"
    for n in range(8)
]


def text(*parts: str) -> str:
    return "# Pump log\n" + "".join(parts)


def everything(into: Ingestion, document_id: str) -> dict[str, object]:
    """Return all that the library holds of its one document, vectors and token rows by their chunk."""
    knowledge: KnowledgeBase = into.knowledge
    chunks = knowledge.chunks(document_id)
    ids = [chunk.id for chunk in chunks]
    rows = knowledge.tokens.read(ids)
    layers = {}
    for layer, index in knowledge.external.indexes.items():
        held = index.fetch(sorted(index.ids()))
        layers[layer] = {key: np.round(vector, 5).tolist() for key, vector in held.items()}
    return inventory(knowledge) | {
        "vectors by id": layers,
        "token rows": {each: part.tolist() for each, part in zip(ids, rows, strict=True)},
    }


def test_only_the_chunks_that_changed_are_embedded_again(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    into = ingestion(tmp_path / "library", embedder)
    path = file(tmp_path, "log.md", text(*PARTS))
    _, first = ingest(into, path)
    assert "chunks reused" not in first.counts
    embedder.seen.clear()
    changed = [*PARTS]
    changed[3] = "## Part 3\nThe valve of tool ETCH-03 leaked and was sealed by Mara Lind.\n"
    file(tmp_path, "log.md", text(*changed, "## Part 8\nA new filter came.\n"))
    _, second = ingest(into, path)
    assert second.counts["chunks"] == 9
    assert second.counts["chunks reused"] == 7
    chunks = {chunk.passage_text() for chunk in into.knowledge.chunks(second.document_id)}
    assert len(chunks & set(embedder.seen)) == 2
    atoms = {a.text for a in into.knowledge.atoms([c.id for c in into.knowledge.chunks(second.document_id)])}
    assert 0 < len(atoms & set(embedder.seen)) < len(atoms) / 2
    assert "number 5" not in " ".join(embedder.seen)
    into.knowledge.close()


def test_a_changed_file_leaves_the_library_as_a_fresh_one_would_be(tmp_path: Path) -> None:
    path = file(tmp_path, "log.md", text(*PARTS))
    changed = ingestion(tmp_path / "changed")
    ingest(changed, path)
    file(tmp_path, "log.md", text(PARTS[7], *PARTS[:4], "## Part 9\nNothing was done.\n"))
    _, outcome = ingest(changed, path)
    assert outcome.counts["chunks reused"] == 5
    fresh = ingestion(tmp_path / "fresh")
    ingest(fresh, path)
    left, right = everything(changed, outcome.document_id), everything(fresh, outcome.document_id)
    for what, value in right.items():
        assert left[what] == value, what
    assert nothing_left(changed.knowledge.remove(outcome.document_id))
    assert changed.knowledge.check() == []
    changed.knowledge.close()
    fresh.knowledge.close()


def test_a_file_that_lost_chunks_only_needs_no_embedding_for_the_rest(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    into = ingestion(tmp_path / "library", embedder)
    path = file(tmp_path, "log.md", text(*PARTS))
    ingest(into, path)
    file(tmp_path, "log.md", text(*PARTS[:5]))
    embedder.seen.clear()
    _, outcome = ingest(into, path)
    assert outcome.counts["chunks reused"] == outcome.counts["chunks"] == 5
    summaries = {into.knowledge.document(outcome.document_id).summary}
    summaries |= {section.summary for section in into.knowledge.sections(outcome.document_id)}
    assert set(embedder.seen) <= summaries
    assert into.knowledge.keyword("number 7", 5) != []  # "number" is still there, the seventh part is not
    assert into.knowledge.check() == []
    into.knowledge.close()


def test_the_model_is_not_asked_again_about_chunks_that_stayed(tmp_path: Path) -> None:
    asked = AskedLLM()
    cached = CachedLLM(asked, CacheStore(tmp_path / "cache.sqlite", 1 << 20), lambda task: "1")
    into = ingestion(tmp_path / "library", llm=cached)
    path = file(tmp_path, "log.md", text(*PARTS))
    ingest(into, path)
    asked.asked.clear()
    file(tmp_path, "log.md", text(*PARTS, "## Part 9\nThe gate valve of ETCH-11 was greased by Mara Lind.\n"))
    ingest(into, path)
    of_chunks = [task for task in asked.asked if isinstance(task, Enrich)]
    assert len(of_chunks) == 1
    assert all("gate valve" in piece.text for task in of_chunks for piece in task.pieces)
    into.knowledge.close()


def test_what_was_learnt_of_a_chunk_stays_while_the_chunk_says_the_same(tmp_path: Path) -> None:
    into = ingestion(tmp_path / "library")
    learned = into.knowledge.learned
    path = file(tmp_path, "log.md", text(*PARTS))
    _, first = ingest(into, path)
    before = into.knowledge.chunks(first.document_id)
    for place in (2, 3):
        learned.usefulness.add([UsefulnessCount(before[place].id, "pump", "factual", 2, 1)])
        ground = Ground(chunk_id=before[place].id, digest=digest(before[place]))
        question = f"Who replaced pump {place}?"
        learned.verified.put(
            VerifiedAnswer(
                id=f"v{place}", question=question, answer="Jonas Weber", sentences=(), grounds=(ground,)
            )
        )
    changed = [*PARTS]
    changed[3] = "## Part 3\nThe valve of tool ETCH-03 leaked and was sealed by Mara Lind.\n"
    file(tmp_path, "log.md", text(*changed))
    _, second = ingest(into, path)
    after = {chunk.id: chunk for chunk in into.knowledge.chunks(second.document_id)}
    grounds = {answer.id: answer.grounds[0] for answer in learned.verified.list()}
    assert digest(after[grounds["v2"].chunk_id]) == grounds["v2"].digest
    assert grounds["v3"].chunk_id == before[3].id  # what it rested on is gone
    judged = {row.chunk_id: (row.good, row.bad) for row in learned.usefulness.list()}
    assert judged == {grounds["v2"].chunk_id: (2, 1), before[3].id: (2, 1)}
    into.knowledge.close()


def test_what_was_learnt_stays_where_it_is_while_another_path_holds_the_older_version(
    tmp_path: Path,
) -> None:
    into = ingestion(tmp_path / "library")
    path = file(tmp_path, "log.md", text(*PARTS))
    _, first = ingest(into, path)
    ingest(into, file(tmp_path, "copy/log.md", text(*PARTS)))
    chunk = into.knowledge.chunks(first.document_id)[2]
    into.knowledge.learned.usefulness.add([UsefulnessCount(chunk.id, "", "factual", 1, 0)])
    file(tmp_path, "log.md", text(*PARTS, "## Part 9\nThe gate valve was greased.\n"))
    ingest(into, path)
    assert [row.chunk_id for row in into.knowledge.learned.usefulness.list()] == [chunk.id]
    into.knowledge.close()
