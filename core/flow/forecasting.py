"""Makes the forecast of a predictive question and emits its events; without one, L2's answer is kept."""

from core.answering.answer import AnswerDraft
from core.domain import Effort, Forecast, Outcome, Passage, Sentence, Support, Verdict
from core.flow.state import State
from core.forecast.extraction import NO_EXTRACTION
from core.forecast.forecaster import Forecaster, Outlook
from core.forecast.narration import check
from core.forecast.sentence_templates import phrase
from core.ports import Emit
from core.trace import (
    AnswerChecked,
    Forecasted,
    ProseExtracted,
    RowsStructured,
    SeriesInduced,
    Synthesised,
    Wrote,
)

MAX_EVENT_ROWS = 60  # rows an event carries
CAUSE = "forecast"


def foresee(forecaster: Forecaster, state: State, emit: Emit, effort: Effort) -> State:
    """Return forecast, draft and verdict, or a note that says why there is no forecast.

    Raises QueryError, KnowledgeError, LLMError, Stopped or BudgetExceeded.
    """
    language = state["language"]
    outlook = forecaster.forecast(
        state["read_as"],
        state.get("evidence", ()),
        state["scope"],
        language,
        effort="quick" if state.get("hurried") else effort,
    )
    _emit_outlook(outlook, emit)
    if outlook.forecast is None:
        return {"forecast": None, "notes": [phrase("none", language, reason=outlook.reason)]}
    text = written(outlook.sentences, language)
    verdict = _verdict(outlook.forecast, outlook)
    emit(Wrote(cause=CAUSE, text=text, round=state["round"]))
    emit(Synthesised(cause=CAUSE, sentences=verdict.sentences))
    emit(AnswerChecked(cause=CAUSE, verdict=verdict, round=state["round"]))
    return {
        "forecast": outlook.forecast,
        "draft": AnswerDraft(text, verdict.sentences),
        "verdict": verdict,
        "evidence": _with_pinned(outlook, state),
        "related": True,
    }


def _with_pinned(outlook: Outlook, state: State) -> tuple[Passage, ...]:
    """Return the forecast's passages, then those the reader pinned."""
    forecast_ids = {passage.chunk.id for passage in outlook.passages}
    pinned = [p for p in state.get("evidence", ()) if p.pinned and p.chunk.id not in forecast_ids]
    return (*outlook.passages, *pinned)


def written(sentences: tuple[Sentence, ...], language: str) -> str:
    """Return the answer's text with its citations."""
    marked = [s.text + "".join(f" [{n}]" for n in s.citations) for s in sentences]
    body = ("" if language == "zh" else " ").join(marked[:-1])
    return "\n\n".join(filter(None, (body, *marked[-1:])))


def _verdict(forecast: Forecast, outlook: Outlook) -> Verdict:
    """Check the sentences' numbers against the forecast; a forecast that was not tested is a caveat."""
    checked = check(forecast, outlook.context, outlook.sentences) if outlook.context else outlook.sentences
    doubtful = outlook.shaky or any(sentence.support is not Support.SUPPORTED for sentence in checked)
    outcome = Outcome.CONFLICT if outlook.conflicts else Outcome.CAVEAT if doubtful else Outcome.ANSWER
    return Verdict(outcome=outcome, sentences=checked, conflicts=outlook.conflicts)


def _emit_outlook(outlook: Outlook, emit: Emit) -> None:
    structured, induced, read = outlook.structured, outlook.induced, outlook.extraction
    if read != NO_EXTRACTION:
        emit(
            ProseExtracted(
                cause=CAUSE, rows=read.rows[-MAX_EVENT_ROWS:], events=read.events, dropped=read.dropped
            )
        )
    if structured is not None:
        emit(
            RowsStructured(
                cause=CAUSE,
                rows=structured.rows[-MAX_EVENT_ROWS:],
                total=len(structured.rows),
                sources=structured.sources,
                sql=structured.link.sql() if structured.link else "",
                conflicts=outlook.conflicts,
            )
        )
    if induced is not None:
        emit(SeriesInduced(cause=CAUSE, series=induced.series, horizon=induced.horizon))
    emit(Forecasted(cause=CAUSE, forecast=outlook.forecast, reason=outlook.reason))
