"""Runs questions in the background: they outlive the page that asked, and nothing that happened is lost."""

import threading
import time
import traceback
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

from core.domain import Level, Report, Scope, Turn, Value
from core.errors import BudgetExceeded, QuestionError, Stopped, StrataError
from core.flow.graph import walk
from core.flow.nodes import Nodes, findings
from core.flow.recall import recall
from core.flow.state import State
from core.knowledge.records import Run, RunStatus
from core.knowledge.runs import RunStore
from core.ports import LLM, Tell
from core.steps.presenter import Presenter
from core.trace import Asked, Failed, Finished, Stamped, Warned
from core.work.recorder import Recorder

Strategy = Literal["auto", "plan", "loop"]
LONGEST = 10_000  # characters of a question


class Request(Value):
    """A question and how it is to be answered. `level` None: the router chooses."""

    question: str
    level: Level | None = None
    scope: Scope = Scope()
    conversation: str = ""  # "" starts one
    strategy: Strategy = "auto"
    roles: tuple[str, ...] = ()  # of a council, by name or as "Name: what it cares about"; empty: planned


@dataclass
class _Live:
    """A run in progress."""

    run: Run
    request: Request
    recorder: Recorder = field(init=False)
    stop: threading.Event = field(default_factory=threading.Event)
    hurried: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        if self.stop.is_set():
            raise Stopped("The run was stopped.")


class Runner:
    """Walks each question through the flow on a thread of its own, with a budget of its own.

    `limit` wraps the model for one run: what it makes raises BudgetExceeded, and Stopped once its event is
    set. `plain` is the engine that finishes a run whose budget is used up. `compose` builds the nodes of one
    run. `holdings` says what the library holds.
    """

    def __init__(
        self,
        store: RunStore,
        limit: Callable[[threading.Event], LLM],
        plain: LLM,
        compose: Callable[[LLM, Tell], Nodes],
        holdings: Callable[[], str],
        *,
        workers: int = 4,
        parallel: int = 6,
    ) -> None:
        self._store, self._limit, self._plain = store, limit, plain
        self._compose, self._holdings, self._parallel = compose, holdings, parallel
        self._live: dict[str, _Live] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="run")
        for run in store.interrupted():
            self._close_interrupted(run)

    # -- from outside ------------------------------------------------------------------------

    def start(self, request: Request) -> str:
        """Queue the question and return the run's id. Raises QuestionError."""
        question = request.question.encode("utf-8", "replace").decode().replace("\x00", "").strip()
        if not question:
            raise QuestionError("The question is empty.")
        if len(question) > LONGEST:
            raise QuestionError(f"The question has {len(question):,} characters; {LONGEST:,} are the most.")
        number = uuid.uuid4().hex[:12]
        run = Run(
            id=number,
            conversation=request.conversation or number,
            question=question,
            status="queued",
            started=time.time(),
        )
        live = _Live(run, request.model_copy(update={"question": question}))
        live.recorder = Recorder(self._store, number, live.check)
        self._store.save_run(run)
        with self._lock:
            self._live[number] = live
        future = self._pool.submit(self._answer, live)
        future.add_done_callback(lambda done: self._end(live, done))
        return number

    def stop(self, run: str) -> None:
        """End the run; what was found and written so far is kept."""
        live = self._find(run)
        if live:
            live.hurried = False
            live.stop.set()

    def answer_now(self, run: str) -> None:
        """Let the run answer with what it has found so far."""
        live = self._find(run)
        if live and not live.stop.is_set():
            live.hurried = True
            live.stop.set()

    def wait(self, run: str, timeout: float | None = None) -> Report:
        """Return the report once the run has ended. Raises TimeoutError, NotFound or what ended the run."""
        live = self._find(run)
        if live and not live.ended.wait(timeout):
            raise TimeoutError(f"run {run} is still going")
        stored = self._store.get(run)
        if stored.report is not None:
            return stored.report
        for stamped in reversed(self._store.events(run)):
            if isinstance(stamped.event, Failed):
                raise StrataError(stamped.event.message, hint=stamped.event.hint)
        raise StrataError(f"Run {run} ended without a report.")

    def close(self) -> None:
        """Stop what is going and end the threads."""
        with self._lock:
            going = list(self._live.values())
        for live in going:
            live.hurried = False
            live.stop.set()
        self._pool.shutdown(wait=True, cancel_futures=False)

    def _find(self, run: str) -> _Live | None:
        with self._lock:
            return self._live.get(run)

    # -- one run -----------------------------------------------------------------------------

    def _answer(self, live: _Live) -> tuple[Report, RunStatus]:
        """Answer the question; a stopped run or a spent budget ends with what was found until then."""
        self._store.save_run(live.run.model_copy(update={"status": "running"}))
        request = live.request
        live.recorder.record(
            Asked(
                question=request.question,
                scope=request.scope,
                conversation=live.run.conversation,
                library=self._holdings(),
                level=request.level,
                strategy=request.strategy,
                roles=request.roles,
            )
        )
        state: State = {
            "question": request.question,
            "history": self._history(live.run),
            "scope": request.scope,
            "asked_level": request.level,
            "strategy": request.strategy,
            "roles": request.roles,
        }
        try:
            return self._walk(live, state, self._limit(live.stop)), "done"
        except BudgetExceeded as error:
            live.recorder.record(Warned(message=str(error), hint=error.hint))
            return self._finish(live, self._plain)
        except Stopped:
            if not live.hurried:
                return self._partial(live), "stopped"
            live.stop.clear()
            return self._finish(live, self._limit(live.stop))

    def _walk(self, live: _Live, state: State, llm: LLM) -> Report:
        return walk(self._compose(llm, live.recorder.tell), state, self._parallel)["report"]

    def _finish(self, live: _Live, llm: LLM) -> tuple[Report, RunStatus]:
        """Answer from the evidence found so far; stopped once more, keep what is written."""
        found = recall(live.recorder.events())
        state: State = {**found, "hurried": True}
        state.pop("draft", None)
        state.pop("verdict", None)
        try:
            return self._walk(live, state, llm), "done"
        except (Stopped, BudgetExceeded):
            return self._partial(live), "stopped"

    def _partial(self, live: _Live) -> Report:
        return Presenter().present(findings(recall(live.recorder.events()), partial=True))

    def _history(self, run: Run) -> tuple[Turn, ...]:
        """Return the earlier exchanges of the conversation, oldest first."""
        return tuple(
            Turn(
                question=earlier.report.read_as or earlier.question,
                answer=earlier.report.answer,
                run=earlier.id,
            )
            for earlier in self._store.list(conversation=run.conversation, limit=20)
            if earlier.id != run.id and earlier.report is not None
        )

    def _end(self, live: _Live, done: "Future[tuple[Report, RunStatus]]") -> None:
        """Write the run's last event. Here every error of a run arrives, known or a bug."""
        try:
            error = done.exception()
            if error is None:
                report, status = done.result()
                seconds = live.recorder.seconds
                report = report.model_copy(update={"run": live.run.id, "seconds": round(seconds, 3)})
                live.recorder.record(Finished(report=report))
                self._save(live.run, status, report)
            else:
                live.recorder.record(failure(error))
                self._save(live.run, "failed", None)
        finally:
            with self._lock:
                self._live.pop(live.run.id, None)
            live.ended.set()

    def _save(self, run: Run, status: RunStatus, report: Report | None) -> None:
        changes = {"status": status, "finished": time.time(), "report": report}
        self._store.save_run(run.model_copy(update=changes))

    def _close_interrupted(self, run: Run) -> None:
        """Mark a run that a crash cut off, and keep what it had found."""
        saved = self._store.events(run.id)
        report = None
        if saved:
            state = recall(stamped.event for stamped in saved)
            report = Presenter().present(findings(state, partial=True))
            report = report.model_copy(update={"run": run.id, "seconds": saved[-1].at})
        lost = Failed(
            error="Interrupted",
            message="Strata ended while this question was being answered.",
            hint="Ask again; what was found until then is kept here.",
            retryable=True,
        )
        seq, at = (saved[-1].seq + 1, saved[-1].at) if saved else (0, 0.0)
        self._store.append(run.id, [Stamped(seq=seq, at=at, event=lost)])
        self._save(run, "failed", report)


def failure(error: BaseException) -> Failed:
    """Return the event that ends a run: a known error with its hint, or a bug with a report to copy."""
    if isinstance(error, StrataError):
        return Failed(
            error=type(error).__name__, message=str(error), hint=error.hint, retryable=error.retryable
        )
    return Failed(
        error="bug",
        message=f"Something went wrong inside Strata ({type(error).__name__}).",
        hint="This is our fault. Copy the report below and send it to whoever looks after Strata.",
        details="".join(traceback.format_exception(error)),
    )
