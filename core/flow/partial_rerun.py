"""Reruns a question with the reader's edits, and reuses every result that no edit can affect.

A part is clean if an earlier run answered the same words of the same type, resting on parts that are clean
themselves, and no ban or pin touches what it read. Everything else, and all that depends on it, is worked on
anew; joining, writing and checking always are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.answering.plan_repair import repair
from core.domain import Edits, Level, PartAnswer, Passage, Plan, Scope, SubQuestion
from core.flow.previous_run import PreviousRun
from core.flow.state import State
from core.flow.state_of_events import state_from_events
from core.ports import Emit
from core.tasks import PartDraft
from core.trace import Asked, Event, Planned, Reranked, Reused, RouteChosen, Searched

FOUND_FOR_ALL = ("aggregate", "look_up")  # steps whose ranking is not that of one search
LOOP = ("knowledge_loop", "walk")  # the second is its name in runs before 2026-11-22


@dataclass(frozen=True)
class ReusedAnswer:
    """A part's answer, numbered as in the new plan, and its number in the earlier run."""

    answer: PartAnswer
    origin: int
    run: str

    def event(self, cause: str) -> Reused:
        return Reused(cause=cause, run=self.run, answer=self.answer, sub_question=self.answer.id)


def previous_run_of(run: str, events: Sequence[Event], now: Asked) -> PreviousRun:
    """Return the results of a run that one which begins with the state `now` may reuse."""
    state = state_from_events(events)
    asked = next((event for event in events if isinstance(event, Asked)), None)
    plans = [event for event in events if isinstance(event, Planned)]
    first = [event.plan for event in plans if event.round == 1]
    whole = [e for e in events if isinstance(e, Reranked) and e.sub_question is None]
    searched = [e.passages for e in whole if e.cause not in FOUND_FOR_ALL]
    searched += [e.passages for e in events if isinstance(e, Reused) and e.cause == "gather"]
    loop_passages = [
        p for e in events if isinstance(e, Searched | Reused) and e.cause in LOOP for p in e.passages
    ]
    marked = {p.chunk.id: p.highlights for p in state.get("evidence", ())}
    parts = tuple({part.id: part for plan in plans for part in plan.plan.parts}.values())
    return PreviousRun(
        run=run,
        read_as=state.get("read_as", ""),
        language=state.get("language", ""),
        level=state.get("level"),
        strategy=state.get("strategy", "auto"),
        plan=first[-1] if first else None,
        parts=parts,
        answers=tuple(answer for answer in state["answers"] if any(p.id == answer.id for p in parts)),
        own=_marked(searched[-1], marked) if searched else (),
        loop_passages=tuple(loop_passages),
        found=_each(state, events),
        stale=_stale(asked, now),
    )


def _marked(passages: Iterable[Passage], marked: Mapping[str, tuple[object, ...]]) -> tuple[Passage, ...]:
    return tuple(
        p if p.highlights else p.model_copy(update={"highlights": marked.get(p.chunk.id, ())})
        for p in passages
    )


def _each(state: State, events: Iterable[Event]) -> tuple[Passage, ...]:
    """Return every passage the run looked at, as last seen; the evidence and what parts read included."""
    found = {p.chunk.id: p for p in state.get("own", ())}
    for answer in state["answers"]:
        found |= {p.chunk.id: p for p in answer.passages}
    found |= {p.chunk.id: p for p in state.get("evidence", ())}
    return tuple(found.values())


def _stale(then: Asked | None, now: Asked) -> str:
    if then is None:
        return "the earlier run had not begun"
    if then.generation != now.generation:
        return "the library has changed since"
    if then.made_with != now.made_with:
        return "the models or settings have changed since"
    if set(then.scope.without) - set(now.scope.without):
        return "a ban was lifted"
    return ""


# -- what is clean -----------------------------------------------------------------------------


def reused_answer(part: SubQuestion, state: State, same: Mapping[int, int]) -> ReusedAnswer | None:
    """Return the part's answer as an earlier run found it, None if it must be worked on.

    `part` has its #N replaced; `same` holds the clean parts so far with their numbers in the earlier run.
    """
    earlier = state.get("earlier")
    if earlier is None or earlier.stale or not set(part.depends_on) <= set(same):
        return None
    needs = {same[number] for number in part.depends_on}
    answers = {answer.id: answer for answer in earlier.answers}
    for old in earlier.parts:
        answer = answers.get(old.id)
        if (
            answer is not None
            and not answer.failure
            and (old.type, _plain(answer.question)) == (part.type, _plain(part.question))
            and set(old.depends_on) == needs
            and not _touched(answer, state)
        ):
            return ReusedAnswer(_renumbered(answer, part.id), old.id, earlier.run)
    return None


def untouched(earlier: PreviousRun, passages: Sequence[Passage], scope: Scope) -> bool:
    """Say whether a search for the whole question would find the same again."""
    return bool(passages) and not earlier.stale and not _banned(passages, scope)


def _banned(passages: Iterable[Passage], scope: Scope) -> bool:
    return any(passage.chunk.id in scope.without for passage in passages)


def _touched(answer: PartAnswer, state: State) -> bool:
    """Say whether a ban takes away what the part read, or a pin changes it.

    A pin is read by every part that is worked on; it is a reason to work on one that found nothing.
    """
    pins = {passage.chunk.id for passage in state.get("pinned", ())}
    read = {passage.chunk.id for passage in answer.passages}
    unpinned = any(p.pinned and p.chunk.id not in pins for p in answer.passages)
    helped = not answer.found and bool(pins - read)
    return unpinned or helped or _banned(answer.passages, state["scope"])


def _plain(question: str) -> str:
    return " ".join(question.split()).casefold().rstrip("?？.。 ")


def _renumbered(answer: PartAnswer, number: int) -> PartAnswer:
    passages = tuple(p.model_copy(update={"sub_question": number}) for p in answer.passages)
    return answer.model_copy(update={"id": number, "passages": passages})


# -- reading the question again ----------------------------------------------------------------


def read_again(state: State, emit: Emit, most: int) -> State:
    """Return the question as it was read before, with the plan as the reader left it, repaired.

    Without a plan, `level` and `strategy` decide the route: those of the earlier run, or the reader's.
    """
    earlier, edits = state["earlier"], state["edits"]
    if earlier.level is None:
        return {}
    plan = revised(earlier, edits, most)
    level = _level(earlier.level, edits, plan)
    reason = "chosen by the reader" if level is not earlier.level else "as in the run before"
    if earlier.stale:
        reason += f"; everything is worked on anew, because {earlier.stale}"
    emit(RouteChosen(cause="revise", level=level, reason=reason, overridden=level is not earlier.level))
    pinned = pins(edits.pinned, earlier, state["scope"])
    if pinned:
        emit(Reused(cause="revise", run=earlier.run, passages=pinned))
    update: State = {
        "language": earlier.language,
        "read_as": earlier.read_as,
        "round": 1,
        "level": level,
        "asked_level": level,
        "strategy": edits.strategy or earlier.strategy,
        "pinned": pinned,
    }
    if plan is not None:
        emit(Planned(cause="revise", plan=plan))
        update["plan"] = plan
    return update


def must_reread(earlier: PreviousRun, edits: Edits) -> bool:
    """Say whether the question is read again, because the reader chose another level or way of working."""
    other_level = edits.level is not None and edits.level is not earlier.level
    other_way = bool(edits.strategy) and edits.strategy != earlier.strategy
    return edits.parts is None and (other_level or other_way)


def revised(earlier: PreviousRun, edits: Edits, most: int) -> Plan | None:
    """Return the plan the reader wants: their own, repaired, or the one before; None for no plan."""
    if edits.parts is None:
        return None if must_reread(earlier, edits) else earlier.plan
    if not edits.parts:
        return None
    before = earlier.plan or Plan(question=earlier.read_as)
    if before.parts == edits.parts:
        return before
    drafts = [
        PartDraft(id=p.id, question=p.question, type=p.type, depends_on=p.depends_on) for p in edits.parts
    ]
    parts, repairs = repair(drafts, earlier.read_as, most, shown=True)
    if before.parts == parts:
        return before
    return before.model_copy(update={"parts": parts, "repairs": repairs, "by": "reader"})


def _level(before: Level, edits: Edits, plan: Plan | None) -> Level:
    """Return the reader's level, or the one before; several parts are no look-up of one fact."""
    level = edits.level or before
    several = edits.parts is not None and plan is not None and len(plan.parts) > 1
    return Level.LINKING if several and level in (Level.DIRECT, Level.FACTUAL) else level


def pins(ids: Sequence[str], earlier: PreviousRun, scope: Scope) -> tuple[Passage, ...]:
    """Return the pinned passages as they were found; a ban weighs more than a pin."""
    found = {passage.chunk.id: passage for passage in earlier.found}
    return tuple(
        found[number].model_copy(update={"pinned": True, "sub_question": None})
        for number in dict.fromkeys(ids)
        if number in found and number not in scope.without
    )
