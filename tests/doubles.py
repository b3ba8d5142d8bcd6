"""Small real classes that replace large ones."""

import threading
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from core.ports import Listener
from core.tasks import Call, Reply, Task

R = TypeVar("R", bound=Reply)
Line = Reply | Exception | Callable[[Task], Reply]


class ScriptedLLM:
    """An LLM that says what it was given, line by line, and remembers what it was asked.

    A line is a reply, an error to raise, or a function of the task. The last line is said again for ever.
    """

    def __init__(self, *lines: Line, engine: str = "scripted") -> None:
        self.lines = list(lines)
        self.engine = engine
        self.asked: list[Task] = []
        self._lock = threading.Lock()

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        if listener is not None:
            listener.check()
        with self._lock:
            self.asked.append(task)
            line = self.lines[0] if len(self.lines) == 1 else self.lines.pop(0)
        if isinstance(line, Exception):
            raise line
        reply = line if isinstance(line, Reply) else line(task)
        if not isinstance(reply, into):
            raise AssertionError(f"the script has {reply!r} where {into.__name__} is wanted")
        if task.prose and listener is not None:
            listener.received(str(getattr(reply, "text", "")))
        if reply.call is not None:
            return reply
        call = Call(task=type(task).__name__, engine=self.engine, tokens_in=10, tokens_out=5)
        return reply.model_copy(update={"call": call})


class Ear:
    """A listener that keeps what it hears, and raises `end` once it is asked to."""

    def __init__(self, end: Exception | None = None, after_checks: int | None = None) -> None:
        self.pieces: list[str] = []
        self.checks: list[float] = []
        self._end, self._after = end, after_checks

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def received(self, text: str) -> None:
        self.pieces.append(text)

    def check(self) -> None:
        self.checks.append(time.monotonic())
        if self._end and self._after is not None and len(self.checks) > self._after:
            raise self._end


class MemoryCache:
    """A cache that forgets with the process."""

    def __init__(self, kept: Iterable[tuple[str, bytes]] = ()) -> None:
        self.kept = dict(kept)

    def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    def put(self, key: str, value: bytes) -> None:
        self.kept[key] = value
