"""Slots to compute in, shared by all runs of this process: few at the same time, first come first served.

Eight questions that compute at once take as long as eight in a row, and each as long as all of them; besides
they wait for the interpreter, which runs one thread at a time. So a run has a slot of a fair semaphore, held
while it computes and given up while it waits for something else, such as a model on the wire.
"""

import bisect
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Threads of numeric libraries that wait for each other sleep instead of spinning: beside other work a pass of
# a network takes a third of the time. Read when the first of them is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

CORES = os.cpu_count() or 1
AT_ONCE = 4  # runs at most: the interpreter computes in one thread at a time, networks beside it
POLL_SECONDS = 0.2  # seconds between two looks at a run that waits

Check = Callable[[], None]
Waits = Callable[[int], None]


class FairSemaphore:
    """Limits how many runs compute at the same time, in FIFO order, also after a pause."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._waiting: list[int] = []  # positions in order
        self._used = 0

    @property
    def taken(self) -> int:
        """Return how many compute."""
        return self._used

    def slot(self, check: Check, waits: Waits, ends: tuple[type[Exception], ...] = ()) -> "RunSlot":
        """Return a slot for one run, behind all that were given before.

        `check` is asked while it waits and ends the wait by what it raises; `waits` receives how many are
        ahead, whenever that changes. After the errors `ends` of what it waited for a run computes no more.
        """
        return RunSlot(self, self.queue_position(), check, waits, ends)

    def queue_position(self) -> int:
        """Return a position in the queue, behind all that were given before."""
        return next(self._numbers)

    @contextmanager
    def held(self, position: int, check: Check, waits: Waits) -> Iterator[None]:
        """Hold a slot as soon as this position is the first. Raises what `check` raises while it waits."""
        self.acquire(position, check, waits)
        try:
            yield
        finally:
            self.release()

    def acquire(self, position: int, check: Check, waits: Waits) -> None:
        """Take a slot as soon as this position is the first. Raises what `check` raises."""
        reported = 0
        with self._changed:
            bisect.insort(self._waiting, position)
        try:
            while ahead := self._ahead(position):
                check()
                if ahead != reported:
                    waits(ahead)
                    reported = ahead
        except BaseException:
            with self._changed:
                self._waiting.remove(position)
                self._changed.notify_all()
            raise

    def release(self) -> None:
        """Give a slot back."""
        with self._changed:
            self._used -= 1
            self._changed.notify_all()

    def _ahead(self, position: int) -> int:
        """Take a slot if one comes up soon; return how many compute or wait before this one, 0: taken."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._next(position), POLL_SECONDS):
                return self._used + self._waiting.index(position)
            self._waiting.remove(position)
            self._used += 1
            self._changed.notify_all()  # there may be another slot for the next
            return 0

    def _next(self, position: int) -> bool:
        return self._used < self._slots and self._waiting[0] == position


COMPUTE_SLOTS = FairSemaphore(min(CORES + 1, AT_ONCE))  # one of them may wait for the interpreter


class RunSlot:
    """One run's slot: taken when a thread of it computes, given up while each of its threads waits.

    Between two steps it is kept, so that runs are worked on one after the other and not in slices.
    """

    def __init__(
        self,
        semaphore: FairSemaphore,
        position: int,
        check: Check,
        waits: Waits,
        ends: tuple[type[Exception], ...],
    ) -> None:
        self._semaphore, self._position, self._check, self._waits, self._ends = (
            semaphore,
            position,
            check,
            waits,
            ends,
        )
        self._lock = threading.Lock()
        self._holding = False
        self._steps = self._computing = 0

    @contextmanager
    def step(self) -> Iterator[None]:
        """Compute a step in this thread. Raises what the check raises while it waits for its turn."""
        self._begin()
        with self._lock:
            self._steps += 1
        here = _SLOT.set(self)
        try:
            yield
        finally:
            _SLOT.reset(here)
            with self._lock:
                self._steps -= 1
                self._computing -= 1
                if self._steps:
                    self._give_up_idle()

    @contextmanager
    def released(self) -> Iterator[None]:
        """Wait for something else in this thread."""
        with self._lock:
            self._computing -= 1
            self._give_up_idle()
        over = False
        try:
            yield
        except self._ends:
            over = True
            raise
        finally:
            if over:
                with self._lock:
                    self._computing += 1  # it only unwinds
            else:
                self._resume()

    def release(self) -> None:
        """Give the slot up, for the run has ended or waits by itself."""
        with self._lock:
            if self._holding:
                self._holding = False
                self._semaphore.release()

    def _begin(self) -> None:
        with self._lock:  # one thread waits for a slot, the others of its run for it
            if not self._holding:
                self._semaphore.acquire(self._position, self._check, self._waits)
                self._holding = True
            self._computing += 1

    def _resume(self) -> None:
        try:
            self._begin()
        except BaseException:
            with self._lock:
                self._computing += 1  # it only unwinds
            raise

    def _give_up_idle(self) -> None:
        if self._holding and not self._computing:
            self._holding = False
            self._semaphore.release()


_SLOT: ContextVar[RunSlot | None] = ContextVar("slot", default=None)


@contextmanager
def slot_released() -> Iterator[None]:
    """Wait for something that does not compute here, without keeping others from computing."""
    slot = _SLOT.get()
    if slot is None:
        yield
        return
    here = _SLOT.set(None)  # waiting within waiting is one
    try:
        with slot.released():
            yield
    finally:
        _SLOT.reset(here)


def threads_of_a_pass() -> int:
    """Return how many threads a pass of a network may use: all cores for the only run, else its share."""
    return max(1, CORES // max(1, COMPUTE_SLOTS.taken))
