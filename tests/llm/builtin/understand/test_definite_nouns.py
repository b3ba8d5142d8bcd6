"""Later questions of several: "the supplier" is who an earlier one asks for; other nouns stay as they are."""

import pytest

from tests.llm.builtin.understand.plan_parts import parts


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Who supplies the liner and where is the supplier located?", "Where is #1 located?"),
        ("Who operates the crane and what licence does the operator need?", "What licence does #1 need?"),
        (
            "Which company makes the pump, and in which country is the company based?",
            "In which country is #1",
        ),
        ("Which valve failed in May and who inspected the valve?", "Who inspected #1?"),
        ("Which pump failed and what does the pump manual say?", "What does the pump manual say (#1)?"),
        (
            "Who inspects the valve and how often does the valve need inspection?",
            "How often does the valve need inspection?",
        ),
    ],
)
def test_a_definite_noun_points_back_to_what_was_asked_for_by_it(read, question, second):
    asked = parts(read(question))
    assert asked[1][0].startswith(second)
    assert asked[1][-1] == ((1,) if "#1" in second else ())


@pytest.mark.parametrize(
    ("question", "second"),
    [
        (
            "What is the stock of the seal band kit and what is its price?",
            "What is the seal band kit's price?",
        ),
        ("What is the supplier of the seal band kit and what is its address?", "What is #1's address?"),
        ("What is the capital of the country and how large is it?", "How large is #1?"),
    ],
)
def test_its_is_the_thing_whose_figure_was_asked_for_and_else_what_was_asked_for(read, question, second):
    assert parts(read(question))[1][0] == second


def test_a_description_with_the_questions_own_verb_behind_it_is_not_asked_for(read):
    assert len(read("By how much may the two wheels of an axle differ?").parts) <= 1
