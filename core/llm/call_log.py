"""Records the calls to a model where they are made, and hands each to the event that tells of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from core.ports import LLM, Emit, Listener, R
from core.tasks import Call, Task
from core.trace import Event


@dataclass
class _Step:
    """The calls of one step: all of them, and those that no event has carried yet."""

    made: list[Call] = field(default_factory=list)
    pending: list[Call] = field(default_factory=list)


class ContextCallLog:
    """One log a run. Steps may run side by side: each thread or context has a step of its own.

    A call made outside of a step is not recorded.
    """

    def __init__(self) -> None:
        self._step: ContextVar[_Step | None] = ContextVar("step", default=None)

    @contextmanager
    def step(self) -> Iterator[list[Call]]:
        """Record the calls of the block; yield the list that they are put into."""
        step = _Step()
        before = self._step.set(step)
        try:
            yield step.made
        finally:
            self._step.reset(before)

    def around(self, llm: LLM) -> LLM:
        """Return the model with every call recorded."""
        return _Recorded(llm, self._add)

    def recording(self, emit: Emit) -> Emit:
        """Return an `emit` whose events carry the calls made since the last event of the same step."""

        def emit_with_calls(event: Event) -> None:
            step = self._step.get()
            if step is not None and step.pending:
                calls, step.pending = tuple(step.pending), []
                event = event.model_copy(update={"calls": (*event.calls, *calls)})
            emit(event)

        return emit_with_calls

    def _add(self, call: Call) -> None:
        step = self._step.get()
        if step is not None:
            step.made.append(call)
            step.pending.append(call)


@dataclass(frozen=True)
class _Recorded:
    """A model whose calls are recorded."""

    llm: LLM
    record: Callable[[Call], None]

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task. Raises what the model raises."""
        reply = self.llm.run(task, into, listener)
        if reply.call is not None:
            self.record(reply.call)
        return reply
