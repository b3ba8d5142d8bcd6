"""A forecast as if dated events happened: estimated by the shifts of level after earlier ones."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from core.domain import DatedEvent, Forecast, Interval, JointScenario, Scenario, Series
from core.forecast.level_shifts import VALUES_BESIDE_STEP, LevelShifts, level_shifts
from core.forecast.model_selection import limits, within
from core.forecast.sentence_templates import phrase
from core.forecast.supposition import event_words
from core.text.codes import THING_CODE
from core.text.glossary import query_terms
from core.text.periods import STEPS, find_dates, find_periods, first_day, following

SHIFT_P_VALUE = 0.05  # p-value from which on a shift is no more than the noise
# Share of the shorter statement's words that like events have in common, to be exceeded
MIN_SHARED_WORDS_SHARE = 0.5
MAX_EVENTS_AHEAD = 6  # events ahead that get a scenario
NORMAL80, NORMAL95 = 1.282, 1.960


def with_events(made: Forecast, events: Sequence[DatedEvent], language: str, supposed: str = "") -> Forecast:
    """Return the forecast with the events within its history and ahead, and a scenario for what the question
    supposes and for each event ahead."""
    points = made.series.points
    relevant: list[DatedEvent] = []
    for event in sorted(events, key=lambda e: first_day(e.period)):
        inside = first_day(points[0].period) <= first_day(event.period) < _end(made.points[-1].period)
        if inside and not any(e.period == event.period and alike(e, event) for e in relevant):
            relevant.append(event)
    ahead = [event for event in relevant if first_day(event.period) >= _end(points[-1].period)][
        :MAX_EVENTS_AHEAD
    ]
    made = made.model_copy(update={"events": tuple(relevant)})
    scenarios = tuple(suppose(made, event, language) for event in ahead)
    estimated = [scenario for scenario in scenarios if scenario.points]
    joint = suppose_all(made, estimated, language) if len(estimated) > 1 else None
    asked = _supposed(made, supposed)
    known = asked is None or any(e.period == asked.period and alike(e, asked) for e in ahead)
    first = (
        () if asked is None or known else (suppose(made, asked, language).model_copy(update={"asked": True}),)
    )
    return made.model_copy(update={"scenarios": (*first, *scenarios), "joint": joint})


def _supposed(made: Forecast, supposed: str) -> DatedEvent | None:
    """Return what a question supposes as an event, from the first step on where no date is said."""
    if not supposed:
        return None
    period = read_date(supposed, made.series.points[-1].period) or made.points[0].period
    return DatedEvent(period=period, text=event_words(supposed))


def suppose(made: Forecast, event: DatedEvent, language: str) -> Scenario:
    """Return the forecast as if the event happened, or the reason why no effect of it is estimated."""
    series = made.series
    start = _start(made, event)
    like = tuple(e for e in past(made) if alike(e, event))
    if start == len(made.points) or first_day(event.period) < _end(series.points[-1].period):
        return Scenario(event=event, like=like, reason=phrase("event_not_ahead", language))
    if not like:
        return Scenario(event=event, reason=phrase("event_unseen", language))
    shifts = _shifts_beside(made, [like])
    if shifts is None:
        return Scenario(event=event, like=like, reason=phrase("event_too_near", language))
    known = Scenario(event=event, like=like, effect=shifts.total([1]), error=shifts.error([1]))
    if shifts.p_values[0] > SHIFT_P_VALUE:
        return known.model_copy(update={"reason": phrase("event_no_effect", language)})
    points = _moved(made, shifts, [[start]])
    if not points:
        return known.model_copy(update={"reason": phrase("event_outside", language)})
    return known.model_copy(update={"points": points})


def _shifts_beside(made: Forecast, kinds: Sequence[Sequence[DatedEvent]]) -> LevelShifts | None:
    """Return the level shifts of these kinds of event, estimated jointly with the other planned kinds where
    the history allows, so that each kind gets its own step."""
    end = _end(made.series.points[-1].period)
    others: list[tuple[DatedEvent, ...]] = []
    for ahead in (one for one in made.events if first_day(one.period) >= end):
        earlier = tuple(event for event in past(made) if alike(event, ahead))
        if earlier and not any(set(earlier) & set(kind) for kind in (*kinds, *others)):
            others.append(earlier)
    return (_shifts_at(made, [*kinds, *others]) if others else None) or _shifts_at(made, kinds)


def suppose_all(made: Forecast, scenarios: Sequence[Scenario], language: str) -> JointScenario:
    """Return the forecast as if all these events happened, each at its date; their steps add up.

    What each kind of event causes is estimated beside the others, so that a step of the past that two of
    them share is not counted twice. Events without an estimated effect are left out.
    """
    counted = [scenario for scenario in scenarios if scenario.points]
    events = tuple(scenario.event for scenario in counted)
    if not counted:
        return JointScenario(events=(), reason=" ".join(dict.fromkeys(s.reason for s in scenarios)))
    if len(counted) == 1:
        (one,) = counted
        return JointScenario(events=events, effect=one.effect, error=one.error, points=one.points)
    kinds = _kinds(counted)
    shifts = _shifts_beside(made, [tuple(dict.fromkeys(e for s in kind for e in s.like)) for kind in kinds])
    if shifts is None or max(shifts.p_values[: len(kinds)]) > SHIFT_P_VALUE:
        return JointScenario(events=events, reason=phrase("events_not_apart", language))
    counts = [len(kind) for kind in kinds]
    known = JointScenario(events=events, effect=shifts.total(counts), error=shifts.error(counts))
    points = _moved(made, shifts, [[_start(made, s.event) for s in kind] for kind in kinds])
    if not points:
        return known.model_copy(update={"reason": phrase("event_outside", language)})
    return known.model_copy(update={"points": points})


def _kinds(scenarios: Sequence[Scenario]) -> list[list[Scenario]]:
    """Group the scenarios whose earlier like events are the same, wholly or in part."""
    kinds: list[list[Scenario]] = []
    for scenario in scenarios:
        same = [kind for kind in kinds if any(set(s.like) & set(scenario.like) for s in kind)]
        kinds = [kind for kind in kinds if kind not in same]
        kinds.append([*(s for kind in same for s in kind), scenario])
    return kinds


def _start(made: Forecast, event: DatedEvent) -> int:
    """Return the first step of the forecast that the event moves; their number where it moves none."""
    begins = first_day(event.period)
    return next((i for i, p in enumerate(made.points) if _end(p.period) > begins), len(made.points))


def past(made: Forecast) -> list[DatedEvent]:
    """Return the events within the history."""
    end = _end(made.series.points[-1].period)
    return [event for event in made.events if first_day(event.period) < end]


def alike(one: DatedEvent, other: DatedEvent) -> bool:
    """Say whether two events are of one kind: so named by a model, or stated in mostly the same words."""
    if one.kind and one.kind.casefold() == other.kind.casefold():
        return True
    mine, yours = _words(one.text), _words(other.text)
    shorter = min(len(mine), len(yours))
    return shorter > 0 and len(mine & yours) / shorter > MIN_SHARED_WORDS_SHARE


def _words(text: str) -> frozenset[str]:
    """Return the words of a statement without its dates and codes, which tell when and at what."""
    for start, end in reversed(find_dates(text)):
        text = f"{text[:start]} {text[end:]}"
    return query_terms(THING_CODE.sub(" ", text))


def _end(period: str) -> date:
    """Return the first day after a period."""
    return first_day(next(following(period)))


def _index(series: Series, event: DatedEvent) -> int:
    """Return the first point of the series that the event can have moved."""
    return next(i for i, p in enumerate(series.points) if _end(p.period) > first_day(event.period))


def _shifts_at(made: Forecast, kinds: Sequence[Sequence[DatedEvent]]) -> LevelShifts | None:
    """Return the shift of the level at the past events of each kind, estimated beside each other."""
    series = made.series
    y = np.array([point.value for point in series.points])
    at = [sorted({_index(series, event) for event in like}) for like in kinds]
    periods = [point.period for point in series.points]
    jumps = [periods.index(p) for p in made.breaks]
    others = [i for i in jumps if all(abs(i - event) > VALUES_BESIDE_STEP for kind in at for event in kind)]
    season = STEPS.get(series.frequency, 1) if series.frequency in {"quarterly", "monthly"} else 1
    return level_shifts(y, at, others, season if len(y) >= 2 * season + 5 else 1)


def _moved(made: Forecast, shifts: LevelShifts, starts: Sequence[Sequence[int]]) -> tuple[Interval, ...]:
    """Return the points at the other level, moved from each of the starts of each kind of event on.

    None where a value would leave what the series can be.
    """
    low, high = limits(np.array([p.value for p in made.series.points]), made.series.unit)
    moved = []
    for i, point in enumerate(made.points):
        counts = [sum(i >= start for start in kind) for kind in starts]
        if any(counts):
            effect = shifts.total(counts)
            if not low <= point.value + effect <= high:
                return ()
            point = _at_other_level(point, effect, shifts.error(counts), (low, high))
        moved.append(point)
    return tuple(moved)


def _at_other_level(point: Interval, effect: float, error: float, ends: tuple[float, float]) -> Interval:
    """Return the point at the other level; the shift's own error widens its intervals."""

    def at(edge: float, z: float) -> float:
        half = float(np.hypot(edge - point.value, z * error))
        side = half if edge >= point.value else -half
        return within(point.value + effect + side, ends)

    return Interval(
        period=point.period,
        value=point.value + effect,
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
