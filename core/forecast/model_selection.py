"""Numbers in, numbers out: candidates, backtest, choice and calibrated intervals for one history."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from core.errors import ForecastError
from core.forecast.backtest import Trial, fit_all, rolling_origin, scale, scores, volatility
from core.forecast.forecast_models import COMBINATION, MODELS
from core.forecast.seasonal import Array, is_seasonal

MIN_VALUES = 3
# A single model replaces the combination only if its backtest error is below this share of it
SINGLE_MODEL_ERROR_SHARE = 0.5
PRIOR_TRIALS = 2.0

# Error growth lead^p in units of the changes' standard deviation, mean error and its 80 % and 95 % quantiles,
# by seasonal period. Fitted on the public half of M3 (bench/forecast.py prints the coverage they give).
_GROWTH = {1: (0.6, 1.047, 1.97, 3.41), 4: (0.5, 0.948, 1.52, 2.95), 12: (0.5, 0.560, 0.85, 1.74)}


@dataclass(frozen=True)
class Projection:
    """Forecasts (horizon,), half-widths of the intervals (horizon,), what was chosen and how it did."""

    values: Array
    half80: Array
    half95: Array
    chosen: str
    scores: dict[str, tuple[float, float]]  # candidate -> (MASE, sMAPE) in the backtest
    trials: tuple[Trial, ...]
    coverage80: float | None


def project(values: Sequence[float] | Array, period: int, horizon: int) -> Projection:
    """Forecast `horizon` steps of a series with seasonal length `period` (1 for none).

    Raises ForecastError below three values, for a value that is not finite, or a horizon below one.
    """
    y = np.asarray(values, dtype=float)
    if len(y) < MIN_VALUES:
        raise ForecastError(f"{len(y)} values are too few for a forecast; {MIN_VALUES} is the least.")
    if not np.isfinite(y).all() or horizon < 1:
        raise ForecastError("A forecast needs finite values and a horizon of at least one step.")
    if float(np.ptp(y)) == 0.0:
        return Projection(
            np.repeat(y[-1], horizon), np.zeros(horizon), np.zeros(horizon), "naive", {}, (), None
        )
    with threadpool_limits(1):  # the matrices are tiny: more threads only wait for each other
        return _project(y, period, horizon)


def _project(y: Array, period: int, horizon: int) -> Projection:
    names = candidates(y, period)
    fits = fit_all(y, period, horizon, names)
    trials = rolling_origin(y, period, horizon, names, fits)
    judged = scores(trials, scale(y, period))
    chosen = choose(judged)
    half80, half95, coverage = intervals(y, period, horizon, trials, chosen)
    forecast = fits.forecasts[chosen]
    if (y >= 0).all():
        forecast = np.maximum(forecast, 0.0)
    return Projection(forecast, half80, half95, chosen, judged, tuple(trials), coverage)


def candidates(y: Array, period: int) -> tuple[str, ...]:
    """Return the models worth trying: seasonal ones only where there is a pattern, slow ones only there."""
    seasonal = is_seasonal(y, period)
    skip = set() if seasonal else {"seasonal naive"}
    if not seasonal or period > 12:
        skip.add("seasonal ARIMA")
    return tuple(name for name in MODELS if name not in skip)


def choose(judged: dict[str, tuple[float, float]]) -> str:
    """Return the combination unless one model was clearly better in the backtest.

    Combinations of statistical models win over selection on M3 and M4 (Petropoulos and Svetunkov 2020).
    """
    if not judged:
        return COMBINATION
    best = min(judged, key=lambda name: judged[name][0])
    return best if judged[best][0] < SINGLE_MODEL_ERROR_SHARE * judged[COMBINATION][0] else COMBINATION


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
    factor = max((PRIOR_TRIALS * mean + own) / (PRIOR_TRIALS + len(ratios)) / mean, 0.05)
    shape = np.asarray(unit * factor * np.arange(1, horizon + 1, dtype=float) ** power)
    inside = np.concatenate([r <= q80 * factor for r in ratios]) if ratios else None
    return q80 * shape, q95 * shape, None if inside is None else float(np.mean(inside))


def limits(y: Array, unit: str) -> tuple[float, float]:
    """Return what values can be: a percentage stays in 0 to 100, what never was negative stays so."""
    if unit == "%" and y.min() >= 0 and y.max() <= 100:
        return 0.0, 100.0
    return (0.0, np.inf) if y.min() >= 0 else (-np.inf, np.inf)


def within(value: float, ends: tuple[float, float]) -> float:
    """Return the value, clamped to the limits."""
    return float(min(max(value, ends[0]), ends[1]))
