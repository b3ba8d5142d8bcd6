"""The simple models: naive forms, exponential smoothing (statsmodels) and the Theta method.

Seasonality is removed before and put back after fitting, as in the M3 competition (Makridakis and
Hibon 2000, appendix A). SciPy and statsmodels take a second to load: only a forecast loads them.
"""

from collections.abc import Callable

import numpy as np

from core.forecast.seasonal import Array, adjust, quiet

Model = Callable[[Array, int, int], Array]  # (y, period, horizon) -> forecast


def naive(y: Array, period: int, horizon: int) -> Array:
    """The last value continues."""
    return np.repeat(y[-1], horizon)


def naive2(y: Array, period: int, horizon: int) -> Array:
    """The last seasonally adjusted value: the benchmark of M3's OWA."""
    adjusted = adjust(y, period, horizon)
    return adjusted.restore(np.repeat(adjusted.y[-1], horizon))


def seasonal_naive(y: Array, period: int, horizon: int) -> Array:
    """The last season continues; the last value where the series is shorter than a season."""
    if len(y) < period:
        return naive(y, period, horizon)
    return y[-period:][np.arange(horizon) % period]


def drift(y: Array, period: int, horizon: int) -> Array:
    """The line through the first and the last seasonally adjusted value continues."""
    adjusted = adjust(y, period, horizon)
    slope = (adjusted.y[-1] - adjusted.y[0]) / max(len(y) - 1, 1)
    return adjusted.restore(adjusted.y[-1] + slope * np.arange(1, horizon + 1))


def smoothing(trend: bool, damped: bool) -> Model:
    """Return exponential smoothing (Holt 1957, damped: Gardner and McKenzie 1985) of the adjusted series."""

    def forecast(y: Array, period: int, horizon: int) -> Array:
        from statsmodels.tsa.holtwinters import ExponentialSmoothing

        adjusted = adjust(y, period, horizon)
        with quiet():
            fitted = ExponentialSmoothing(
                adjusted.y,
                trend="add" if trend else None,
                damped_trend=damped,
                initialization_method="estimated",
            ).fit()
            return adjusted.restore(np.asarray(fitted.forecast(horizon), float))

    return forecast


def _level(y: Array, alpha: float) -> tuple[float, float]:
    """Simple exponential smoothing from y[0]: the last level and the sum of squared one-step errors."""
    from scipy.signal import lfilter

    path = lfilter([alpha], [1.0, alpha - 1.0], y, zi=[(1 - alpha) * y[0]])[0]
    errors = y[1:] - path[:-1]
    return float(path[-1]), float(errors @ errors)


def _theta_line(y: Array, theta: float, horizon: int) -> tuple[Array, float]:
    """Combine the trend line with the smoothed theta line (Assimakopoulos and Nikolopoulos 2000)."""
    from scipy.optimize import minimize_scalar

    n = len(y)
    t = np.arange(n + horizon, dtype=float)
    slope, start = np.polyfit(t[:n], y, 1)
    line = start + slope * t
    curved = theta * y + (1 - theta) * line[:n]
    alpha = minimize_scalar(lambda a: _level(curved, a)[1], bounds=(0.05, 0.99), method="bounded").x
    level, error = _level(curved, alpha)
    return level / theta + (1 - 1 / theta) * line[n:], error / theta**2


def theta(y: Array, period: int, horizon: int) -> Array:
    """The Theta method with theta = 2, winner of M3."""
    adjusted = adjust(y, period, horizon)
    return adjusted.restore(_theta_line(adjusted.y, 2.0, horizon)[0])


def log_theta(y: Array, period: int, horizon: int) -> Array:
    """Theta with a multiplicative trend: the method applied to the logarithm."""
    adjusted = adjust(y, period, horizon)
    if (adjusted.y <= 0).any():
        return theta(y, period, horizon)
    forecast = _theta_line(np.log(adjusted.y), 2.0, horizon)[0]
    return adjusted.restore(np.exp(np.minimum(forecast, np.log(adjusted.y.max()) + 3.0)))


def optimised_theta(y: Array, period: int, horizon: int) -> Array:
    """Theta with theta chosen by the one-step error (Fiorucci et al. 2016, over a grid)."""
    adjusted = adjust(y, period, horizon)
    with quiet():
        lines = [_theta_line(adjusted.y, value, horizon) for value in (1.0, 1.5, 2.0, 3.0, 5.0)]
    return adjusted.restore(min(lines, key=lambda line: line[1])[0])
