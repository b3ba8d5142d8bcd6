"""The shifts of a series' level at dated events, estimated by regression (interrupted time series)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.forecast.seasonal import Array, quiet

VALUES_BESIDE_STEP = 3  # values before and after a step below which it says nothing about the level


@dataclass(frozen=True)
class LevelShifts:
    """The mean shift of the level at each of some kinds of events."""

    effects: Array  # (kinds,)
    p_values: Array  # (kinds,)
    covariances: tuple[Array, ...]  # (kinds, kinds) each, by more than one estimator

    def total(self, counts: Sequence[int]) -> float:
        """Return the shift after so many events of each kind, none of those that are not counted."""
        return float(np.asarray(counts) @ self.effects[: len(counts)])

    def error(self, counts: Sequence[int]) -> float:
        """Return its standard error, the largest of the estimators'."""
        c, k = np.asarray(counts), len(counts)
        return float(max(np.sqrt(max(c @ covariance[:k, :k] @ c, 0.0)) for covariance in self.covariances))


def level_shifts(
    y: Array, kinds: Sequence[Sequence[int]], others: Sequence[int] = (), season: int = 1
) -> LevelShifts | None:
    """Return the shift of the level of y (n,) at the indices of each kind of event.

    None for too few values outside of the events, and for kinds whose events coincide. Interrupted time
    series (Wagner et al. 2002): least squares on a constant, a trend, the season, a step at each of `others`,
    and for each kind the number of its events so far. The standard error is the larger of the ordinary one
    and Newey and West's (1987), which allows for autocorrelation but is too small on short histories.
    """
    import statsmodels.api as sm
    from scipy.stats import t as student

    n = len(y)
    if not all(any(VALUES_BESIDE_STEP <= i <= n - VALUES_BESIDE_STEP for i in at) for at in kinds):
        return None
    t = np.arange(n)
    columns = [np.sum([t >= i for i in at], axis=0, dtype=float) for at in kinds]
    columns += [np.ones(n), t / n]
    columns += [(t >= i).astype(float) for i in others]
    columns += [(t % season == s).astype(float) for s in range(1, season)]
    design = np.column_stack(columns)
    if n < design.shape[1] + 2 * VALUES_BESIDE_STEP or np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    lags = int(4 * (n / 100) ** (2 / 9))
    k = len(kinds)
    with quiet():
        model = sm.OLS(y, design)
        plain = model.fit()
        robust = model.fit(cov_type="HAC", cov_kwds={"maxlags": lags})
        effects = np.asarray(plain.params[:k], dtype=float)
        covariances = tuple(np.asarray(fit.cov_params()[:k, :k], dtype=float) for fit in (plain, robust))
    errors = np.sqrt(np.maximum(*(np.diag(covariance) for covariance in covariances)).clip(0))
    ratios = np.divide(np.abs(effects), errors, out=np.full(k, np.inf), where=errors > 0)
    p_values = np.where(errors > 0, 2 * student.sf(ratios, n - design.shape[1]), effects == 0)
    return LevelShifts(effects, p_values, covariances)
