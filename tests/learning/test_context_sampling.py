"""UCB draws the best of what was nearly chosen, and others the more often it drew the same."""

import math

import pytest

from core.learning.context_sampling import ContextPool


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
