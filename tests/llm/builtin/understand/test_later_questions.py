"""The second of two questions: what "it" is where none was asked for, and what "how many" continues counting;
and sets that the question's own verb is no part of."""

import pytest

from tests.llm.builtin.understand.plan_parts import parts


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Why was the fire drill in June put off and when is it now?", "When is the fire drill in June now?"),
        ("When was the last stop of K-7 and what was it?", "What was the last stop of K-7?"),
        ("When did the Harbour radio mast fall, and who saw it?", "Who saw the Harbour radio mast?"),
        ("How many KL-300 were offered and how many did we order?", "How many KL-300 did we order?"),
        (
            "How many litres of acid were bought and how many have been used?",
            "How many litres of acid have been used?",
        ),
        ("Who makes the pump and how large is it?", "How large is the pump?"),
        (
            "Who approved the handbook, and when was the steam valve replaced?",
            "When was the steam valve replaced?",
        ),
        (
            "Who fed the starter, and tell me which oven the rye loaf is baked in.",
            "Which oven is the rye loaf baked in?",
        ),
    ],
)
def test_the_second_question_says_what_it_asks_of(read, question, second):
    assert parts(read(question))[1][0] == second


@pytest.mark.parametrize(
    "question",
    [
        "On which day were the two new analysers delivered?",
        "How many alarms did each tool send in March 2025?",
        "How much did each department spend in 2023?",
    ],
)
def test_no_set_is_found_first_of_which_nothing_tells_which_it_is(read, question):
    assert [part.question for part in read(question).parts] == [question]


def test_the_verb_of_the_question_is_no_part_of_the_set(read):
    asked = parts(read("When were the two lots of A-7 shipped?"))
    assert [question for question, *_ in asked] == ["What are the two lots of A-7?", "When were #1 shipped?"]
