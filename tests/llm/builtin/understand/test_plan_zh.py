"""Plans of Chinese questions: descriptions found first, lists asked one by one."""

import pytest

PLANS = {
    "《夜航》的作者是哪位？": ["《夜航》的作者是哪位？"],  # what is asked for is not found first
    "在A-7工作的工程师住在哪里？": ["在A-7工作的工程师是谁？", "#1住在哪里？"],
    "A-1、B-2和C-3的价格分别是多少？": ["A-1的价格是多少？", "B-2的价格是多少？", "C-3的价格是多少？"],
    "K-10和K-20哪个更重，各自由谁制造？": [  # what follows is asked of each, not of a weight
        "K-10有多重？",
        "K-20有多重？",
        "K-10由谁制造？",
        "K-20由谁制造？",
        "K-10（#1）和K-20（#2）哪个更重？",
    ],
}


@pytest.mark.parametrize("question", PLANS)
def test_a_chinese_question_is_taken_apart_where_something_must_be_found_first(read, question):
    assert [part.question for part in read(question).parts] == PLANS[question]
