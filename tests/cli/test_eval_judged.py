"""strata eval qa and law: scored by rules and by a model as judge, kept answer by answer."""

import json
import os
import shlex
import signal
import sys
import tempfile

import pytest
from click.testing import CliRunner

from core.cli import main
from core.work.checks.answer_records import AnswerRecords
from tests.ollama_brain import StrataBrain, read_back
from tests.ollama_double import Model, OllamaDouble

PASSAGE = {"id": "p1", "title": "Norvac", "text": "Norvac was founded in 1987 by Ingrid Solheim."}
QUESTIONS = [
    {"question": "Who founded Norvac?", "answer": "Ingrid Solheim", "type": "1hop"},
    {"question": "When was Norvac founded?", "answer": "1988", "type": "1hop"},
]
LAW = {
    "1-1": {"question": "商法第八条的内容是什么？", "answer": "答案:商人应当诚实守信地经营业务。"},
    "1-2": {"question": "哪一项正确?A:甲;B:乙;C:丙;D:丁。", "answer": "正确答案：A。"},
}


def lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return str(path)


@pytest.fixture
def given(tmp_path):
    corpus = lines(tmp_path / "corpus.jsonl", [PASSAGE])
    return ("--questions", lines(tmp_path / "qa.jsonl", QUESTIONS), "--corpus", corpus, "--json")


@pytest.fixture
def law(tmp_path):
    folder = tmp_path / "law"
    folder.mkdir()
    for task, row in LAW.items():
        lines(folder / f"{task}.jsonl", [{"task": task, "instruction": "请严格按照格式回答。", **row}])
    return ("--data", str(folder), "--json")


@pytest.fixture
def run(tmp_path):
    def run(*arguments, host="", status=0):
        environment = {"STRATA_STORE__PATH": str(tmp_path / "data"), "OLLAMA_HOST": host or None}
        result = CliRunner().invoke(main, ("eval", *arguments), env=environment)
        assert result.exit_code == status, (result.output, result.exception)
        return json.loads(result.stdout)

    return run


def record_file(tmp_path):
    [path] = (tmp_path / "data" / "evaluations" / "answers").glob("*.jsonl")
    return path


def test_without_a_judge_the_other_measures_are_told_and_what_it_needs(run, given):
    found = run("qa", *given)
    assert found["em"] == found["f1"] == found["precision"] == found["recall"] == 0.5
    assert "accuracy" not in found
    assert found["notes"] == ["accuracy needs a model as judge: --judge MODEL"]
    assert "no model server is set" in run("qa", *given, "--judge", "qwen3:4b-instruct")["notes"][0]


def test_an_evaluation_that_was_ended_goes_on_where_it_stood(run, given, tmp_path):
    run("qa", *given, "--limit", "1")
    path = record_file(tmp_path)
    row = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**row, "answer": "somebody else"}) + '\n{"key": "cut o', "utf-8")
    found = run("qa", *given)
    assert (found["questions"], found["em"]) == (2, 0)  # the first is not asked again, the second is
    assert run("qa", *given, "--fresh")["em"] == 0.5


def test_what_was_ended_while_it_was_answered_does_not_read_the_corpus_again(run, given, tmp_path):
    def brain(call):
        if type(read_back(call.system, call.user)).__name__ == "Answer":
            os.kill(os.getpid(), signal.SIGINT)
        return StrataBrain()(call)

    with OllamaDouble(brain, latency=0.2) as double:
        run("qa", *given, host=double.host, status=1)
        [library] = (tmp_path / "data" / "corpora").iterdir()
        (read,) = (library / "originals").rglob("*.jsonl*")
        written = read.stat().st_mtime_ns
        run("qa", *given, host=double.host, status=1)
        assert read.stat().st_mtime_ns == written
        double.brain = StrataBrain()
        assert run("qa", *given, host=double.host)["questions"] == 2
    assert not list((tmp_path / "data" / "corpora").iterdir())


def test_ctrl_c_says_how_far_it_got_and_what_goes_on_as_often_as_it_comes(run, given, tmp_path, monkeypatch):
    judge = "qwen3:4b-instruct"
    judged = ("qa", *given, "--judge", judge)
    monkeypatch.setattr(sys, "argv", ["strata", "eval", *judged, "--fresh"])
    calls = []

    def brain(call):
        if type(read_back(call.system, call.user)).__name__ == "Judge":
            calls.append(call)
            if len(calls) in (1, 3):
                os.kill(os.getpid(), signal.SIGINT)
            return json.dumps({"grade": "right", "reason": "so"})
        return StrataBrain()(call)

    with OllamaDouble(brain, (Model(judge),), latency=0.2) as double:
        for graded in (0, 1):
            output = run(*judged, host=double.host, status=1)
            assert output["error"] == "Stopped"
            assert (
                f"2 of 2 questions are answered, {graded} judged, kept in {record_file(tmp_path)}"
                in output["message"]
            )
            assert output["hint"] == "Go on with: " + shlex.join(("strata", "eval", *judged))
        found = run(*judged, host=double.host)
    assert (found["judged"], len(calls)) == (2, 4)


def test_a_model_judges_each_answer_once(run, given, tmp_path):
    asked = []

    def brain(call):
        task = read_back(call.system, call.user)
        if type(task).__name__ == "Judge":
            asked.append(task)
            return json.dumps({"grade": "partly" if task.golds == ("1988",) else "right", "reason": "so"})
        return StrataBrain()(call)

    with OllamaDouble(brain, (Model("qwen3:4b-instruct"),)) as double:
        judged = ("qa", *given, "--judge", "qwen3:4b-instruct")
        found = run(*judged, host=double.host)
        assert (found["accuracy"], found["partly"], found["judged"]) == (0.5, 0.5, 2)
        assert found["notes"] == []
        assert [(task.question, task.golds) for task in asked] == [
            (row["question"], (row["answer"],)) for row in QUESTIONS
        ]
        assert asked[0].answer == "Ingrid Solheim"
        again = run(*judged, host=double.host)
        assert (again["accuracy"], len(asked)) == (0.5, 2)
        [record] = AnswerRecords(record_file(tmp_path).parent).list()  # what the evaluation page draws
        assert (record.judge, record.counts) == ("qwen3:4b-instruct", {"1hop": 2, "all": 2})
        assert record.groups["all"] == {"accuracy": 0.5, "partly": 0.5, "em": 0.5, "f1": 0.5}
        missing = run("qa", *given, "--judge", "nobody:1b", host=double.host)
    assert "accuracy" not in missing and "nobody:1b" in missing["notes"][0]


def test_law_without_a_model_answers_from_statutes_and_says_what_needs_one(run, law, tmp_path, monkeypatch):
    found = run("law", *law)
    assert found["statutes"] == 1
    assert set(found["datasets"]) == {"1-1"} and found["datasets"]["1-1"]["score"] > 0.5
    assert "not asked, for they need a model: 1-2" in found["notes"]
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))  # no room for the statutes
    assert run("law", *law) == found  # which are not read again where nothing is left that can be asked


def test_law_with_a_model_is_answered_in_the_form_asked_for_and_judged(run, law):
    seen = []

    def brain(call):
        task = read_back(call.system, call.user)
        if type(task).__name__ == "Examine":
            seen.append(task)
            return "[正确答案]A<eoa>" if "哪一项" in task.question else "商人应当诚实守信地经营业务。"
        return StrataBrain()(call)

    with OllamaDouble(brain, (Model("qwen3:4b-instruct"),)) as double:
        found = run("law", *law, "--judge", "qwen3:4b-instruct", host=double.host)
    assert {task: row["score"] for task, row in found["datasets"].items()} == {"1-1": 1, "1-2": 1}
    assert (found["accuracy"], found["judged"]) == (1, 1)  # a choice needs no judge
    assert found["metrics"] == {"1-1": "rouge_l", "1-2": "accuracy"}
    assert seen[0].instruction == "请严格按照格式回答。"
    assert "商人应当诚实守信" in seen[0].evidence[0].text
