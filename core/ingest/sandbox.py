"""Parsers run in worker processes: a file that hangs, explodes or crashes becomes one clear error.

A worker is `python -m core.ingest.worker` and speaks over its standard input and output, so it needs
nothing of the process that starts it: neither a guarded `__main__` nor the main thread.
"""

import atexit
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import psutil
from pydantic import ValidationError

import core
from core import errors
from core.domain import Parsed, Value
from core.errors import LimitExceeded, ParseError
from core.ingest.limits import MEBIBYTE, USUAL, Limits
from core.ingest.parsers.fab.mapping import Mapping
from core.text.filenames import text_of

HEADER = 9  # one byte of status, eight of length
READY, BEGUN, DONE, FAILED = b"R", b"B", b"D", b"F"
_START = 120.0  # seconds until a worker must have loaded its modules
_STEP = 0.05  # seconds between two looks at a worker's memory
_CHILDREN = 0.25  # seconds between two looks for processes it has started, which go through all there are
_USES = 200  # files until a worker is replaced, so that no library's leak grows


class Request(Value):
    """What a worker is asked for."""

    path: str  # as `text_of` writes it
    name: str
    limits: Limits
    mappings: tuple[Mapping, ...] = ()


class _Lost(Exception):
    """The worker ended before it answered."""


class _Worker:
    """One worker process. Not for two threads at once."""

    def __init__(self) -> None:
        root = str(Path(core.__file__).resolve().parents[1])
        paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "core.ingest.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "2")},
            start_new_session=True,
        )
        self.uses = 0
        self.peak = 0  # bytes, highest seen while it worked on the last file
        self._ready = False
        self._reading = False
        self._children: list[psutil.Process] = []
        self._looked = time.monotonic()
        self._ahead = bytearray()  # read together with the message before

    def ask(self, path: Path, name: str, limits: Limits, mappings: Sequence[Mapping]) -> Parsed:
        """Return the document. Raises ParseError; _Lost where the worker was gone before it began."""
        self.uses += 1
        if not self._ready:
            self._receive(_START, Limits(memory_mb=limits.memory_mb), name)
            self._ready = True
        request = Request(path=text_of(path.resolve()), name=name, limits=limits, mappings=tuple(mappings))
        self._send(request.model_dump_json().encode() + b"\n")
        self._reading = False
        self._receive(_START, limits, name)
        self._reading = True
        status, payload = self._receive(limits.seconds, limits, name)
        return _answer(status, payload, name)

    def _send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except OSError as error:
            raise _Lost from error

    def _receive(self, seconds: float, limits: Limits, name: str) -> tuple[bytes, bytes]:
        """Read one message, watching time, memory and size."""
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        deadline = time.monotonic() + seconds
        data, self._ahead = self._ahead, bytearray()
        wanted = _message_length(data)
        watch = psutil.Process(self.process.pid)
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while len(data) < wanted:
                if selector.select(min(_STEP, max(0.0, deadline - time.monotonic()))):
                    piece = os.read(descriptor, 1024 * 1024)
                    if not piece:
                        raise self._gone(name)
                    data += piece
                    wanted = _message_length(data)
                self._watch(watch, limits, name)
                if time.monotonic() > deadline:
                    raise LimitExceeded(
                        f"{name} took longer than {seconds:g} seconds to read and was given up."
                    )
        self._ahead = data[wanted:]
        return bytes(data[:1]), bytes(data[HEADER:wanted])

    def _watch(self, process: psutil.Process, limits: Limits, name: str) -> None:
        try:
            if time.monotonic() - self._looked > _CHILDREN:
                self._children = process.children(recursive=True)
                self._looked = time.monotonic()
            resident = process.memory_info().rss + sum(map(_resident, self._children))
        except psutil.Error:
            return  # it has just ended; the pipe tells
        self.peak = max(self.peak, resident)
        if resident > limits.memory_mb * MEBIBYTE:
            raise LimitExceeded(f"{name} needs more than {limits.memory_mb:,} MB of memory to read.")

    def _gone(self, name: str) -> Exception:
        code = self.process.wait(timeout=10)
        if not self._reading or code == 0:
            return _Lost()
        if code in (-signal.SIGALRM, -signal.SIGXCPU):
            return LimitExceeded(f"{name} took too long to read and was given up.")
        cause = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return ParseError(f"{name} made its parser crash ({cause}); the rest of the library is unharmed.")

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """End the process and all it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait(timeout=10)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # unsent bytes for a process that is gone


def _resident(process: psutil.Process) -> int:
    """Return the bytes a process holds, none where it has ended."""
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


def _message_length(data: bytearray) -> int:
    """Return how long the message at the start of the data is, as far as its header is there."""
    return HEADER + int.from_bytes(data[1:HEADER], "big") if len(data) >= HEADER else HEADER


def _answer(status: bytes, payload: bytes, name: str) -> Parsed:
    try:
        if status == DONE:
            return Parsed.model_validate_json(payload)
        said = json.loads(payload)
        kind = getattr(errors, str(said["kind"]), ParseError)
        if not (isinstance(kind, type) and issubclass(kind, ParseError)):
            kind = ParseError
        raise kind(said["message"], hint=said["hint"])
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise ParseError(f"{name} gave a result that cannot be read.") from error


class Sandbox:
    """Keeps up to `idle` workers ready: only the first file pays for starting one. Safe for threads."""

    def __init__(self, idle: int = 2) -> None:
        self._idle: list[_Worker] = []
        self._most = idle
        self._lock = Lock()

    def parse(
        self, path: Path, name: str, limits: Limits = USUAL, mappings: Sequence[Mapping] = ()
    ) -> Parsed:
        """Return the document in the file at `path`. Raises ParseError and nothing else."""
        for _ in range(3):
            worker = self._take()
            healthy = False
            try:
                parsed = worker.ask(path, name, limits, mappings)
                healthy = True
            except LimitExceeded as error:
                healthy = worker.alive() and "parser may take" in str(error)
                raise
            except ParseError:
                healthy = worker.alive()
                raise
            except _Lost:
                continue  # it had gone to rest, or was ended from outside: another one takes the file
            finally:
                self._give(worker, healthy and worker.peak < limits.memory_mb * MEBIBYTE // 2)
            return parsed
        raise ParseError(
            f"{name} was not read: no worker process could be started.", hint="Run `strata doctor`."
        )

    def close(self) -> None:
        """End the idle workers."""
        with self._lock:
            workers, self._idle = self._idle, []
        for worker in workers:
            worker.close()

    def _take(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive():
                    return worker
                worker.close()
        return _Worker()

    def _give(self, worker: _Worker, healthy: bool) -> None:
        with self._lock:
            if healthy and worker.uses < _USES and len(self._idle) < self._most:
                worker.peak = 0
                self._idle.append(worker)
                return
        worker.close()


_shared = Sandbox()
atexit.register(_shared.close)


def parse_in_worker(
    path: Path, name: str, limits: Limits = USUAL, mappings: Sequence[Mapping] = ()
) -> Parsed:
    """Return the document in the file at `path`, called `name`, read in another process.

    Raises ParseError (LimitExceeded for time, memory and size) and nothing else, always naming the file.
    """
    return _shared.parse(path, name, limits, mappings)
