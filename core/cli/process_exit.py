"""Ends the process of a command without taking the interpreter apart.

Once a command has closed what it opened nothing is left to do, but Python would still clear every module:
with torch loaded that takes more than a second.
"""

import atexit
import os
import sys
import threading
from typing import NoReturn

from core.cli.terminal_escaping import echo

BROKEN_OUTPUT = 120  # the status Python itself ends with where its output could not be written


def end_process(code: object) -> NoReturn:
    """End the process with what `sys.exit` was given, after its threads and exit functions.

    Where this Python has no such functions it ends as it always does.
    """
    wait, run = getattr(threading, "_shutdown", None), getattr(atexit, "_run_exitfuncs", None)
    if wait is None or run is None:
        raise SystemExit(code)
    if code is not None and not isinstance(code, int):
        echo(str(code), err=True)
    status = int(code is not None) if not isinstance(code, int) else code
    wait()  # it asks executors' threads to end
    run()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # nobody reads it any more
            status = BROKEN_OUTPUT
    os._exit(status & 0xFF)
