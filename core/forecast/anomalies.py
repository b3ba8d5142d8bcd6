"""What is unusual in a history: jumps of the level, single outliers, a trend that does not hold."""

from dataclasses import dataclass

import numpy as np

from core.forecast.seasonal import Array, adjust, is_seasonal, quiet

MAD_TO_DEVIATION = 1.4826  # a median absolute deviation times this is a standard deviation of normal noise
MIN_BREAK_NOISE_UNITS = 6.0  # noise units a step must have to count as a break
MIN_OUTLIER_NOISE_UNITS = 5.0
VALUES_BESIDE_BREAK = 5  # values before and after that a jump must part
MIN_VALUES_AFTER_BREAK = 8  # values after a break that are enough to forecast from


@dataclass(frozen=True)
class Break:
    """The level jumps at index `at`, from the median before to the median after."""

    at: int
    before: float
    after: float


def breaks(y: Array, period: int) -> list[Break]:
    """Return lasting jumps: steps far beyond the noise of the others, with different levels on their sides.

    A Chow-like scan: at each step the medians of up to five values on either side are compared with the
    series' own noise; a single spike goes back and is no break.
    """
    adjusted = adjust(y, period, 1).y
    steps = np.diff(adjusted)
    if len(steps) < 2 * VALUES_BESIDE_BREAK:
        return []
    noise = _noise(steps)
    found: list[Break] = []
    for i in np.argsort(-np.abs(steps)):
        at = int(i) + 1
        if abs(steps[i]) <= MIN_BREAK_NOISE_UNITS * noise or not 3 <= at <= len(y) - 3:
            continue
        before, after = (
            adjusted[max(0, at - VALUES_BESIDE_BREAK) : at],
            adjusted[at : at + VALUES_BESIDE_BREAK],
        )
        moved = float(np.median(after) - np.median(before))
        apart = np.sign(moved) == np.sign(steps[i]) and abs(moved) > 0.6 * abs(steps[i])
        if apart and all(abs(at - b.at) > VALUES_BESIDE_BREAK for b in found):
            found.append(Break(at, float(np.median(before)), float(np.median(after))))
    return sorted(found[:3], key=lambda b: b.at)


def outliers(y: Array, period: int) -> list[int]:
    """Return the indices that lie far from what their neighbours (and their season, by STL) suggest."""
    n = len(y)
    if n < 8:
        return []
    if is_seasonal(y, period) and n >= 2 * period + 4:
        from statsmodels.tsa.seasonal import STL

        with quiet():
            rest = np.asarray(STL(y, period=period, robust=True).fit().resid, float)
    else:
        padded = np.pad(y, 2, mode="reflect")
        rest = y - np.array([np.median(padded[i : i + 5]) for i in range(n)])
    noise = max(_noise(rest), _noise(np.diff(adjust(y, period, 1).y)) / np.sqrt(2))
    return (
        [int(i) for i in np.flatnonzero(np.abs(rest) > MIN_OUTLIER_NOISE_UNITS * noise)] if noise > 0 else []
    )


def unstable(y: Array) -> float | None:
    """Return the p-value that level and trend hold throughout (OLS-CUSUM, Ploberger and Kraemer 1992)."""
    n = len(y)
    if n < 12 or float(np.ptp(y)) == 0.0:
        return None
    from statsmodels.stats.diagnostic import breaks_cusumolsresid

    t = np.arange(n, dtype=float)
    rest = y - np.polyval(np.polyfit(t, y, 1), t)
    if float(np.ptp(rest)) <= 1e-9 * float(np.abs(y).max()):
        return None
    with quiet():
        return float(breaks_cusumolsresid(rest, ddof=2)[1])


def _noise(values: Array) -> float:
    spread = MAD_TO_DEVIATION * float(np.median(np.abs(values - np.median(values))))
    return spread or float(np.std(values)) * 0.5
