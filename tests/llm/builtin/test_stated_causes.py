"""Why something rose does not answer why it fell."""

import pytest

from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.stated_causes import is_cause_of_another, of_the_opposite

ROSE = "Nitrate at the mill rose to 27 mg/L because of heavy rain. It is measured on Mondays."
HELD = "The leak fell because the pressure on the seal was increased."


@pytest.mark.parametrize(
    ("question", "text", "opposite"),
    [
        ("Why did nitrate fall at the mill?", ROSE, True),
        ("What caused nitrate to decline at the mill?", ROSE, True),
        ("Why did nitrate rise at the mill?", ROSE, False),
        ("Why did nitrate increase at the mill?", ROSE, False),
        ("Why is nitrate measured at the mill?", ROSE, False),
        ("Why did the leak drop?", HELD, False),  # what rose is the cause
        ("Why did the leak grow?", HELD, True),
        ("产量为什么上升？", "产量从 4.8 降到 3.9，原因是表面结垢。", True),
        ("产量为什么下降？", "产量从 4.8 降到 3.9，原因是表面结垢。", False),
    ],
)
def test_the_cause_of_the_opposite_is_told_from_the_cause_asked_for(question, text, opposite):
    assert of_the_opposite(read(question), text) is opposite


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The rolls were sent back because their crust was soft.", True),
        ("Their crust was soft because the steam valve stood open.", False),
        ("The crust of the rolls was soft due to steam.", False),
    ],
)
def test_what_a_question_takes_for_granted_is_not_its_own_reason(text, expected):
    assert is_cause_of_another(read("Why was the crust soft?"), text) is expected
