"""Runs on a served model: what it says reaches the store in order, and its faults end no run."""

import pytest

from core.llm.budget import Budget
from core.llm.builtin import BuiltinLLM
from core.llm.fallback import FallbackLLM
from core.llm.ollama.client import OllamaLLM
from core.trace import Finished, Warned, Wrote
from core.work.runner import Request
from tests.flow.conftest import Library
from tests.ollama_double import OllamaDouble
from tests.work.desk import QUESTION, MakeRunner, events

TWO = "Who is responsible for SOP-112 and when was Norvac founded?"


def test_a_spent_budget_ends_with_an_answer_of_the_built_in_engine(make, library):
    with OllamaDouble() as double:
        runner = make(OllamaLLM(double.host), Budget(calls=1))
        run = runner.start(Request(question=TWO, effort="thorough"))
        report = runner.wait(run, 30)
        assert len(double.chats()) <= 1
    assert report.engine == "built-in"
    assert "Mei Tanaka" in report.answer
    assert any(isinstance(e, Warned) and "calls are used up" in e.message for e in events(library, run))


def faulty_runs(make: MakeRunner, library: Library, count: int) -> None:
    """Ask `count` times a server that fails in every fifth call; each run ends and nothing of it is lost."""
    questions = [
        QUESTION,
        "Who leads the vacuum team and where does it sit?",
        "Who founded the company that makes the dry pump of ETCH-07?",
        "干泵多久保养一次？",
        "Who won the football world cup in 1998?",
    ]
    kinds = ("error_mid_stream", "no_done", "queue_full", "prose_instead")
    with OllamaDouble(fault_rate=0.2, fault_kinds=kinds, seed=11) as double:
        prefer = OllamaLLM(double.host, gap_timeout=2, load_timeout=5, retries=0)
        runner = make(FallbackLLM(prefer, BuiltinLLM(), rest=0.0))
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


def test_runs_against_a_faulty_server_end_with_answers_or_honest_gaps(make, library):
    faulty_runs(make, library, 20)


@pytest.mark.slow
def test_two_hundred_runs_against_a_faulty_server(make, library):
    faulty_runs(make, library, 200)


def test_written_text_reaches_the_store_in_order(make, library):
    with OllamaDouble(piece_latency=0.002) as double:
        runner = make(OllamaLLM(double.host))
        run = runner.start(Request(question=QUESTION))
        report = runner.wait(run, 30)
    rounds = [e.round for e in events(library, run) if isinstance(e, Wrote)]
    last = max(rounds)
    text = "".join(e.text for e in events(library, run) if isinstance(e, Wrote) and e.round == last)
    assert text.strip() == report.answer
