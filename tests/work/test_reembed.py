"""Another embedding model takes over: the old vectors serve meanwhile, and nothing is lost by a kill."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from click.testing import CliRunner

from core.bootstrap import build
from core.cli import main
from core.errors import NotFound, SettingsError
from core.knowledge.stores.diagnosis import Examiner
from core.knowledge.stores.outside import LAYERS
from core.llm.embedders import SentenceTransformerEmbedder
from core.settings import Settings
from core.work.active_embedder import whole
from tests.conftest import ROOT
from tests.ollama_double import OllamaDouble
from tests.tinymodel import WINDOW, save_tiny_model

NOTES = (
    """# Yield meeting

All wafers of lot L25-0317 were processed on ETCH-03. The electrostatic chuck of chamber B was replaced.

# Cleaning

The wet clean of a PE-300 chamber takes 6.5 hours. It is due every 500 RF hours. """
    + "Pumps are checked. " * 12
)
QUESTION = "How long does the wet clean take?"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Open the library of the test; `model` and `backend` are what the settings name."""
    held = []
    monkeypatch.setenv("STRATA_STORE__PATH", str(tmp_path / "library"))

    def make(backend="packaged", model=None, host=None):
        for name, value in (("BACKEND", backend), ("MODEL", model)):
            if value is None:
                monkeypatch.delenv(f"STRATA_EMBEDDING__{name}", raising=False)
            else:
                monkeypatch.setenv(f"STRATA_EMBEDDING__{name}", str(value))
        if host:
            monkeypatch.setenv("STRATA_LLM__HOST", host)
        for before in held:
            before.close()
        held[:] = [build(Settings.load(), warm=False)]
        return held[0]

    yield make
    for assistant in held:
        assistant.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a library made with the packaged model, closed."""
    folder = tmp_path_factory.mktemp("made")
    note = folder / "notes.md"
    note.write_text(NOTES, "utf-8")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(folder / "library"))
        assistant = build(Settings.load(), warm=False)
        (job,) = assistant.library.queue.wait(assistant.library.ingest([note]))
        assistant.close()
    assert job.status == "done"
    return folder / "library"


@pytest.fixture
def filled(opened, made, tmp_path):
    """A copy of that library."""
    shutil.copytree(made, tmp_path / "library")
    return opened


def found(assistant):
    return [p.chunk.text for p in assistant.library.search(QUESTION, 3, legs=["semantic"]).leg("semantic")]


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
        assistant.library.knowledge.embeddings.texts("chunks", [c.id for c in _chunks(assistant)])
    )
    assert embeddings.serving().model == str(tiny)
    assert all(not embeddings.missing(embeddings.serving().digest, layer) for layer in LAYERS)
    assert len(found(assistant)) == 2
    assert assistant.admin.health().embedder == str(tiny)
    assert all(
        len(rows) for rows in assistant.library.contents.token_vectors([c.id for c in _chunks(assistant)])
    )
    assert assistant.library.contents.token_vectors([_chunks(assistant)[0].id])[0].shape[1] == 24
    assert assistant.library.knowledge.check() == []


def _chunks(assistant):
    return [
        c
        for d in assistant.library.contents.documents()
        for c in assistant.library.contents.chunks(document_id=d.id)
    ]


def test_a_chunk_over_the_new_models_window_is_read_in_pieces(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    counts = [assistant.library.reembedding._wanted.count(c.passage_text()) for c in _chunks(assistant)]
    assert max(counts) > WINDOW
    digest = assistant.library.knowledge.embeddings.serving().digest
    vectors = assistant.library.knowledge.embeddings.indexes(digest)["chunks"].fetch(
        [c.id for c in _chunks(assistant)]
    )
    assert np.allclose([np.linalg.norm(vector) for vector in vectors.values()], 1, atol=1e-3)


def test_after_a_kill_only_what_is_missing_is_made(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    embeddings = assistant.library.knowledge.embeddings
    wanted = assistant.library.reembedding._model
    first = _chunks(assistant)[0]
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
    assistant.library.queue.wait(assistant.library.ingest([pump]))
    assert len(_chunks(assistant)) == 3
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    late = tmp_path / "late.txt"
    late.write_text("The turbo pump of ETCH-01 was replaced in June 2024.", "utf-8")
    (job,) = assistant.library.queue.wait(assistant.library.ingest([late]))
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
    change._at_rest = assistant.library.queue.at_rest
    assistant.library.resume(change.job().id)
    assert change.wait(60).status == "done"


def test_old_vectors_are_dropped_when_asked_and_going_back_is_quick_until_then(filled, tiny):
    assistant = filled("sentence-transformers", tiny)
    assistant.library.reembedding.start()
    assistant.library.reembedding.wait(60)
    (old,) = assistant.library.knowledge.embeddings.old()
    assert old.name == "all-MiniLM-L6-v2"
    assert assistant.library.knowledge.embeddings.holds(old.digest) == len(_chunks(assistant))
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


def test_a_model_that_cannot_be_loaded_leaves_the_old_one_serving(filled, tmp_path):
    assistant = filled("sentence-transformers", tmp_path / "nothing")
    assert assistant.library.reembedding is None
    assert "6.5 hours" in found(assistant)[0]
    warned = [f.message for f in assistant.admin.health().findings if f.severity == "warning"]
    assert any("could not be loaded" in message and "all-MiniLM-L6-v2" in message for message in warned)


def test_a_new_library_with_a_model_that_cannot_be_loaded_is_refused(opened, tmp_path):
    with pytest.raises(SettingsError, match="could not be loaded"):
        opened("sentence-transformers", tmp_path / "nothing")


def test_vectors_whose_model_is_gone_give_way_at_once(filled, tmp_path):
    gone = save_tiny_model(tmp_path / "gone", seed=3)
    assistant = filled("sentence-transformers", gone)
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    assistant.close()
    gone.rename(tmp_path / "elsewhere")
    assistant = filled()
    assert assistant.library.knowledge.embeddings.serving().name == "all-MiniLM-L6-v2"
    assert "searched by words" in " ".join(f.message for f in assistant.admin.health().findings)
    assistant.library.reembedding.start()
    assert assistant.library.reembedding.wait(60).status == "done"
    assert "6.5 hours" in found(assistant)[0]
    assert assistant.library.knowledge.check() == []


def test_a_model_behind_ollama_takes_over_without_token_vectors(filled):
    with OllamaDouble() as double:
        assistant = filled("ollama", "nomic-embed-text", double.host)
        assert assistant.library.knowledge.embeddings.serving().name == "all-MiniLM-L6-v2"
        assistant.library.reembedding.start()
        assert assistant.library.reembedding.wait(60).status == "done"
        assert assistant.library.knowledge.embeddings.serving().backend == "ollama"
        assert found(assistant)
        assert not assistant.library.knowledge.embeddings.unfinished()
        assert all(
            not len(rows) for rows in assistant.library.contents.token_vectors([_chunks(assistant)[0].id])
        )


def test_a_server_that_goes_away_is_told_and_tried_again(filled):
    with OllamaDouble() as double:
        assistant = filled("ollama", "nomic-embed-text", double.host)
        host, change = double.host, assistant.library.reembedding
        assert change._wanted.window
    change.start()
    job = change.wait(60)
    assert job.status == "failed"
    assert host.split("//")[1].split(":")[0] and job.hint
    assert assistant.library.knowledge.embeddings.serving().name == "all-MiniLM-L6-v2"
    assert "failed" in " ".join(f.message for f in assistant.admin.health().findings)


def test_the_terminal_makes_the_vectors_and_drops_the_old_ones(filled, tiny):
    filled("sentence-transformers", tiny).close()
    done = CliRunner().invoke(main, ["reembed", "--drop", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["serving"], told["dropped"], told["old"], told["failure"]) == (str(tiny), 1, [], "")
    again = CliRunner().invoke(main, ["reembed"])
    assert f"The vectors of {tiny} serve." in again.stdout


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_library_killed_while_its_vectors_are_made_anew_has_them_all_at_the_end(
    opened, tiny, tmp_path, made
):
    shutil.copytree(made, tmp_path / "library")
    assistant = opened()
    long = tmp_path / "long.md"
    long.write_text("".join(f"# Part {n}\n\nPump {n} ran {n} hours.\n\n" for n in range(600)), "utf-8")
    assistant.library.queue.wait(assistant.library.ingest([long]))
    assistant.close()
    chance, killed = random.Random(5), 0
    environment = {
        **os.environ,
        "STRATA_EMBEDDING__BACKEND": "sentence-transformers",
        "STRATA_EMBEDDING__MODEL": str(tiny),
        "OMP_NUM_THREADS": "1",
    }
    for seconds in [*(chance.uniform(0, 2) for _ in range(4)), None]:
        command = [sys.executable, "-m", "tests.work.reembed_process"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment) as process:
            assert process.stdout.readline() == b"open\n"
            if seconds is None:
                assert process.stdout.readline() == b"done\n" and process.wait(120) == 0
            else:
                time.sleep(seconds)
                process.kill()
                killed += process.wait() == -signal.SIGKILL
    assert killed
    assistant = opened("sentence-transformers", tiny)
    knowledge = assistant.library.knowledge
    serving = knowledge.embeddings.serving()
    assert serving.model == str(tiny) and not knowledge.embeddings.unfinished()
    assert knowledge.check() == [] and Examiner(knowledge.path).faults(deep=True) == []
    chunks = [c for d in knowledge.documents() for c in knowledge.chunks(d.id)]
    kept = knowledge.embeddings.indexes(serving.digest)["chunks"].fetch([c.id for c in chunks])
    assert len(kept) == len(chunks) > 500
    assert all(len(rows) for rows in knowledge.token_vectors([c.id for c in chunks]))
    sample = chunks[::97]
    fresh = whole(SentenceTransformerEmbedder(str(tiny)), [c.passage_text() for c in sample]).vectors
    assert np.allclose([kept[c.id] for c in sample], fresh, atol=1e-3)
