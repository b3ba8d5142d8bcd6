"""What the collector and the C library are told about memory: what stays for good, and what is over."""

import atexit
import ctypes
import gc
from collections.abc import Callable
from functools import lru_cache

# At the end of the process everything is released, or libraries written in C++ report it as lost.
atexit.register(gc.unfreeze)


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


def keep() -> None:
    """Leave what is there now out of full collections: through hundreds of thousands of objects each takes
    150 ms, every few questions."""
    gc.freeze()


def settle() -> None:
    """Clear away what a long piece of work left, once it is over.

    What is there now stays: full collections while a question is answered need not go through it.
    """
    gc.unfreeze()
    gc.collect()
    keep()
    release_memory()
