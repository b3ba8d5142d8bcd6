"""Questions that may ask for the same as a verified one are offered; what differs in substance is not."""

import pytest

from core.llm.builtin.questions.similar_questions import SimilarQuestions
from core.llm.encoders.embedders import PackagedEmbedder

HELD = ["Who approved the 2024 training budget?", "What is the highest pressure of chamber B?"]


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        ("Who gave approval for the training budget of 2024?", [0]),
        ("What is the maximum pressure in chamber B?", [1]),
        ("Who approved the 2023 training budget?", []),
        ("When was the 2024 training budget approved?", []),
        ("Who has not approved the 2024 training budget?", []),
        ("What is the lowest pressure of chamber B?", []),
        ("What is the highest pressure of chamber C?", []),
    ],
)
def test_what_is_offered(asked: str, offered: list[int]):
    assert SimilarQuestions(PackagedEmbedder(precision="float32")).alike(asked, HELD) == offered
