"""Describes a forecast in sentences and cautions computed from its numbers, and checks that they are."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.domain import Forecast, Interval, JointScenario, Scenario, Sentence, Series, Support
from core.forecast.anomalies import Break
from core.forecast.evidence_rows import Structured
from core.forecast.induce import Induced
from core.forecast.sentence_templates import model, phrase, show, when
from core.text.periods import find_periods

FEW_VALUES = 12
RECENT_VALUES = 6
MAX_UNUSUAL = 5  # values that are named
DRIFT_P_VALUE = 0.01
_NUMBER = re.compile(r"(?<![A-Za-z\d.\-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")


@dataclass(frozen=True)
class ForecastContext:
    """What the sentences need besides the forecast itself."""

    structured: Structured
    induced: Induced
    language: str
    jumps: tuple[Break, ...]
    used: int  # values the forecast was made from
    tested: int  # values of the backtest
    drift: float | None  # p-value that level and trend hold
    extracted: bool = False  # a value of the series was read from prose by a model

    def say(self, key: str, **values: object) -> str:
        return phrase(key, self.language, **values)

    def show(self, period: str) -> str:
        return show(period, self.language)

    def when(self, period: str) -> str:
        return when(period, self.language)

    def conflicts(self) -> tuple[str, ...]:
        """Return the disagreements among the sources, one sentence each."""
        return tuple(
            self.say(
                "conflict",
                period=self.show(c.period),
                used=_plain(c.used, c.unit),
                source=c.used_source,
                other=_plain(c.other, c.unit),
                other_source=c.other_source,
            )
            for c in self.structured.conflicts[:5]
        )

    def what(self) -> str:
        """Name the series and its aggregate: "yield of A77 (mean per month)"."""
        return called(self.induced.series, self.language)


def called(series: Series, language: str) -> str:
    """Name a series and its aggregate."""
    return (
        f"{series.name}（{series.aggregate}）" if language == "zh" else f"{series.name} ({series.aggregate})"
    )


def _plain(value: float, unit: str) -> str:
    return f"{value:.10g}{_unit(unit)}"


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def formatter(made: Forecast) -> Callable[[float], str]:
    """Return how values of this series are written: as exact as its data and its spread allow."""
    values = [point.value for point in made.series.points]
    places = max((len(f"{v:.6g}".partition(".")[2]) for v in values), default=0)
    moves = [abs(a - b) for a, b in zip(values[1:], values, strict=False) if a != b]
    typical = sorted(moves)[len(moves) // 2] if moves else 1.0
    fit = max(0, 1 - math.floor(math.log10(typical)))
    digits = min(max(places, 1 if max(map(abs, values), default=0) < 100 else 0), fit, 4)
    return lambda value: f"{value:.{digits}f}{_unit(made.series.unit)}"


def sentences(
    made: Forecast, context: ForecastContext, cited: Sequence[int], events: Sequence[Sentence] = ()
) -> tuple[Sentence, ...]:
    """Return the answer, each sentence with the citations of the data it was computed from.

    `events` tell what may have moved the series, or will; they stand before why not to trust it.
    """
    whole = [*_outlook(made, context), *_basis(made, context)]
    lines = [*made.series.notes, *context.conflicts()]
    if context.structured.merged:
        lines.append(context.say("merged", n=context.structured.merged))
    care = []
    if made.cautions:
        joined = context.say("join").join(made.cautions)
        care.append(context.say("care", cautions=joined) + context.say("stop"))
    return (
        *_cited(whole, context, cited),
        *_unusual(made, context, cited),
        *_cited(lines, context, cited),
        *events,
        *_cited(care, context, cited),
    )


def _unusual(made: Forecast, context: ForecastContext, cited: Sequence[int]) -> Iterable[Sentence]:
    """Tell the values that do not fit, and which points of the series they are."""
    write, values = formatter(made), {p.period: p.value for p in made.series.points}
    periods = made.outliers[:MAX_UNUSUAL]
    if periods:
        named = ", ".join(f"{context.show(p)} ({write(values[p])})" for p in periods)
        (sentence,) = _cited([context.say("outlier", periods=named)], context, cited)
        yield sentence.model_copy(update={"points": periods})


def _cited(lines: Iterable[str], context: ForecastContext, cited: Sequence[int]) -> Iterable[Sentence]:
    for line in lines:
        text = line if context.language == "zh" else line[:1].upper() + line[1:]
        yield Sentence(text=text, citations=tuple(cited), support=Support.SUPPORTED)


def asked_points(made: Forecast, induced: Induced) -> list[Interval]:
    """Return the points of the periods that are asked for, all where none of them is."""
    return [p for p in made.points if induced.first <= p.period <= induced.last] or list(made.points)


def adds_up(induced: Induced) -> bool:
    """Say whether the values of several periods make a total."""
    return induced.aggregate in {"count", "sum"}


def _outlook(made: Forecast, context: ForecastContext) -> Iterable[str]:
    write = formatter(made)
    asked = asked_points(made, context.induced)
    first, last = asked[0], asked[-1]
    values = {
        "what": context.what(),
        "value": write(first.value),
        "period": context.when(first.period),
        "low": write(first.low80),
        "high": write(first.high80),
    }
    if len(asked) == 1:
        yield context.say("one", **values)
        return
    yield context.say(
        "many",
        **values,
        value2=write(last.value),
        period2=context.when(last.period),
        low2=write(last.low80),
        high2=write(last.high80),
    )
    total = sum(p.value for p in asked)
    adds = adds_up(context.induced)
    yield context.say(
        "total" if adds else "average",
        period=context.show(first.period),
        period2=context.show(last.period),
        total=write(total if adds else total / len(asked)),
    )


def _basis(made: Forecast, context: ForecastContext) -> Iterable[str]:
    write, points = formatter(made), made.series.points
    yield context.say(
        "history",
        n=len(points),
        per=context.say(made.series.frequency),
        first=context.show(points[0].period),
        end=context.show(points[-1].period),
        value=write(points[-1].value),
    )
    scores = {trial.model: trial for trial in made.trials}
    own, naive = scores.get(made.model), scores.get("naive")
    if own and naive and naive.mase > 0:
        change = 100 * (1 - own.mase / naive.mase)
        word = context.say("smaller" if change >= 0 else "larger")
        yield context.say(
            "model",
            model=model(made.model, context.language),
            smape=f"{own.smape:.1f}",
            ratio=f"{abs(change):.0f}",
            word=word,
        )
    else:
        yield context.say(
            "model_naive" if made.model == "naive" else "model_only",
            model=model(made.model, context.language),
        )
    for jump, period in zip(context.jumps, made.breaks, strict=True):
        yield context.say(
            "break", period=context.when(period), before=write(jump.before), after=write(jump.after)
        )
    if context.used < len(points):
        yield context.say("segment", n=context.used)


def cautions(made: Forecast, context: ForecastContext) -> tuple[str, ...]:
    """Return why not to trust the forecast, most serious first; the last one always holds."""
    scores = {trial.model: trial for trial in made.trials}
    own, naive = scores.get(made.model), scores.get("naive")
    recent = {p.period for p in made.series.points[-RECENT_VALUES:]}
    checks = (
        (not scores and made.model != "naive", context.say("untested")),
        (bool(own and naive and own.mase >= naive.mase), context.say("worse")),
        (context.used < FEW_VALUES, context.say("few", n=context.used)),
        (len(made.points) > context.used / 3, context.say("far", steps=len(made.points), n=context.used)),
        (bool(context.structured.conflicts), context.say("sources_differ")),
        (bool(made.breaks), context.say("jumped")),
        (
            context.drift is not None and context.drift < DRIFT_P_VALUE,
            context.say("drifts", p=f"{context.drift or 0:.3f}"),
        ),
        (bool(recent & set(made.outliers)), context.say("extremes", n=RECENT_VALUES)),
        (
            made.coverage80 is not None,
            context.say("coverage", share=f"{100 * (made.coverage80 or 0):.0f}", n=context.tested),
        ),
        (context.structured.counted and context.structured.link is None, context.say("found")),
        (context.extracted, context.say("extracted")),
        (True, context.say("causes_known" if made.scenarios else "causes")),
    )
    return tuple(text for passed, text in checks if passed)


def shaky(made: Forecast, context: ForecastContext) -> bool:
    """Say whether the forecast is a caveat rather than an answer."""
    scores = {trial.model: trial for trial in made.trials}
    own, naive = scores.get(made.model), scores.get("naive")
    worse = own is not None and naive is not None and own.mase >= naive.mase
    return context.used < FEW_VALUES or worse or (not scores and made.model != "naive")


def check(made: Forecast, context: ForecastContext, lines: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentences, those marked as unsupported that hold a number the forecast does not."""
    known = set(_known(made, context))
    return tuple(
        line.model_copy(update={"support": Support.MISSING})
        if _loose(line.text, known) or not line.citations
        else line
        for line in lines
    )


def _known(made: Forecast, context: ForecastContext) -> Iterable[float]:
    """Yield every number a sentence may say, unrounded."""
    asked = [
        p for p in made.points if context.induced.first <= p.period <= context.induced.last
    ] or made.points
    yield from (p.value for p in made.series.points)
    yield from (v for p in made.points for v in (p.value, p.low80, p.high80))
    yield from (sum(p.value for p in asked), sum(p.value for p in asked) / len(asked))
    yield from (v for jump in context.jumps for v in (jump.before, jump.after))
    yield from (v for c in context.structured.conflicts for v in (c.used, c.other))
    yield from (
        float(n) for n in (80, RECENT_VALUES, context.used, context.tested, context.structured.merged)
    )
    yield from (float(n) for n in (len(made.series.points), len(made.points)))
    naive = next((t.mase for t in made.trials if t.model == "naive"), 0.0)
    for trial in made.trials:
        if trial.model == made.model:
            yield trial.smape
            yield abs(100 * (1 - trial.mase / naive)) if naive else 0.0
    yield from (100 * made.coverage80 if made.coverage80 is not None else 80.0, context.drift or 0.0)
    yield from (float(len(s.like)) for s in made.scenarios)
    supposed: tuple[Scenario | JointScenario, ...] = (
        *made.scenarios,
        *([made.joint] if made.joint else []),
    )
    yield from (v for s in supposed for v in (s.effect or 0.0, s.error))
    yield from (v for s in supposed for p in s.points for v in (p.value, p.low80, p.high80))
    quoted = (event.text for event in made.events)
    for note in (context.what(), *context.structured.sources, *made.series.notes, *quoted):
        yield from (float(n.replace(",", "")) for n in _numbers(note))


def _numbers(text: str) -> list[str]:
    for dated in reversed(find_periods(text)):
        text = f"{text[: dated.start]} {text[dated.end :]}"
    return _NUMBER.findall(text)


def _loose(text: str, known: Iterable[float]) -> bool:
    return any(not _one_of(written, known) for written in _numbers(text))


def _one_of(written: str, values: Iterable[float]) -> bool:
    number = abs(float(written.replace(",", "")))
    half = 0.5 * 10.0 ** -len(written.partition(".")[2]) + 1e-9
    return any(abs(number - abs(value)) <= half for value in values)
