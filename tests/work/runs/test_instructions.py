"""What a reader says while a run is under way is heard."""

import pytest

from core.domain import Edits, Level, SubQuestion
from core.errors import QuestionError
from core.tasks import Answer, Bridge
from core.trace import (
    Instructed,
)
from tests.work.rerun_setup import CHAIN, Counting, hold


def test_a_further_question_becomes_a_part_of_the_plan(rerun_setup):
    held, llm, run = hold(rerun_setup, Bridge, CHAIN, level=Level.LINKING, strategy="plan")
    assert held.runner.instruct(run, "Also: who is the quality manager?")
    llm.go.set()
    report = held.runner.wait(run, 30)
    assert report.plan is not None
    assert "quality manager" in report.plan.parts[-1].question
    assert "Jonas Weber" in report.answer
    assert [event.way for event in held.events_of(run, Instructed)] == ["heard", "part"]


def test_a_further_question_gives_a_simple_question_a_plan(rerun_setup):
    held, llm, run = hold(rerun_setup, Answer, "Who is responsible for SOP-112?", level=Level.FACTUAL)
    assert held.runner.instruct(run, "When was Norvac founded?")
    llm.go.set()
    report = held.runner.wait(run, 30)
    # The question was being read when this came: it is written anew, with the wish beside the question.
    assert [event.way for event in held.events_of(run, Instructed)] == ["heard", "restriction"]
    assert any("When was Norvac founded?" in note for note in report.notes)


def test_a_plan_that_is_full_takes_a_question_as_a_restriction(rerun_setup):
    parts = tuple(SubQuestion(id=n, question=f"Who is responsible for SOP-11{n}?") for n in range(1, 6))
    llm = Counting(hold=Bridge)
    llm.go.set()
    setup = rerun_setup(llm)
    first = setup.ask("Who is responsible?", level=Level.LINKING, strategy="plan", effort="thorough")
    llm.go.clear()
    llm.waiting.clear()
    run = setup.runner.rerun(first.run, Edits(parts=parts))
    assert llm.waiting.wait(30)
    setup.runner.instruct(run, "When was Norvac founded?")
    llm.go.set()
    setup.runner.wait(run, 30)
    assert [event.way for event in setup.events_of(run, Instructed)] == ["heard", "restriction"]


def test_the_answer_is_held_to_one_sentence(rerun_setup):
    held, llm, run = hold(rerun_setup, Bridge, CHAIN, level=Level.LINKING, strategy="plan")
    held.runner.instruct(run, "answer in one sentence")
    llm.go.set()
    report = held.runner.wait(run, 30)
    assert len(report.sentences) == 1
    assert any("answer in one sentence" in note for note in report.notes)
    assert any(isinstance(t, Answer) and "answer in one sentence" in t.question for t in llm.tasks)


def test_what_is_said_while_the_answer_is_written_writes_it_anew(rerun_setup):
    held, llm, run = hold(rerun_setup, Answer, CHAIN, level=Level.LINKING, strategy="plan")
    held.runner.instruct(run, "only the year 2024, in one sentence")
    llm.go.set()
    report = held.runner.wait(run, 30)
    assert len(report.sentences) == 1
    assert sum(isinstance(task, Answer) for task in llm.tasks) >= 2


def test_a_run_that_has_ended_hears_nothing(rerun_setup):
    setup = rerun_setup()
    report = setup.ask("Who is responsible for SOP-112?")
    assert not setup.runner.instruct(report.run, "in one sentence")
    assert not setup.events_of(report.run, Instructed)
    with pytest.raises(QuestionError):
        setup.runner.instruct(report.run, "  ")


def test_a_run_answered_early_keeps_what_was_said(rerun_setup):
    held, llm, run = hold(rerun_setup, Bridge, CHAIN, level=Level.LINKING, strategy="plan")
    held.runner.instruct(run, "in one sentence")
    held.runner.answer_now(run)
    llm.go.set()
    report = held.runner.wait(run, 30)
    assert len(report.sentences) <= 1
    assert not report.partial
