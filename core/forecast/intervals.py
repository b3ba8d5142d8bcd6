"""Intervals of a forecast, calibrated by how its backtest missed."""

from collections.abc import Sequence

import numpy as np

from core.forecast.backtest import Trial, volatility
from core.forecast.seasonal import Array

_PRIOR_TRIALS = 2.0

# Error growth lead^p in units of the changes' standard deviation, mean error and its 80 % and 95 % quantiles,
# by seasonal period. Fitted on the public half of M3 (bench/forecast.py prints the coverage they give).
_GROWTH = {1: (0.6, 1.047, 1.97, 3.41), 4: (0.5, 0.948, 1.52, 2.95), 12: (0.5, 0.560, 0.85, 1.74)}


def intervals(
    y: Array, period: int, horizon: int, trials: Sequence[Trial], chosen: str
) -> tuple[Array, Array, float | None]:
    """Return the half-widths at 80 % and 95 % and the share of backtest values inside the first.

    The backtest errors, divided by how errors of such series grow with the lead, are a conformal score;
    few trials are drawn towards the mean of many series, so a lucky short backtest does not narrow them.
    """
    power, mean, q80, q95 = _GROWTH.get(period, _GROWTH[12 if period > 4 else 1])
    unit = max(volatility(y, period), 1e-9 * float(np.abs(y).max()))
    ratios = [
        np.abs(t.held - t.forecasts[chosen]) / (unit * np.arange(1, len(t.held) + 1, dtype=float) ** power)
        for t in trials
    ]
    own = sum(float(np.mean(r)) for r in ratios)
    factor = max((_PRIOR_TRIALS * mean + own) / (_PRIOR_TRIALS + len(ratios)) / mean, 0.05)
    shape = np.asarray(unit * factor * np.arange(1, horizon + 1, dtype=float) ** power)
    inside = np.concatenate([r <= q80 * factor for r in ratios]) if ratios else None
    return q80 * shape, q95 * shape, None if inside is None else float(np.mean(inside))
