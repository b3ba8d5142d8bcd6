"""A forecast as if a dated event happened: the shift of level that earlier like events brought, estimated."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from core.domain import DatedEvent, Forecast, Interval, Scenario, Series
from core.forecast.model_selection import limits, within
from core.forecast.seasonal import Array, quiet
from core.forecast.sentence_templates import phrase
from core.text.glossary import query_terms
from core.text.periods import STEPS, find_dates, find_periods, first_day, following
from core.text.series_names import CODE

VALUES_BESIDE_STEP = 3  # values before and after a step below which it says nothing about the level
SHIFT_P_VALUE = 0.05  # p-value from which on a shift is no more than the noise
# Share of the shorter statement's words that like events have in common, to be exceeded
MIN_SHARED_WORDS_SHARE = 0.5
MAX_EVENTS_AHEAD = 3  # events ahead that are told
NORMAL80, NORMAL95 = 1.282, 1.960


@dataclass(frozen=True)
class Shift:
    """The mean shift of the level at each of some events, its standard error and p-value."""

    effect: float
    error: float
    p: float


def with_events(made: Forecast, events: Sequence[DatedEvent], language: str) -> Forecast:
    """Return the forecast with the events within its history and ahead, and a scenario for each ahead."""
    points = made.series.points
    kept: list[DatedEvent] = []
    for event in sorted(events, key=lambda e: first_day(e.period)):
        inside = first_day(points[0].period) <= first_day(event.period) < _end(made.points[-1].period)
        if inside and not any(e.period == event.period and alike(e, event) for e in kept):
            kept.append(event)
    ahead = [event for event in kept if first_day(event.period) >= _end(points[-1].period)][:MAX_EVENTS_AHEAD]
    made = made.model_copy(update={"events": tuple(kept)})
    scenarios = tuple(suppose(made, event, language) for event in ahead)
    return made.model_copy(update={"scenarios": scenarios})


def suppose(made: Forecast, event: DatedEvent, language: str) -> Scenario:
    """Return the forecast as if the event happened, or the reason why no effect of it is estimated."""
    series = made.series
    start = next(
        (i for i, p in enumerate(made.points) if _end(p.period) > first_day(event.period)), len(made.points)
    )
    like = tuple(e for e in past(made) if alike(e, event))
    if start == len(made.points) or first_day(event.period) < _end(series.points[-1].period):
        return Scenario(event=event, like=like, reason=phrase("event_not_ahead", language))
    if not like:
        return Scenario(event=event, reason=phrase("event_unseen", language))
    shift = _shift_at(made, like)
    if shift is None:
        return Scenario(event=event, like=like, reason=phrase("event_too_near", language))
    known = Scenario(event=event, like=like, effect=shift.effect, error=shift.error)
    if shift.p > SHIFT_P_VALUE:
        return known.model_copy(update={"reason": phrase("event_no_effect", language)})
    low, high = limits(np.array([p.value for p in series.points]), series.unit)
    if any(not low <= point.value + shift.effect <= high for point in made.points[start:]):
        return known.model_copy(update={"reason": phrase("event_outside", language)})
    points = tuple(_moved(p, shift, (low, high)) if i >= start else p for i, p in enumerate(made.points))
    return known.model_copy(update={"points": points})


def past(made: Forecast) -> list[DatedEvent]:
    """Return the events within the history."""
    end = _end(made.series.points[-1].period)
    return [event for event in made.events if first_day(event.period) < end]


def alike(one: DatedEvent, other: DatedEvent) -> bool:
    """Say whether two events are of one kind: so named by a model, or told in mostly the same words."""
    if one.kind and one.kind.casefold() == other.kind.casefold():
        return True
    mine, yours = _words(one.text), _words(other.text)
    shorter = min(len(mine), len(yours))
    return shorter > 0 and len(mine & yours) / shorter > MIN_SHARED_WORDS_SHARE


def _words(text: str) -> frozenset[str]:
    """Return the words of a statement without its dates and codes, which tell when and at what."""
    for start, end in reversed(find_dates(text)):
        text = f"{text[:start]} {text[end:]}"
    return query_terms(CODE.sub(" ", text))


def _end(period: str) -> date:
    """Return the first day after a period."""
    return first_day(next(following(period)))


def _index(series: Series, event: DatedEvent) -> int:
    """Return the first point of the series that the event can have moved."""
    return next(i for i, p in enumerate(series.points) if _end(p.period) > first_day(event.period))


def _shift_at(made: Forecast, like: Sequence[DatedEvent]) -> Shift | None:
    series = made.series
    y = np.array([point.value for point in series.points])
    at = sorted({_index(series, event) for event in like})
    periods = [point.period for point in series.points]
    jumps = [periods.index(p) for p in made.breaks]
    others = [i for i in jumps if all(abs(i - event) > VALUES_BESIDE_STEP for event in at)]
    season = STEPS.get(series.frequency, 1) if series.frequency in {"quarterly", "monthly"} else 1
    return shift(y, at, others, season if len(y) >= 2 * season + 5 else 1)


def shift(y: Array, at: Sequence[int], others: Sequence[int] = (), season: int = 1) -> Shift | None:
    """Return the shift of the level of y (n,) at each of the indices `at`; None for too few values beside.

    Interrupted time series (Wagner et al. 2002): least squares on a constant, a trend, the season, a step at
    each of `others`, and the number of events so far. The error is the larger of the usual one and Newey
    and West's (1987), which heeds that values depend on those before them but is small on short histories.
    """
    import statsmodels.api as sm
    from scipy.stats import t as student

    n = len(y)
    if not any(VALUES_BESIDE_STEP <= i <= n - VALUES_BESIDE_STEP for i in at):
        return None
    t = np.arange(n)
    columns = [np.ones(n), t / n, np.sum([t >= i for i in at], axis=0, dtype=float)]
    columns += [(t >= i).astype(float) for i in others]
    columns += [(t % season == s).astype(float) for s in range(1, season)]
    design = np.column_stack(columns)
    if n < design.shape[1] + 2 * VALUES_BESIDE_STEP or np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    lags = int(4 * (n / 100) ** (2 / 9))
    with quiet():
        model = sm.OLS(y, design)
        plain = model.fit()
        robust = model.fit(cov_type="HAC", cov_kwds={"maxlags": lags})
    effect, error = float(plain.params[2]), float(max(plain.bse[2], robust.bse[2]))
    p = float(2 * student.sf(abs(effect) / error, n - design.shape[1])) if error > 0 else float(effect == 0)
    return Shift(effect, error, p)


def _moved(point: Interval, by: Shift, ends: tuple[float, float]) -> Interval:
    """Return the point at the other level; the shift's own error widens its intervals."""

    def at(edge: float, z: float) -> float:
        half = float(np.hypot(edge - point.value, z * by.error))
        side = half if edge >= point.value else -half
        return within(point.value + by.effect + side, ends)

    return Interval(
        period=point.period,
        value=point.value + by.effect,
        low80=at(point.low80, NORMAL80),
        high80=at(point.high80, NORMAL80),
        low95=at(point.low95, NORMAL95),
        high95=at(point.high95, NORMAL95),
    )


def read_date(text: str, after: str) -> str:
    """Return the period a reader wrote, "" if it is none; a date without a year is the next after `after`."""
    year = first_day(after).year
    for guess in (year, year + 1):
        found = find_periods(f"in {text}", str(guess))
        if len(found) == 1 and _end(found[0].period) > _end(after):
            return found[0].period
    return ""
