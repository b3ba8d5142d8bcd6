"""Caches the results of searches until a change of the library can affect them."""

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from core.domain import Passage, Scope, Value, identify
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.value_cache import CacheStore
from core.ports import Embedder, Reranker, Vectors
from core.retrieval.hybrid_retriever import HybridRetriever
from core.retrieval.search_port import PassageSearch, SearchQuery
from core.retrieval.snapshot import Snapshots
from core.runtime.code_digest import compiled

_LEGS = ("keyword", "chunk")
_LAYERS: tuple[Literal["chunks", "atoms"], ...] = ("chunks", "atoms")


MAX_CACHED_RESULTS = 600  # of some 90 questions: each holds its passages
# What decides which passages a search returns, and in which order.
FOLDERS = ("text", "knowledge/search", "retrieval", "llm/encoders")
DATA_FILES = ("*.toml", "*.safetensors")  # of them, beside the code


def code_digest(store: CacheStore) -> str:
    """Return a digest of the code of searching: results on disk do not outlive a change of it.

    Taken over what the packages that search compile to: comments, docstrings and layout do not count. That
    takes a quarter of a second, so what came of it is `store` until a file changes.
    """
    name = identify("code", _files_digest())
    if (found := store.get(name)) is not None:
        return found.decode()
    made = _compiled_digest()
    store.put(name, made.encode())
    return made


@cache
def _files_digest() -> str:
    digest = blake2b(digest_size=8)
    for file in code_files():
        digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def _compiled_digest() -> str:
    digest = blake2b(digest_size=8)
    for file in code_files():
        digest.update(compiled(file.read_text("utf-8")) if file.suffix == ".py" else file.read_bytes())
    return digest.hexdigest()


def code_files() -> list[Path]:
    """Return the modules and data files that decide what a search returns."""
    core = Path(__file__).parent.parent
    kinds = ("*.py", *DATA_FILES)
    return sorted(file for folder in FOLDERS for kind in kinds for file in (core / folder).rglob(kind))


class SearchCache:
    """Keeps the last `most` results, shared by threads; what was used longest ago is forgotten first."""

    def __init__(self, most: int = MAX_CACHED_RESULTS, era: str = "") -> None:
        self._most = most
        self._entries: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self.era = era  # part of every name on disk, so that forgetting counts there too

    def forget(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._entries.clear()
            self.era = uuid.uuid4().hex

    def find(self, key: Hashable) -> object | None:
        """Return what is kept under the key, or None."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def keep(self, key: Hashable, value: object) -> None:
        """Keep the value under the key."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)

    def get_or_make(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what is kept under the key, or make and keep it."""
        found = self.find(key)
        if found is None:
            found = make()
            self.keep(key, found)
        return found


class CachedSearch(Value):
    """The result of a search, and the library's generation it is valid for."""

    generation: int
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class CachingRetriever(PassageSearch):
    """A retriever that caches its results, in memory and in the library's cache.

    What was found stays valid through changes that cannot matter: a document that is new or newly distilled
    counts only if one of its passages, atoms or words is as near to the question as the farthest passage
    that was found. Every other change lets each search be made anew.
    """

    inner: HybridRetriever
    memory: SearchCache
    probed: int = 50  # changed documents up to which they are looked at, one search for all

    @property
    def knowledge(self) -> KnowledgeBase:
        return self.inner.knowledge

    @property
    def embedder(self) -> Embedder:
        return self.inner.embedder

    @property
    def snapshots(self) -> Snapshots:
        return self._plain.snapshots

    @cached_property
    def _plain(self) -> HybridRetriever:
        """The retriever, with vectors and legs kept in memory."""
        return replace(self.inner, memo=self.memory.get_or_make)

    def find(self, query: SearchQuery) -> list[Passage]:
        """Return the passages of the search, made anew only where a change of the library can matter."""
        return self._cached(_key("search", query), query.scope, lambda: self._plain.find(query))

    def find_words(self, query: SearchQuery) -> list[Passage]:
        """Return the passages found by words alone, searched anew only where a change can matter."""
        return self._cached(_key("words", query), query.scope, lambda: self._plain.find_words(query))

    def find_nearest(self, query: SearchQuery) -> list[Passage]:
        """Return the chunks nearest to the question's vector alone."""
        return self._plain.find_nearest(query)

    def is_cached(self, query: SearchQuery) -> bool:
        """Say whether this very search was made before and its result still holds."""
        return self._remembered(_key("search", query), query.scope) is not None

    def vector(self, text: str) -> Vectors:
        """Return the text's vector (d,) of norm 1, computed once per model and text."""
        return self._plain.vector(text)

    def without(self, *parts: str) -> "CachingRetriever":
        """Return a retriever that leaves parts out; it remembers its own searches."""
        return replace(self, inner=self.inner.without(*parts))

    def uncached(self) -> HybridRetriever:
        """Return the same retriever without its memory of earlier searches."""
        return self.inner

    def _cached(
        self, key: tuple[Hashable, ...], scope: Scope, make: Callable[[], list[Passage]]
    ) -> list[Passage]:
        found = self._remembered(key, scope)
        if found is None:
            generation = self.knowledge.generation()
            found = CachedSearch(generation=generation, passages=tuple(make()))
            self._store(key, found)
        return list(found.passages)

    def _remembered(self, key: tuple[Hashable, ...], scope: Scope) -> CachedSearch | None:
        """Return what is kept under the key if it still holds, in memory or on disk."""
        found = self.memory.find((*key, self.inner.fingerprint()))
        if found is None:
            stored = self.knowledge.cache.get(self._disk_name(key))
            found = CachedSearch.model_validate_json(stored) if stored else None
        if not isinstance(found, CachedSearch):
            return None
        now = self.knowledge.generation()
        if found.generation != now:
            if not self._is_valid(str(key[1]), found, scope):
                return None
            found = found.model_copy(update={"generation": now})
        self.memory.keep((*key, self.inner.fingerprint()), found)
        return found

    def _store(self, key: tuple[Hashable, ...], found: CachedSearch) -> None:
        self.memory.keep((*key, self.inner.fingerprint()), found)
        self.knowledge.cache.put(self._disk_name(key), found.model_dump_json().encode())

    def _disk_name(self, key: tuple[Hashable, ...]) -> str:
        """Return the name of a search on disk: what was asked, and everything that decides how it is made."""
        code = code_digest(self.knowledge.cache)
        return identify("search", self.memory.era, code, self.inner.fingerprint(), repr(key))

    def _is_valid(self, query: str, found: CachedSearch, scope: Scope) -> bool:
        """Say whether what changed since cannot have changed what was found."""
        touched = self.knowledge.touched_since(found.generation)
        if touched is None or not found.passages:
            return False
        if touched & {passage.chunk.document_id for passage in found.passages}:
            return False
        there = {document.id for document in self.knowledge.documents(scope)} & touched
        if not there:
            return True
        if len(there) > self.probed:
            return False
        return not self._reach(query, found, Scope(documents=tuple(sorted(there))))

    def _reach(self, query: str, found: CachedSearch, changed: Scope) -> bool:
        """Say whether a passage of the changed documents comes as near as the farthest one found."""
        legs = {name: [p.scores[name] for p in found.passages if name in p.scores] for name in _LEGS}
        words = self.knowledge.keyword(query, 1, changed)
        if words and words[0].score >= min(legs["keyword"], default=0.0):
            return True
        vector = self.vector(query)
        near = [hit.score for layer in _LAYERS for hit in self.knowledge.nearest(vector, layer, 1, changed)]
        return max(near, default=-1.0) >= min(legs["chunk"], default=-1.0)


def _key(what: str, query: SearchQuery) -> tuple[Hashable, ...]:
    return (what, query.text, query)


class CachingReranker:
    """A reranker that caches its orders until the library or the passages change.

    The order depends on the passages' text and scores, and on what ties them in the library.
    """

    def __init__(self, reranker: Reranker, knowledge: KnowledgeBase, memory: SearchCache) -> None:
        self.name = reranker.name
        self._reranker, self._knowledge, self._memory = reranker, knowledge, memory

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages as the reranker orders them."""
        key = (
            "rerank",
            self.name,
            self._knowledge.generation(),
            question,
            *(
                (
                    p.chunk.id,
                    p.query,
                    p.score,
                    tuple(p.scores.items()),
                    p.why,
                    p.highlights,
                    p.sub_question,
                    p.pinned,
                )
                for p in passages
            ),
        )
        return list(self._memory.get_or_make(key, lambda: self._reranker.rerank(question, passages)))
