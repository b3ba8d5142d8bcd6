"""A question runs in the background: it can be stopped, hurried and cut off, and nothing is lost."""

import threading
import time
from pathlib import Path

import pytest

from core.bootstrap import flow
from core.domain import Level, Outcome
from core.errors import LLMUnavailable, QuestionError, StrataError
from core.knowledge.base import KnowledgeBase
from core.llm.budget import Budget
from core.llm.builtin import BuiltinLLM
from core.llm.encoders.embedders import PackagedEmbedder
from core.ports import Listener
from core.settings import Settings
from core.tasks import Answer, Bridge, Reply, Task, Understand
from core.trace import TRACE, Asked, Failed, Finished, FollowedUp
from core.work.runs.runner import Request, Runner
from tests.forked import telling
from tests.work.rerun_setup import QUESTION, events
from tests.work.runs.cut_off import run_for_ever


class Stuck:
    """The built-in engine, but one task says a little and then waits until it is stopped."""

    def __init__(self, where: type[Task], saying: str = "") -> None:
        self.where, self.saying = where, saying
        self.waiting = threading.Event()
        self.plain = BuiltinLLM()
        self.free = False

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        if not isinstance(task, self.where) or self.free:
            return self.plain.run(task, into, listener)
        assert listener is not None
        if self.saying:
            listener.received(self.saying)
        self.waiting.set()
        while True:
            listener.check()
            time.sleep(0.005)


class Broken:
    """Raises what it was given at the task named, and works otherwise."""

    def __init__(self, where: type[Task], error: Exception) -> None:
        self.where, self.error, self.plain = where, error, BuiltinLLM()

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        if isinstance(task, self.where):
            raise self.error
        return self.plain.run(task, into, listener)


@pytest.mark.parametrize(
    ("question", "text"),
    [(QUESTION, "not searched for this answer: 3"), ("谁负责 SOP-112？", "还有 3 份文档")],
)
def test_an_answer_says_that_documents_are_still_on_their_way_in(make, question, text):
    runner = make(BuiltinLLM(), coming=3)
    assert any(text in note for note in runner.wait(runner.start(Request(question=question)), 20).notes)
    idle = make(BuiltinLLM())
    notes = idle.wait(idle.start(Request(question=question)), 20).notes
    assert not any(text[-6:] in note for note in notes)


def test_a_run_is_its_events_and_they_survive_json(make, library):
    runner = make(BuiltinLLM())
    run = runner.start(Request(question=QUESTION))
    report = runner.wait(run, 30)
    assert "Mei Tanaka" in report.answer
    assert report.run == run
    assert report.seconds > 0
    stored = library.knowledge.runs.events(run)
    assert [s.seq for s in stored] == list(range(len(stored)))
    assert isinstance(stored[0].event, Asked)
    assert stored[-1].event == Finished(report=report)
    assert TRACE.validate_json(TRACE.dump_json(stored)) == stored
    kept = library.knowledge.runs.get(run)
    assert (kept.status, kept.report) == ("done", report)


@pytest.mark.parametrize("question", ["", "  \n ", "\x00", "x" * 10_001])
def test_a_question_that_cannot_be_asked_is_refused(make, question):
    with pytest.raises(QuestionError):
        make(BuiltinLLM()).start(Request(question=question))


@pytest.mark.parametrize("question", ["🙂🙂🙂", "???", "\ud83d"])
def test_a_question_without_words_gets_an_honest_nothing(make, question):
    runner = make(BuiltinLLM())
    assert (
        runner.wait(runner.start(Request(question=question, effort="thorough")), 30).outcome
        is Outcome.NOTHING
    )


def test_the_longest_question_is_answered(make):
    runner = make(BuiltinLLM())
    question = (QUESTION + " ") * (10_000 // (len(QUESTION) + 1))
    assert runner.wait(runner.start(Request(question=question)), 60).passages


def test_stop_keeps_what_was_written_and_found(make, library):
    llm = Stuck(Answer, "Mei Tanaka is responsible [1].")
    runner = make(llm)
    run = runner.start(Request(question=QUESTION))
    assert llm.waiting.wait(30)
    began = time.monotonic()
    runner.stop(run)
    report = runner.wait(run, 5)
    assert time.monotonic() - began < 1
    assert report.partial
    assert report.answer == "Mei Tanaka is responsible [1]."
    assert report.passages
    assert library.knowledge.runs.get(run).status == "stopped"


def test_stop_before_anything_is_written_gives_an_empty_partial_report(make):
    llm = Stuck(Understand)
    runner = make(llm)
    run = runner.start(Request(question=QUESTION, effort="thorough"))
    assert llm.waiting.wait(30)
    runner.stop(run)
    report = runner.wait(run, 5)
    assert (report.partial, report.answer, report.outcome) == (True, "", Outcome.UNFINISHED)


def test_a_run_that_ends_for_its_budget_says_so_and_not_that_the_library_is_empty(make):
    class Slow(BuiltinLLM):
        """Does nothing until it is asked to end."""

        def run(self, task, into, listener=None):
            while True:
                listener.check()
                time.sleep(0.02)

    for question in (QUESTION, "Which colour has the moon of Xanadu?"):
        runner = make(Slow(), budget=Budget(seconds=1.0))
        began = time.monotonic()
        report = runner.wait(runner.start(Request(question=question, effort="thorough")), 30)
        assert time.monotonic() - began < 8, "the budget, and what the rules take on a busy machine"
        assert any("1 seconds are used up" in note for note in report.notes)
        assert report.outcome is not Outcome.NOTHING and "Nothing in the library" not in report.answer
    assert report.outcome is Outcome.UNFINISHED and report.missing == ()


def test_answer_now_answers_with_what_was_found(make):
    llm = Stuck(Bridge)
    runner = make(llm)
    run = runner.start(Request(question=QUESTION, strategy="plan", effort="thorough"))
    assert llm.waiting.wait(30)
    llm.free = True
    runner.answer_now(run)
    report = runner.wait(run, 30)
    assert "Mei Tanaka" in report.answer
    assert not report.partial
    assert any("early" in note for note in report.notes)


def test_a_bug_ends_its_run_with_a_report_to_copy_and_no_other(make, library):
    runner = make(Broken(Understand, ZeroDivisionError("oops")))
    run = runner.start(Request(question=QUESTION, effort="thorough"))
    with pytest.raises(StrataError, match="inside Strata"):
        runner.wait(run, 30)
    last = events(library, run)[-1]
    assert isinstance(last, Failed)
    assert last.error == "bug"
    assert "ZeroDivisionError: oops" in last.details
    assert library.knowledge.runs.get(run).status == "failed"
    again = runner.start(Request(question=QUESTION, level=Level.FACTUAL))
    assert runner.wait(again, 30).answer


def test_a_known_failure_is_told_with_its_hint(make, library):
    runner = make(Broken(Understand, LLMUnavailable("nothing answers")))
    run = runner.start(Request(question=QUESTION, effort="thorough"))
    with pytest.raises(StrataError, match="nothing answers"):
        runner.wait(run, 30)
    last = events(library, run)[-1]
    assert isinstance(last, Failed)
    assert (last.error, last.hint, last.retryable) == ("LLMUnavailable", LLMUnavailable.hint, True)


def test_a_follow_up_is_read_against_the_conversation(make, library):
    runner = make(BuiltinLLM())
    first = runner.start(Request(question=QUESTION))
    runner.wait(first, 30)
    second = runner.start(Request(question="And who leads the vacuum team?", conversation=first))
    assert "Mei Tanaka" in runner.wait(second, 30).answer
    third = runner.start(Request(question="Where does it sit?", conversation=first))
    report = runner.wait(third, 30)
    assert report.read_as
    assert any(isinstance(e, FollowedUp) for e in events(library, third))


def test_questions_run_side_by_side(make):
    runner = make(BuiltinLLM())
    runs = [runner.start(Request(question=QUESTION)) for _ in range(6)]
    assert {runner.wait(run, 60).answer for run in runs} == {runner.wait(runs[0]).answer}


def test_a_run_cut_off_by_a_crash_is_marked_and_keeps_what_it_found(tmp_path: Path):
    process, output = telling(run_for_ever, tmp_path)
    run = output.recv()
    process.kill()
    process.join()
    with KnowledgeBase(tmp_path, "none") as base:
        assert base.runs.get(run).status == "running"
        compose = flow(Settings(), base, PackagedEmbedder(precision="float32"))
        Runner(base.runs, lambda stop, model: BuiltinLLM(), BuiltinLLM(), compose, lambda: "").close()
        after = base.runs.get(run)
        assert after.status == "failed"
        assert after.report is not None
        assert after.report.partial
        last = base.runs.events(run)[-1].event
        assert isinstance(last, Failed)
        assert last.retryable
