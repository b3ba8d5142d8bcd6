"""Builds the series a question asks for from rows: grouped, aggregated, gaps and partial ends reported."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice, pairwise
from statistics import fmean, median

from core.domain import Frequency, Point, Row, Series
from core.errors import ForecastError
from core.forecast.evidence_rows import Structured
from core.forecast.request import Aggregate, ForecastRequest
from core.forecast.sentence_templates import phrase, show
from core.text.periods import FREQUENCIES, between, coarsen, first_day, following, frequency_of

DEFAULT_HORIZONS: dict[Frequency, int] = {"daily": 14, "weekly": 8, "monthly": 6, "quarterly": 4, "yearly": 3}
FARTHEST: dict[Frequency, int] = {"daily": 60, "weekly": 52, "monthly": 36, "quarterly": 16, "yearly": 10}
_GAPS: tuple[tuple[float, Frequency], ...] = (
    (3, "daily"),
    (12, "weekly"),
    (45, "monthly"),
    (150, "quarterly"),
)
ROWS_KEPT = 40  # rows a point keeps to open its sources
MAX_SHARE_OF_GAPS = 0.5  # share of gaps above which a coarser grouping is taken


@dataclass(frozen=True)
class Grouping:
    """What the reader changed; None leaves it to the question."""

    frequency: Frequency | None = None
    aggregate: Aggregate | None = None
    horizon: int | None = None


AS_ASKED = Grouping()


@dataclass(frozen=True)
class Induced:
    """A series, how many steps to forecast, and which of them the question is about."""

    series: Series
    horizon: int
    first: str
    last: str
    aggregate: Aggregate
    notes: tuple[str, ...] = ()


def induce(
    structured: Structured, wanted: ForecastRequest, language: str, grouping: Grouping = AS_ASKED
) -> Induced:
    """Return the series and horizon. Raises ForecastError where none can be made."""
    rows = structured.rows
    if not rows:
        raise ForecastError(phrase("no_rows", language))
    natural = natural_frequency(rows, structured.counted)
    notes: list[str] = []
    wished = grouping.frequency or chosen_frequency(natural, wanted)
    frequency = wished if FREQUENCIES.index(wished) >= FREQUENCIES.index(natural) else natural
    if frequency != wished:
        notes.append(
            phrase("too_fine", language, wished=phrase(wished, language), natural=phrase(natural, language))
        )
    aggregate = grouping.aggregate or chosen_aggregate(structured, wanted)
    series = _series(structured, natural, frequency, aggregate, language)
    while (
        grouping.frequency is None
        and _shares_gaps(series, structured.counted) > MAX_SHARE_OF_GAPS
        and frequency != "yearly"
    ):
        frequency = FREQUENCIES[FREQUENCIES.index(frequency) + 1]
        series = _series(structured, natural, frequency, aggregate, language)
    if len(series.points) < 3:
        raise ForecastError(
            phrase("too_short", language, n=len(series.points), per=phrase(frequency, language))
        )
    horizon, first, last, horizon_notes = horizon_of(series, wanted, grouping.horizon, language)
    return Induced(series, horizon, first, last, aggregate, (*notes, *horizon_notes))


def natural_frequency(rows: Sequence[Row], counted: bool) -> Frequency:
    """Return the step of the rows' own periods; events are dated by the day."""
    kinds = {frequency_of(row.period) for row in rows} - {"irregular"}
    coarsest: Frequency = max(kinds, key=FREQUENCIES.index, default="daily")
    if counted or coarsest != "daily":
        return coarsest
    days = sorted({first_day(row.period) for row in rows})
    gap = median((b - a).days for a, b in pairwise(days)) if len(days) > 1 else 1
    for limit, frequency in _GAPS:
        if gap <= limit:
            return frequency
    return "yearly"


def chosen_frequency(natural: Frequency, wanted: ForecastRequest) -> Frequency:
    """Return the grouping the question names or implies ("next six months" of daily data is by month)."""
    if wanted.frequency:
        return wanted.frequency
    unit = wanted.unit
    if unit is None and wanted.last:
        unit = frequency_of(wanted.last)
    if unit is None or unit == "irregular":
        return "monthly" if wanted.counting and natural == "daily" else natural
    if natural in {"daily", "weekly"} and FREQUENCIES.index(unit) >= FREQUENCIES.index("monthly"):
        return "monthly"
    return unit if natural == "daily" else natural


def chosen_aggregate(structured: Structured, wanted: ForecastRequest) -> Aggregate:
    """Return how values of one period join: what adds up is summed, stocks take the last, levels the mean."""
    if structured.counted:
        return "count"
    if wanted.aggregate:
        return wanted.aggregate
    link = structured.link
    if link and link.stock():
        return "last"
    return "sum" if link and link.flows() else "mean"


def _series(
    structured: Structured, natural: Frequency, frequency: Frequency, aggregate: Aggregate, language: str
) -> Series:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in structured.rows:
        period = coarsen(row.period, frequency)
        if period:
            groups[period].append(row)
    notes: list[str] = []
    if not groups:
        raise ForecastError(phrase("no_rows", language))
    span = structured.span if structured.counted and structured.span else None
    ends = (coarsen(span[0], frequency), coarsen(span[1], frequency)) if span else (None, None)
    periods = between(ends[0] or min(groups), ends[1] or max(groups))
    periods = _whole(periods, structured, natural, frequency, aggregate, language, notes)
    filled = aggregate in {"count", "sum"} and natural == "daily"
    points = [
        Point(period=p, value=_join(groups[p], aggregate), rows=tuple(groups[p][:ROWS_KEPT]))
        for p in periods
        if p in groups
    ]
    missing = [p for p in periods if p not in groups]
    if missing:
        points = _fill(periods, points, filled)
        key = "filled_zero" if filled else "filled"
        notes.append(
            phrase(key, language, n=len(missing), periods=", ".join(show(p, language) for p in missing[:4]))
        )
    most = max((len(g) for g in groups.values()), default=0)
    if most > 1 and aggregate in {"mean", "sum"} and natural == frequency:
        notes.append(phrase("joined", language, n=most, how=phrase(aggregate, language)))
    return Series(
        name=named(structured, language),
        frequency=frequency,
        points=tuple(points),
        unit="" if aggregate == "count" else structured.unit,
        aggregate=phrase(
            "per", language, how=phrase(aggregate, language), step=phrase(f"step_{frequency}", language)
        ),
        notes=tuple(notes),
    )


def named(structured: Structured, language: str) -> str:
    """Name what the series is of: "yield of A77", "number of E-217 entries in alarm-log"."""
    name, entity = structured.name, structured.entity
    if structured.link is not None and structured.counted:
        return phrase("counted" if entity else "all", language, name=name, entity=entity)
    name = name[:1].lower() + name[1:] if name[1:2].islower() else name
    return phrase("of", language, name=name, entity=entity) if entity else name


def _join(rows: Sequence[Row], aggregate: Aggregate) -> float:
    values = [row.value for row in rows]
    match aggregate:
        case "mean":
            return fmean(values)
        case "last":
            return max(rows, key=lambda row: (row.period, row.row or 0)).value
        case _:
            return float(sum(values))


def _last_day(period: str) -> date:
    return first_day(next(following(period))) - timedelta(days=1)


def _whole(
    periods: list[str],
    structured: Structured,
    natural: Frequency,
    frequency: Frequency,
    aggregate: Aggregate,
    language: str,
    notes: list[str],
) -> list[str]:
    """Leave out a first or last period the source covers only in part, and say so."""
    unknown = structured.counted and structured.span is None  # events of a text: nobody says when it ends
    if frequency == natural or unknown or len(periods) < 3:
        return periods
    days = sorted({row.period for row in structured.rows})
    low, high = structured.span or (days[0], days[-1])
    begun = first_day(coarsen(low, natural) or low)
    ended = _last_day(coarsen(high, natural) or high)
    slack = timedelta(days=2 if structured.counted else 3) if natural == "daily" else timedelta(0)
    remaining = list(periods)
    enough = 1.0 if aggregate in {"count", "sum"} else 0.5
    for place, covered in ((-1, ended - first_day(remaining[-1])), (0, _last_day(remaining[0]) - begun)):
        length = _last_day(remaining[place]) - first_day(remaining[place])
        if covered + slack < length and covered / length < enough:
            notes.append(
                phrase(
                    "partial",
                    language,
                    period=show(remaining[place], language),
                    days=max(covered.days + 1, 0),
                )
            )
            remaining.pop(place)
    return remaining


def _fill(periods: Sequence[str], points: Sequence[Point], zero: bool) -> list[Point]:
    """Give every period a point: nothing happened (0), or on the line between its neighbours."""
    import numpy as np

    by_period = {point.period: point for point in points}
    at = [i for i, period in enumerate(periods) if period in by_period]
    values = np.interp(range(len(periods)), at, [by_period[periods[i]].value for i in at])
    return [
        by_period.get(period) or Point(period=period, value=0.0 if zero else float(values[i]))
        for i, period in enumerate(periods)
    ]


def _shares_gaps(series: Series, counted: bool) -> float:
    if counted or not series.points:
        return 0.0
    return sum(not point.rows for point in series.points) / len(series.points)


def horizon_of(
    series: Series, wanted: ForecastRequest, requested: int | None, language: str
) -> tuple[int, str, str, tuple[str, ...]]:
    """Return how many steps, the first and last period asked for, and what to say about it.

    Raises ForecastError where the data already cover the time asked for.
    """
    frequency, end = series.frequency, series.points[-1].period
    most = FARTHEST[frequency]
    ahead = list(islice(following(end), most))
    if requested is not None:
        chosen = ahead[: max(1, min(requested, most))]
        return len(chosen), chosen[0], chosen[-1], ()
    target = _target(wanted, end, frequency)
    if target is None:
        chosen = ahead[: DEFAULT_HORIZONS[frequency]]
        return len(chosen), chosen[0], chosen[-1], (phrase("default_horizon", language, n=len(chosen)),)
    start, stop = target
    if stop < first_day(ahead[0]) and wanted.since:  # "from 2021 to 2024" names the history
        chosen = ahead[: DEFAULT_HORIZONS[frequency]]
        return len(chosen), chosen[0], chosen[-1], (phrase("default_horizon", language, n=len(chosen)),)
    if stop < first_day(ahead[0]):
        raise ForecastError(phrase("covered", language, end=show(end, language)))
    inside = [p for p in ahead if start <= first_day(p) <= stop]
    upto = [p for p in ahead if first_day(p) <= stop]
    notes = (
        [phrase("capped", language, last=show(ahead[-1], language))] if stop > _last_day(ahead[-1]) else []
    )
    if not inside:
        inside = upto[-1:] or ahead[:1]
        notes.append(phrase("coarse", language, step=phrase(frequency, language)))
    return max(len(upto), 1), inside[0], inside[-1], tuple(notes)


def _target(wanted: ForecastRequest, end: str, frequency: Frequency) -> tuple[date, date] | None:
    """Return the days the question is about, after the last observation."""
    if wanted.steps and wanted.unit:
        if FREQUENCIES.index(wanted.unit) <= FREQUENCIES.index(frequency):
            after = list(islice(following(end), wanted.steps if wanted.unit == frequency else 1))
            return first_day(after[0]), _last_day(after[-1])
        unit = coarsen(end, wanted.unit) or end
        if _last_day(end) < _last_day(unit) and wanted.steps > 1:  # "six months" counts from now on
            days = {"weekly": 7, "monthly": 30.44, "quarterly": 91.3, "yearly": 365.25}[
                wanted.unit
            ] * wanted.steps
            return _last_day(end) + timedelta(days=1), _last_day(end) + timedelta(days=round(days))
        units = list(islice(following(unit), wanted.steps))
        return first_day(units[0]), _last_day(units[-1])
    if wanted.first and wanted.last:
        return first_day(wanted.first), _last_day(wanted.last)
    return None
