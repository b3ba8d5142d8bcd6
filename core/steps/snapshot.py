"""What every search needs to know of the library, read once per generation of it."""

import threading
from dataclasses import dataclass, field

from core.knowledge.base import KnowledgeBase


@dataclass(frozen=True)
class Snapshot:
    """Titles by document, the number of chunks, chunks by tag."""

    titles: dict[str, str]
    chunks: int
    tagged: dict[str, frozenset[str]]


@dataclass
class Snapshots:
    """Gives the snapshot of the library as it is now; safe to use from many threads."""

    knowledge: KnowledgeBase
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _kept: tuple[int, Snapshot] | None = None

    def now(self) -> Snapshot:
        generation = self.knowledge.generation()
        with self._lock:
            if self._kept is None or self._kept[0] != generation:
                self._kept = (generation, self._read())
            return self._kept[1]

    def _read(self) -> Snapshot:
        tagged: dict[str, set[str]] = {}
        for tag in self.knowledge.tags():
            tagged.setdefault(tag.name.casefold(), set()).add(tag.chunk_id)
        return Snapshot(
            titles=self.knowledge.titles(),
            chunks=self.knowledge.counts()["chunks"],
            tagged={name: frozenset(chunks) for name, chunks in tagged.items()},
        )
