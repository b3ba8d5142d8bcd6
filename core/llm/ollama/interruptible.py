"""Waiting for something slow without losing sight of Stop."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from core.runtime.run_slots import slot_released

T = TypeVar("T")

POLL_SECONDS = 0.1  # seconds between two looks at the listener
# Calls that wait at once; starting a thread for each costs more than most of them take
MAX_WAITING_CALLS = 64


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MAX_WAITING_CALLS, thread_name_prefix="interruptible")


def run_interruptibly(work: Callable[[], T], check: Callable[[], None], *, ready: bool = False) -> T:
    """Do the work in another thread and ask `check` meanwhile; raises what either raises.

    If `check` ends the wait, the work continues by itself and its result is lost. `work` must not wait so
    itself. Work that is `ready` will not wait and is done at once.
    """
    if ready:
        check()
        return work()
    future = _pool().submit(work)
    with slot_released():
        while True:
            try:
                return future.result(timeout=POLL_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
            check()
