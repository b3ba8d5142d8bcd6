"""Late interaction of one question with passages."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from core.text.maxsim import best_matches, on_one_thread


def test_each_token_of_the_question_finds_its_best_match_in_each_passage():
    question = np.array([[1, 0], [0, 1]], np.float32)
    one = np.array([[1, 0], [0.6, 0.8]], np.float32)
    other = np.array([[0.5, -0.5]], np.float32)
    best = best_matches(question, [one, np.zeros((0, 2), np.float32), other])
    assert best == pytest.approx(np.array([[1, 0.8], [0, 0], [0.5, -0.5]]))


def test_bytes_are_multiplied_as_numbers_and_do_not_overflow():
    rows = np.full((3, 128), 127, np.int8)
    assert best_matches(np.ones((1, 128), np.float32), [rows]).tolist() == [[127.0 * 128]]


def test_nothing_asked_or_nothing_there_gives_no_match():
    assert best_matches(np.zeros((0, 4), np.float32), [np.ones((2, 4), np.float32)]).shape == (1, 0)
    assert best_matches(np.ones((2, 4), np.float32), []).shape == (0, 2)


def test_a_product_runs_on_one_thread_and_afterwards_there_are_as_many_as_before():
    def threads() -> list[int]:  # of numpy's own library; whatever else is loaded is not asked for anything
        pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        return [pool["num_threads"] for pool in pools if "numpy" in pool["filepath"]]

    before = threads()
    assert before
    with on_one_thread():
        assert set(threads()) == {1}
    assert threads() == before
