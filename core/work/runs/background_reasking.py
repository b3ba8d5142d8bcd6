"""Asks gaps and verified answers again in the background, and measures changes; readers come first."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from core.domain import Report, Scope
from core.errors import BudgetExceeded, Stopped, StrataError
from core.flow.background_question import BackgroundAsker
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.gaps import Update
from core.learning.self_update import Updater

_LOG = logging.getLogger(__name__)
POLL_SECONDS = 0.1  # seconds between two looks at whether a reader waits


class YieldingStop(threading.Event):
    """A stop signal that is set while a reader's question or an ingestion job needs the machine."""

    def __init__(self, busy: Callable[[], bool]) -> None:
        super().__init__()
        self._busy, self._looked = busy, 0.0

    def is_set(self) -> bool:
        """Say whether to stop; the library is asked now and then only."""
        now = time.monotonic()
        if not super().is_set() and now - self._looked > POLL_SECONDS:
            self._looked = now
            if self._busy():
                self.set()
        return super().is_set()


@dataclass(frozen=True)
class Activity:
    """Tells whether questions or ingestion jobs are active."""

    knowledge: KnowledgeBase

    def asked(self) -> bool:
        return bool(self.knowledge.runs.interrupted())

    def busy(self) -> bool:
        jobs = self.knowledge.jobs
        return self.asked() or jobs.next_queued() is not None or bool(jobs.interrupted())


class Reasker:
    """Works through updates on its own thread, one question at a time.

    A question of a reader, or a document on its way in, ends what is being asked at once; it is asked anew
    when all is quiet. What is left over when the process ends resumes at the next start.
    """

    def __init__(
        self,
        knowledge: KnowledgeBase,
        updater: Updater,
        quiet: BackgroundAsker,
        *,
        seconds: float = 120.0,
        every: float = 1.0,
        by_itself: Callable[[], bool] = lambda: True,
    ) -> None:
        self._by_itself = by_itself
        self._updater, self._quiet, self._seconds, self._every = updater, quiet, seconds, every
        self._attended = Activity(knowledge)
        self._work: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._ending = threading.Event()
        self._asking: YieldingStop | None = None
        self._resting = threading.Event()
        self._woken = False
        self._thread = threading.Thread(target=self._run, name="reasking", daemon=True)

    def start(self) -> None:
        """Begin to work in the background."""
        self._thread.start()

    def later(self, work: Callable[[], None]) -> None:
        """Do some work when no reader waits; at once where nothing runs in the background."""
        if not self._thread.is_alive():
            work()
            return
        with self._changed:
            self._resting.clear()
            self._work.append(work)
            self._woken = True
            self._changed.notify_all()

    def wake(self) -> None:
        """Look at once whether something is to be asked."""
        with self._changed:
            self._resting.clear()
            self._woken = True
            self._changed.notify_all()

    def cancel(self, number: int) -> Update:
        """End an update; what was found so far is kept. Raises NotFound."""
        cancelled = self._updater.cancel(number)
        asking = self._asking
        if asking is not None:
            asking.set()
        return cancelled

    def wait_until_idle(self, timeout: float) -> bool:
        """Wait until nothing is left to do; say whether that was reached in time."""
        self.wake()
        return self._resting.wait(timeout)

    def update_now(self) -> Update | None:
        """Ask everything again now, in the caller's thread; return the update, None if nothing was due."""
        update = self._updater.now()
        stop = threading.Event()
        while update is not None and update.pending:
            update = self._updater.step(update, lambda q, scope: self._ask(q, scope, stop))
        return update

    def close(self) -> None:
        """Stop soon. Closing twice does no harm."""
        self._ending.set()
        asking = self._asking
        if asking is not None:
            asking.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    # -- the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._ending.is_set():
            self._woken = False
            try:
                went_on = not self._attended.busy() and self._once()
            except StrataError as error:
                _LOG.warning("asking again failed: %s", error)
                went_on = False
            if went_on:
                continue
            with self._changed:
                if not self._woken and not self._attended.busy():
                    self._resting.set()
                if not self._woken:
                    self._changed.wait(self._every)

    def _once(self) -> bool:
        """Do one piece of work; say whether there was one."""
        if self._work:
            self._work.popleft()()
            return True
        update = self._updater.due() if self._by_itself() else None
        if update is None:
            return False
        self._resting.clear()
        stop = self._asking = YieldingStop(lambda: self._ending.is_set() or self._attended.busy())
        try:
            self._updater.step(update, lambda q, scope: self._ask(q, scope, stop))
        except Stopped:
            return not self._ending.is_set()
        finally:
            self._asking = None
        return True

    def _ask(self, question: str, scope: Scope, stop: threading.Event) -> Report:
        """Answer a question; one that takes too long counts as found nothing."""
        try:
            return self._quiet.ask(question, scope=scope, seconds=self._seconds, stop=stop, verified=False)
        except BudgetExceeded as error:
            _LOG.info("%s", error)
            return Report(run="", question=question, missing=(question,))
