"""The models chosen by an information criterion: ETS, ARIMA and the airline model, all by statsmodels.

Each returns the form it chose, so that a backtest can fit the same form again without searching.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.forecast.seasonal import Array, adjust, is_seasonal, quiet
from core.forecast.smoothing import drift, theta

Form = tuple[str | None, ...]


@dataclass(frozen=True)
class FittedModel:
    """A forecast (horizon,), the form that was chosen and its information criterion."""

    forecast: Array
    form: Form | None
    criterion: float


ETS_FORMS: tuple[Form, ...] = tuple(
    (error, trend, damped, season)
    for error in ("add", "mul")
    for trend, damped in ((None, None), ("add", None), ("add", "damped"))
    for season in (None, "add", "mul")
    if season is None or (season == "mul") == (error == "mul")
)
ARIMA_FORMS: tuple[Form, ...] = tuple((p, q, t) for p in "01" for q in "01" for t in "nt")
AIRLINE_FORMS: tuple[Form, ...] = (("0", "1", "n"), ("1", "0", "n"))


def fit_ets(y: Array, period: int, horizon: int, forms: Sequence[Form] = ETS_FORMS) -> FittedModel:
    """Exponential smoothing in state space form, chosen by AICc (Hyndman et al. 2002)."""
    from statsmodels.tsa.exponential_smoothing.ets import ETSModel

    n, positive = len(y), bool((y > 0).all())
    fits: list[FittedModel] = []
    for form in forms:
        error, trend, damped, season = form
        if (error == "mul" and not positive) or (season and (period < 2 or n < 2 * period + 5)):
            continue
        with quiet():
            try:
                fitted = ETSModel(
                    y,
                    error=error,
                    trend=trend,
                    damped_trend=damped is not None,
                    seasonal=season,
                    seasonal_periods=period if season else None,
                    initialization_method="heuristic" if n >= 10 else "estimated",
                ).fit(disp=0, maxiter=300)
                forecast = np.asarray(fitted.forecast(horizon), float)
            except (ValueError, np.linalg.LinAlgError):
                continue
        free = len(fitted.params) + (2 if trend else 1) + (period if season else 0)
        fits.append(FittedModel(forecast, form, _aicc(fitted.llf, free, n)))
    return _best(fits, lambda: theta(y, period, horizon))


def fit_arima(y: Array, period: int, horizon: int, forms: Sequence[Form] = ARIMA_FORMS) -> FittedModel:
    """ARIMA(p,1,q), p and q up to 1, with or without drift, by AICc on the adjusted series."""
    adjusted = adjust(y, period, horizon)
    return _fit_arima(adjusted.y, 0, horizon, forms, adjusted.restore, lambda: drift(y, period, horizon))


def fit_seasonal_arima(
    y: Array, period: int, horizon: int, forms: Sequence[Form] = AIRLINE_FORMS
) -> FittedModel:
    """The airline model and its AR form, by AICc, on the logarithm where all values are positive."""
    if not is_seasonal(y, period) or len(y) < 3 * period + 5 or period > 12:
        return fit_arima(y, period, horizon)
    logged = bool((y > 0).all())

    def restore(forecast: Array) -> Array:
        return np.exp(np.minimum(forecast, np.log(y.max()) + 3.0)) if logged else forecast

    data = np.log(y) if logged else y
    return _fit_arima(data, period, horizon, forms, restore, lambda: arima(y, period, horizon))


def _fit_arima(
    y: Array,
    seasonal: int,
    horizon: int,
    forms: Sequence[Form],
    restore: Callable[[Array], Array],
    otherwise: Callable[[], Array],
) -> FittedModel:
    from statsmodels.tsa.arima.model import ARIMA

    fits: list[FittedModel] = []
    used = len(y) - 1 - seasonal
    for form in forms if len(y) >= 6 else ():
        p, q, trend = int(form[0] or 0), int(form[1] or 0), form[2]
        with quiet():
            try:
                fitted = ARIMA(
                    y,
                    order=(p, 1, q),
                    seasonal_order=(0, 1, 1, seasonal) if seasonal else (0, 0, 0, 0),
                    trend=trend,
                    concentrate_scale=True,
                ).fit(method_kwargs={"maxiter": 50})
                forecast = np.asarray(fitted.forecast(horizon), float)
            except (ValueError, np.linalg.LinAlgError):
                continue
        free = p + q + (trend == "t") + (seasonal > 0) + 1
        fits.append(FittedModel(restore(forecast), form, _aicc(fitted.llf, free, used)))
    return _best(fits, otherwise)


def _aicc(log_likelihood: float, free: int, n: int) -> float:
    return float(-2 * log_likelihood + 2 * free * n / max(n - free - 1, 1))


def _best(fits: list[FittedModel], otherwise: Callable[[], Array]) -> FittedModel:
    usable = [f for f in fits if np.isfinite(f.criterion) and np.isfinite(f.forecast).all()]
    return min(usable, key=lambda f: f.criterion) if usable else FittedModel(otherwise(), None, float("inf"))


def ets(y: Array, period: int, horizon: int) -> Array:
    """The ETS model that `fit_ets` chooses by AICc (Hyndman et al. 2002)."""
    return fit_ets(y, period, horizon).forecast


def arima(y: Array, period: int, horizon: int) -> Array:
    """The ARIMA model that `fit_arima` chooses by AICc."""
    return fit_arima(y, period, horizon).forecast


def seasonal_arima(y: Array, period: int, horizon: int) -> Array:
    """The seasonal ARIMA model that `fit_seasonal_arima` chooses by AICc."""
    return fit_seasonal_arima(y, period, horizon).forecast
