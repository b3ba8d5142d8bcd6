"""Seasonal adjustment: is there a pattern, take it out, put it back.

Here and in the models y is float64 (n,), period the seasonal length in observations (1 for none) and a
forecast float64 (horizon,).
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the optimisers' warnings on short or constant series: the backtest judges the results."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True)
class Adjusted:
    """A series without its seasonal pattern, and the pattern of the horizon to put back."""

    y: Array
    ahead: Array  # factors (horizon,), or terms where `additive`
    additive: bool = False

    def restore(self, forecast: Array) -> Array:
        return forecast + self.ahead if self.additive else forecast * self.ahead


def is_seasonal(y: Array, period: int) -> bool:
    """Test the autocorrelation at the seasonal lag at 90 % (Assimakopoulos and Nikolopoulos 2000)."""
    n = len(y)
    if period < 2 or n < 3 * period:
        return False
    centred = y - y.mean()
    total = float(centred @ centred)
    if total <= 1e-12 * max(1.0, float(y @ y)):
        return False
    r = np.array([centred[:-k] @ centred[k:] for k in range(1, period + 1)]) / total
    limit = 1.645 * np.sqrt((1 + 2 * float(np.sum(r[:-1] ** 2))) / n)
    return bool(abs(r[-1]) > limit)


def adjust(y: Array, period: int, horizon: int) -> Adjusted:
    """Classical decomposition by a centred moving average: multiplicative where all values are positive."""
    if not is_seasonal(y, period):
        return Adjusted(y, np.ones(horizon))
    additive = bool((y <= 0).any())
    kernel = np.ones(period) / period if period % 2 else np.r_[0.5, np.ones(period - 1), 0.5] / period
    trend = np.convolve(y, kernel, "valid")
    start = (len(y) - len(trend)) // 2
    middle = y[start : start + len(trend)]
    detrended = middle - trend if additive else middle / trend
    phase = (np.arange(len(trend)) + start) % period
    pattern = np.array([detrended[phase == p].mean() for p in range(period)])
    pattern = pattern - pattern.mean() if additive else pattern / pattern.mean()
    past, ahead = pattern[np.arange(len(y)) % period], pattern[(len(y) + np.arange(horizon)) % period]
    return Adjusted(y - past if additive else y / past, ahead, additive)
