"""Reads the question: what was verified before, how it is understood, and the plan it is worked on by."""

from core.answering.answer import AnswerDraft
from core.answering.library_overview import LibraryOverview
from core.answering.understand import QuestionAnalysis, Understander
from core.answering.verified_recall import Recaller
from core.domain import Effort, Level, Outcome, Verdict
from core.flow.state import State
from core.flow.verified_answer_step import find_verified_answer
from core.ports import Emit
from core.text.library_questions import requested_aspects
from core.text.tokens import detect_language
from core.trace import AnswerChecked, FollowedUp, GateDecided, Planned, RouteChosen, Synthesised, WordsMapped


def understand(
    understander: Understander,
    overview: LibraryOverview,
    recaller: Recaller | None,
    state: State,
    emit: Emit,
    effort: Effort,
) -> State:
    """Return how the question is read, and emit it; evidence and verdict too where an answer was verified.

    `effort` holds where the reader chose none. Raises LLMError.
    """
    question = state["question"].strip()
    language = detect_language(question)
    begun: State = {"read_as": question, "language": language, "round": 1}
    if verified := find_verified_answer(recaller, {**state, **begun}, emit):
        return {**begun, **verified}
    analysis = understander.read(
        question, state.get("history", ()), state["scope"], language, state.get("effort") or effort
    )
    if analysis.question != question:
        emit(FollowedUp(cause="understand", question=question, read_as=analysis.question))
    if analysis.replaced:
        emit(WordsMapped(cause="understand", pairs=analysis.replaced))
    read: State = {**begun, "read_as": analysis.question}
    level = _level(state, analysis, emit)
    if analysis.question != question and (
        verified := find_verified_answer(recaller, {**state, **read}, emit)
    ):
        return {**read, **verified}
    read |= {
        "level": level,
        "kind": analysis.kind,
        "seeks": analysis.seeks,
        "composite": analysis.composite,
        "proposed": analysis.search,
        "topics": analysis.topics,
    }
    if analysis.kind == "library" and level is Level.DIRECT and state["strategy"] == "auto":
        return {**read, **_answer_from_overview(overview, state, analysis, language, emit)}
    if state["strategy"] == "loop" and not understander.plans_loop:
        return read
    return {**read, **_planned(state, analysis, level, emit)}


def _answer_from_overview(
    overview: LibraryOverview, state: State, analysis: QuestionAnalysis, language: str, emit: Emit
) -> State:
    """Return what the catalogue says of the library, and emit it."""
    sentences = overview.describe(
        state["scope"], language, requested_aspects(analysis.question) or frozenset()
    )
    verdict = Verdict(outcome=Outcome.ANSWER, sentences=sentences)
    emit(Synthesised(cause="look_up", sentences=sentences))
    emit(AnswerChecked(cause="look_up", verdict=verdict))
    draft = AnswerDraft("\n".join(sentence.text for sentence in sentences), sentences)
    return {"evidence": (), "related": True, "unknown": (), "draft": draft, "verdict": verdict}


def _level(state: State, analysis: QuestionAnalysis, emit: Emit) -> Level:
    """Return the reader's level, else the one that was read."""
    asked = state.get("asked_level")
    route = RouteChosen(
        cause="understand",
        level=analysis.level if asked is None else asked,
        reason=analysis.reason if asked is None else "chosen by the reader",
        kind=analysis.kind,
        overridden=asked is not None,
    )
    emit(route)
    return route.level


def _planned(state: State, analysis: QuestionAnalysis, level: Level, emit: Emit) -> State:
    """Return the plan where the level or the reader's way of working follows one."""
    wanted = state["strategy"] == "plan"
    if level in (Level.DIRECT, Level.FACTUAL) and not wanted:
        return {}
    parts = len(analysis.plan.parts)
    reason = f"{parts} parts, {analysis.plan.execution}" if parts > 1 else "asked as one question"
    emit(GateDecided(cause="understand", composite=analysis.composite, reason=reason))
    if parts < 2 and not wanted:
        return {}
    emit(Planned(cause="understand", plan=analysis.plan))
    return {"plan": analysis.plan}
