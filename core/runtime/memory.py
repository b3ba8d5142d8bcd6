"""When the garbage collector runs and the C library returns freed memory to the system."""

import atexit
import ctypes
import gc
import threading
import time
from collections.abc import Callable
from functools import lru_cache

# Between two times, amid questions, that memory is handed back (25 ms), and cycles are collected.
_RELEASE_PAUSE_SECONDS, _COLLECTION_PAUSE_SECONDS = 2.0, 10.0
# A collection after a piece of work begins this many times the length of the last one after it.
_COLLECTION_TIME_SHARE = 40
_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_settling = threading.Lock()
_full_due = _new_due = 0.0  # on the clock of the process
_released = _collected = 0.0  # on the same clock

# At the end of the process everything is released, or libraries written in C++ report it as lost.
atexit.register(gc.unfreeze)


def _few_heaps() -> None:
    """Let threads share two heaps of glibc, which by itself gives them eight a core, each with its gaps.

    200 questions by eight threads end at 1,275 instead of 1,480 MB.
    """
    try:
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 2)
    except (AttributeError, OSError, TypeError):  # another C library
        return


@lru_cache(maxsize=1)
def _trim() -> Callable[[int], int] | None:
    """Return glibc's `malloc_trim`; None on systems without it."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return trim


def release_memory() -> None:
    """Hand freed memory back to the system, between two pieces of work. Takes milliseconds."""
    if (trim := _trim()) is not None:
        trim(0)


def release_now_and_then() -> None:
    """Collect and hand freed memory back unless that was done a moment ago: what questions leave lies in the
    heaps of many threads, each of which the C library keeps for itself."""
    global _released, _collected
    now = time.monotonic()
    if now - _collected > _COLLECTION_PAUSE_SECONDS:
        _collected = now
        gc.collect()
    if now - _released > _RELEASE_PAUSE_SECONDS:
        _released = now
        release_memory()


def keep() -> None:
    """Leave what is there now out of full collections: through hundreds of thousands of objects each takes
    150 ms, every few questions."""
    gc.freeze()


def settle() -> bool:
    """Clear away what a long piece of work left, once it is over; say whether that was all there is.

    What is there now stays: full collections while a question is answered need not go through it. Files may
    come in one by one: collecting takes a fortieth of the time at most, of what stayed and of what is new.
    """
    global _full_due, _new_due
    with _settling:
        began = time.monotonic()
        full = began >= _full_due
        if full:
            gc.unfreeze()
        if full or began >= _new_due:
            gc.collect()
            keep()
            ended = time.monotonic()
            _new_due = ended + _COLLECTION_TIME_SHARE * (ended - began)
            if full:
                _full_due = _new_due
    release_memory()
    return full


_few_heaps()  # before threads are there that have one
# CPython looks for cycles whenever 700 objects are new, a tenth of the time of a start. Here it is whenever
# 10,000 are, and 20 times that before what lived longer is looked through.
gc.set_threshold(10_000, 20, 10)
