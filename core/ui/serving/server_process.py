"""The process of the server, which `strata run` becomes: Streamlit's, but ended in order.

Streamlit by itself leaves the library open when it is stopped, as if it had crashed, and takes the
interpreter apart. Here a stop (Ctrl-C, SIGTERM) closes the library, so that it is sealed and has its second
copy, and then ends the process. What takes longer than its time is left as a crash leaves it, and resumes at
the next start.
"""

import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

import click
from streamlit.web import cli

from core.i18n import messages
from core.runtime import worker_processes
from core.runtime.process_exit import end_at_once, end_process

_INTERRUPTED = 1  # the status Streamlit ends with after Ctrl-C
_NOTICE_SECONDS = 3.0  # seconds of closing after which it is said what is waited for
_LONGEST_SECONDS = 8.0  # seconds a SIGTERM waits for; Docker kills after 10
_FIRST = ("open-library", "ScriptRunner")  # threads that may still open or use the library


class Terminated(BaseException):
    """SIGTERM came."""


def main() -> NoReturn:
    """Serve until a stop, close the library, end the process."""
    signal.signal(signal.SIGTERM, _terminate)
    status = _serve()
    try:
        closed = _close(_LONGEST_SECONDS if status == -signal.SIGTERM else None)
    except (KeyboardInterrupt, Terminated):  # asked once more
        closed = False
    if closed:
        end_process(status)
    worker_processes.end_all()
    end_at_once(status)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


def _serve() -> int:
    """Serve until a stop; return the status to end with, that of a signal negative."""
    try:
        cli.main(prog_name="streamlit", standalone_mode=False)
    except Terminated:
        return -signal.SIGTERM
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


def _close(seconds: float | None) -> bool:
    """Close the library within the seconds, None for as long as it takes; return whether it is closed."""
    closing = threading.Thread(target=_close_library, name="close-library", daemon=True)
    closing.start()
    closing.join(_NOTICE_SECONDS)
    if closing.is_alive() and seconds is None:
        preferred = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
        with messages.speaking(messages.choose(preferred)):
            message = messages.plain(
                "Strata ends when what it is at is done; Ctrl-C once more ends it at once."
            )
        sys.stderr.write(f"{message}\n")
    closing.join(None if seconds is None else max(0.0, seconds - _NOTICE_SECONDS))
    return not closing.is_alive()


def _close_library() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith(_FIRST):
            thread.join()
    if "core.ui.shared.session" in sys.modules:
        from core.ui.shared import session

        session.whole.clear()


if __name__ == "__main__":
    main()
