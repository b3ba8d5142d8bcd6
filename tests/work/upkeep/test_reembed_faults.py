"""Changing the embedder where a model, a server or the process fails."""

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

from core.cli import main
from core.errors import SettingsError
from core.knowledge.maintenance.diagnosis import LibraryDiagnosis
from core.llm.encoders.embedders import SentenceTransformerEmbedder
from core.work.upkeep.serving_embedder import whole
from tests.conftest import ROOT
from tests.ollama_double import OllamaDouble
from tests.tinymodel import save_tiny_model
from tests.work.conftest import chunks_of, found


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
            not len(rows) for rows in assistant.library.contents.tokens.read([chunks_of(assistant)[0].id])
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
    output = json.loads(done.stdout)
    assert (output["serving"], output["dropped"], output["old"], output["failure"]) == (str(tiny), 1, [], "")
    again = CliRunner().invoke(main, ["reembed"])
    assert f"The vectors of {tiny} serve." in again.stdout


def test_the_terminal_says_that_the_model_of_the_settings_cannot_be_loaded(filled, tmp_path):
    filled("sentence-transformers", tmp_path / "nothing").close()
    for arguments in (["reembed"], ["reembed", "--json"]):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 1 and "could not be loaded" in done.output, done.output
    assert "all-MiniLM-L6-v2" in done.stdout and json.loads(done.stdout)["failure"]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_library_killed_while_its_vectors_are_made_anew_has_them_all_at_the_end(
    opened, tiny, tmp_path, made
):
    shutil.copytree(made, tmp_path / "library")
    assistant = opened()
    long = tmp_path / "long.md"
    long.write_text("".join(f"# Part {n}\n\nPump {n} ran {n} hours.\n\n" for n in range(600)), "utf-8")
    assistant.library.wait(assistant.library.ingest([long]))
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
    assert knowledge.check() == [] and LibraryDiagnosis(knowledge.path).faults(deep=True) == []
    chunks = [c for d in knowledge.documents() for c in knowledge.chunks(d.id)]
    kept = knowledge.embeddings.indexes(serving.digest)["chunks"].fetch([c.id for c in chunks])
    assert len(kept) == len(chunks) > 500
    assert all(len(rows) for rows in knowledge.tokens.read([c.id for c in chunks]))
    sample = chunks[::97]
    fresh = whole(SentenceTransformerEmbedder(str(tiny)), [c.passage_text() for c in sample]).vectors
    assert np.allclose([kept[c.id] for c in sample], fresh, atol=1e-3)
