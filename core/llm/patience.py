"""Waiting for something slow without losing sight of Stop."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

POLL = 0.1  # seconds between two looks at the listener


def patiently(work: Callable[[], T], check: Callable[[], None]) -> T:
    """Do the work in a thread of its own and ask `check` meanwhile; raises what either raises.

    If `check` ends the wait, the work goes on by itself and its result is lost.
    """
    pool = ThreadPoolExecutor(1, thread_name_prefix="patience")
    future = pool.submit(work)
    pool.shutdown(wait=False)
    while True:
        try:
            return future.result(timeout=POLL)
        except TimeoutError:
            if future.done():
                raise
        check()
