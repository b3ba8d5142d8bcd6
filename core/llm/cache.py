"""Answers a task it has seen before without asking again."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ValidationError

from core.domain import BUILT_IN, identify
from core.llm.ollama.interruptible import run_interruptibly
from core.ports import LLM, Listener, R
from core.tasks import Call, Describe, Enrich, Reply, Task

AT_INGEST = (Describe, Enrich)  # each text is read in once
MAX_CACHED_REPLIES = 500  # of rules, in memory: of some 90 questions, each with its passages


class Cache(Protocol):
    """A place for bytes under a key; it may forget at any time."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes) -> None: ...


class _CachedReply(BaseModel):
    """What is stored: the reply and how it was made, each as JSON."""

    reply: str
    call: Call


@dataclass(frozen=True)
class CachedLLM:
    """Keeps replies by what was asked (the task's content) and by what would answer (`version`).

    `version` returns what identifies weights, wording and options, or "" while that is not known; then
    nothing is looked up or kept. `ready` says whether it answers without asking a server. Failures, fallbacks
    and replies of the built-in engine are never kept: the first two must not outlive their cause, and the
    last are kept by InMemoryCachedLLM.
    """

    llm: LLM
    cache: Cache
    version: Callable[[Task], str]
    ready: Callable[[], bool] = lambda: False

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Return the kept reply, with `call.cached` set, or do the task. Raises what the LLM raises."""
        version = (
            run_interruptibly(lambda: self.version(task), listener.check, ready=self.ready())
            if listener
            else self.version(task)
        )
        if not version:
            return self.llm.run(task, into, listener)
        key = identify(type(task).__name__, task.model_dump_json(), into.__name__, version)
        found = self._find(key, into)
        if found is not None:
            if listener is not None:
                listener.check()
                if task.prose:
                    listener.received(str(getattr(found, "text", "")))
            return found
        reply = self.llm.run(task, into, listener)
        call = reply.call
        if call is not None and not call.fallback and call.engine != BUILT_IN:
            self.cache.put(
                key, _CachedReply(reply=reply.model_dump_json(), call=call).model_dump_json().encode()
            )
        return reply

    def _find(self, key: str, into: type[R]) -> R | None:
        cached = self.cache.get(key)
        if cached is None:
            return None
        try:
            found = _CachedReply.model_validate_json(cached)
            reply = into.model_validate_json(found.reply)
        except ValidationError:  # kept by another version of Strata
            return None
        call = found.call.model_copy(update={"cached": True, "seconds": 0.0, "failed": 0})
        return reply.model_copy(update={"call": call})


class InMemoryCachedLLM:
    """Keeps the last `most` replies of rules in memory, for as long as the process and so the rules last.

    What is asked for while a document is read in is not kept: nobody asks it twice.
    """

    def __init__(self, llm: LLM, most: int = MAX_CACHED_REPLIES) -> None:
        self._llm, self._most = llm, most
        self._replies: OrderedDict[str, Reply] = OrderedDict()
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._replies.clear()

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Return the kept reply, with `call.cached` set, or do the task. Raises what the LLM raises."""
        if self._most <= 0 or isinstance(task, AT_INGEST):
            return self._llm.run(task, into, listener)
        key = identify(type(task).__name__, task.model_dump_json(), into.__name__)
        with self._lock:
            found = self._replies.get(key)
            if found is not None:
                self._replies.move_to_end(key)
        if isinstance(found, into):
            if listener is not None:
                listener.check()
                if task.prose:
                    listener.received(str(getattr(found, "text", "")))
            return found
        reply = self._llm.run(task, into, listener)
        if reply.call is not None and not reply.call.fallback:
            call = reply.call.model_copy(update={"cached": True, "seconds": 0.0})
            with self._lock:
                self._replies[key] = reply.model_copy(update={"call": call})
                while len(self._replies) > self._most:
                    self._replies.popitem(last=False)
        return reply
