"""Numbers in, numbers out: candidates, backtest and choice for one history."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from core.errors import ForecastError
from core.forecast.backtest import Trial, fit_all, rolling_origin, scale, scores
from core.forecast.forecast_models import COMBINATION, MODELS
from core.forecast.intervals import intervals
from core.forecast.seasonal import Array, is_seasonal

MIN_VALUES = 3
# A single model replaces the combination only if its backtest error is below this share of it
SINGLE_MODEL_ERROR_SHARE = 0.5


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


def limits(y: Array, unit: str) -> tuple[float, float]:
    """Return what values can be: a percentage stays in 0 to 100, what never was negative stays so."""
    if unit == "%" and y.min() >= 0 and y.max() <= 100:
        return 0.0, 100.0
    return (0.0, np.inf) if y.min() >= 0 else (-np.inf, np.inf)


def within(value: float, ends: tuple[float, float]) -> float:
    """Return the value, clamped to the limits."""
    return float(min(max(value, ends[0]), ends[1]))
