"""Which of several values a question chooses, and values that can be compared."""

import pytest

from core.text.value_order import degree_of, measured, ordered, unlike


def _order(question: str, *values: str):
    degree, read = degree_of(question), [measured(value) for value in values]
    assert degree is not None and all(one is not None for one in read)
    return ordered([one for one in read if one is not None], degree)


@pytest.mark.parametrize(
    ("question", "values", "order"),
    [
        ("Which has the longer lead time?", ("14 weeks", "9 weeks"), [[0], [1]]),
        ("Which takes longer?", ("2 h", "90 min"), [[0], [1]]),
        ("哪个更长？", ("120 min", "2 h", "3 h"), [[2], [0, 1]]),
        ("Which is less expensive?", ("21400 EUR", "6700 EUR"), [[1], [0]]),
        ("哪个更便宜？", ("21400 EUR", "6700 EUR"), [[1], [0]]),
        ("Which is faster?", ("2.7 s", "5.4 s"), [[0], [1]]),
        ("Which is older?", ("1987", "1954"), [[1], [0]]),
        ("谁的日期更早？", ("2020-03-25", "2020-06-02"), [[0], [1]]),
        ("Which started more wafers?", ("2430", "1950"), [[0], [1]]),
        ("Which has more nitrate?", ("450 mg/100 g", "307.2 mg/100 g"), [[0], [1]]),
        # nothing is chosen where one period lies in another, or where units are not known to be one
        ("Which is later?", ("2020", "2020-06"), None),
        ("Which is longer?", ("600 RF hours", "500 h"), None),
        ("Which is longer?", ("14 weeks", "9"), None),
        ("Which is longer?", ("2020-03-25", "2020-06-02"), None),
    ],
)
def test_values_in_the_order_a_question_asks_for(question, values, order):
    assert _order(question, *values) == order


def test_two_directions_are_none_and_neither_is_a_word_that_judges():
    assert degree_of("Which is longer and cheaper?") is None
    assert degree_of("Which is better?") is None
    assert degree_of("哪个更好？") is None
    assert degree_of("哪个最低库存更多？") == degree_of("哪个更多？")


@pytest.mark.parametrize(
    "text", ["142/88 mmHg", "10-20 s", "<5.7%", "PN-4410", "500 hours, earlier 400", "1.2.3", "about 3 kg"]
)
def test_what_is_more_or_less_than_one_value_is_not_compared(text):
    assert measured(text) is None


def test_units_that_measure_different_things_are_unlike():
    assert unlike([measured("2.5 sccm"), measured("2 mTorr")])
    assert not unlike([measured("2 h"), measured("90 min")])
    assert not unlike([measured("14 weeks"), measured("9")])
