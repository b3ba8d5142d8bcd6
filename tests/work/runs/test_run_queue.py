"""Runs take turns: the reader sees who is ahead; no error, stop or slow model holds up others."""

import time

import pytest

from core.bootstrap import flow
from core.errors import StrataError
from core.llm.budget import Budget, BudgetedLLM
from core.llm.builtin import BuiltinLLM
from core.llm.ollama.client import OllamaLLM
from core.runtime.run_slots import FairSemaphore
from core.tasks import Answer
from core.trace import Queued
from core.work.runs.runner import Request, Runner
from tests.ollama_double import OllamaDouble
from tests.work.rerun_setup import QUESTION, events
from tests.work.runs.test_runner import Broken, Stuck


@pytest.fixture
def runner_of(library):
    made = []

    def make(chosen):
        """Return a runner with one place at the processor; a request's `model` names who does its tasks."""
        made.append(
            Runner(
                library.knowledge.runs,
                limit=lambda stop, model: BudgetedLLM(chosen[model], Budget(), stop),
                plain=BuiltinLLM(),
                compose=flow(library.settings, library.knowledge, library.embedder),
                overview=lambda: "8 documents",
                compute_slots=FairSemaphore(1),
            )
        )
        return made[-1]

    yield make
    for each in made:
        each.close()


def _told(library, run):
    return [event.ahead for event in events(library, run) if isinstance(event, Queued)]


def test_a_run_waits_for_those_before_it_says_so_and_goes_on_when_they_are_stopped(runner_of, library):
    stuck = Stuck(Answer)
    runner = runner_of({"stuck": stuck, "": BuiltinLLM()})
    first = runner.start(Request(question=QUESTION, model="stuck"))
    assert stuck.waiting.wait(30)
    second, third = (runner.start(Request(question=QUESTION)) for _ in range(2))
    end = time.monotonic() + 10
    while not (_told(library, second) and _told(library, third)):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert (_told(library, second)[0], _told(library, third)[-1]) == (1, 2)
    began = time.monotonic()
    runner.stop(second)
    assert runner.wait(second, 5).partial
    assert time.monotonic() - began < 2
    runner.stop(first)
    assert "Mei Tanaka" in runner.wait(third, 30).answer


def test_an_error_gives_the_place_back(runner_of):
    runner = runner_of({"broken": Broken(Answer, ValueError("a bug")), "": BuiltinLLM()})
    first = runner.start(Request(question=QUESTION, model="broken"))
    second = runner.start(Request(question=QUESTION))
    assert "Mei Tanaka" in runner.wait(second, 30).answer
    with pytest.raises(StrataError, match="ValueError"):
        runner.wait(first, 5)


def test_a_run_that_waits_for_a_model_on_the_wire_holds_up_nobody(runner_of):
    with OllamaDouble(latency=20) as double:
        runner = runner_of({"slow": OllamaLLM(double.host), "": BuiltinLLM()})
        slow = runner.start(Request(question=QUESTION, model="slow"))
        while not any(path == "/api/chat" for path, _ in double.requests):
            time.sleep(0.02)
        assert "Mei Tanaka" in runner.wait(runner.start(Request(question=QUESTION)), 10).answer
        assert runner._find(slow) is not None, "it still waits"
        runner.stop(slow)
        runner.wait(slow, 10)
