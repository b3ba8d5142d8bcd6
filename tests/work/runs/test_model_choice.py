"""A reader may choose the model that answers one question; what is set stays as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Edits
from core.settings import Settings
from core.trace import Asked
from tests.ollama_double import MODELS, OllamaDouble

QUESTION = "Which lots are on hold since the meeting?"


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble(models=MODELS) as served:
        yield served


@pytest.fixture
def assistant(
    tmp_path: Path, fab: Path, double: OllamaDouble, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Assistant]:
    monkeypatch.setenv("STRATA_STORE__PATH", str(tmp_path / "library"))
    monkeypatch.setenv("STRATA_LLM__HOST", double.host)
    built = build(Settings.load(), warm=False)
    built.library.wait(built.library.ingest([fab / "meeting-notes-2025-03-18.md"]))
    yield built
    built.close()


def asked(assistant: Assistant, double: OllamaDouble, **chosen: str) -> tuple[str, set[str]]:
    """Ask; return the run and the models that were chatted with for it."""
    before = len(double.chats())
    run = assistant.questions.ask(QUESTION, **chosen)
    assistant.questions.wait(run, 60)
    return run, {body["model"] for body in double.chats()[before:]}


def made_with(assistant: Assistant, run: str) -> str:
    (event,) = (s.event for s in assistant.questions.events(run) if isinstance(s.event, Asked))
    return event.made_with["engine"]


def test_the_chosen_model_answers_this_question_and_no_other(
    assistant: Assistant, double: OllamaDouble
) -> None:
    assert asked(assistant, double)[1] == {"qwen3:4b"}
    run, models = asked(assistant, double, model="llava:7b")
    assert models == {"llava:7b"}
    assert assistant.questions.run(run).report.engine == "llava:7b"
    assert made_with(assistant, run) == "llava:7b"
    assert asked(assistant, double, model="built-in")[1] == set()
    run, models = asked(assistant, double)
    assert (models, made_with(assistant, run)) == (set(), "model server")  # kept from the first time


def test_a_run_worked_on_again_keeps_its_model(assistant: Assistant, double: OllamaDouble) -> None:
    run, _ = asked(assistant, double, model="llava:7b")
    before = len(double.chats())
    passages = assistant.questions.run(run).report.passages
    again = assistant.questions.rerun(run, Edits(banned=(passages[0].chunk.id,)))
    assistant.questions.wait(again, 60)
    assert {body["model"] for body in double.chats()[before:]} <= {"llava:7b"}
    assert made_with(assistant, again) == "llava:7b"


def test_a_model_that_is_not_there_leaves_the_answer_to_the_rules_which_say_why(
    assistant: Assistant, double: OllamaDouble
) -> None:
    run, _ = asked(assistant, double, model="nothing:1b")
    report = assistant.questions.run(run).report
    assert report.engine.startswith("built-in")
    reasons = [c.fallback for s in assistant.questions.events(run) for c in s.event.calls if c.fallback]
    assert reasons and "nothing:1b" in reasons[0]
