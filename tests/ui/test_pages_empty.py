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
