"""Answers a question without keeping a run: to compare answers, and to ask again in the background."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.domain import Report, Scope
from core.errors import BudgetExceeded, Stopped
from core.flow.nodes import Nodes
from core.flow.state import State
from core.ports import LLM, Emit


@dataclass(frozen=True)
class BackgroundAsker:
    """Runs the graph without keeping a run.

    `limit(seconds, stop)` returns the model for one question, which ends after `seconds` or once `stop` is
    set; at most `parallel` nodes run side by side.
    """

    limit: Callable[[float, threading.Event], LLM]
    compose: Callable[[LLM, Emit], Nodes]
    parallel: int = 2

    def ask(
        self,
        question: str,
        *,
        scope: Scope | None = None,
        seconds: float = 120.0,
        stop: threading.Event | None = None,
        verified: bool = True,
    ) -> Report:
        """Return the report; without `verified`, answers a reader verified are not looked up.

        Raises BudgetExceeded after `seconds`, Stopped once `stop` is set, LLMError.
        """
        from core.flow.graph import run_graph  # with LangGraph, which is slow to load

        ended = stop or threading.Event()
        until = time.monotonic() + seconds

        def emit(event: object) -> None:
            if ended.is_set():
                raise Stopped("Asking again was stopped.")
            if time.monotonic() > until:
                raise BudgetExceeded(f"{question} took over {seconds:.0f} seconds.")

        began = time.monotonic()
        nodes = self.compose(self.limit(seconds, ended), emit)
        if not verified:
            nodes = replace(nodes, recaller=None)
        state: State = {
            "question": question,
            "history": (),
            "scope": scope or Scope(),
            "asked_level": None,
            "strategy": "auto",
        }
        report = run_graph(nodes, state, self.parallel)["report"]
        return report.model_copy(update={"seconds": round(time.monotonic() - began, 3)})
