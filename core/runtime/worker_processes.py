"""Worker processes for what may hang, explode or crash: a request in, an answer out, under limits.

A worker is `python -m MODULE` and speaks over its standard input and output, so it needs nothing of the
process that starts it: neither a guarded `__main__` nor the main thread. What it does is its module's
business; time, memory and the size of its answer are watched here.
"""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import BinaryIO, Literal
from weakref import WeakSet

import psutil

import core
from core.runtime.work_clock import WorkClock
from core.runtime.worker_folders import Tidy, WorkerFolder

HEADER_BYTES = 9  # one byte of status, eight of length
READY, BEGUN, DONE, FAILED = b"R", b"B", b"D", b"F"
_START_SECONDS = 120.0  # seconds until a worker must have loaded its modules
_MEMORY_CHECK_SECONDS = 0.05  # seconds between two looks at a worker's memory
# Seconds between two looks for processes it has started, which go through all there are
_CHILD_CHECK_SECONDS = 0.25
_MAX_REQUESTS = 200  # requests until a worker is replaced, so that no library's leak grows


@dataclass(frozen=True)
class Bounds:
    """What one request may cost. `memory` and `answer` are bytes; `seconds` are of work (`WorkClock`), and at
    most `patience` times as many by the clock."""

    seconds: float
    memory: int
    answer: int
    patience: float = 1.0


class WorkerLost(Exception):
    """The worker ended before it began with the request."""


class WorkerOverrun(Exception):
    """The worker exceeded its bound of `what` (time, memory, answer) and must be ended."""

    def __init__(self, what: Literal["time", "memory", "answer"]) -> None:
        super().__init__(what)
        self.what = what


class WorkerCrashed(Exception):
    """The worker ended while it worked; the message names the signal or the exit status."""


class Worker:
    """One worker process. Not for two threads at once. Raises WorkerLost once all have been ended."""

    def __init__(self, module: str, tidy: Tidy | None = None) -> None:
        root = str(Path(core.__file__).resolve().parents[1])
        paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
        threads = os.environ.get("OMP_NUM_THREADS", "2")
        with _starting:
            if _ended:
                raise WorkerLost
            self._folder = WorkerFolder(tidy)
            self.process = subprocess.Popen(
                [sys.executable, "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ
                | {"PYTHONPATH": paths, "OMP_NUM_THREADS": threads, "TMPDIR": str(self._folder.path)},
                start_new_session=True,
            )
            _workers.add(self)
        self.uses = 0
        self.peak = 0  # bytes, highest seen while it worked on the last request
        self._ready = False
        self._working = False
        self._children: list[psutil.Process] = []
        self._looked = time.monotonic()
        self._ahead = bytearray()  # read together with the message before

    def ask(self, request: bytes, bounds: Bounds) -> tuple[bytes, bytes]:
        """Send one line; return DONE or FAILED and the answer.

        Raises WorkerLost, WorkerOverrun or WorkerCrashed; the worker is of no more use then, `close` ends it.
        """
        self.uses += 1
        if not self._ready:
            self._receive(replace(bounds, seconds=_START_SECONDS))
            self._ready = True
        self._send(request + b"\n")
        self._working = False
        self._receive(replace(bounds, seconds=_START_SECONDS))
        self._working = True
        return self._receive(bounds)

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """End the process and all it started, and remove what they wrote for a while."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait(timeout=10)
        self._folder.remove()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # unsent bytes for a process that is gone

    def _send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except OSError as error:
            raise WorkerLost from error

    def _receive(self, bounds: Bounds) -> tuple[bytes, bytes]:
        """Read one message, watching time, memory and size."""
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        data, self._ahead = self._ahead, bytearray()
        wanted = _message_length(data)
        watch = psutil.Process(self.process.pid)
        clock = WorkClock(watch, bounds.patience)
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while len(data) < wanted:
                if selector.select(_MEMORY_CHECK_SECONDS):
                    piece = os.read(descriptor, 1024 * 1024)
                    if not piece:
                        raise self._exit_error()
                    data += piece
                    wanted = _message_length(data)
                if wanted > bounds.answer + HEADER_BYTES:
                    raise WorkerOverrun("answer")
                self._watch(watch, bounds.memory)
                if clock.seconds(self._children) > bounds.seconds:
                    raise WorkerOverrun("time")
        self._ahead = data[wanted:]
        return bytes(data[:1]), bytes(data[HEADER_BYTES:wanted])

    def _watch(self, process: psutil.Process, most: int) -> None:
        try:
            if time.monotonic() - self._looked > _CHILD_CHECK_SECONDS:
                self._children = process.children(recursive=True)
                self._looked = time.monotonic()
            resident = process.memory_info().rss + sum(map(_resident, self._children))
        except psutil.Error:
            return  # it has just ended; the pipe tells
        self.peak = max(self.peak, resident)
        if resident > most:
            raise WorkerOverrun("memory")

    def _exit_error(self) -> Exception:
        code = self.process.wait(timeout=10)
        if not self._working or code == 0:
            return WorkerLost()
        if code in (-signal.SIGALRM, -signal.SIGXCPU):
            return WorkerOverrun("time")
        return WorkerCrashed(signal.Signals(-code).name if code < 0 else f"exit status {code}")


_workers: WeakSet[Worker] = WeakSet()
_starting = Lock()
_ended = False  # no worker is started any more


def end_all() -> None:
    """End every worker of this process, whatever it does, for good; for a process that ends at once."""
    global _ended
    with _starting:
        _ended = True
    for worker in list(_workers):
        worker.close()


class WorkerPool:
    """Keeps up to `idle` workers of a module ready: only the first request pays for starting one.

    `tidy` removes what was made elsewhere for a worker's folder. Safe for threads.
    """

    def __init__(self, module: str, idle: int = 2, tidy: Tidy | None = None) -> None:
        self._module, self._tidy = module, tidy
        self._idle: list[Worker] = []
        self._most = idle
        self._lock = Lock()

    def warm(self) -> None:
        """Start a worker, without waiting for it, if none is ready."""
        with self._lock:
            if not self._idle:
                self._idle.append(Worker(self._module, self._tidy))

    @contextmanager
    def lent(self, keep_below: int) -> Iterator[Worker]:
        """Lend a worker; it is kept if the block ends well and it never held `keep_below` bytes."""
        worker = self._take()
        healthy = False
        try:
            yield worker
            healthy = worker.alive()
        finally:
            self._give(worker, healthy and worker.peak < keep_below)

    def close(self) -> None:
        """End the idle workers."""
        with self._lock:
            workers, self._idle = self._idle, []
        for worker in workers:
            worker.close()

    def _take(self) -> Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive():
                    return worker
                worker.close()
        return Worker(self._module, self._tidy)

    def _give(self, worker: Worker, healthy: bool) -> None:
        with self._lock:
            if healthy and worker.uses < _MAX_REQUESTS and len(self._idle) < self._most:
                worker.peak = 0
                self._idle.append(worker)
                return
        worker.close()


def _resident(process: psutil.Process) -> int:
    """Return the bytes a process holds, none where it has ended."""
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


def send_message(stream: BinaryIO, status: bytes, payload: bytes) -> None:
    """Send a message from within a worker: one byte of status, the length, the payload."""
    stream.write(status + len(payload).to_bytes(HEADER_BYTES - 1, "big") + payload)
    stream.flush()


def _message_length(data: bytearray) -> int:
    """Return how long the message at the start of the data is, as far as its header is there."""
    return (
        HEADER_BYTES + int.from_bytes(data[1:HEADER_BYTES], "big")
        if len(data) >= HEADER_BYTES
        else HEADER_BYTES
    )
