"""The terminal's door: one JSON value on stdout, hints on stderr, exit status as promised."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli import main
from core.knowledge.base import KnowledgeBase
from tests.flow.conftest import DOCUMENTS

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cli")


@pytest.fixture(scope="module")
def strata(folder: Path) -> Run:
    """Run `strata ARGUMENTS` on a library in the test's folder and expect an exit status."""
    environment = {"STRATA_STORE__PATH": str(folder / "data")}

    def run(*arguments: str, status: int = 0) -> Result:
        result = CliRunner().invoke(main, arguments, env=environment)
        assert result.exit_code == status, (result.output, result.exception)
        return result

    return run


@pytest.fixture(scope="module")
def filled(strata: Run, folder: Path) -> Path:
    """A library with the documents of the flow's tests, and the folder they came from."""
    files = folder / "files"
    files.mkdir()
    for name, text in DOCUMENTS.items():
        (files / name).write_text(text, "utf-8")
    jobs = json.loads(strata("ingest", str(files), "--json").stdout)
    assert {job["outcome"] for job in jobs} == {"read"}
    assert len(jobs) == len(DOCUMENTS)
    return files


def test_ingesting_again_changes_nothing(strata, filled):
    jobs = json.loads(strata("ingest", str(filled), "--json").stdout)
    assert {job["outcome"] for job in jobs} == {"known"}
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)


def test_ask_prints_the_report_as_one_json_value(strata, filled):
    done = strata("ask", "Who is responsible for SOP-112?", "--json")
    report = json.loads(done.stdout)
    assert "Mei Tanaka" in report["answer"]
    assert report["level"] in ("L0", "L1", "L2")
    assert report["engine"] == "built-in"
    assert report["outcome"] in ("answer", "answer with caveat")
    assert {"text", "citations", "support"} == set(report["sentences"][0])
    assert report["plan"]["sub_questions"] == []
    first = report["passages"][0]
    assert {"document", "page", "rows", "text", "scores", "rank_before", "rank_after"} <= set(first)
    assert report["seconds"] > 0
    shown = json.loads(strata("show", report["run"], "--json").stdout)
    assert shown["report"] == report
    assert shown["events"][0]["event"]["name"] == "asked"
    assert [run["run"] for run in json.loads(strata("runs", "--json").stdout)][:1] == [report["run"]]


def test_a_plan_is_printed_with_its_answers(strata, filled):
    question = "Who is responsible for SOP-112 and when was Norvac founded?"
    report = json.loads(strata("ask", question, "--level", "L2", "--json").stdout)
    parts = report["plan"]["sub_questions"]
    assert len(parts) == 2
    assert {"id", "question", "type", "depends_on", "answer"} <= set(parts[0])
    assert "Mei Tanaka" in parts[0]["answer"]


def test_an_honest_gap_is_no_failure(strata, filled):
    report = json.loads(strata("ask", "Who won the football world cup in 1998?", "--json").stdout)
    assert report["outcome"] == "nothing found"


def test_the_answer_is_printed_for_people_with_its_sources(strata, filled):
    out = strata("ask", "Who is responsible for SOP-112?").stdout
    assert "Mei Tanaka" in out
    assert "[1] " in out


def test_a_document_is_deleted_by_the_beginning_of_its_id(strata, filled, folder):
    extra = folder / "extra.md"
    extra.write_text("# Extra\n\nThe cleanroom coffee machine is a QX-1.\n", "utf-8")
    (job,) = json.loads(strata("ingest", str(extra), "--json").stdout)
    removal = json.loads(strata("delete", job["document_id"][:12], "--json").stdout)
    assert removal["counts"]["chunks"] == 1
    assert not any(removal["left"].values())
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)


def test_doctor_prints_settings_and_what_is_missing(strata, filled):
    health = json.loads(strata("doctor", "--json").stdout)
    assert health["engine"] == "built-in"
    assert health["counts"]["documents"] == len(DOCUMENTS)
    names = {setting["name"] for setting in health["settings"]}
    assert {"STRATA_STORE__PATH", "STRATA_LLM__NUM_CTX"} <= names
    assert any("Ollama" in finding["message"] and finding["command"] for finding in health["findings"])


def test_a_file_that_cannot_be_read_is_refused_with_a_hint(strata, folder):
    bad = folder / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7 torn")
    done = strata("ingest", str(bad), "--json", status=1)
    (job,) = json.loads(done.stdout)
    assert job["outcome"] in ("refused", "failed")
    assert job["reason"]
    assert job["hint"] in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["ask"], ["ask", "x", "--level", "L9"], ["ingest", "/no/such/file"], ["nonsense"], ["ask", " "]],
)
def test_wrong_usage_has_status_two(strata, filled, arguments):
    assert strata(*arguments, status=2).stderr


def test_what_is_not_there_is_said_with_status_one(strata, filled):
    done = strata("delete", "feedface", "--json", status=1)
    assert json.loads(done.stdout)["error"] == "NotFound"
    assert "feedface" in done.stderr


def test_retrieval_is_scored_per_leg_and_compared_with_the_last_run(strata, filled, folder):
    metals = ["iron", "copper", "zinc", "tin", "lead", "silver", "gold", "nickel", "cobalt", "chromium"]
    kinds = ("melts", "is mined", "is traded")
    passages = [
        {
            "id": f"{metal}-{n}",
            "title": f"How {metal} {kind}",
            "text": f"{metal.title()} {kind} at place {n}.",
        }
        for metal in metals
        for n, kind in enumerate(kinds)
    ]
    corpus, questions, record = (folder / name for name in ("metals.jsonl", "asked.jsonl", "record.json"))
    corpus.write_text("\n".join(map(json.dumps, passages)), "utf-8")
    asked = [{"question": f"Where is {m} mined?", "gold_ids": [f"{m}-1"]} for m in metals]
    questions.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    command = ("eval", "retrieval", "--corpus", str(corpus), "--questions", str(questions))
    result = json.loads(strata(*command, "--record", str(record), "--json").stdout)
    assert set(result) == {"questions", "legs"}
    assert result["questions"] == 10
    assert set(result["legs"]) == {"keyword", "semantic", "hybrid", "graph", "all"}
    everything = result["legs"]["all"]
    assert {"recall@1", "recall@2", "recall@5", "recall@10", "ndcg@10", "mrr", "p50_ms", "p95_ms"} == set(
        everything
    )
    assert everything["recall@5"] == 1
    assert 0 < everything["p50_ms"] <= everything["p95_ms"]
    told = strata(*command, "--limit", "2", "--record", str(record)).stdout
    assert "changed since the last run" in told
    assert json.loads(record.read_text("utf-8"))["questions"] == 2
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)
    record.write_text("[]", "utf-8")
    assert "no record" in strata(*command, "--limit", "1", "--record", str(record), status=1).stderr


def test_gate_and_plan_are_scored_per_data_set(strata, filled, folder):
    questions = folder / "gate.jsonl"
    rows = [
        {"question": "Who is responsible for SOP-112?", "label": "simple", "dataset": "a"},
        {"question": "Who leads the team and when was Norvac founded?", "label": "composite", "dataset": "b"},
    ]
    questions.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    gate = json.loads(strata("eval", "gate", "--questions", str(questions), "--json").stdout)
    assert set(gate["datasets"]) == {"a", "b"}
    assert 0 <= gate["accuracy"] <= 1
    rows = [
        {
            "question": "Who leads the team and when was Norvac founded?",
            "sub_questions": [
                {"id": 1, "question": "Who leads the team?", "depends_on": []},
                {"id": 2, "question": "When was Norvac founded?", "depends_on": []},
            ],
        }
    ]
    questions.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    plan = json.loads(strata("eval", "plan", "--questions", str(questions), "--json").stdout)
    assert plan["accuracy"] == 1
    assert plan["baseline_accuracy"] == 1


def test_answers_are_scored_over_a_corpus_of_its_own(strata, filled, folder):
    corpus = folder / "corpus.jsonl"
    corpus.write_text(
        json.dumps({"id": "p1", "title": "Norvac", "text": "Norvac was founded in 1987 by Ingrid Solheim."}),
        "utf-8",
    )
    questions = folder / "qa.jsonl"
    questions.write_text(
        json.dumps({"question": "Who founded Norvac?", "answer": "Ingrid Solheim", "type": "1hop"}), "utf-8"
    )
    result = json.loads(
        strata("eval", "qa", "--questions", str(questions), "--corpus", str(corpus), "--json").stdout
    )
    assert result["em"] == 1
    assert result["f1"] == 1
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)


def test_a_file_that_is_no_jsonl_is_refused(strata, folder):
    bad = folder / "bad.jsonl"
    bad.write_text("{not json", "utf-8")
    assert "line 1" in strata("eval", "gate", "--questions", str(bad), status=1).stderr


def test_as_a_process_of_its_own_it_prints_json_and_nothing_else(folder):
    environment = {**os.environ, "STRATA_STORE__PATH": str(folder / "other")}
    done = subprocess.run(
        [sys.executable, "-c", "from core.cli import main; main()", "documents", "--json"],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=True,
    )
    assert json.loads(done.stdout) == []
    assert done.stderr == ""


def test_a_library_in_use_is_said_with_its_hint(strata, folder, filled):
    with KnowledgeBase(folder / "data", "other"):
        done = strata("documents", "--json", status=1)
    assert json.loads(done.stdout)["error"] == "LibraryBusy"
    assert "STRATA_STORE__PATH" in done.stderr
