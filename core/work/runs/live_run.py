"""A run in progress: its question, its events, and how it is stopped or waits for a slot."""

import threading
from dataclasses import dataclass, field

from core.errors import BudgetExceeded, Stopped, StrataError
from core.flow.instructions import Inbox
from core.knowledge.stores.activity.runs import RunStore
from core.knowledge.stores.records import Run
from core.runtime.run_slots import FairSemaphore, RunSlot
from core.trace import Asked, Queued
from core.work.runs.recorder import Recorder


@dataclass
class LiveRun:
    """A run in progress. `position` is its place in the queue of runs, `slot` its slot to compute."""

    run: Run
    asked: Asked
    store: RunStore
    position: int
    compute_slots: FairSemaphore
    recorder: Recorder = field(init=False)
    slot: RunSlot = field(init=False)
    stop: threading.Event = field(default_factory=threading.Event)
    inbox: Inbox = field(default_factory=Inbox)
    coming: int = 0  # documents that could not be searched yet when it began
    hurried: bool = False
    closed: bool = False  # it takes no instructions any more
    speaking: threading.Lock = field(default_factory=threading.Lock)
    ended: threading.Event = field(default_factory=threading.Event)
    unsaved: StrataError | None = None  # why its end could not be written down

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.store, self.run.id, self.check)
        self.slot = self.compute_slots.slot(self.check, self.report_waiting, (Stopped, BudgetExceeded))

    def check(self) -> None:
        """Raise Stopped once the run was stopped or hurried."""
        if self.stop.is_set():
            raise Stopped("The run was stopped.")

    def check_waiting(self) -> None:
        """Raise Stopped once the run was stopped; one that is to answer at once still waits for its turn."""
        if not self.hurried:
            self.check()

    def report_waiting(self, ahead: int) -> None:
        """Tell the reader how many runs are ahead."""
        self.recorder.record(Queued(ahead=ahead))
