"""Reads the state of a flow: parts that are ready, their findings, parts of the report."""

from collections.abc import Sequence

from core.answering.present import Findings
from core.answering.wording import report_sentence
from core.domain import BUILT_IN, Effort, Level, Outcome, PartAnswer, Passage, Plan, SubQuestion, Verdict
from core.flow.state import State
from core.text.tokens import detect_language


def ready(plan: Plan | None, answers: Sequence[PartAnswer]) -> tuple[SubQuestion, ...]:
    """Return the unanswered parts whose dependencies are answered."""
    done = {answer.id for answer in answers}
    parts = plan.parts if plan else ()
    return tuple(part for part in parts if part.id not in done and set(part.depends_on) <= done)


def parts_to_answer(plan: Plan | None, effort: Effort) -> frozenset[int] | None:
    """Return the parts a model answers on the way, None for all: in balanced effort those another part cannot
    be searched without, in thorough every part. The answer as a whole reads what was found for the rest."""
    if effort == "thorough":
        return None
    parts = plan.parts if plan and effort == "balanced" else ()
    return frozenset(n for part in parts if part.type != "comparative" for n in part.depends_on)


def settled(state: State) -> tuple[PartAnswer, ...]:
    """Return one answer for each part; an answer of the second round replaces a missing one of the first."""
    plan = state.get("plan")
    again = {part.id: part.again for part in plan.parts if part.again} if plan else {}
    found: dict[int, PartAnswer] = {}
    for answer in sorted(state.get("answers", []), key=lambda a: a.id):
        place = again.get(answer.id) or answer.id
        if place not in found or (answer.found and not found[place].found):
            found[place] = answer
    return tuple(found.values())


def to_write(state: State) -> tuple[PartAnswer, ...]:
    """Return the parts a writer reads: a comparison that no rule could make is replaced by its sides."""
    left = {part.id for part in settled(state)} - {part.id for part in parts_to_report(state)}
    return tuple(part for part in settled(state) if part.id not in left or part.engine != BUILT_IN)


def parts_to_report(state: State) -> tuple[PartAnswer, ...]:
    """Return the parts an answer has to cover; of a comparison that was left open, its sides."""
    plan = state.get("plan")
    compared = {part.id for part in plan.parts if part.type == "comparative"} if plan else set()
    return tuple(part for part in settled(state) if not (part.open and part.id in compared))


def carried(part: SubQuestion, answers: Sequence[PartAnswer]) -> tuple[Passage, ...]:
    """Return passages of the parts this one depends on: the best of each, then the second of each."""
    needed = [answer.passages[:2] for answer in answers if answer.id in part.depends_on and answer.found]
    return tuple(passage for rank in range(2) for passages in needed for passage in passages[rank : rank + 1])


def findings(state: State, *, partial: bool = False) -> Findings:
    """Return the findings of the state, complete or not."""
    draft = state.get("draft")
    language = state.get("language") or detect_language(state["question"])
    plan = state.get("plan")
    notes = list(state.get("notes", []))
    verdict = state.get("verdict")
    if verdict is None and not state.get("related", True):
        verdict = Verdict(outcome=Outcome.NOTHING)
    if state.get("hurried"):
        notes.append(report_sentence("hurried", language))
    notes += [report_sentence("wish", language, what=wish) for wish in state.get("wishes", [])]
    return Findings(
        question=state["question"],
        read_as=state.get("read_as", state["question"]),
        level=state.get("level", Level.FACTUAL),
        language=language,
        text=draft.text if draft else "",
        sentences=draft.sentences if draft else (),
        verdict=verdict,
        plan=plan,
        parts=settled(state) if plan else (),
        evidence=state.get("evidence", ()),
        calls=tuple(state.get("calls", [])),
        forecast=state.get("forecast"),
        council=state.get("council"),
        notes=tuple(notes),
        partial=partial,
        cut_short=state.get("cut_short", ""),
    )
