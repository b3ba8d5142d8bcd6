"""A scenario moves the forecast as earlier like events moved the level, or says why nobody can tell."""

import numpy as np
import pytest

from core.domain import DatedEvent, Forecast, Interval, Point, Series
from core.forecast.dated_events import effect, event_sentences, joint_effect
from core.forecast.level_shifts import level_shifts
from core.forecast.narration import ForecastContext, formatter
from core.forecast.scenarios import read_date, suppose, suppose_all, with_events
from core.text.periods import between

PERIODS = between("2022-01", "2024-12")
LIKE = (
    DatedEvent(period="2022-10", text="The lamps of hall MH-3 were replaced in October 2022."),
    DatedEvent(period="2023-11", text="In November 2023 the lamps were replaced."),
)
AHEAD = DatedEvent(period="2025-03", text="The lamps will be replaced in March 2025.")
OTHER = DatedEvent(period="2025-03", text="A second door opens in March 2025.")


DOORS = (
    DatedEvent(period="2022-05", text="The second door was opened in May 2022."),
    DatedEvent(period="2024-03", text="The second door was opened in March 2024."),
)
DOOR_AHEAD = DatedEvent(period="2025-05", text="The second door will be opened in May 2025.")


def made(step: float, unit: str = "kWh", door: float = 0, doors: tuple[DatedEvent, ...] = ()) -> Forecast:
    noise = np.random.default_rng(7).normal(0, 1, len(PERIODS))
    values = [
        100
        + e
        + step * sum(p >= each.period for each in LIKE)
        + door * sum(p >= each.period for each in doors)
        for p, e in zip(PERIODS, noise, strict=True)
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
        events=(*LIKE, *doors),
    )


def planned() -> Forecast:
    """Return a forecast with an event of each of two kinds ahead."""
    return with_events(made(-8, door=5, doors=DOORS), (*LIKE, *DOORS, AHEAD, DOOR_AHEAD), "en")


def test_what_the_question_supposes_is_a_scenario_at_its_date():
    base = made(-8)
    narrated = with_events(base, LIKE, "en", "the lamps are replaced in March")
    (asked,) = narrated.scenarios
    assert (asked.event.period, asked.event.text, asked.like) == ("2025-03", "lamps are replaced", LIKE)
    by_switch = suppose(narrated, DatedEvent(period="2025-03", text="lamps are replaced"), "en")
    assert asked == by_switch.model_copy(update={"asked": True}) and asked.points
    context = ForecastContext(None, None, "en", (), 0, 0, None)  # type: ignore[arg-type]
    texts = [sentence.text for sentence in event_sentences(narrated, context, (1,), {})]
    assert texts[-2:] == ["Supposed, in March 2025: “lamps are replaced”.", effect(asked, narrated, "en")]


def test_a_supposed_event_the_history_does_not_hold_has_no_effect():
    (asked,) = with_events(made(-8), LIKE, "en", "the roof is painted in March").scenarios
    assert (
        not asked.points
        and asked.reason == "The history holds no such event, so no effect of it is estimated."
    )
    (undated,) = with_events(made(-8), LIKE, "en", "the lamps were replaced").scenarios
    assert undated.event.period == "2025-01" and undated.points


def test_a_supposed_event_that_is_planned_anyway_is_told_once():
    narrated = with_events(made(-8), (*LIKE, AHEAD), "en", "the lamps are replaced in March")
    assert [scenario.event for scenario in narrated.scenarios] == [AHEAD]


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
    narrated = with_events(made(-8), (*LIKE, AHEAD, again, OTHER), "zh")
    assert narrated.events == (*LIKE, AHEAD, OTHER)
    assert [s.event for s in narrated.scenarios] == [AHEAD, OTHER]
    assert "没有同类事件" in narrated.scenarios[1].reason


def test_a_step_too_near_the_end_says_nothing():
    assert level_shifts(np.arange(20.0), [[18]]) is None


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


def moved(forecast: Forecast, points: tuple[Interval, ...]) -> list[float]:
    return [p.value - q.value for p, q in zip(points, forecast.points, strict=True)]


def test_the_steps_of_several_events_add_up_each_from_its_date_on():
    forecast = planned()
    joint = forecast.joint
    assert joint is not None
    assert joint.events == (AHEAD, DOOR_AHEAD)
    assert moved(forecast, joint.points) == pytest.approx([0, 0, -8, -8, -3, -3], abs=1)
    again = AHEAD.model_copy(
        update={"period": "2025-05"}
    )  # of one kind: what is not known of it counts twice
    once, twice = suppose(forecast, AHEAD, "en"), suppose(forecast, again, "en")
    both = suppose_all(forecast, (once, twice), "en")
    assert moved(forecast, both.points) == pytest.approx([0, 0, *[once.effect] * 2, *[2 * once.effect] * 2])
    assert both.error == pytest.approx(2 * once.error)


def test_what_two_kinds_of_events_brought_together_is_not_counted_twice():
    together = tuple(DOORS[0].model_copy(update={"period": event.period}) for event in LIKE)
    forecast = with_events(made(-8, doors=together), (*LIKE, *together, AHEAD, DOOR_AHEAD), "en")
    assert all(scenario.points for scenario in forecast.scenarios)
    assert forecast.joint is not None
    assert forecast.joint.points == ()
    assert "cannot be told apart" in forecast.joint.reason


def test_an_event_without_an_effect_is_not_added():
    forecast = made(-8)
    known, unknown = suppose(forecast, AHEAD, "en"), suppose(forecast, OTHER, "en")
    joint = suppose_all(forecast, (known, unknown), "en")
    assert joint.events == (AHEAD,)
    assert joint.points == known.points


@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_a_total_is_asked_for_it_is_told_as_if_the_events_came(language: str):
    forecast = planned().model_copy(update={"summed": ("2025-02", "2025-06")})
    assert forecast.joint is not None
    expected = [sum(p.value for p in points[1:]) for points in (forecast.joint.points, forecast.points)]
    narrated = joint_effect(forecast.joint, forecast, language)
    assert [formatter(forecast)(total) in narrated for total in expected] == [True, True]
    assert expected[0] != expected[1]
    alone = forecast.scenarios[0]
    assert formatter(forecast)(sum(p.value for p in alone.points[1:])) in effect(alone, forecast, language)
    assert formatter(forecast)(expected[1]) not in joint_effect(forecast.joint, planned(), language)
