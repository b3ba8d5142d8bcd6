"""Ends a process without taking the interpreter apart.

Once all that was opened is closed nothing is left to do, but Python would still clear every module: with
torch loaded that takes more than a second, and DuckDB tells of each object it finds alive.
"""

import atexit
import os
import signal
import sys
import threading
from typing import NoReturn

BROKEN_OUTPUT = 120  # the status Python itself ends with where its output could not be written


def end_process(status: int) -> NoReturn:
    """End the process with the status, after its threads and exit functions; a negative one is a signal's.

    Where this Python has no such functions it ends as it always does.
    """
    wait, run = getattr(threading, "_shutdown", None), getattr(atexit, "_run_exitfuncs", None)
    if wait is None or run is None:
        raise SystemExit(status)
    wait()  # it asks executors' threads to end
    run()
    end_at_once(status)


def end_at_once(status: int) -> NoReturn:
    """End the process with the status, or of the signal, whatever still runs in it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # nobody reads it any more
            status = BROKEN_OUTPUT if status >= 0 else status
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status & 0xFF)
