"""UCB draws the best of what was nearly chosen, and others the more often it drew the same."""

import math

import pytest

from core.learning.context_sampling import ContextPool, sampling_of
from core.learning.trajectories import FoundCandidate, Round
from tests.learning import sample_attempts


def test_visits_start_at_one_and_the_bound_is_score_plus_exploration():
    pool = ContextPool(exploration=0.5)
    pool.enter("a", 0.3)
    pool.enter("b", 0.2)
    assert pool.visits == {"a": 1, "b": 1}
    assert pool.bound("a") == pytest.approx(0.3 + 0.5 * math.sqrt(math.log(2)))
    pool.enter("a", 0.1)
    assert pool.scores["a"] == 0.3  # S keeps the best score


def test_what_was_drawn_often_makes_room_for_the_rest():
    pool = ContextPool(exploration=0.5)
    pool.enter("a", 0.40)
    pool.enter("b", 0.35)
    drawn = [pool.draw(()) for _ in range(6)]
    assert drawn[:2] == ["a", "b"] and set(drawn[2:]) == {"a", "b"}
    assert [ContextPool(0.0, {"a": 0.4, "b": 0.35}, {"a": 1, "b": 1}).draw(()) for _ in range(3)] == ["a"] * 3


def test_what_was_read_is_not_drawn_and_an_empty_pool_gives_nothing():
    pool = ContextPool()
    assert pool.draw(()) is None
    pool.enter("a", 0.4)
    assert pool.draw({"a"}) is None


def test_draws_of_gold_passages_are_told_beside_their_share_of_the_pool():
    spare = tuple(
        FoundCandidate(text=f"about {chunk}", chunk_id=chunk, score=score, proposal="?")
        for chunk, score in (("f1", 0.3), ("x1", 0.2), ("y1", 0.1))
    )
    rounds = (Round(number=1, spare=spare, sampled="f1"), Round(number=2, spare=spare, sampled="x1"))
    attempt = sample_attempts.right(1).model_copy(update={"rounds": rounds})
    unknown = attempt.model_copy(
        update={"question": attempt.question.model_copy(update={"id": "q", "gold": ()})}
    )
    found = sampling_of([attempt, unknown], exploration=0.0)
    assert (found.draws, found.gold_draws, found.gold_passages) == (4, 0.5, 0.3333)
    assert [(one.text, one.visits, one.gold) for one in found.passages[:3]] == [
        ("about f1", 2, True),
        ("about x1", 2, False),
        ("about y1", 1, False),
    ]
