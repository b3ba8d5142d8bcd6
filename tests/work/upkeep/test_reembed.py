"""Another embedding model takes over: the old vectors serve meanwhile, and nothing is lost by a kill."""

from contextlib import nullcontext

import numpy as np
import pytest

from core.accounts.account_file import AccountFile
from core.accounts.person import Person
from core.errors import NotAllowed, NotFound
from core.knowledge.stores.external_stores import VECTOR_LAYERS
from core.work.upkeep.reembed import JOB
from tests.tinymodel import WINDOW
from tests.work.conftest import chunks_of, found


def test_a_library_remembers_whose_vectors_serve(filled):
    assistant = filled()
    assert assistant.library.knowledge.embeddings.serving().name == "all-MiniLM-L6-v2"
    assert assistant.library.reembedding is None
    assert assistant.library.knowledge.embeddings.old() == []


def test_the_old_vectors_serve_until_the_new_ones_are_whole(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    embeddings, change = assistant.library.knowledge.embeddings, assistant.library.reembedding
    assert embeddings.serving().name == "all-MiniLM-L6-v2"
    assert "6.5 hours" in found(assistant)[0]
    assert assistant.library.jobs()[0].kind == "vectors"
    assert "are to be made" in " ".join(f.message for f in assistant.admin.health().findings)
    change.start()
    job = change.wait(60)
    assert (job.status, job.done) == ("done", job.total)
    assert job.total == len(
        assistant.library.knowledge.embeddings.texts("chunks", [c.id for c in chunks_of(assistant)])
    )
    assert embeddings.serving().model == str(tiny)
    assert all(not embeddings.missing(embeddings.serving().digest, layer) for layer in VECTOR_LAYERS)
    assert len(found(assistant)) == 2
    assert assistant.admin.health().embedder == str(tiny)
    assert all(
        len(rows) for rows in assistant.library.contents.tokens.read([c.id for c in chunks_of(assistant)])
    )
    assert assistant.library.contents.tokens.read([chunks_of(assistant)[0].id])[0].shape[1] == 24
    assert assistant.library.knowledge.check() == []


def test_a_change_is_seen_and_paused_by_those_who_may_change_models(filled, tiny):
    """Its progress counts the whole library, so nobody sees it to whom a part of that is closed."""
    assistant = filled("sentence-transformers", tiny)
    file = AccountFile(assistant.library.path)
    file.close_collection("hr", ["hr"])
    for role, groups, sees in (
        ("reader", ("hr",), False),
        ("editor", ("hr",), False),
        ("admin", (), False),
        ("admin", ("hr",), True),
    ):
        person = assistant.of(Person(name=f"{role}{len(groups)}", role=role, groups=groups))
        assert (JOB in {job.id for job in person.library.jobs()}) == sees
        for act in ("pause", "resume", "cancel"):
            with nullcontext() if sees else pytest.raises((NotFound, NotAllowed)):
                getattr(person.library, act)(JOB)
        if role == "admin":
            told = [each.message for each in person.admin.health().findings]
            assert any(" serve. Vectors of " in message for message in told) == sees


def test_a_chunk_over_the_new_models_window_is_read_in_pieces(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    counts = [assistant.library.reembedding._wanted.count(c.passage_text()) for c in chunks_of(assistant)]
    assert max(counts) > WINDOW
    digest = assistant.library.knowledge.embeddings.serving().digest
    vectors = assistant.library.knowledge.embeddings.indexes(digest)["chunks"].fetch(
        [c.id for c in chunks_of(assistant)]
    )
    assert np.allclose([np.linalg.norm(vector) for vector in vectors.values()], 1, atol=1e-3)


def test_after_a_kill_only_what_is_missing_is_made(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    embeddings = assistant.library.knowledge.embeddings
    wanted = assistant.library.reembedding._model
    first = chunks_of(assistant)[0]
    vector = np.full((1, 24), 24**-0.5, np.float32)
    embeddings.put(wanted.digest, "chunks", [first.id], vector)  # what an earlier process had done
    assistant = filled("sentence-transformers", tiny)
    embeddings = assistant.library.knowledge.embeddings
    assert embeddings.serving().name == "all-MiniLM-L6-v2"
    assert first.id not in embeddings.missing(wanted.digest, "chunks")
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    kept = embeddings.indexes(wanted.digest)["chunks"].fetch([first.id])[first.id]
    assert np.allclose(kept, vector[0], atol=1e-5)


def test_what_comes_in_meanwhile_and_after_is_searchable_with_either(filled, tiny, tmp_path):
    assistant = filled("sentence-transformers", tiny)
    pump = tmp_path / "pump.txt"
    pump.write_text("The roughing pump of ETCH-05 was overhauled in May 2024.", "utf-8")
    assistant.library.wait(assistant.library.ingest([pump]))
    assert len(chunks_of(assistant)) == 3
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    late = tmp_path / "late.txt"
    late.write_text("The turbo pump of ETCH-01 was replaced in June 2024.", "utf-8")
    (job,) = assistant.library.wait(assistant.library.ingest([late]))
    assert job.status == "done"
    assert assistant.library.knowledge.check() == []
    assert len(assistant.library.search("pump", 5, legs=["semantic"]).leg("semantic")) == 4


def test_it_pauses_and_goes_on_and_is_not_changed_over_while_a_file_comes_in(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    change = assistant.library.reembedding
    change._at_rest = lambda act: False  # as if a file were on its way in all the time
    change.start()
    for _ in range(100):
        if change.wait(0.1).done == change.job().total > 0:
            break
    assistant.library.pause(change.job().id)
    assert assistant.library.jobs()[0].status == "paused"
    assert assistant.library.knowledge.embeddings.serving().name == "all-MiniLM-L6-v2"
    change._at_rest = assistant.library.queue.when_idle
    assistant.library.resume(change.job().id)
    assert change.wait(60).status == "done"


def test_old_vectors_are_dropped_when_asked_and_going_back_is_quick_until_then(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    assistant.library.reembedding.start()
    assistant.library.reembedding.wait(60)
    (old,) = assistant.library.knowledge.embeddings.old()
    assert old.name == "all-MiniLM-L6-v2"
    assert assistant.library.knowledge.embeddings.vector_count(old.digest) == len(chunks_of(assistant))
    assert "strata reembed --drop" in [f.command for f in assistant.admin.health().findings]
    assert assistant.library.drop_old_vectors() == 1
    assert assistant.library.knowledge.embeddings.old() == []
    with pytest.raises(NotFound):
        assistant.library.knowledge.embeddings.drop(old.digest)
    assistant = filled()
    assert assistant.library.knowledge.embeddings.serving().model == str(tiny)
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    assert "6.5 hours" in found(assistant)[0]
