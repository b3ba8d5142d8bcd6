"""Every page stands on a library with nothing in it."""

import pytest

from core.assistant import Assistant
from core.ui.shared import session
from tests.ui.conftest import Open, said


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
    assert words in said(open_page(page))


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
        assert len(jobs) == 14 and "on the way in" in said(at)
        at.chat_input[0].set_value("How long may the wet clean take?").run()
        assert "Then: How long may the wet clean take?" in said(at) and empty.questions.runs() == []
    finally:
        for job in jobs:
            empty.library.cancel(job.id)
