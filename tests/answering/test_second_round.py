"""A second round asks for what is open, and only where that would read other evidence."""

from core.answering.second_round import SecondRound
from core.domain import Plan, SubQuestion
from tests.making import part, passage

PLAN = Plan(question="A and B?", parts=(SubQuestion(id=1, question="A?"), SubQuestion(id=2, question="B?")))
KNOWN, NEW = passage("known"), passage("new")


def test_an_open_part_is_searched_anew_and_knows_whom_it_replaces():
    parts = [part(1, "A?", "a"), part(2, "B?").model_copy(update={"search": "B, in other words"})]
    extended = SecondRound(lambda text: [KNOWN, NEW]).extend(PLAN, parts, [KNOWN])
    added = extended.parts[-1]
    assert (added.id, added.question, added.again) == (3, "B, in other words", 2)
    assert extended.parts[:2] == PLAN.parts


def test_no_round_is_run_that_would_read_what_was_read():
    again = part(2, "B?").model_copy(update={"search": "B, in other words"})
    assert SecondRound(lambda text: [KNOWN]).extend(PLAN, [again], [KNOWN]) is PLAN
    assert (
        SecondRound(lambda text: [NEW]).extend(PLAN, [part(2, "B?")], [KNOWN]) is PLAN
    )  # nobody knows a better search
    found = part(2, "B?", "b").model_copy(update={"search": "B"})
    assert SecondRound(lambda text: [NEW]).extend(PLAN, [found], [KNOWN]) is PLAN


def test_no_more_than_three_parts_are_added():
    parts = [part(n, f"M{n}?").model_copy(update={"search": f"m{n}"}) for n in range(1, 7)]
    extended = SecondRound(lambda text: [NEW]).extend(PLAN, parts, [])
    assert [one.question for one in extended.parts[2:]] == ["m1", "m2", "m3"]
