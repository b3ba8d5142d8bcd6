"""Tells what may move a forecast: dated events of the evidence, quoted, and what each ahead would change."""

import re
from collections.abc import Iterator, Mapping, Sequence

from core.domain import DatedEvent, Forecast, Scenario, Sentence, Support
from core.forecast.narration import ForecastContext, called, formatter
from core.forecast.scenarios import past
from core.forecast.sentence_templates import phrase, when
from core.text.periods import first_day

MAX_PAST_EVENTS = 3  # events within the history that are told, those nearest to a jump or the end first
MAX_STATEMENT_CHARACTERS = 240  # characters of a statement
_CITATION = re.compile(r"\[(s?\d[\d,–\s-]*)\]")


def event_sentences(
    made: Forecast, context: ForecastContext, cited: Sequence[int], numbers: Mapping[str, int]
) -> Iterator[Sentence]:
    """Yield a sentence for each event and scenario.

    `cited` are the citations of the series, `numbers` those of chunks by id.
    """
    for event in _past(made):
        said = context.say("event_past", when=context.when(event.period), text=quoted(event))
        yield _sentence(said, numbers, event)
    for scenario in made.scenarios:
        event = scenario.event
        said = context.say("event_ahead", when=context.when(event.period), text=quoted(event))
        yield _sentence(said, numbers, event)
        yield _sentence(effect(scenario, made, context.language), numbers, event, *scenario.like, cited=cited)


def effect(scenario: Scenario, made: Forecast, language: str) -> str:
    """Say what the event would change, or why nobody can tell."""
    if not scenario.points:
        return scenario.reason
    write = formatter(made)
    last = scenario.points[-1]
    shift = scenario.effect or 0.0
    return phrase(
        "event_effect",
        language,
        n=len(scenario.like),
        effect=("+" if shift >= 0 else "−") + write(abs(shift)),
        error=write(scenario.error),
        what=called(made.series, language),
        value=write(last.value),
        period=when(last.period, language),
        low=write(last.low80),
        high=write(last.high80),
    )


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
    held = dict.fromkeys((*cited, *(numbers[e.chunk_id] for e in events if e.chunk_id in numbers)))
    return Sentence(text=text, citations=tuple(held), support=Support.SUPPORTED)
