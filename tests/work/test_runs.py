"""A question runs in the background: it can be stopped, hurried and cut off, and nothing is lost."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.bootstrap import flow
from core.domain import Level, Outcome
from core.errors import LLMUnavailable, QuestionError, StrataError
from core.knowledge.base import KnowledgeBase
from core.llm.budget import Budget, BudgetedLLM
from core.llm.embedders import PackagedEmbedder
from core.llm.extractive import ExtractiveLLM
from core.llm.fallback import FallbackLLM
from core.llm.ollama import OllamaLLM
from core.ports import LLM, Listener
from core.settings import Settings
from core.tasks import AnswerPart, Reply, Route, Synthesise, Task
from core.trace import TRACE, Asked, Failed, Finished, FollowedUp, Warned, Wrote
from core.work.runs import Request, Runner
from tests.flow.conftest import Library, library  # noqa: F401
from tests.ollama_double import OllamaDouble

Q = "Who is responsible for SOP-112?"


class Stuck:
    """The built-in engine, but one task says a little and then waits until it is stopped."""

    def __init__(self, where: type[Task], saying: str = "") -> None:
        self.where, self.saying = where, saying
        self.waiting = threading.Event()
        self.plain = ExtractiveLLM()
        self.free = False

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        if not isinstance(task, self.where) or self.free:
            return self.plain.run(task, into, listener)
        assert listener is not None
        if self.saying:
            listener.heard(self.saying)
        self.waiting.set()
        while True:
            listener.check()
            time.sleep(0.005)


class Broken:
    """Raises what it was given at the task named, and works otherwise."""

    def __init__(self, where: type[Task], error: Exception) -> None:
        self.where, self.error, self.plain = where, error, ExtractiveLLM()

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Reply:
        if isinstance(task, self.where):
            raise self.error
        return self.plain.run(task, into, listener)


Make = Callable[..., Runner]


@pytest.fixture
def make(library: Library) -> Iterator[Make]:  # noqa: F811
    made: list[Runner] = []

    def runner(llm: LLM, budget: Budget | None = None) -> Runner:
        made.append(
            Runner(
                library.knowledge.runs,
                limit=lambda stop: BudgetedLLM(llm, budget or Budget(), stop),
                plain=ExtractiveLLM(),
                compose=flow(library.settings, library.knowledge, library.embedder),
                holdings=lambda: "8 documents",
            )
        )
        return made[-1]

    yield runner
    for each in made:
        each.close()


def events(library: Library, run: str) -> list:  # noqa: F811
    return [stamped.event for stamped in library.knowledge.runs.events(run)]


def test_a_run_is_its_events_and_they_survive_json(make, library):  # noqa: F811
    runner = make(ExtractiveLLM())
    run = runner.start(Request(question=Q))
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
        make(ExtractiveLLM()).start(Request(question=question))


@pytest.mark.parametrize("question", ["🙂🙂🙂", "???", "\ud83d"])
def test_a_question_without_words_gets_an_honest_nothing(make, question):
    runner = make(ExtractiveLLM())
    assert runner.wait(runner.start(Request(question=question)), 30).outcome is Outcome.NOTHING


def test_the_longest_question_is_answered(make):
    runner = make(ExtractiveLLM())
    question = (Q + " ") * (10_000 // (len(Q) + 1))
    assert runner.wait(runner.start(Request(question=question)), 60).passages


def test_stop_keeps_what_was_written_and_found(make, library):  # noqa: F811
    llm = Stuck(Synthesise, "Mei Tanaka is responsible [1].")
    runner = make(llm)
    run = runner.start(Request(question=Q))
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
    llm = Stuck(Route)
    runner = make(llm)
    run = runner.start(Request(question=Q))
    assert llm.waiting.wait(30)
    runner.stop(run)
    report = runner.wait(run, 5)
    assert (report.partial, report.answer, report.outcome) == (True, "", Outcome.NOTHING)


def test_answer_now_answers_with_what_was_found(make):
    llm = Stuck(AnswerPart)
    runner = make(llm)
    run = runner.start(Request(question=Q))
    assert llm.waiting.wait(30)
    llm.free = True
    runner.answer_now(run)
    report = runner.wait(run, 30)
    assert "Mei Tanaka" in report.answer
    assert not report.partial
    assert any("early" in note for note in report.notes)


def test_a_spent_budget_ends_with_an_answer_of_the_built_in_engine(make, library):  # noqa: F811
    with OllamaDouble() as double:
        runner = make(OllamaLLM(double.host), Budget(calls=3))
        run = runner.start(Request(question=Q))
        report = runner.wait(run, 30)
        assert len(double.chats()) <= 3
    assert report.engine == "built-in"
    assert "Mei Tanaka" in report.answer
    assert any(isinstance(e, Warned) and "calls are used up" in e.message for e in events(library, run))


def test_a_bug_ends_its_run_with_a_report_to_copy_and_no_other(make, library):  # noqa: F811
    runner = make(Broken(Route, ZeroDivisionError("oops")))
    run = runner.start(Request(question=Q))
    with pytest.raises(StrataError, match="inside Strata"):
        runner.wait(run, 30)
    last = events(library, run)[-1]
    assert isinstance(last, Failed)
    assert last.error == "bug"
    assert "ZeroDivisionError: oops" in last.details
    assert library.knowledge.runs.get(run).status == "failed"
    again = runner.start(Request(question=Q, level=Level.FACTUAL))
    assert runner.wait(again, 30).answer


def test_a_known_failure_is_told_with_its_hint(make, library):  # noqa: F811
    runner = make(Broken(Route, LLMUnavailable("nothing answers")))
    run = runner.start(Request(question=Q))
    with pytest.raises(StrataError, match="nothing answers"):
        runner.wait(run, 30)
    last = events(library, run)[-1]
    assert isinstance(last, Failed)
    assert (last.error, last.hint, last.retryable) == ("LLMUnavailable", LLMUnavailable.hint, True)


def test_a_follow_up_is_read_against_the_conversation(make, library):  # noqa: F811
    runner = make(ExtractiveLLM())
    first = runner.start(Request(question=Q))
    runner.wait(first, 30)
    second = runner.start(Request(question="And who leads the vacuum team?", conversation=first))
    assert "Mei Tanaka" in runner.wait(second, 30).answer
    third = runner.start(Request(question="Where does it sit?", conversation=first))
    report = runner.wait(third, 30)
    assert report.read_as
    assert any(isinstance(e, FollowedUp) for e in events(library, third))


def test_questions_run_side_by_side(make):
    runner = make(ExtractiveLLM())
    runs = [runner.start(Request(question=Q)) for _ in range(6)]
    assert {runner.wait(run, 60).answer for run in runs} == {runner.wait(runs[0]).answer}


def test_a_run_cut_off_by_a_crash_is_marked_and_keeps_what_it_found(tmp_path: Path):
    script = f"""
import sys, time
from pathlib import Path
from core.bootstrap import flow
from core.knowledge.base import KnowledgeBase
from core.llm.budget import Budget, BudgetedLLM
from core.llm.embedders import PackagedEmbedder
from core.llm.extractive import ExtractiveLLM
from core.settings import Settings
from core.tasks import Route
from core.work.runs import Request, Runner
from tests.work.test_runs import Stuck

embedder = PackagedEmbedder(bf16=False)
base = KnowledgeBase(Path({str(tmp_path)!r}), "none")
llm = Stuck(Route)
runner = Runner(base.runs, lambda stop: BudgetedLLM(llm, Budget(), stop), llm,
                flow(Settings(), base, embedder), lambda: "")
run = runner.start(Request(question="Is it there?"))
llm.waiting.wait(30)
print(run, flush=True)
time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    run = process.stdout.readline().strip()
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    process.stdout.close()
    assert run
    with KnowledgeBase(tmp_path, "none") as base:
        assert base.runs.get(run).status == "running"
        compose = flow(Settings(), base, PackagedEmbedder(bf16=False))
        Runner(base.runs, lambda stop: ExtractiveLLM(), ExtractiveLLM(), compose, lambda: "").close()
        after = base.runs.get(run)
        assert after.status == "failed"
        assert after.report is not None
        assert after.report.partial
        last = base.runs.events(run)[-1].event
        assert isinstance(last, Failed)
        assert last.retryable


def faulty_runs(make: Make, library: Library, count: int) -> None:  # noqa: F811
    """Ask `count` times a server that fails in every fifth call; each run ends and nothing of it is lost."""
    questions = [
        Q,
        "Who leads the vacuum team and where does it sit?",
        "Who founded the company that makes the dry pump of ETCH-07?",
        "干泵多久保养一次？",
        "Who won the football world cup in 1998?",
    ]
    kinds = ("error_mid_stream", "no_done", "queue_full", "prose_instead")
    with OllamaDouble(fault_rate=0.2, fault_kinds=kinds, seed=11) as double:
        prefer = OllamaLLM(double.host, gap_timeout=2, load_timeout=5, retries=0)
        runner = make(FallbackLLM(prefer, ExtractiveLLM(), rest=0.0))
        fallbacks = 0
        for n in range(count):
            run = runner.start(Request(question=questions[n % len(questions)]))
            report = runner.wait(run, 60)
            assert report.answer
            stored = library.knowledge.runs.events(run)
            assert [s.seq for s in stored] == list(range(len(stored)))
            assert isinstance(stored[-1].event, Finished)
            calls = [call for s in stored for call in s.event.calls]
            stood_in = sum(bool(call.fallback) for call in calls)
            fallbacks += stood_in
            if stood_in:
                assert any("stood in" in note or "代替" in note for note in report.notes)
        assert fallbacks


def test_runs_against_a_faulty_server_end_with_answers_or_honest_gaps(make, library):  # noqa: F811
    faulty_runs(make, library, 20)


@pytest.mark.slow
def test_two_hundred_runs_against_a_faulty_server(make, library):  # noqa: F811
    faulty_runs(make, library, 200)


def test_written_text_reaches_the_store_in_order(make, library):  # noqa: F811
    with OllamaDouble(piece_latency=0.002) as double:
        runner = make(OllamaLLM(double.host))
        run = runner.start(Request(question=Q))
        report = runner.wait(run, 30)
    rounds = [e.round for e in events(library, run) if isinstance(e, Wrote)]
    last = max(rounds)
    text = "".join(e.text for e in events(library, run) if isinstance(e, Wrote) and e.round == last)
    assert text.strip() == report.answer
