"""The worker's side of the sandbox: read a request, parse the file, answer, wait for the next.

It gives itself limits, opens no network connection, and ends by itself when nobody asks for a while. When the
process that started it is gone it ends at once, with what it has started and what that wrote.
"""

import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.domain import Parsed
from core.errors import LimitExceeded, ParseError
from core.ingest.limits import MEBIBYTE, PATIENCE, Limits
from core.ingest.parsers import read
from core.ingest.parsers.office_97.office_sockets import remove_sockets
from core.ingest.sandbox import ParseRequest
from core.runtime.memory import release_memory
from core.runtime.network_ban import forbid_network
from core.runtime.worker_folders import leave_without_owner
from core.runtime.worker_processes import BEGUN, DONE, FAILED, READY, send_message
from core.text.filenames import is_plain, path_of, storable, text_of

_IDLE_SECONDS = 120.0  # seconds without a request after which it ends
_ADDRESS_SPACE_MB = 4096  # MB of address space over the memory limit: libraries map more than they use
_RARELY = 50_000, 20, 100  # new objects between two searches for rings: a document is many, and few are rings
_GRACE_SECONDS = 10  # seconds after its own time limit at which a worker nobody watches any more ends itself


def serve() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # what a library prints must not run into the answers
    requests = sys.stdin.buffer
    forbid_network()
    threading.Thread(target=_end_with_owner, daemon=True).start()
    sys.addaudithook(_offline)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.freeze()
    gc.set_threshold(*_RARELY)
    send_message(answers, READY, b"")
    while select.select([requests], [], [], _IDLE_SECONDS)[0]:
        line = requests.readline()
        if not line:
            return
        asked = ParseRequest.model_validate_json(line)
        send_message(answers, BEGUN, b"")
        _bound(asked.limits)
        try:
            payload = _parse(asked)
        except ParseError as error:
            failure = {"kind": type(error).__name__, "message": str(error), "hint": error.hint}
            send_message(answers, FAILED, json.dumps(failure).encode())
        else:
            send_message(answers, DONE, payload)
        signal.setitimer(signal.ITIMER_REAL, 0)
        release_memory()


def _end_with_owner() -> None:
    """Wait until nobody can send a request any more, then end all."""
    leave_without_owner(remove_sockets, wait=True)
    os._exit(0)


def _parse(request: ParseRequest) -> bytes:
    name, limits = request.name, request.limits
    with _nameable(path_of(request.path)) as path:
        payload = _packed(read(path, name, limits, request.mappings), name)
    if len(payload) > limits.output_mb * MEBIBYTE:
        raise LimitExceeded(
            f"{name} unfolds to {len(payload) // MEBIBYTE:,} MB of text, more than {limits.output_mb:,}."
        )
    return payload


@contextmanager
def _nameable(path: Path) -> Iterator[Path]:
    """Lend a path that every library can open: a link, where the name is not UTF-8."""
    if is_plain(path):
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / storable(text_of(path.name))
        link.symlink_to(path)
        yield link


def _packed(parsed: Parsed, name: str) -> bytes:
    try:
        return parsed.model_dump_json().encode()
    except MemoryError as error:
        raise LimitExceeded(f"{name} needs more memory than a parser may take.") from error


def _bound(limits: Limits) -> None:
    """Let the system itself end what runs away, even where no one watches any more."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE * limits.seconds + _GRACE_SECONDS)
    if sys.platform == "linux":  # elsewhere the watch over the resident memory has to do
        most = (2 * limits.memory_mb + _ADDRESS_SPACE_MB) * MEBIBYTE
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _offline(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[0], socket.socket):
        raise PermissionError("a parser opens no connections")


if __name__ == "__main__":
    try:
        serve()
    finally:  # what was started may end first, and its work fail, before the thread is through
        leave_without_owner(remove_sockets)
