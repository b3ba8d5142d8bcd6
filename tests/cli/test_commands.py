"""The terminal's door: one JSON value on stdout, hints on stderr, exit status as promised."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.cli import main
from core.errors import SettingsError
from core.knowledge.base import KnowledgeBase
from core.settings import Settings
from tests.flow.conftest import DOCUMENTS


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
    assert {"text", "citations", "support", "made"} == set(report["sentences"][0])
    assert report["plan"]["sub_questions"] == []
    first = report["passages"][0]
    assert {"document", "page", "rows", "text", "scores", "rank_before", "rank_after"} <= set(first)
    assert report["seconds"] > 0
    shown = json.loads(strata("show", report["run"], "--json").stdout)
    assert shown["report"] == report
    assert shown["events"][0]["event"]["name"] == "asked"
    assert [run["run"] for run in json.loads(strata("runs", "--json").stdout)][:1] == [report["run"]]


def test_the_list_of_runs_opens_no_report(strata, folder, filled):
    run = json.loads(strata("ask", "Who is responsible for SOP-112?", "--json").stdout)["run"]
    shown = json.loads(strata("show", run, "--json").stdout)
    listed = next(each for each in json.loads(strata("runs", "--json").stdout) if each["run"] == run)
    assert {**listed, "seconds": 0} == {**{name: shown[name] for name in listed}, "seconds": 0}
    assert abs(listed["seconds"] - shown["seconds"]) < 1
    set_report(folder, run, '{"level": "L1", "outcome": "answer"}')  # as no report of today is
    try:
        assert run in strata("runs").stdout and run in strata("runs", "--json").stdout
    finally:
        set_report(folder, run, None)


def set_report(folder: Path, run: str, report: str | None) -> None:
    with KnowledgeBase(folder / "data", "other") as knowledge, knowledge.database.writing() as connection:
        connection.execute("UPDATE runs SET report = ? WHERE id = ?", (report, run))


def test_what_became_of_a_run_is_told_in_the_language_of_the_terminal(strata, filled):
    strata("ask", "Who is responsible for SOP-112?")
    assert " done " in strata("runs").stdout
    assert " 完成 " in strata("--language", "zh", "runs").stdout


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


def test_a_file_of_settings_in_the_working_folder_sets_nothing(tmp_path):
    (tmp_path / ".env").write_text("STRATA_LLM__HOST=http://198.51.100.7:11434\n", "utf-8")
    program = "from core.settings import Settings; print(Settings.load().llm.host)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "None"


@pytest.mark.parametrize(
    "name, value, text",
    [
        ("STRATA_STORE", "elsewhere", "STRATA_STORE__PATH"),  # a group, not a setting
        ("STRATA_TRAIN__SEEDS", "1, 2", "JSON"),
        ("STRATA_LLM__NUM_CTX", "1", "STRATA_LLM__NUM_CTX"),
    ],
)
def test_a_wrong_setting_is_said_and_where_to_correct_it(strata, monkeypatch, name, value, text):
    monkeypatch.setenv(name, value)
    done = strata("doctor", status=2)
    assert text in done.stderr
    assert "strata doctor" not in done.stderr  # which was just refused


def test_settings_that_are_no_text_are_refused_by_their_files_name(tmp_path, monkeypatch):
    file = tmp_path / "settings"
    file.write_bytes(b"STRATA_LLM__HOST=\xff\xfe\n")
    monkeypatch.setitem(Settings.model_config, "env_file", file)
    with pytest.raises(SettingsError, match=str(file)):
        Settings.load()


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
    output = strata("doctor", "--compact").stdout
    assert "Compacted: catalog" in output
    assert "* STRATA_STORE__PATH=" in output and "STRATA_LLM__SEED" not in output  # what differs alone


def test_foreign_text_gives_no_orders_to_the_terminal(tmp_path):
    orders = "\x9b31m\x1b]0;owned\x07\x1b]8;;https://evil.example\x1b\\\r\u202e\x08"
    files = tmp_path / "files"
    files.mkdir()
    (files / "pump.md").write_text(
        "# Pump\x9b31m\u202e\n\nThe pump of ETCH-07\x9b31m\u202e is a QX-1.\n", "utf-8"
    )
    (files / "odd\x1b]0;owned\x07\x9b.md").write_text("# Odd\n\nNothing.\n", "utf-8")
    environment = {"STRATA_STORE__PATH": str(tmp_path / "data")}
    events = []
    for arguments in (
        ["ingest", str(files), "--collection", f"kept{orders}"],
        ["ask", f"What is the pump of ETCH-07? {orders}"],
        ["runs"],
        ["documents"],
        ["delete", orders],
        ["runs", "--json"],
        ["documents", "--json"],
    ):
        result = CliRunner().invoke(main, arguments, env=environment, color=True)  # as on a terminal
        events.append(result.output)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", result.output), arguments
    assert "QX-1" in events[1] and json.loads(events[5])[0]["question"].endswith(orders.strip())


def test_every_command_is_where_its_group_says(strata):
    for listed in ((), ("eval",), ("learn",)):
        assert strata(*listed, "--help").exit_code == 0


def test_documents_of_an_earlier_version_are_read_again(strata, folder, filled):
    with KnowledgeBase(folder / "data", "any") as knowledge, knowledge.database.writing() as catalog:
        catalog.execute("UPDATE documents SET reading = ''")
        (held,) = catalog.execute("SELECT count(*) FROM documents").fetchone()
    output = strata("doctor").output
    assert f"not again since: {held} documents" in output and "strata reread" in output
    again = json.loads(strata("ingest", str(filled), "--json").stdout)
    assert {(job["outcome"], "strata reread" in job["hint"]) for job in again} == {("known", True)}
    done = strata("reread")
    assert f"{held} documents were read again." in done.output
    assert "not again since" not in strata("doctor").output
    assert "No document is left" in strata("reread").output
    (first, *_) = json.loads(strata("documents", "--json").output)
    made = json.loads(strata("reread", first["id"], "--json").output)
    assert [row["document_id"] for row in made["documents"]] == [first["id"]]
    assert made["documents"][0]["outcome"] == "reread" and first["reading"]
