"""One model first, another where it fails; which one answered, and why, is in every reply."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.domain import BUILT_IN
from core.errors import LLMError, LLMInterrupted, LLMTimeout, LLMUnavailable
from core.ports import LLM, Listener, R
from core.tasks import Call, Task

MAX_BROKEN_REPLIES = 3  # replies in a row that broke off after which a server counts as away


@dataclass(frozen=True)
class FallbackLLM:
    """Prefers one LLM; on LLMError the other one answers and `call.fallback` says why.

    A server that is away or silent, or whose replies break off several times in a row, is not asked again
    for `cooldown` seconds, so that it costs one timeout and not one for each call; then a single call
    tries it.
    """

    prefer: LLM
    then: LLM
    cooldown: float = 15.0
    clock: Callable[[], float] = time.monotonic
    only: type[LLMError] = LLMError  # the errors that are answered for; others are raised
    _breaker: "_Breaker" = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_breaker", _Breaker(self.cooldown, self.clock))

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task. Raises what `then` raises, and Stopped or BudgetExceeded of either."""
        witness = _WatchedListener(listener) if listener else None
        reason = self._breaker.why_not()
        failed = 0
        if not reason:
            try:
                reply = self.prefer.run(task, into, witness)
            except self.only as error:
                reason, failed = str(error), error.failed
                if isinstance(error, LLMUnavailable | LLMTimeout):
                    self._breaker.trip(reason, at_once=not isinstance(error, LLMInterrupted))
                else:  # it answers, if not this task
                    self._breaker.close()
            else:
                self._breaker.close()
                return reply
        # What was sent on cannot be taken back: after a broken stream the other's text is in the reply only.
        spoken = witness is not None and witness.spoken
        reply = self.then.run(task, into, _ChecksOnly(listener) if spoken and listener else listener)
        call = reply.call or Call(task=type(task).__name__, engine=BUILT_IN)
        return reply.model_copy(
            update={"call": call.model_copy(update={"fallback": reason, "failed": failed})}
        )


class _Breaker:
    """Remembers that a server is away, for a while."""

    def __init__(self, cooldown: float, clock: Callable[[], float]) -> None:
        self._cooldown, self._clock = cooldown, clock
        self._lock = threading.Lock()
        self._reason = ""
        self._until = 0.0
        self._broken = 0  # replies in a row

    def why_not(self) -> str:
        """Return why the server should not be asked now, "" if it may; after the cooldown one caller may."""
        with self._lock:
            if not self._reason:
                return ""
            left = self._until - self._clock()
            if left > 0:
                return f"{self._reason} (it is asked again in {left:.0f} s)"
            self._until = self._clock() + self._cooldown
            return ""

    def trip(self, reason: str, *, at_once: bool) -> None:
        """Leave the server alone, `at_once` or if as many replies have broken off in a row as are borne."""
        with self._lock:
            self._broken += 1
            if at_once or self._broken >= MAX_BROKEN_REPLIES:
                self._reason, self._until = reason, self._clock() + self._cooldown

    def close(self) -> None:
        with self._lock:
            self._reason, self._broken = "", 0


class _WatchedListener:
    """Passes everything on and remembers whether anything was received."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.spoken = False

    def received(self, text: str) -> None:
        self.spoken = True
        self._listener.received(text)

    def check(self) -> None:
        self._listener.check()


class _ChecksOnly:
    """Lets the run be stopped, and drops the text."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def received(self, text: str) -> None:
        """Take nothing."""

    def check(self) -> None:
        self._listener.check()
