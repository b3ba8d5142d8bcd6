"""Eight runs at once over a server that is slow: each ends when its own seconds are used up."""

import time

import pytest

from core.bootstrap import flow
from core.domain import Outcome
from core.llm.budget import Budget, BudgetedLLM
from core.llm.builtin import BuiltinLLM
from core.llm.ollama.client import OllamaLLM
from core.trace import Warned
from core.work.runs.runner import Request, Runner
from tests.flow.conftest import library  # noqa: F401
from tests.ollama_double import OllamaDouble
from tests.work.rerun_setup import QUESTION

SECONDS = 1.5
LATE = 3.0  # seconds: one, and what eight runs and other tests take from each other on two cores


@pytest.mark.parametrize(
    ("latency", "piece_latency", "parallel"),
    [(20.0, 0.0, 8), (0.1, 0.4, 8), (0.5, 0.1, 1)],
    ids=["says nothing", "says a little at a time", "takes one call at a time"],
)
def test_each_of_eight_runs_ends_soon_after_its_budget(library, latency, piece_latency, parallel):  # noqa: F811
    began: dict[str, float] = {}
    with OllamaDouble(latency=latency, piece_latency=piece_latency) as double:
        llm = OllamaLLM(double.host, parallel=parallel)

        def limit(stop, model):
            began[model] = time.monotonic()
            return BudgetedLLM(llm, Budget(seconds=SECONDS), stop)

        runner = Runner(
            library.knowledge.runs,
            limit=limit,
            plain=BuiltinLLM(),
            compose=flow(library.settings, library.knowledge, library.embedder),
            overview=lambda: "8 documents",
        )
        try:
            asked, runs = {}, {}
            for number in map(str, range(8)):
                asked[number] = time.monotonic()
                request = Request(question=f"{QUESTION} {number}", effort="thorough", model=number)
                runs[number] = runner.start(request)
            reports = {number: runner.wait(run, 120) for number, run in runs.items()}
        finally:
            runner.close()
    late = {}
    for number, run in runs.items():
        (cut,) = [
            stamped.at
            for stamped in library.knowledge.runs.events(run)
            if isinstance(stamped.event, Warned) and "seconds are used up" in stamped.event.message
        ]
        late[number] = round(asked[number] + cut - began[number] - SECONDS, 2)
    assert all(-0.05 <= each < LATE for each in late.values()), late
    for report in reports.values():
        assert any("1.5 seconds are used up" in note for note in report.notes)
        assert report.outcome is not Outcome.NOTHING
    assert double.cancelled, "the server goes on with calls nobody waits for"
