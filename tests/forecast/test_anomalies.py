"""Jumps, outliers and drifts are named where they are, and nowhere else."""

import numpy as np
import pytest

from core.forecast.anomalies import breaks, outliers, unstable
from core.forecast.intermittent import croston, intermittent, project_intermittent

RNG = np.random.default_rng(4)


def test_a_lasting_jump_is_a_break_and_a_spike_is_an_outlier():
    y = 10 + RNG.normal(0, 0.1, 40)
    jumped = y.copy()
    jumped[25:] -= 3
    (found,) = breaks(jumped, 1)
    assert found.at == 25
    assert found.before - found.after == pytest.approx(3, abs=0.2)
    spiked = y.copy()
    spiked[12] += 4
    assert breaks(spiked, 1) == []
    assert outliers(spiked, 1) == [12]


def test_a_calm_or_rising_series_has_neither():
    rising = np.arange(40) * 0.5 + RNG.normal(0, 0.3, 40)
    assert breaks(rising, 1) == []
    assert outliers(rising, 1) == []


def test_a_season_is_no_outlier():
    t = np.arange(60)
    y = 100 + 10 * np.sin(2 * np.pi * t / 12) + RNG.normal(0, 0.5, 60)
    y[37] += 15
    assert outliers(y, 12) == [37]


def test_a_trend_that_turns_is_unstable_and_a_steady_one_is_not():
    t = np.arange(60.0)
    assert unstable(np.where(t < 30, t, 60 - t) + RNG.normal(0, 0.5, 60)) < 0.01
    assert unstable(t + RNG.normal(0, 0.5, 60)) > 0.05
    assert unstable(np.ones(30)) is None


def test_mostly_zeros_are_forecast_by_their_mean_rate():
    y = np.zeros(40)
    y[::4] = 2.0
    assert intermittent(tuple(y))
    assert croston(y) == pytest.approx(0.5, abs=0.1)
    projection = project_intermittent(tuple(y), 3)
    assert projection.values == pytest.approx([projection.values[0]] * 3)
    assert projection.chosen in projection.scores
    assert not intermittent((1.0, 2.0, 3.0, 4.0, 5.0, 6.0))


def test_silence_lowers_the_rate():
    y = np.r_[np.ones(10), np.zeros(40)]
    assert croston(y) < 0.1
