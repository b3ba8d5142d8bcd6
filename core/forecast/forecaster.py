"""Answers a predictive question: rows from the evidence, a series, a forecast, and its sentences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.domain import Effort, Forecast, Frequency, Interval, Passage, Point, Scope, Sentence, Trialled
from core.errors import ForecastError
from core.forecast.anomalies import MIN_VALUES_AFTER_BREAK, breaks, outliers, unstable
from core.forecast.citing import cite
from core.forecast.dated_events import event_sentences
from core.forecast.evidence_rows import Structured, Structurer
from core.forecast.extraction import NO_EXTRACTION, Extraction, Extractor
from core.forecast.induce import AS_ASKED, Grouping, Induced, induce
from core.forecast.intermittent import intermittent, project_intermittent
from core.forecast.model_selection import MIN_VALUES, Projection, limits, project, within
from core.forecast.narration import ForecastContext, adds_up, asked_points, cautions, sentences, shaky
from core.forecast.request import read_question
from core.forecast.scenarios import with_events
from core.forecast.sentence_templates import phrase
from core.knowledge.base import KnowledgeBase
from core.ports import LLM
from core.text.periods import STEPS, following

BREAK_STEPS = 3  # steps beside a break in which a value says nothing about being unusual


@dataclass(frozen=True)
class Outlook:
    """A forecast with its sentences and the passages they cite, or the reason why there is none."""

    forecast: Forecast | None = None
    sentences: tuple[Sentence, ...] = ()
    passages: tuple[Passage, ...] = ()  # what the sentences cite first, then the evidence
    structured: Structured | None = None
    induced: Induced | None = None
    conflicts: tuple[str, ...] = ()
    shaky: bool = False  # too short, untested, or no better than repeating the last value
    context: ForecastContext | None = None
    reason: str = ""
    extraction: Extraction = NO_EXTRACTION


@dataclass(frozen=True)
class Forecaster:
    """Structures, induces and forecasts; every number it reports is computed, none comes from a model.

    Rules read the prose; `llm` is asked once more where they found too few values, or in thorough effort.
    """

    knowledge: KnowledgeBase
    rules: LLM
    llm: LLM | None = None  # None: no model is set

    def forecast(
        self,
        question: str,
        evidence: Sequence[Passage],
        scope: Scope,
        language: str,
        grouping: Grouping = AS_ASKED,
        effort: Effort = "balanced",
        known: Extraction | None = None,
    ) -> Outlook:
        """Return the outlook; `grouping` is what the reader changed, `known` what a model read before.

        Raises QueryError, KnowledgeError, LLMError, Stopped or BudgetExceeded.
        """
        wanted = read_question(question)
        extractor, structurer = Extractor(self.knowledge), Structurer(self.knowledge)
        by_rules = extractor.extract(self.rules, wanted, evidence, language)
        structured = structurer.structure(wanted, evidence, scope)
        asks = known is None and (
            effort == "thorough"
            or (effort == "balanced" and _few(structured) and extractor.promising(wanted, evidence))
        )
        if asks and self.llm is not None:
            known = extractor.extract(self.llm, wanted, evidence, language)
        read = by_rules.joined(known) if known else by_rules
        if known and known.rows:
            structured = structurer.structure(wanted, evidence, scope, known.rows)
        if structured is None:
            return Outlook(passages=tuple(evidence), reason=phrase("no_link", language), extraction=read)
        try:
            induced = induce(structured, wanted, language, grouping)
            made, context = foresee(structured, induced, language)
        except ForecastError as error:
            return Outlook(
                passages=tuple(evidence), structured=structured, reason=str(error), extraction=read
            )
        made = with_events(_summed(made, induced), read.events, language, wanted.supposed)
        context = replace(context, extracted=_rests_on(made, known, by_rules))
        made = made.model_copy(update={"cautions": cautions(made, context)})
        passages, cited = cite(self.knowledge, structured, induced.series, question, evidence, made.events)
        numbers = {passage.chunk.id: n for n, passage in enumerate(passages, 1)}
        return Outlook(
            forecast=made,
            sentences=sentences(made, context, cited, tuple(event_sentences(made, context, cited, numbers))),
            passages=passages,
            structured=structured,
            induced=induced,
            conflicts=context.conflicts(),
            shaky=shaky(made, context),
            context=context,
            extraction=read,
        )


def _summed(made: Forecast, induced: Induced) -> Forecast:
    """Return the forecast with the periods that the question adds up, if it asks of several."""
    asked = asked_points(made, induced)
    if len(asked) < 2 or not adds_up(induced):
        return made
    return made.model_copy(update={"summed": (asked[0].period, asked[-1].period)})


def _few(structured: Structured | None) -> bool:
    """Say whether rules found too few values for a series."""
    return structured is None or len({row.period for row in structured.rows}) < MIN_VALUES


def _rests_on(made: Forecast, known: Extraction | None, by_rules: Extraction) -> bool:
    """Say whether a value of the series was read by a model and by no rule."""
    own = {row.key() for row in known.rows} - {row.key() for row in by_rules.rows} if known else set()
    return any(row.key() in own for point in made.series.points for row in point.rows)


def foresee(structured: Structured, induced: Induced, language: str) -> tuple[Forecast, ForecastContext]:
    """Return the forecast of a series and what there is to tell about it. Raises ForecastError."""
    series = induced.series
    y = np.array([point.value for point in series.points])
    period = season(series.frequency)
    jumps, odd = breaks(y, period), outliers(y, period)
    start = jumps[-1].at if jumps and len(y) - jumps[-1].at >= MIN_VALUES_AFTER_BREAK else 0
    used = y[start:]
    seasonal = period if len(used) >= 2 * period + 5 else 1
    projection = projected(tuple(used), seasonal, induced.horizon, induced.aggregate in {"count", "sum"})
    ends = limits(y, series.unit)
    steps = following(series.points[-1].period)
    points = tuple(
        Interval(
            period=next(steps),
            value=within(value, ends),
            low80=within(value - half80, ends),
            high80=within(value + half80, ends),
            low95=within(value - half95, ends),
            high95=within(value + half95, ends),
        )
        for value, half80, half95 in zip(projection.values, projection.half80, projection.half95, strict=True)
    )
    odd = [i for i in odd if all(abs(i - jump.at) > BREAK_STEPS for jump in jumps)]
    made = Forecast(
        series=series.model_copy(update={"notes": (*series.notes, *induced.notes)}),
        points=points,
        model=projection.chosen,
        trials=tuple(
            Trialled(model=name, mase=mase, smape=off)
            for name, (mase, off) in sorted(projection.scores.items())
        ),
        fitted=_fitted(projection, [point.period for point in series.points]),
        coverage80=projection.coverage80,
        breaks=tuple(series.points[jump.at].period for jump in jumps),
        outliers=tuple(series.points[i].period for i in odd),
    )
    context = ForecastContext(
        structured,
        induced,
        language,
        tuple(jumps),
        len(used),
        _tested(projection),
        unstable(used) if start == 0 else None,
    )
    return made, context


def season(frequency: Frequency) -> int:
    """Return the seasonal length worth looking for; weeks and days of a year need more data than there is."""
    return STEPS.get(frequency, 1) if frequency in {"quarterly", "monthly", "daily"} else 1


@lru_cache(maxsize=256)
def projected(values: tuple[float, ...], period: int, horizon: int, adds: bool) -> Projection:
    """Forecast, and remember by content: asking again costs nothing. What adds up may be mostly zeros."""
    if adds and intermittent(values):
        return project_intermittent(values, horizon)
    return project(values, period, horizon)


def _fitted(projection: Projection, periods: Sequence[str]) -> tuple[Point, ...]:
    """Return what the chosen model said at the farthest origin about values that have come since."""
    if not projection.trials:
        return ()
    trial = projection.trials[0]
    forecasts = trial.forecasts[projection.chosen]
    return tuple(
        Point(period=period, value=float(value))
        for period, value in zip(periods[-len(trial.held) :], forecasts, strict=True)
    )


def _tested(projection: Projection) -> int:
    return sum(len(trial.held) for trial in projection.trials)
