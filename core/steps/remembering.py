"""Searches that were made before are not made again, until the library changes."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain import Passage, Scope
from core.ports import Vectors
from core.steps.retriever import EVERYTHING, Kind, Retriever


class Memory:
    """Keeps the last `most` results, shared by threads; what was used longest ago is forgotten first."""

    def __init__(self, most: int = 2000) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._kept.clear()

    def recall(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what is kept under the key, or make and keep it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made


@dataclass(frozen=True)
class RememberingRetriever(Retriever):
    """A retriever that knows what it found, keyed by the question and by the library's generation."""

    memory: Memory = field(default_factory=Memory)

    def search(
        self,
        query: str,
        limit: int,
        scope: Scope = EVERYTHING,
        kind: Kind = "factual",
        topics: Sequence[str] = (),
    ) -> list[Passage]:
        key = ("search", *self._now(), query, limit, scope, kind, tuple(topics))
        plain = super().search
        return list(self.memory.recall(key, lambda: plain(query, limit, scope, kind, topics)))

    def by_keyword(
        self, query: str, limit: int, scope: Scope = EVERYTHING, topics: Sequence[str] = ()
    ) -> list[Passage]:
        key = ("words", *self._now(), query, limit, scope, tuple(topics))
        plain = super().by_keyword
        return list(self.memory.recall(key, lambda: plain(query, limit, scope, topics)))

    def vector(self, text: str) -> Vectors:
        plain = super().vector
        vector: Vectors = self.memory.recall(("vector", self.embedder.digest, text), lambda: plain(text))
        return vector

    def _now(self) -> tuple[Hashable, ...]:
        """Return what a result depends on beside the question: the library, and what is switched off."""
        return self.knowledge.generation(), self.off
