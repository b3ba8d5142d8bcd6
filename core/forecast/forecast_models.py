"""The candidates by name, and the combination that is preferred unless the backtest speaks against it."""

import numpy as np

from core.forecast.seasonal import Array
from core.forecast.smoothing import (
    Model,
    drift,
    log_theta,
    naive,
    optimised_theta,
    seasonal_naive,
    smoothing,
    theta,
)
from core.forecast.statespace import arima, ets, seasonal_arima

MODELS: dict[str, Model] = {
    "naive": naive,
    "seasonal naive": seasonal_naive,
    "drift": drift,
    "SES": smoothing(trend=False, damped=False),
    "Holt": smoothing(trend=True, damped=False),
    "damped Holt": smoothing(trend=True, damped=True),
    "ETS": ets,
    "Theta": theta,
    "log Theta": log_theta,
    "optimised Theta": optimised_theta,
    "ARIMA": arima,
    "seasonal ARIMA": seasonal_arima,
}
COMBINED = ("Theta", "log Theta", "ETS", "ARIMA")
COMBINATION = "median combination"


def combine(forecasts: dict[str, Array]) -> Array:
    """Return the median of the combined models' forecasts (Petropoulos and Svetunkov 2020)."""
    return np.asarray(np.median([forecasts[name] for name in COMBINED], axis=0))
