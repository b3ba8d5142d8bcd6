"""The retrieval test and the evaluations on the knowledge page, without a browser."""

import json
import time

import pytest

from core.assistant import Assistant
from core.ui.evaluation import answer_scores_view, rankings, score_charts
from core.ui.shared import session
from core.work.checks.answer_records import AnswerRecord
from core.work.checks.evaluation_records import EvaluationRecord
from tests.ui.conftest import Open, figures, page_text

QUESTION = "How long does the wet clean of a PE-300 chamber take?"
LEGS = {
    "keyword": {"recall@1": 0.5, "recall@5": 0.75, "ndcg@10": 0.6, "mrr": 0.55, "p50_ms": 2.0, "p95_ms": 4.0}
}


def record(**fields: object) -> EvaluationRecord:
    legs = {**LEGS, "all": {name: min(1.0, value + 0.2) for name, value in LEGS["keyword"].items()}}
    return EvaluationRecord.model_validate(
        {"at": time.time(), "corpus": "c.jsonl", "questions": 4, "legs": legs, **fields}
    )


@pytest.mark.parametrize("view", ["test", "retrieval"])
def test_both_views_open(assistant: Assistant, open_page: Open, view: str) -> None:
    at = open_page(session.KNOWLEDGE, view=view)
    assert not at.exception
    assert "Something went wrong" not in page_text(at)


def test_a_question_in_the_address_is_tested_at_once(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.EVALUATION, view="test", ask=QUESTION)
    assert "sure that the library speaks of this" in page_text(at)
    assert "What an answer reads" in figures(at)
    assert "6.5 hours" in figures(at)
    assert len(assistant.questions.runs(limit=100)) == 0


def test_a_typed_question_goes_into_the_address(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.EVALUATION, view="test")
    at.text_input(key=session.TESTED).set_value(QUESTION).run()
    assert at.query_params[session.ASKED] == QUESTION
    assert "6.5 hours" in figures(at)


def test_a_search_without_a_part_stands_beside_it(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.EVALUATION, view="test", ask=QUESTION)
    at.selectbox(key="knowledge.without").set_value("graph").run()
    assert "without the graph" in figures(at)
    assert not at.exception


def test_a_scope_that_holds_nothing_says_so(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.EVALUATION, view="test", ask="zzqx")
    csv = next(d for d in assistant.library.contents.documents() if d.name == "weekly-yield.csv")
    at.multiselect(key="knowledge.within").set_value([csv.id]).run()
    assert not at.exception
    assert "yield-meeting" not in figures(at)


def test_ranks_that_moved_are_said_between_two_searches(assistant: Assistant) -> None:
    one = assistant.library.search(QUESTION, 4)
    other = assistant.library.search(QUESTION, 4, without=["keyword"])
    drawn = rankings.against(one, other, ("as set", "without words"))
    turns = {row["turn"] for column in drawn["columns"] for row in column["rows"]}  # type: ignore[attr-defined]
    assert turns <= {"", "up", "down"}
    assert [column["note"].split(",")[0] for column in drawn["columns"]] == ["as set", "without words"] * 2  # type: ignore[attr-defined]


def test_without_records_the_exact_command_stands_there(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.EVALUATION, view="retrieval")
    assert "strata eval retrieval --corpus" in at.code[0].value


def test_questions_are_evaluated_and_the_newest_record_is_shown(
    assistant: Assistant, open_page: Open, tmp_path: object
) -> None:
    rows = [{"question": QUESTION, "gold_ids": ["yield-meeting.md"]}]
    at = open_page(session.EVALUATION, view="retrieval")
    at.file_uploader[0].upload("questions.jsonl", "\n".join(map(json.dumps, rows)).encode(), "text/plain")
    next(button for button in at.button if button.label == "Evaluate").click().run()
    assert assistant.admin.evaluator.wait(60).state == "done"
    at = open_page(session.EVALUATION, view="retrieval")
    assert {metric.label.replace("\u2060", ""): metric.value for metric in at.metric}["R@5"] == "100.0 %"
    assistant.admin.evaluator.records.keep(record(at=time.time() + 60))
    at = open_page(session.EVALUATION, view="retrieval")
    assert "4 questions" in page_text(at) or "c.jsonl" in str(at.selectbox[0].options)
    assert {metric.label.replace("\u2060", ""): metric.value for metric in at.metric}["R@5"] == "95.0 %"
    at.selectbox(key="knowledge.before").select_index(0).run()
    assert {metric.label.replace("\u2060", ""): metric.delta for metric in at.metric}["R@5"] == "-5.0 points"
    (warning,) = [warning.value for warning in at.warning]
    assert "These two are not alike" in warning and "1 then, 4 now" in warning


def test_evaluations_of_answers_are_drawn(assistant: Assistant, open_page: Open) -> None:
    at = open_page(session.EVALUATION, view="answers")
    assert "strata eval qa --questions" in at.code[0].value
    groups = {"hotpotqa": {"em": 0.2, "accuracy": 0.4}, "all": {"em": 0.2, "accuracy": 0.4}}
    kept = AnswerRecord(
        at=time.time(), of="q.jsonl", groups=groups, counts={"hotpotqa": 9, "all": 9}, judge="j:1b"
    )
    assistant.admin.answer_records.keep("qa-1", kept)
    at = open_page(session.EVALUATION, view="answers")
    assert not at.exception and "judged by j:1b" in page_text(at)
    assert any("q.jsonl" in str(box.options) for box in at.selectbox)
    bars = answer_scores_view.chart(kept).data
    assert {bar.orientation for bar in bars} == {"h"}  # each label has a line of its own, at any width
    assert [(bar.name, list(bar.x)) for bar in bars] == [
        ("right, says the judge", [0.4, 0.4]),
        ("exact match", [0.2, 0.2]),
    ]


def test_charts_hold_both_runs_and_every_leg() -> None:
    before, after = record(), record(questions=8)
    lines = score_charts.recall(after, before).data
    assert [line.line.dash for line in lines] == ["dot", "dot", "solid", "solid"]
    assert list(lines[-1].y) == [0.5, 0.75]
    assert {trace.name for trace in score_charts.latency(after, before).data} == {
        "p50 [ms]", "p50 [ms] before", "p95 [ms]", "p95 [ms] before",
    }  # fmt: skip
    shown = [bar.marker.color for bar in score_charts.quality(after).data]
    assert len(shown) == len(set(shown)) == 2  # the legend shows a bar by its colour alone
    frame = score_charts.table(after, {"all": {"mrr": -0.25}})
    assert list(frame["Leg"]) == ["words", "reranked"]
    assert frame["MRR"][1] == "0.7500 (-0.2500)"
