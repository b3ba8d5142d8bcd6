"""From questions to a model for Ollama on the command line: collect, data, sft, dpo, export, eval."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.cli import main
from core.learning.journal import append
from core.learning.training.modelfile import parse
from core.learning.training.small import make
from tests.learning import sample_attempts

if find_spec("trl") is None:  # importing it takes a second, in each worker
    pytest.skip("the extra `train` is not installed", allow_module_level=True)

PEOPLE = (
    "Ada Berg",
    "Otto Lang",
    "Ines Roth",
    "Karl Weiss",
    "Mara Stein",
    "Hugo Falk",
    "Lena Voss",
    "Paul Horn",
)
CITIES = ("Jena", "Ulm", "Graz", "Bern", "Metz", "Bari", "Lund", "Cork")
FIRMS = ("Norvac", "Tellum", "Ostara", "Quanta", "Belfor", "Rimex", "Sonder", "Valtec")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A corpus of firms, founders and birthplaces, and a question over two passages for each firm."""
    corpus, questions = [], []
    for n, (person, city, firm) in enumerate(zip(PEOPLE, CITIES, FIRMS, strict=True)):
        corpus.append(
            {"id": f"f{n}", "title": firm, "text": f"{firm} is a firm. {person} founded {firm} in 1987."}
        )
        corpus.append({"id": f"p{n}", "title": person, "text": f"{person} was an engineer born in {city}."})
        questions.append(
            {
                "id": f"q{n}",
                "question": f"Where was the founder of {firm} born?",
                "answer": city,
                "gold_ids": [f"f{n}", f"p{n}"],
            }
        )
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)))
    return tmp_path


@pytest.fixture
def strata(tmp_path: Path):
    environment = {
        "STRATA_STORE__PATH": str(tmp_path / "data"),
        "STRATA_LLM__BACKEND": "built-in",
        "STRATA_TRAIN__SEEDS": "[1]",
        "STRATA_TRAIN__EPOCHS": "1",
        "STRATA_TRAIN__BATCH": "8",
        "STRATA_TRAIN__ACCUMULATE": "1",
        "STRATA_TRAIN__RANK": "2",
        "STRATA_TRAIN__LEARNING_RATE": "0.003",
    }

    def run(*arguments: str, status: int = 0):
        result = CliRunner().invoke(main, [*arguments, "--json"], env=environment)
        assert result.exit_code == status, (result.output, result.exception)
        return json.loads(result.stdout)

    return run


@pytest.mark.slow
def test_from_questions_to_a_model_for_ollama(strata, files, tmp_path):
    asked = ("--questions", str(files / "questions.jsonl"), "--corpus", str(files / "corpus.jsonl"))
    found = strata("train", "collect", *asked, "--attempts", "2")
    assert found["questions"] == 8 and found["any_passages"] >= 0.5
    assert found["any_path"] >= found["greedy_path"]
    again = strata("train", "collect", *asked, "--attempts", "2")
    assert again == found  # nothing is attempted twice
    data = strata("train", "data")
    assert data["files"]["sft-train.jsonl"] >= 8
    base = make(tmp_path / "base", [PEOPLE[0]], words=300, width=16, layers=1, heads=2, window=2048)
    run = strata("train", "sft", "--base", str(base))
    assert run["state"] == "done"
    assert [row["run"] for row in strata("train", "runs")] == [run["run"]]
    assert "has ended" in strata("train", "resume", run["run"], status=1)["message"]
    made = strata("train", "export", run["run"], "--from", "llama3.2:3b")
    assert [one.name for one in parse(made["modelfile"])][:2] == ["FROM", "ADAPTER"]
    assert data["files"]["contexts.jsonl"] == 8
    adapter = tmp_path / "data" / "learning" / "training" / run["run"] / "seed-1" / "adapter"
    attempts = tmp_path / "data" / "learning" / "trajectories" / "parted.jsonl"
    for number in range(24):  # a better and a worse way on from one point
        append(attempts, sample_attempts.wrong(number))
        append(attempts, sample_attempts.right(number))
    pairs = strata("train", "data", "--name", "parted", "--from", "parted")
    assert pairs["files"]["dpo-train.jsonl"] >= 8 and pairs["files"]["contexts.jsonl"] == 24
    preferred = strata("train", "dpo", "--data", "parted", "--base", str(base), "--adapter", str(adapter))
    assert preferred["state"] == "done" and preferred["run"] != run["run"]
    merged = strata("train", "export", preferred["run"], "--merge", "--to", str(tmp_path / "whole"))
    assert parse(merged["modelfile"])[0].name == "FROM" and merged["merged"]
    ready = {file.name for file in (tmp_path / "whole" / "model").iterdir()}  # what a GGUF is made of
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= ready
    output = strata("eval", "decomposer", *asked, "--limit", "2", "--adapter", str(adapter))
    assert set(output) == {"untrained", "untrained, one call", "trained, one call"}
    assert all(standing["questions"] == 2 for standing in output.values())
    assert output["trained, one call"]["calls"] < output["untrained"]["calls"]


def test_what_cannot_be_done_is_refused_with_what_to_do(strata, files):
    questions = files / "questions.jsonl"
    twice = questions.read_text() + "\n" + questions.read_text().splitlines()[0]
    questions.write_text(twice)
    refused = strata("train", "collect", "--questions", str(questions), status=1)
    assert "are the same" in refused["message"] and refused["hint"]
    assert "strata train collect" in strata("train", "data", status=1)["hint"]
    assert "strata train data" in strata("train", "sft", "--base", "x", status=1)["hint"]
    assert "cannot be a name" in strata("train", "data", "--name", "../x", status=1)["message"]
    assert "names no training run" in strata("train", "resume", "x", status=1)["message"]
    output = strata("eval", "decomposer", "--questions", str(questions), status=1)
    assert "STRATA_LLM__DECOMPOSER" in output["hint"]


def test_nothing_heavy_is_loaded_for_the_commands_themselves():
    loaded = "print('trl' in sys.modules, 'peft' in sys.modules)"
    script = f"import sys, core.cli, core.learning.training.trainer; {loaded}"
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert output.stdout.split() == ["False", "False"]
