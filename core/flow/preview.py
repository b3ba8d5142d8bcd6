"""Predicts the effect of a reader's edits: which parts would run again, and which would be reused."""

from dataclasses import replace

from core.answering.part_references import lacks_referenced_answer, referred
from core.domain import Edits, PartAnswer, Plan, Value
from core.flow.partial_rerun import must_reread, pins, reused_answer, revised
from core.flow.previous_run import PreviousRun
from core.flow.progress import ready
from core.flow.state import State
from core.trace import Asked


class Preview(Value):
    """What would happen. `plan` is None where there is none, or where it would be made anew."""

    plan: Plan | None = None
    again: tuple[int, ...] = ()  # parts that would be worked on
    kept: tuple[int, ...] = ()  # parts that would be taken as they are
    planned_anew: bool = False
    stale: str = ""  # why nothing can be taken over


def preview(earlier: PreviousRun, edits: Edits, now: Asked, most: int) -> Preview:
    """Return which parts a rerun would reuse or work on; nothing is searched and no model is asked."""
    lifted = set(now.scope.without) - set(edits.banned)
    earlier = replace(earlier, stale=earlier.stale or ("a ban was lifted" if lifted else ""))
    plan = revised(earlier, edits, most)
    if plan is None:
        return Preview(planned_anew=must_reread(earlier, edits), stale=earlier.stale)
    scope = now.scope.model_copy(update={"without": edits.banned})
    state: State = {"earlier": earlier, "scope": scope, "pinned": pins(edits.pinned, earlier, scope)}
    answers: list[PartAnswer] = []
    same: dict[int, int] = {}
    while True:
        parts = [
            referred(part, answers)
            for part in ready(plan, answers)
            if not lacks_referenced_answer(part, answers)
        ]
        found = [again for part in parts if (again := reused_answer(part, state, same)) is not None]
        if not found:
            break
        same |= {again.answer.id: again.origin for again in found}
        answers += [again.answer for again in found]
    return Preview(
        plan=plan,
        again=tuple(part.id for part in plan.parts if part.id not in same),
        kept=tuple(same),
        stale=earlier.stale,
    )
