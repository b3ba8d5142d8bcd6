"""Runs on a served model: what it says reaches the store in order, and its faults end no run."""

from collections import Counter

import pytest

from core.domain import Effort
from core.llm.budget import Budget
from core.llm.builtin import BuiltinLLM
from core.llm.fallback import FallbackLLM
from core.llm.ollama.client import OllamaLLM
from core.llm.ollama.reasoning import reasons
from core.llm.ollama.reply import looks_like_json
from core.trace import Failed, Finished, Warned, Wrote
from core.work.runs.runner import Request
from tests.flow.conftest import Library
from tests.ollama_brain import StrataBrain
from tests.ollama_double import OllamaDouble
from tests.ollama_obedience import MUSING
from tests.ollama_protocol import Asked, Kind
from tests.work.rerun_setup import QUESTION, MakeRunner, events

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


ASKED: tuple[tuple[str, Effort], ...] = (
    (QUESTION, "balanced"),
    ("Who founded the company that makes the dry pump of ETCH-07?", "balanced"),
    ("干泵多久保养一次？", "balanced"),
    ("Who leads the vacuum team and where does it sit?", "thorough"),
    ("Propose ways to shorten the service of the dry pump.", "thorough"),
    ("Who won the football world cup in 1998?", "balanced"),
)
KINDS: tuple[Kind, ...] = (
    "died", "queue_full", "error_mid_stream", "no_done", "reset", "stall", "slow_first", "empty",
    "wrong_schema", "prose_instead", "garbage", "length_cut", "flood", "huge", "fenced",
    "think_in_content", "only_thinking", "untagged_thoughts",
)  # fmt: skip


def retelling(asked: Asked) -> str:
    """Answer as rules do, but tell prose in fewer words: then there is something to review."""
    reply = StrataBrain()(asked)
    if asked.format is not None or "Write the answer now" not in asked.user:
        return reply
    return "In short, " + " ".join(word for n, word in enumerate(reply.split()) if n % 4 != 1)


def faulty_runs(make: MakeRunner, library: Library, count: int) -> tuple[set[str], Counter[str]]:
    """Ask `count` times a server that fails in every third call, in any way, at any task.

    Each run ends with an answer or an honest gap, nothing of it is lost, no thought or JSON is shown, and
    the trace tells of every chat.
    Return the tasks that were hit, and how the runs ended.
    """
    hit: set[str] = set()
    ended: Counter[str] = Counter()
    result = 0
    double = OllamaDouble(retelling, fault_rate=0.34, fault_kinds=KINDS, fault_seconds=0.6, seed=11)
    with double:
        prefer = OllamaLLM(double.host, gap_timeout=0.5, load_timeout=5, retries=0)
        runner = make(FallbackLLM(prefer, BuiltinLLM(), cooldown=0.0))
        for n in range(count):
            question, effort = ASKED[n % len(ASKED)]
            run = runner.start(Request(question=question, effort=effort))
            report = runner.wait(run, 60)
            ended[report.outcome.value] += 1
            assert report.answer.strip(), (question, report.outcome)
            assert not reasons(report.answer), report.answer
            assert not looks_like_json(report.answer), report.answer
            stored = library.knowledge.runs.events(run)
            assert [s.seq for s in stored] == list(range(len(stored)))
            assert isinstance(stored[-1].event, Finished)
            assert not any(isinstance(s.event, Failed) for s in stored)
            text = "".join(s.event.text for s in stored if isinstance(s.event, Wrote))
            assert MUSING[:30] not in text + report.answer
            calls = [call for s in stored for call in s.event.calls]
            result += sum(call.failed + (call.engine != "built-in") for call in calls)
            stood_in = [call for call in calls if call.fallback]
            hit |= {call.task for call in calls if call.fallback or call.repairs or call.failed}
            if stood_in:
                assert any("stood in" in note or "代替" in note for note in report.notes)
        assert set(double.faulted) <= set(KINDS)
        assert result == len(double.chats())
    return hit, ended


def test_runs_against_a_faulty_server_end_with_answers_or_honest_gaps(make, library):
    hit, _ = faulty_runs(make, library, 12)
    assert hit


@pytest.mark.slow
def test_two_hundred_runs_against_a_faulty_server(make, library):
    hit, ended = faulty_runs(make, library, 200)
    assert {"Understand", "Answer", "Review", "Bridge", "Perspectives"} <= hit
    print(dict(ended), sorted(hit))


def test_written_text_reaches_the_store_in_order(make, library):
    with OllamaDouble(piece_latency=0.002) as double:
        runner = make(OllamaLLM(double.host))
        run = runner.start(Request(question=QUESTION))
        report = runner.wait(run, 30)
    rounds = [e.round for e in events(library, run) if isinstance(e, Wrote)]
    last = max(rounds)
    text = "".join(e.text for e in events(library, run) if isinstance(e, Wrote) and e.round == last)
    assert text.strip() == report.answer


def test_an_answer_that_rules_finish_is_told_in_the_trace_with_its_failure(make, library):
    with OllamaDouble() as double:
        double.next("no_done")  # the answer breaks off after its first words
        runner = make(FallbackLLM(OllamaLLM(double.host, retries=0), BuiltinLLM()))
        run = runner.start(Request(question=QUESTION))
        runner.wait(run, 30)
    calls = [call for event in events(library, run) for call in event.calls]
    (answer,) = [call for call in calls if call.task == "Answer"]
    assert answer.failed == len(double.chats()) == 1
    assert "ended its reply" in answer.fallback
