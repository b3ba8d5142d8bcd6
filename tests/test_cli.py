"""The terminal's door: one JSON value on stdout, hints on stderr, exit status as promised."""

import json
import os
import signal
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
    assert sorted(Path(job["path"]).name for job in jobs) == sorted(DOCUMENTS)
    assert all(job["sections"] and job["chunks"] and job["seconds"] > 0 for job in jobs)
    assert {"reason", "hint", "tables", "figures", "collection", "document_id"} <= set(jobs[0])
    return files


def test_ingesting_again_changes_nothing(strata, filled):
    jobs = json.loads(strata("ingest", str(filled), "--json").stdout)
    assert {job["outcome"] for job in jobs} == {"known"}
    assert all(job["chunks"] and "already in the library" in job["reason"] for job in jobs)
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
    assert "changed since the last run" in told and "not the same (10 then, 2 now)" in told
    assert json.loads(record.read_text("utf-8"))["questions"] == 2
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)
    kept = json.loads(strata("eval", "records", "--json").stdout)
    assert [row["questions"] for row in kept] == [2, 10]
    assert kept[0]["corpus"] == "metals.jsonl"
    compared = json.loads(strata("eval", "compare", kept[1]["name"], str(record), "--json").stdout)
    assert set(compared["legs"]["all"]) == set(everything)
    assert compared["legs"]["all"]["recall@5"] == 0
    assert compared["warnings"] == ["The questions are not the same (10 then, 2 now)."]
    assert kept[1]["name"] in strata("eval", "records").stdout
    assert "there is no record yesterday" in strata("eval", "compare", "yesterday", "x", status=1).stderr
    record.write_text("[]", "utf-8")
    assert "no record" in strata(*command, "--limit", "1", "--record", str(record), status=1).stderr


def test_words_are_learnt_from_questions_and_answers_and_listed(strata, filled, folder):
    assert "Nothing was learnt yet." in strata("learn", "words").stdout
    samples = folder / "samples.jsonl"
    asked = [f"Who mends the grey puck {when}?" for when in ("today", "tomorrow")]
    rows = [{"question": question, "answer": "The dry pump is mended."} for question in asked]
    samples.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (learnt,) = json.loads(strata("learn", "words", "--samples", str(samples), "--json").stdout)
    assert (learnt["said"], learnt["meant"], learnt["teacher"]) == (
        "mends the grey puck",
        "dry pump",
        "samples",
    )
    assert "mends the grey puck -> dry pump" in strata("learn", "words").stdout


def test_enriching_needs_a_model_and_says_how_to_get_one(strata, filled):
    refused = strata("enrich", "--estimate", status=1)
    assert "needs a model" in refused.stderr and "OLLAMA_HOST" in refused.stderr
    classes = json.loads(strata("learn", "tags", "--json").stdout)
    assert all(len(each["terms"]) >= 3 and each["name"] for each in classes)


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
    assert "published" not in result
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)


def test_beside_answers_on_a_public_set_stands_what_others_report(strata, filled, folder):
    questions = folder / "musique.jsonl"
    questions.write_text(json.dumps({"question": "Who founded Norvac?", "answer": "nobody"}), "utf-8")
    shown = strata("eval", "qa", "--questions", str(questions)).stdout
    assert "arXiv 2501.11551" in shown
    assert shown.splitlines()[-1].split() == ["PIKE-RAG", "em", "0.464", "f1", "0.566"]
    result = json.loads(strata("eval", "qa", "--questions", str(questions), "--json").stdout)
    assert result["published"]["Self-Ask w/ R"] == {"em": 0.284, "f1": 0.4254}


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


def test_a_watched_folder_prints_a_row_as_soon_as_a_file_is_in(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "first.md").write_text("# First\nThe first pump runs.", "utf-8")
    environment = os.environ | {"STRATA_STORE__PATH": str(tmp_path / "data"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", "from core.cli import main; main()", "ingest", str(folder), "--watch"]
    with subprocess.Popen(
        [*command, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        row = json.loads(process.stdout.readline())
        assert (Path(row["path"]).name, row["outcome"], row["chunks"]) == ("first.md", "read", 1)
        (folder / "empty.md").write_text("", "utf-8")
        row = json.loads(process.stdout.readline())
        assert (Path(row["path"]).name, row["outcome"]) == ("empty.md", "refused")
        assert row["reason"] and row["hint"]
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=30)
        assert (rest, process.returncode) == ("", 1), errors


def test_doctor_compacts_and_says_what_it_gave_back(strata, filled):
    compacted = json.loads(strata("doctor", "--compact", "--json").stdout)["compacted"]
    assert [each["what"] for each in compacted] == ["token vectors", "tables", "vectors", "cache", "catalog"]
    assert all(each["before"] > 0 or each["what"] == "tables" for each in compacted)
    assert "Compacted: catalog" in strata("doctor", "--compact").stdout


def test_eval_answers_reads_the_documents_and_grades_what_is_told(strata, filled, folder):
    lines = [
        {
            "id": "q1",
            "question": "Who is responsible for SOP-112?",
            "answers": ["Mei Tanaka"],
            "kind": "fact",
        },
        {"id": "q2", "question": "What colour is the Eiffel tower?", "answers": [], "kind": "unanswerable"},
    ]
    questions = folder / "answers.jsonl"
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    given = ("--documents", str(filled), "--questions", str(questions))
    done = strata("eval", "answers", *given, "--details", str(folder / "rows.jsonl"), "--json")
    figures = json.loads(done.stdout)
    assert (figures["questions"], figures["right"], figures["refused_rightly"]) == (2, 1, 1)
    assert (figures["precision"], figures["coverage"], figures["not_read"]) == (1.0, 1.0, [])
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text("utf-8").splitlines()]
    assert [row["state"] for row in rows] == ["right", "refused_rightly"]
    searched = json.loads(
        strata("eval", "answers", *given, "--passages-only", "--parity", "odd", "--json").stdout
    )
    assert searched["questions"] == 1 and searched["passages"]["all"]["top1"] == 1.0
    assert "precision" not in searched
