"""Enforces the budget of a run and ends it when it is stopped."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.domain import BUILT_IN
from core.errors import BudgetExceeded, Stopped
from core.ports import LLM, Listener, R
from core.tasks import Task


@dataclass(frozen=True)
class Budget:
    """What one run may use. Only a served model costs calls and tokens; rules and kept replies are free."""

    calls: int = 60
    tokens: int = 200_000
    seconds: float = 600.0


class BudgetedLLM:
    """Does tasks as long as the run's budget lasts and nobody stops it.

    There is one for each run, shared by its threads; the clock starts when it is made. Raises BudgetExceeded
    and Stopped, before a call and during it.
    """

    def __init__(
        self,
        llm: LLM,
        budget: Budget,
        stop: threading.Event | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._llm, self._budget = llm, budget
        self._stop = stop or threading.Event()
        self._clock = clock
        self._began = clock()
        self._lock = threading.Lock()
        self._calls = self._tokens = 0

    def check(self) -> None:
        """Raise Stopped or BudgetExceeded if the run must end."""
        if self._stop.is_set():
            raise Stopped("The run was stopped.")
        if self._clock() - self._began > self._budget.seconds:
            raise BudgetExceeded(f"The run's {self._budget.seconds:g} seconds are used up.")

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task within what is left. Raises LLMError, BudgetExceeded or Stopped."""
        self.check()
        self._reserve()
        reply = self._llm.run(task, into, _Guard(self, listener))
        call = reply.call
        with self._lock:
            if call is None or call.cached or call.engine == BUILT_IN:
                self._calls -= 1
            else:
                self._tokens += call.tokens_in + call.tokens_out
        return reply

    def _reserve(self) -> None:
        """Count the call before it is made, so that parallel ones cannot overdraw together."""
        with self._lock:
            if self._calls >= self._budget.calls:
                raise BudgetExceeded(f"The run's {self._budget.calls} model calls are used up.")
            if self._tokens >= self._budget.tokens:
                raise BudgetExceeded(f"The run's {self._budget.tokens} tokens are used up.")
            self._calls += 1


class _Guard:
    """A listener that also watches the budget."""

    def __init__(self, budgeted: BudgetedLLM, listener: Listener | None) -> None:
        self._budgeted, self._listener = budgeted, listener

    def received(self, text: str) -> None:
        if self._listener is not None:
            self._listener.received(text)

    def check(self) -> None:
        self._budgeted.check()
        if self._listener is not None:
            self._listener.check()
