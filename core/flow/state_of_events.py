"""Rebuilds the state of a flow from its events: to answer early, or to keep what a run had found."""

from collections.abc import Iterable

from core.answering.answer import AnswerDraft
from core.answering.citations import cited
from core.domain import CouncilReport, PartAnswer, Passage
from core.flow.state import State
from core.text.tokens import detect_language
from core.trace import (
    AnswerChecked,
    Asked,
    Event,
    FollowedUp,
    Forecasted,
    GateDecided,
    Instructed,
    PartAnswered,
    PerspectiveGiven,
    Planned,
    Reranked,
    Reused,
    RouteChosen,
    Searched,
    Settled,
    Synthesised,
    Wrote,
)


def state_from_events(events: Iterable[Event]) -> State:
    """Return the state these events leave; the evidence found is kept, whoever it was found for."""
    state: State = {"round": 1, "answers": [], "calls": [], "notes": [], "wishes": []}
    found: dict[str, Passage] = {}
    text = ""
    for event in events:
        state["calls"] += event.calls
        _read(event, state)
        match event:
            case (
                Searched(passages=passages)
                | Reranked(passages=passages)
                | PerspectiveGiven(passages=passages)
                | Reused(passages=passages)
            ):
                for passage in passages:
                    found.setdefault(passage.chunk.id, passage)
            case Settled(council=council):
                state["council"] = council
                state["evidence"] = _read_by(council, state.get("evidence", ()), found)
            case Wrote(text=piece, round=turn):
                if turn > state["round"]:  # written anew: what the first round said no longer counts
                    text, state["round"] = "", turn
                    state.pop("draft", None)
                    state.pop("verdict", None)
                text += piece
    state["own"] = tuple(found.values())
    if text and "draft" not in state:
        state["draft"] = AnswerDraft(text.strip(), cited(text))
    return state


def _read_by(
    council: CouncilReport, shared: Iterable[Passage], found: dict[str, Passage]
) -> tuple[Passage, ...]:
    """Return the evidence as the council's answer numbers it: the shared first, then role by role."""
    by_chunk = {passage.chunk.id: passage for passage in shared}
    for chunk in (
        chunk for perspective in council.perspectives for chunk in perspective.chunks if chunk in found
    ):
        by_chunk.setdefault(chunk, found[chunk])
    return tuple(by_chunk.values())


def _read(event: Event, state: State) -> None:
    """Take what one event says about how the question was read and answered."""
    match event:
        case Asked(question=question, scope=scope, strategy=strategy):
            state["question"] = state["read_as"] = question
            state["language"] = detect_language(question)
            state["scope"], state["strategy"] = scope, strategy
        case FollowedUp(read_as=read_as):
            state["read_as"] = read_as
        case RouteChosen(level=level):
            state["level"] = level
        case GateDecided(composite=composite):
            state["composite"] = composite
        case Planned(plan=plan):
            state["plan"] = plan
        case _:
            _answered(event, state)


def _answered(event: Event, state: State) -> None:
    match event:
        case PartAnswered(answer=answer) | Reused(answer=PartAnswer() as answer):
            state["answers"].append(answer)
        case Reused(cause="revise", passages=passages):
            state["pinned"] = passages
        case Instructed(text=text, way="restriction"):
            state["wishes"].append(text)
        case Reranked(passages=passages) if event.sub_question is None and passages:
            state["evidence"] = passages
        case Synthesised(sentences=sentences):
            state["draft"] = AnswerDraft(
                " ".join(_written(s.text, s.citations) for s in sentences), sentences
            )
        case Forecasted(forecast=forecast):
            state["forecast"] = forecast
        case AnswerChecked(verdict=verdict):
            state["verdict"] = verdict


def _written(text: str, citations: Iterable[int]) -> str:
    return text + "".join(f" [{n}]" for n in citations)
