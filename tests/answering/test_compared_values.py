"""Which of the things a comparison chooses, from the values found for its sides."""

import pytest

from core.answering.compared_values import decided
from core.domain import PartAnswer, Plan, SubQuestion
from tests.making import part, passage


def _decided(last: str, *sides: tuple[str, str]) -> PartAnswer | None:
    parts = tuple(SubQuestion(id=n, question=asked) for n, (asked, _) in enumerate(sides, 1))
    numbers = tuple(one.id for one in parts)
    end = SubQuestion(id=len(parts) + 1, question=last, type="comparative", depends_on=numbers)
    answers = [
        part(n, asked, text, passage(f"{asked} {text}"))
        if text
        else PartAnswer(id=n, question=asked, open=True)
        for n, (asked, text) in enumerate(sides, 1)
    ]
    return decided(end, Plan(question="Q", parts=(*parts, end)), answers)


LEAD, LEAD_ZH = "What is the lead time of {}?", "{}的交货期是多少？"
WHICH = "Which has the longer lead time, PN-1 (#1) or PN-2 (#2)?"


@pytest.mark.parametrize(
    ("last", "asked", "values", "text"),
    [
        (WHICH, LEAD, ("14 weeks", "9 weeks"),
         "**PN-1** has the longer lead time: 14 weeks, against 9 weeks for PN-2."),
        (WHICH, LEAD, ("2 weeks", "15 days"),
         "**PN-2** has the longer lead time: 15 days, against 2 weeks for PN-1."),
        (WHICH, LEAD, ("14 weeks", "14 weeks"), "No difference: 14 weeks for PN-1 and 14 weeks for PN-2."),
        (WHICH, LEAD, ("14 weeks", "9 kg"),
         "These cannot be compared, for they have different units: 14 weeks for PN-1 and 9 kg for PN-2."),
        ("How do PN-1 (#1) and PN-2 (#2) compare: is the lead time of PN-1 longer than that of PN-2?", LEAD,
         ("9 weeks", "14 weeks"), "No: 9 weeks for PN-1 and 14 weeks for PN-2."),
        ("Were there more ducks in 2022 (#1) or in 2023 (#2)?", "How many ducks were there in {}?",
         ("170", "160"), "More: **2022**, with 170, against 160 for 2023."),
        ("PN-1（#1）和PN-2（#2）哪个交货期更短？", LEAD_ZH, ("14 周", "9 周"),
         "**PN-2**交货期更短：9 周；PN-1为14 周。"),
        ("PN-1（#1）和PN-2（#2）的交货期哪个更短？", LEAD_ZH, ("14 周", "9 周"),
         "**PN-2**的交货期更短：9 周；PN-1为14 周。"),
    ],
)  # fmt: skip
def test_the_thing_a_comparison_chooses_is_told_with_the_values_of_all(last, asked, values, text):
    things = ("2022", "2023") if "2022" in last else ("PN-1", "PN-2")
    answer = _decided(
        last, *((asked.format(thing), value) for thing, value in zip(things, values, strict=True))
    )
    assert answer is not None
    assert (answer.answer, answer.found, answer.computed) == (text, True, True)
    assert len(answer.passages) == 2 and "#" not in answer.question


@pytest.mark.parametrize(
    ("last", "values"),
    [
        (WHICH, ("14 weeks", "")),  # a gap
        (WHICH, ("14 weeks", "9")),  # one without a unit
        (WHICH, ("14 weeks", "every 400 hours, earlier 500")),  # no single value
        ("How do PN-1 (#1) and PN-2 (#2) compare in lead time?", ("14 weeks", "9 weeks")),  # no direction
        ("Which has not the longer lead time, PN-1 (#1) or PN-2 (#2)?", ("14 weeks", "9 weeks")),
        ("Which has the second longest lead time, PN-1 (#1) or PN-2 (#2)?", ("14 weeks", "9 weeks")),
        ("Which has the better lead time, PN-1 (#1) or PN-2 (#2)?", ("14 weeks", "9 weeks")),
    ],
)
def test_what_the_values_do_not_decide_is_left_open(last, values):
    asked = zip(("PN-1", "PN-2"), values, strict=True)
    assert _decided(last, *((LEAD.format(thing), value) for thing, value in asked)) is None


def test_of_three_things_the_others_follow_in_order():
    sides = [
        (LEAD.format(thing), value)
        for thing, value in (("PN-1", "4 days"), ("PN-2", "1 week"), ("PN-3", "3 days"))
    ]
    answer = _decided("Which has the longest lead time, PN-1 (#1), PN-2 (#2) or PN-3 (#3)?", *sides)
    assert answer is not None
    assert (
        answer.answer
        == "**PN-2** has the longest lead time: 1 week, against 4 days for PN-1 and 3 days for PN-3."
    )
