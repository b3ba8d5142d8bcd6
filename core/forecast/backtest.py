"""Rolling origin: forecast from earlier points in time and compare with what came (Tashman 2000)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.forecast.forecast_models import COMBINATION, MODELS, combine
from core.forecast.seasonal import Array, adjust
from core.forecast.statespace import ARIMA_FORMS, ETS_FORMS, Form, fit_arima, fit_ets

MAX_ORIGINS = 5


@dataclass(frozen=True)
class Trial:
    """One origin: `held` actual values (leads,) and each candidate's forecast of them."""

    held: Array
    forecasts: dict[str, Array]


@dataclass(frozen=True)
class CandidateFits:
    """Forecasts (horizon,) of every candidate from one history, and the forms the searches chose."""

    forecasts: dict[str, Array]
    ets: Form | None
    arima: Form | None


def fit_all(
    y: Array, period: int, horizon: int, names: Sequence[str], like: "CandidateFits | None" = None
) -> CandidateFits:
    """Fit the named candidates and the combination; `like` gives forms that need no new search."""
    ets = fit_ets(y, period, horizon, (like.ets,) if like and like.ets else ETS_FORMS)
    arima = fit_arima(y, period, horizon, (like.arima,) if like and like.arima else ARIMA_FORMS)
    forecasts = {"ETS": ets.forecast, "ARIMA": arima.forecast}
    for name in names:
        if name not in forecasts:
            forecasts[name] = MODELS[name](y, period, horizon)
    forecasts[COMBINATION] = combine(forecasts)
    return CandidateFits(forecasts, ets.form, arima.form)


def rolling_origin(
    y: Array, period: int, horizon: int, names: Sequence[str], fits: CandidateFits, origins: int = MAX_ORIGINS
) -> list[Trial]:
    """Return at most `origins` trials, the farthest origin first; none where the history is too short."""
    n = len(y)
    least = max(2 * period + 2, 7) if period > 1 else 7
    farthest = min(horizon, n - least)
    if farthest < 1:
        return []
    back = sorted({int(b) for b in np.round(np.linspace(1, farthest, origins))}, reverse=True)
    return [
        Trial(y[n - b :], fit_all(y[: n - b], period, b, names, fits).forecasts) for b in back if b <= horizon
    ]


def scale(y: Array, period: int) -> float:
    """Return the mean absolute one-step change of the naive forecast: MASE's denominator, never 0."""
    step = period if len(y) > period else 1
    spread = float(np.mean(np.abs(y[step:] - y[:-step]))) if len(y) > step else 0.0
    return spread or float(np.mean(np.abs(y))) or 1.0


def volatility(y: Array, period: int) -> float:
    """Return the standard deviation of the adjusted series' changes: the unit of the intervals."""
    changes = np.diff(adjust(y, period, 1).y)
    return float(np.std(changes)) if len(changes) > 1 else float(np.abs(y).mean())


def smape(actual: Array, forecast: Array) -> float:
    """Return the symmetric mean absolute percentage error (M3): mean of 200 |a - f| / (|a| + |f|)."""
    total = np.abs(actual) + np.abs(forecast)
    return float(
        np.mean(np.where(total > 0, 200 * np.abs(actual - forecast) / np.where(total > 0, total, 1), 0))
    )


def scores(trials: Sequence[Trial], spread: float) -> dict[str, tuple[float, float]]:
    """Return (MASE, sMAPE) of each candidate over all trials."""
    if not trials:
        return {}
    return {
        name: (
            float(np.mean([np.mean(np.abs(t.held - t.forecasts[name])) for t in trials])) / spread,
            float(np.mean([smape(t.held, t.forecasts[name]) for t in trials])),
        )
        for name in trials[0].forecasts
    }
