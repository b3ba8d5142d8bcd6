"""Token vectors made small: the directions that carry most, int8 steps, and vectors that say nothing."""

import numpy as np
import pytest

from core.knowledge.search.token_projection import (
    DIMENSIONS,
    MAX_FITTED_VECTORS,
    as_bytes,
    blocks,
    fitted,
    sample,
)
from tests.knowledge.conftest import token_vectors


def test_the_directions_that_carry_most_are_kept() -> None:
    rows = np.random.default_rng(0).normal(size=(2_000, 384)).astype(np.float32)
    rows[:, :DIMENSIONS] *= 10
    projection, scale = fitted(rows)
    assert projection.shape == (384, DIMENSIONS)
    assert np.square(rows @ projection).sum() > 0.95 * np.square(rows).sum()
    assert scale <= np.abs(rows @ projection).max()


def test_a_step_is_a_hundred_and_twenty_seventh_of_the_scale_and_none_is_beyond_it() -> None:
    assert as_bytes(np.array([[1.0, -1.0, 0.5, 7.0]], np.float32), 1.0).tolist() == [[127, -127, 64, 127]]


def test_vectors_that_say_nothing_are_kept_as_nothing() -> None:
    nothing = np.zeros((300, 384), np.float32)
    projection, scale = fitted(nothing)
    assert scale > 0
    with np.errstate(all="raise"):
        assert not as_bytes(nothing @ projection, scale).any()


@pytest.mark.parametrize("lengths", [(10, 20, 30), (MAX_FITTED_VECTORS, 3 * MAX_FITTED_VECTORS, 7)])
def test_a_sample_takes_rows_evenly_from_all_parts(lengths: tuple[int, ...]) -> None:
    parts = [np.full((length, 4), number, np.float32) for number, length in enumerate(lengths)]
    taken = sample(parts)
    assert len(taken) <= MAX_FITTED_VECTORS + len(parts)
    shares = np.bincount(taken[:, 0].astype(int), minlength=len(lengths)) / len(taken)
    assert shares == pytest.approx(np.array(lengths) / sum(lengths), abs=0.01)


def test_blocks_hold_all_rows_in_order() -> None:
    parts = [token_vectors(f"text {number}") for number in range(5)]
    assert np.array_equal(np.concatenate(list(blocks(parts))), np.concatenate(parts))
