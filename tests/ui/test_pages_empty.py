"""Every page stands on a library with nothing in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.knowledge.stores import folder_lock
from core.ui.shared import session
from tests.ui.conftest import Open, page_text


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (session.CHAT, "The library is empty"),
        (session.CORPUS, "Nothing yet"),
        (session.KNOWLEDGE, "The library is empty"),
        (session.TRACE, "No question has been asked yet"),
        (session.MODELS, "built-in engine"),
    ],
)
def test_an_empty_library_is_said_kindly(empty: Assistant, open_page: Open, page: str, words: str) -> None:
    result = page_text(open_page(page))
    assert words in result
    assert "**0** documents" not in result, "what is not there is not counted"


def test_the_demo_is_offered_and_a_question_asked_early_waits_for_it(
    empty: Assistant, open_page: Open
) -> None:
    open_page(session.CORPUS).button(key="demo.add")
    at = open_page(session.CHAT)
    at.chat_input[0].set_value("How long may the wet clean take?").run()
    assert at.chat_input[0].proto.value == "How long may the wet clean take?"  # put back, not lost
    at.button(key="demo.add").click().run()
    jobs = empty.library.jobs()
    try:
        assert len(jobs) == 14 and "on the way in" in page_text(at)
        at.chat_input[0].set_value("How long may the wet clean take?").run()
        assert "Then: How long may the wet clean take?" in page_text(at) and empty.questions.runs() == []
    finally:
        for job in jobs:
            empty.library.cancel(job.id)


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a library of its own, opened with the first page."""
    monkeypatch.setenv("STRATA_STORE__PATH", str(tmp_path))
    session.whole.clear()
    yield tmp_path
    session.whole.clear()


def test_a_server_that_does_not_answer_is_to_be_started_not_installed(
    alone: Path, monkeypatch: pytest.MonkeyPatch, open_page: Open
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    at = open_page(session.MODELS)
    assert page_text(at).count("Nothing answers at http://127.0.0.1:9") == 1
    assert "ollama serve" in [code.value for code in at.code]
    assert "Install Ollama" not in page_text(at)
    assert "It offers nothing yet" not in page_text(at)


def test_a_library_that_is_open_elsewhere_says_what_to_do(alone: Path, open_page: Open) -> None:
    lock = folder_lock.claim(alone)
    try:
        at = open_page(session.CHAT)
    finally:
        lock.release()
    assert "is open in another Strata process" in page_text(at)
    assert not at.chat_input
