"""Runs questions in the background: they outlive the page that asked, and nothing that happened is lost."""

import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from core.answering.present import Presenter
from core.answering.wording import report_sentence
from core.domain import BUILT_IN, Edits, Report, Turn
from core.errors import BudgetExceeded, QuestionError, Stopped, StrataError
from core.flow.nodes import Nodes, findings
from core.flow.partial_rerun import previous_run_of
from core.flow.preview import Preview, preview
from core.flow.state import State
from core.flow.state_of_events import state_from_events
from core.knowledge.stores.activity.runs import RunStore
from core.knowledge.stores.records import Run, RunStatus
from core.ports import LLM, Emit
from core.runtime.memory import release_now_and_then
from core.runtime.run_slots import COMPUTE_SLOTS, FairSemaphore
from core.text.tokens import detect_language
from core.trace import Asked, Event, Finished, Instructed, Warned
from core.work.runs.live_run import LiveRun
from core.work.runs.run_request import Request, again, first_of, readable
from core.work.runs.unfinished_runs import cut_off, ended_by, failure

MAX_WAITING_RUNS = 64  # runs that can be seen to wait; further ones wait unseen


class Runner:
    """Runs the graph for each question on its own thread, with a budget of its own.

    `limit` wraps the model of one run, chosen by name or "" for the usual one: what it makes raises
    BudgetExceeded, and Stopped once its event is set. `plain` is the engine that finishes a run whose budget
    is used up. `compose` builds the nodes of one run. `overview` says what the library holds, `coming` how
    many files are not searchable yet, `generation` counts its changes, and `made_with` names engines and
    settings that are no defaults; a run takes over what another with the same found. As many as `workers` are
    at work, in the order they came, and compute as `compute_slots` lets them; `beside` is who shares in both.
    """

    def __init__(
        self,
        store: RunStore,
        limit: Callable[[threading.Event, str], LLM],
        plain: LLM,
        compose: Callable[[LLM, Emit], Nodes],
        overview: Callable[[], str],
        *,
        coming: Callable[[], int] = lambda: 0,
        generation: Callable[[], int] = lambda: 0,
        made_with: Callable[[str], dict[str, str]] = lambda model: {},
        workers: int = 4,
        compute_slots: FairSemaphore = COMPUTE_SLOTS,
        beside: "Runner | None" = None,
        parallel: int = 6,
    ) -> None:
        self._store, self._limit, self._plain = store, limit, plain
        self._compose, self._overview, self._parallel = compose, overview, parallel
        self._coming, self._generation, self._made_with = coming, generation, made_with
        self._live: dict[str, LiveRun] = {}
        self._lock = threading.Lock()
        self._compute_slots = compute_slots
        self._concurrent_runs: FairSemaphore = beside._concurrent_runs if beside else FairSemaphore(workers)
        self._pool: ThreadPoolExecutor = (
            beside._pool if beside else ThreadPoolExecutor(MAX_WAITING_RUNS, "run")
        )
        for run in store.interrupted() if beside is None else ():
            self._close_interrupted(run)

    @property
    def plain(self) -> LLM:
        """The engine that needs no server."""
        return self._plain

    def start(self, request: Request) -> str:
        """Queue the question and return the run's id. Raises QuestionError."""
        question = readable(request.question)
        number = uuid.uuid4().hex[:12]
        run = Run(
            id=number,
            conversation=request.conversation or number,
            question=question,
            status="queued",
            started=time.time(),
        )
        asked = Asked(
            question=question,
            scope=request.scope,
            conversation=run.conversation,
            library=self._overview(),
            level=request.level,
            strategy=request.strategy,
            effort=request.effort,
            model=request.model,
            roles=request.roles,
            generation=self._generation(),
            made_with=self._made_with(request.model),
            parent=request.parent,
            edits=request.edits,
        )
        live = LiveRun(run, asked, self._store, self._concurrent_runs.queue_position(), self._compute_slots)
        self._store.save_run(run)
        live.recorder.record(asked)
        with self._lock:
            self._live[number] = live
        future = self._pool.submit(self._when_admitted, live)
        future.add_done_callback(lambda done: self._end(live, done))
        return number

    def rerun(self, run: str, edits: Edits) -> str:
        """Work on a run's question again with the reader's edits; return the new run's id.

        Raises NotFound, or QuestionError while the run is still going.
        """
        if self._find(run):
            raise QuestionError("This run is still going.", hint="Wait until it has ended, or stop it.")
        before = self._store.get(run)
        return self.start(again(before, first_of(before, self._events(run)), edits))

    def preview(self, run: str, edits: Edits, most: int) -> Preview:
        """Return which parts `rerun` with these edits would work on. Raises NotFound."""
        events = self._events(run)
        asked = first_of(self._store.get(run), events)
        made = {"generation": self._generation(), "made_with": self._made_with(asked.model)}
        now = asked.model_copy(update=made)
        return preview(previous_run_of(run, events, now), edits, now, most)

    def _events(self, run: str) -> list[Event]:
        return [stamped.event for stamped in self._store.events(run)]

    def instruct(self, run: str, text: str) -> bool:
        """Tell a run in progress something more; return whether it could still take it.

        It takes effect with the next wave or the next writing. Raises QuestionError.
        """
        instruction = readable(text)
        live = self._find(run)
        if live is None:
            return False
        with live.speaking:
            if live.closed:
                return False
            live.recorder.record(Instructed(text=instruction))
            live.inbox.put(instruction)
        return True

    def stop(self, run: str) -> None:
        """End the run; what was found and written so far is kept."""
        if live := self._find(run):
            live.hurried = False
            live.stop.set()

    def answer_now(self, run: str) -> None:
        """Let the run answer with what it has found so far."""
        if (live := self._find(run)) and not live.stop.is_set():
            live.hurried = True
            live.stop.set()

    def wait(self, run: str, timeout: float | None = None) -> Report:
        """Return the report once the run has ended. Raises TimeoutError, NotFound or what ended the run."""
        live = self._find(run)
        if live and not live.ended.wait(timeout):
            raise TimeoutError(f"run {run} is still going")
        if live and live.unsaved:
            raise live.unsaved
        if (report := self._store.get(run).report) is not None:
            return report
        raise ended_by(run, self._store.events(run))

    def close(self) -> None:
        """Stop what is going and end the threads."""
        with self._lock:
            going = list(self._live.values())
        for live in going:
            live.hurried = False
            live.stop.set()
        self._pool.shutdown(wait=True, cancel_futures=False)

    def _find(self, run: str) -> LiveRun | None:
        with self._lock:
            return self._live.get(run)

    # -- one run -----------------------------------------------------------------------------

    def _when_admitted(self, live: LiveRun) -> tuple[Report, RunStatus]:
        """Answer the question when it is its turn; a run that is stopped before has found nothing."""
        try:
            with self._concurrent_runs.held(live.position, live.check_waiting, live.report_waiting):
                try:
                    return self._answer(live)
                finally:
                    live.slot.release()
        except Stopped:
            return self._partial(live), "stopped"

    def _answer(self, live: LiveRun) -> tuple[Report, RunStatus]:
        """Answer the question; a stopped run or a spent budget ends with what was found until then."""
        self._store.save_run(live.run.model_copy(update={"status": "running"}))
        asked, live.coming = live.asked, self._coming()
        state: State = {
            "question": asked.question,
            "history": self._history(live.run),
            "scope": asked.scope,
            "asked_level": asked.level,
            "strategy": asked.strategy,
            "effort": asked.effort,
            "roles": asked.roles,
        }
        if asked.edits is not None:
            state["earlier"] = previous_run_of(asked.parent, self._events(asked.parent), asked)
            state["edits"] = asked.edits
        try:
            with live.slot.step():  # the budget's seconds begin when it is the run's turn
                llm = self._limit(live.stop, asked.model)
            return self._run_graph(live, state, llm), "done"
        except BudgetExceeded as error:
            live.recorder.record(Warned(message=str(error), hint=error.hint))
            return self._finish(live, self._plain, str(error))
        except Stopped:
            if not live.hurried:
                return self._partial(live), "stopped"
            live.stop.clear()
            return self._finish(live, self._limit(live.stop, asked.model))

    def _run_graph(self, live: LiveRun, state: State, llm: LLM) -> Report:
        from core.flow.graph import run_graph  # with LangGraph, which is slow to load

        nodes = self._compose(llm, live.recorder.emit).listening(live.inbox).in_turn(live.slot.step)
        nodes = nodes.by_rules() if live.asked.model == BUILT_IN else nodes
        return run_graph(nodes, state, self._parallel)["report"]

    def _finish(self, live: LiveRun, llm: LLM, cut_short: str = "") -> tuple[Report, RunStatus]:
        """Answer from the evidence found so far; stopped once more, keep what is written."""
        state: State = {**state_from_events(live.recorder.events()), "hurried": True, "cut_short": cut_short}
        state.pop("draft", None)
        state.pop("verdict", None)
        try:
            return self._run_graph(live, state, llm), "done"
        except (Stopped, BudgetExceeded):
            return self._partial(live), "stopped"

    def _partial(self, live: LiveRun) -> Report:
        return Presenter().present(findings(state_from_events(live.recorder.events()), partial=True))

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

    def _end(self, live: LiveRun, done: "Future[tuple[Report, RunStatus]]") -> None:
        """Write the run's last event. Here every error of a run arrives, known or a bug."""
        try:
            error = done.exception()
            if error is None:
                report, status = done.result()
                made = {"run": live.run.id, "seconds": round(live.recorder.seconds, 3)}
                report = self._noted(live, report.model_copy(update=made))
                live.recorder.record(Finished(report=report))
                self._save(live.run, status, report)
            else:
                live.recorder.record(failure(error))
                self._save(live.run, "failed", None)
        except StrataError as full:
            live.unsaved = full
        finally:
            with self._lock:
                self._live.pop(live.run.id, None)
            live.ended.set()
        release_now_and_then()

    def _noted(self, live: LiveRun, report: Report) -> Report:
        """Stop listening, and say what could not be searched yet, and what came too late."""
        with live.speaking:
            live.closed = True
        late = live.inbox.take()
        for text in late:
            live.recorder.record(Instructed(text=text, way="late"))
        language = detect_language(report.question)
        notes = [report_sentence("coming", language, n=live.coming)] if live.coming else []
        notes += [report_sentence("late", language, what=text) for text in late]
        return report.model_copy(update={"notes": (*report.notes, *notes)}) if notes else report

    def _save(self, run: Run, status: RunStatus, report: Report | None) -> None:
        changes = {"status": status, "finished": time.time(), "report": report}
        self._store.save_run(run.model_copy(update=changes))

    def _close_interrupted(self, run: Run) -> None:
        """Mark a run that a crash cut off, and keep what it had found."""
        report, lost = cut_off(run.id, self._store.events(run.id))
        self._store.append(run.id, [lost])
        self._save(run, "failed", report)
