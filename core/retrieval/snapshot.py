"""Facts about the library that every search needs, read once per generation."""

import threading
from dataclasses import dataclass, field
from functools import cached_property

from core.knowledge.base import KnowledgeBase
from core.retrieval.boilerplate import Boilerplate


@dataclass(frozen=True)
class Snapshot:
    """The size of the library and its tags; each is read when it is first asked for."""

    knowledge: KnowledgeBase

    @cached_property
    def chunks(self) -> int:
        """The number of chunks in the library."""
        return self.knowledge.counts()["chunks"]

    @cached_property
    def boilerplate(self) -> Boilerplate:
        """The weights of passages that repeat what many documents say."""
        return Boilerplate(self.knowledge, self.knowledge.counts()["documents"])

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The names of all tags, the most used first."""
        return tuple(dict.fromkeys(name for _, name, _ in self.knowledge.tag_counts()))

    @cached_property
    def spellings(self) -> dict[str, list[str]]:
        """Tags by their name without regard to capitals."""
        found: dict[str, list[str]] = {}
        for name in self.tags:
            found.setdefault(name.casefold(), []).append(name)
        return found


@dataclass
class Snapshots:
    """Gives the snapshot of the library as it is now; safe to use from many threads."""

    knowledge: KnowledgeBase
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _current: tuple[int, Snapshot] | None = None

    def now(self) -> Snapshot:
        """Return the snapshot of the present generation, the same one until the library changes."""
        generation = self.knowledge.generation()
        with self._lock:
            if self._current is None or self._current[0] != generation:
                self._current = (generation, Snapshot(self.knowledge))
            return self._current[1]
