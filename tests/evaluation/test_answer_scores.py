"""Answers and plans are scored as the official scripts do."""

import pytest

from core.domain import SubQuestion
from core.evaluation.answer_scores import answer_f1, exact_match, normalised, score_plan, split_on_and


def test_normalisation_is_that_of_squad():
    assert normalised("The  Eiffel Tower, in Paris!") == "eiffel tower in paris"


@pytest.mark.parametrize(
    ("answer", "golds", "em", "f1"),
    [
        ("The Korean War", ["korean war"], 1, 1),
        ("Korean War of 1950", ["Korean War"], 0, 2 * 2 / 6),
        ("", ["x"], 0, 0),
        ("", [""], 1, 1),
        ("真空组", ["真空组"], 1, 1),
        ("真空", ["真空组"], 0, 0.8),
    ],
)
def test_answers(answer, golds, em, f1):
    assert exact_match(answer, golds) == em
    assert answer_f1(answer, golds) == pytest.approx(f1)


def parts(*needs: tuple[int, ...]) -> tuple[SubQuestion, ...]:
    return tuple(SubQuestion(id=n, question="q", depends_on=need) for n, need in enumerate(needs, 1))


def gold(*needs: list[int]) -> list[dict[str, object]]:
    return [{"id": n, "question": "q", "depends_on": need} for n, need in enumerate(needs, 1)]


def test_a_plan_is_scored_by_its_length_and_its_edges():
    same = score_plan(parts((), (1,)), gold([], [1]))
    assert (same.same_length, same.length_error, same.edges) == (1, 0, 1)
    flat = score_plan(parts((), ()), gold([], [1], [1, 2]))
    assert (flat.same_length, flat.length_error, flat.edges) == (0, 1, 0)
    assert score_plan(parts((), ()), gold([], [])).edges == 1
    assert score_plan(parts((), (1,)), gold([], [1], [2])).edges == pytest.approx(2 / 3)


def test_the_baseline_cuts_at_every_and():
    assert [p.question for p in split_on_and("Who led it and when?")] == ["Who led it?", "when?"]
