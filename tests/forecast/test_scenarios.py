"""A scenario moves the forecast as earlier like events moved the level, or says why nobody can tell."""

import numpy as np
import pytest

from core.domain import DatedEvent, Forecast, Interval, Point, Series
from core.forecast.scenarios import read_date, shift, suppose, with_events
from core.text.periods import between

PERIODS = between("2022-01", "2024-12")
LIKE = (
    DatedEvent(period="2022-10", text="The lamps of hall MH-3 were replaced in October 2022."),
    DatedEvent(period="2023-11", text="In November 2023 the lamps were replaced."),
)
AHEAD = DatedEvent(period="2025-03", text="The lamps will be replaced in March 2025.")
OTHER = DatedEvent(period="2025-03", text="A second door opens in March 2025.")


def made(step: float, unit: str = "kWh") -> Forecast:
    noise = np.random.default_rng(7).normal(0, 1, len(PERIODS))
    values = [
        100 + e + step * sum(p >= each.period for each in LIKE) for p, e in zip(PERIODS, noise, strict=True)
    ]
    last = values[-1]
    return Forecast(
        series=Series(
            name="energy",
            frequency="monthly",
            points=tuple(Point(period=p, value=v) for p, v in zip(PERIODS, values, strict=True)),
            unit=unit,
            aggregate="mean per month",
        ),
        points=tuple(
            Interval(period=p, value=last, low80=last - 2, high80=last + 2, low95=last - 3, high95=last + 3)
            for p in between("2025-01", "2025-06")
        ),
        model="naive",
        events=LIKE,
    )


def test_the_level_moves_from_the_event_on_as_it_did_at_the_earlier_ones():
    forecast = made(-8)
    scenario = suppose(forecast, AHEAD, "en")
    assert scenario.effect == pytest.approx(-8, abs=1)
    assert scenario.like == LIKE
    moved = [p.value - q.value for p, q in zip(scenario.points, forecast.points, strict=True)]
    assert moved == pytest.approx([0, 0, *[scenario.effect] * 4])
    assert scenario.points[2].high80 - scenario.points[2].low80 > 4  # the shift is uncertain too


@pytest.mark.parametrize(
    ("step", "event", "reason"),
    [
        (-8, OTHER, "holds no such event"),
        (0, AHEAD, "no more than the noise"),
        (-45, AHEAD, "would leave what they can be"),  # below zero, where energy never was
        (-8, AHEAD.model_copy(update={"period": "2026-01"}), "not lie within the forecast"),
        (-8, AHEAD.model_copy(update={"period": "2024-06"}), "not lie within the forecast"),
    ],
)
def test_where_no_effect_can_be_estimated_the_reason_is_said(step: float, event: DatedEvent, reason: str):
    scenario = suppose(made(step), event, "en")
    assert scenario.points == ()
    assert reason in scenario.reason


def test_events_are_told_once_and_those_ahead_get_a_scenario():
    again = AHEAD.model_copy(update={"text": "Lamps replaced in March 2025 (hall MH-3)."})
    told = with_events(made(-8), (*LIKE, AHEAD, again, OTHER), "zh")
    assert told.events == (*LIKE, AHEAD, OTHER)
    assert [s.event for s in told.scenarios] == [AHEAD, OTHER]
    assert "没有同类事件" in told.scenarios[1].reason


def test_a_step_too_near_the_end_says_nothing():
    assert shift(np.arange(20.0), [18]) is None


def test_a_reader_writes_a_date_as_people_do():
    assert [
        read_date(text, "2024-12") for text in ("May", "May 2025", "2025年5月", "Q2 2025", "2024-06", "soon")
    ] == [
        "2025-05",
        "2025-05",
        "2025-05",
        "2025-Q2",
        "",
        "",
    ]
