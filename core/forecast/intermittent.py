"""Series that are zero most of the time: the mean rate instead of the median of smooth models."""

from collections.abc import Sequence

import numpy as np

from core.forecast.backtest import MAX_ORIGINS, Trial, scale, scores
from core.forecast.model_selection import Projection
from core.forecast.seasonal import Array

MIN_SHARE_OF_ZEROS = 0.3  # share of zeros from which a series counts as intermittent
MIN_VALUES = 6
NAME = "Croston"


def intermittent(values: Sequence[float]) -> bool:
    """Say whether many of the values are zero, and none below."""
    y = np.asarray(values, float)
    return (
        len(y) >= MIN_VALUES
        and bool((y >= 0).all() and (y > 0).any())
        and float(np.mean(y == 0)) >= MIN_SHARE_OF_ZEROS
    )


def croston(y: Array, alpha: float = 0.1) -> float:
    """Return the mean per step: smoothed size over smoothed distance (Croston, less its bias: Syntetos and
    Boylan 2005)."""
    at = np.flatnonzero(y)
    if not len(at):
        return 0.0
    sizes, gaps = y[at], np.diff(np.r_[-1, at]).astype(float)
    size, gap = float(sizes.mean()), max(float(gaps.mean()), 1.0)
    for s, g in zip(sizes, gaps, strict=True):
        size, gap = size + alpha * (s - size), gap + alpha * (g - gap)
    waited = max(gap, float(len(y) - at[-1] - 1))  # nothing for a long time lowers the rate
    return (1 - alpha / 2) * size / waited


def project_intermittent(values: Sequence[float], horizon: int) -> Projection:
    """Forecast a flat rate; the intervals are how far single values lay from it."""
    y = np.asarray(values, float)
    rate = croston(y)
    miss = np.abs(y - rate)
    half80, half95 = (float(np.quantile(miss, q)) for q in (0.8, 0.95))
    trials = _trials(y, horizon)
    inside = (
        np.concatenate([np.abs(t.held - t.forecasts[NAME]) <= half80 for t in trials]) if trials else None
    )
    return Projection(
        values=np.repeat(rate, horizon),
        half80=np.repeat(half80, horizon),
        half95=np.repeat(half95, horizon),
        chosen=NAME,
        scores=scores(trials, scale(y, 1)),
        trials=tuple(trials),
        coverage80=None if inside is None else float(np.mean(inside)),
    )


def _trials(y: Array, horizon: int) -> list[Trial]:
    farthest = min(horizon, len(y) - MIN_VALUES)
    if farthest < 1:
        return []
    back = sorted({int(b) for b in np.round(np.linspace(1, farthest, MAX_ORIGINS))}, reverse=True)
    return [
        Trial(y[-b:], {NAME: np.repeat(croston(y[:-b]), b), "naive": np.repeat(y[-b - 1], b)}) for b in back
    ]
