"""Finds what may affect a forecast: dated events of the evidence, quoted, and the effect of planned ones."""

import re
from collections.abc import Iterator, Mapping, Sequence

from core.domain import DatedEvent, Forecast, Interval, JointScenario, Scenario, Sentence, Support
from core.forecast.narration import ForecastContext, called, formatter
from core.forecast.scenarios import past
from core.forecast.sentence_templates import phrase, show, when
from core.text.periods import first_day

MAX_PAST_EVENTS = 3  # events within the history that are reported, those nearest to a jump or the end first
MAX_EVENTS_AHEAD = 3  # events ahead that are reported one by one, the earliest first
MAX_STATEMENT_CHARACTERS = 240  # characters of a statement
_CITATION = re.compile(r"\[(s?\d[\d,–\s-]*)\]")


def event_sentences(
    made: Forecast, context: ForecastContext, cited: Sequence[int], numbers: Mapping[str, int]
) -> Iterator[Sentence]:
    """Yield a sentence for each event and scenario.

    `cited` are the citations of the series, `numbers` those of chunks by id.
    """
    for event in _past(made):
        text = context.say("event_past", when=context.when(event.period), text=quoted(event))
        yield _sentence(text, numbers, event)
    for scenario in made.scenarios[:MAX_EVENTS_AHEAD]:
        event = scenario.event
        key = "event_supposed" if scenario.asked else "event_ahead"
        text = context.say(key, when=context.when(event.period), text=quoted(event))
        yield _sentence(text, numbers, event, cited=cited if scenario.asked else ())
        yield _sentence(effect(scenario, made, context.language), numbers, event, *scenario.like, cited=cited)
    if made.joint is not None:
        text = joint_effect(made.joint, made, context.language)
        yield _sentence(text, numbers, *made.joint.events, cited=cited)


def joint_effect(joint: JointScenario, made: Forecast, language: str) -> str:
    """Say what several events would change together, or why that cannot be estimated."""
    if not joint.points:
        return joint.reason
    dates = phrase("join", language).join(show(event.period, language) for event in joint.events)
    text = phrase(
        "events_effect",
        language,
        dates=dates,
        **_outcome(joint.effect, joint.error, joint.points[-1], made, language),
    )
    return text + _total(joint.points, made, language)


def effect(scenario: Scenario, made: Forecast, language: str) -> str:
    """Say what the event would change, or why that cannot be estimated."""
    if not scenario.points:
        return scenario.reason
    text = phrase(
        "event_effect",
        language,
        n=len(scenario.like),
        **_outcome(scenario.effect, scenario.error, scenario.points[-1], made, language),
    )
    return text + _total(scenario.points, made, language)


def _total(points: Sequence[Interval], made: Forecast, language: str) -> str:
    """Say what the values make in all where that is asked for, beside the total without the events."""
    if made.summed is None:
        return ""
    first, last = made.summed
    write = formatter(made)
    as_if, as_it_is = (
        write(sum(p.value for p in each if first <= p.period <= last)) for each in (points, made.points)
    )
    shown = {"period": show(first, language), "period2": show(last, language)}
    return phrase("total_as_if", language, total=as_if, total2=as_it_is, **shown)


def _outcome(
    shift: float | None, error: float, last: Interval, made: Forecast, language: str
) -> dict[str, str]:
    """Return the blanks that say by how much the level moves, and where that leads at the end."""
    write = formatter(made)
    return {
        "effect": signed(shift or 0.0, made),
        "error": write(error),
        "what": called(made.series, language),
        "value": write(last.value),
        "period": when(last.period, language),
        "low": write(last.low80),
        "high": write(last.high80),
    }


def signed(shift: float, made: Forecast) -> str:
    """Write a shift of the level with its sign and unit."""
    return ("+" if shift >= 0 else "−") + formatter(made)(abs(shift))


def quoted(event: DatedEvent) -> str:
    """Return the words of the source, shortened, their own "[3]" no citation of ours."""
    text = _CITATION.sub(r"(\1)", event.text).rstrip(".。")
    return (
        text if len(text) <= MAX_STATEMENT_CHARACTERS else text[: MAX_STATEMENT_CHARACTERS - 1].rstrip() + "…"
    )


def _past(made: Forecast) -> list[DatedEvent]:
    marks = [first_day(p) for p in (*made.breaks, made.series.points[-1].period)]
    near = sorted(past(made), key=lambda e: min(abs((first_day(e.period) - mark).days) for mark in marks))
    return sorted(near[:MAX_PAST_EVENTS], key=lambda e: first_day(e.period))


def _sentence(
    text: str, numbers: Mapping[str, int], *events: DatedEvent, cited: Sequence[int] = ()
) -> Sentence:
    citations = dict.fromkeys((*cited, *(numbers[e.chunk_id] for e in events if e.chunk_id in numbers)))
    return Sentence(text=text, citations=tuple(citations), support=Support.SUPPORTED)
