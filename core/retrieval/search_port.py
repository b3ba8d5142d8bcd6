"""The interface of searching: a retriever, or one that caches its results."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from core.domain import Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.ports import Embedder, Vectors
from core.retrieval.snapshot import Snapshots

Kind = Literal["factual", "reasoning", "global"]
Memo = Callable[[Hashable, Callable[[], Any]], Any]  # what is kept under a key, or made
EVERYTHING = Scope()


def uncached_value(key: Hashable, make: Callable[[], Any]) -> Any:
    """Remember nothing: make the value."""
    return make()


@dataclass(frozen=True)
class SearchQuery:
    """One search: `topics` keeps to chunks with one of these tags."""

    text: str
    limit: int
    scope: Scope = EVERYTHING
    kind: Kind = "factual"
    topics: tuple[str, ...] = ()


class PassageSearch(Protocol):
    """Searches for passages, best first; defines once how a search is asked for."""

    def search(
        self,
        query: str,
        limit: int,
        scope: Scope = EVERYTHING,
        kind: Kind = "factual",
        topics: Sequence[str] = (),
    ) -> list[Passage]:
        """Return the best chunks of all layers together."""
        return self.find(SearchQuery(query, limit, scope, kind, tuple(topics)))

    def by_keyword(
        self, query: str, limit: int, scope: Scope = EVERYTHING, topics: Sequence[str] = ()
    ) -> list[Passage]:
        """Return the best chunks by their words alone."""
        return self.find_words(SearchQuery(query, limit, scope, topics=tuple(topics)))

    def by_meaning(self, query: str, limit: int, scope: Scope = EVERYTHING) -> list[Passage]:
        """Return the chunks nearest to the question's vector alone."""
        return self.find_nearest(SearchQuery(query, limit, scope))

    def remembers(
        self,
        query: str,
        limit: int,
        scope: Scope = EVERYTHING,
        kind: Kind = "factual",
        topics: Sequence[str] = (),
    ) -> bool:
        """Say whether this very search was made before and its result still holds."""
        return self.is_cached(SearchQuery(query, limit, scope, kind, tuple(topics)))

    @abstractmethod
    def find(self, query: SearchQuery) -> list[Passage]: ...

    @abstractmethod
    def find_words(self, query: SearchQuery) -> list[Passage]: ...

    @abstractmethod
    def find_nearest(self, query: SearchQuery) -> list[Passage]: ...

    @abstractmethod
    def is_cached(self, query: SearchQuery) -> bool: ...


class LibrarySearch(PassageSearch, Protocol):
    """Searches the library, and exposes the parts it searches with."""

    @property
    def knowledge(self) -> KnowledgeBase: ...

    @property
    def embedder(self) -> Embedder: ...

    @property
    def snapshots(self) -> Snapshots: ...

    def vector(self, text: str) -> Vectors:
        """Return the question's vector (d,) of norm 1."""

    def without(self, *parts: str) -> "LibrarySearch":
        """Return a search that leaves parts out, to see what they are worth."""

    def uncached(self) -> "LibrarySearch":
        """Return the same search without a memory, so that every time taken is its own."""
