"""Applies what the reader says while a run is going: as a part of the plan, or as a restriction."""

import threading
from collections.abc import Sequence

from core.answering.run_instructions import read
from core.domain import Level, Plan, SubQuestion
from core.flow.state import State
from core.ports import Emit
from core.trace import Instructed, Planned


class Inbox:
    """A thread-safe queue of the instructions the reader gives during a run."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._texts)

    def put(self, text: str) -> None:
        with self._lock:
            self._texts.append(text)

    def take(self) -> tuple[str, ...]:
        """Return the instructions queued since the last call, in order, and empty the queue."""
        with self._lock:
            texts, self._texts = tuple(self._texts), []
        return texts


def apply_instructions(state: State, texts: Sequence[str], emit: Emit, most: int) -> State:
    """Return plan and wishes with the instructions applied.

    A question becomes a part while there is room and nothing is written; anything else, and a question that
    comes later, restricts the answer, which is then written (anew).
    """
    plan = state.get("plan")
    wishes: list[str] = []
    written = "draft" in state
    for text in texts:
        question = read(text).question
        extended = None if written or state.get("hurried") else _extended(state, plan, question, most)
        if extended is not None:
            plan = extended
            emit(Instructed(cause="apply_instructions", text=text, way="part"))
            emit(Planned(cause="apply_instructions", plan=plan))
        else:
            wishes.append(text)
            emit(Instructed(cause="apply_instructions", text=text, way="restriction"))
    update: State = {}
    if wishes:
        update["wishes"] = wishes
    if plan is not None and plan is not state.get("plan"):
        update["plan"] = plan
        if state["level"] in (Level.DIRECT, Level.FACTUAL):
            update["level"] = Level.LINKING
    if texts and written:
        update["round"] = state["round"] + 1
    return update


def _extended(state: State, plan: Plan | None, question: str, most: int) -> Plan | None:
    """Return the plan with the question as its last part, None where it has no room or nothing is asked.

    A question that had no plan becomes the first part of one, so that it is answered as well.
    """
    if not question:
        return None
    before = plan or Plan(question=state["read_as"], parts=(SubQuestion(id=1, question=state["read_as"]),))
    if len(before.parts) >= most:
        return None
    number = max((part.id for part in before.parts), default=0) + 1
    return before.model_copy(
        update={"parts": (*before.parts, SubQuestion(id=number, question=question)), "by": "reader"}
    )
