"""Reuses the vectors of chunks, and of what was distilled from them, that a new version left unchanged."""

from collections.abc import Callable, Generator, Mapping, Sequence
from threading import Lock
from typing import NamedTuple, cast

import numpy as np

from core.domain import Chunk
from core.ingest.embedding import Batch
from core.knowledge.stores.vector_index.vector_reuse import ReusableVectors
from core.ports import Vectors

_MAX_VECTORS = 200_000  # vectors that are remembered at once; beyond that they are made anew


class ReusedParts(NamedTuple):
    """Which chunks need no embedding: place among the chunks -> (chunk of the older version, its vector)."""

    places: dict[int, tuple[str, Vectors]]

    def fresh(self, count: int) -> list[int]:
        """Return the places that do."""
        return [place for place in range(count) if place not in self.places]

    def same(self, chunks: Sequence[Chunk]) -> dict[str, str]:
        """Return chunk id -> the older version's chunk."""
        return {chunks[place].id: before for place, (before, _) in self.places.items()}

    def joined(self, batch: Batch, count: int) -> tuple[Vectors, tuple[Vectors, ...] | None]:
        """Return the vectors of all chunks (count, d) and their token vectors, none for those reused."""
        assert batch.vectors is not None
        # Half precision is enough for what is kept as bytes, and takes half the memory.
        made = None if batch.tokens is None else cast(Sequence[Vectors], batch.tokens)
        if not self.places:
            return batch.vectors, None if made is None else tuple(made)
        width = batch.vectors.shape[1]
        vectors = np.zeros((count, width), np.float32)
        tokens: list[Vectors] = [np.zeros((0, width), np.float32)] * count
        for place, (_, vector) in self.places.items():
            vectors[place] = vector
        for at, place in enumerate(self.fresh(count)):
            vectors[place] = batch.vectors[at]
            if made is not None:
                tokens[place] = made[at]
        return vectors, None if made is None else tuple(tokens)


def reused(chunks: Sequence[Chunk], reusable: ReusableVectors) -> ReusedParts:
    """Find the chunks whose text, heading path included, the older version had."""
    found = ((place, reusable.chunks.get(chunk.passage_text())) for place, chunk in enumerate(chunks))
    return ReusedParts({place: previous for place, previous in found if previous is not None})


class StoredVectors:
    """Vectors of what was distilled from documents that are gone, until their newer versions are distilled.

    They live in memory and are of one model, by its digest: after a restart or with another model they are
    made anew.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._vectors: dict[tuple[str, str], dict[str, Vectors]] = {}

    def keep(self, document_id: str, digest: str, vectors: dict[str, Vectors]) -> None:
        """Remember the vectors of a text for each text (d,), unless too many are remembered already."""
        with self._lock:
            if vectors and sum(map(len, self._vectors.values())) + len(vectors) <= _MAX_VECTORS:
                self._vectors[document_id, digest] = vectors

    def take(self, document_id: str, digest: str) -> dict[str, Vectors]:
        """Return what is remembered for a document and model, once."""
        with self._lock:
            return self._vectors.pop((document_id, digest), {})


def vectors_of(
    texts: Sequence[str],
    old: Mapping[str, Vectors],
    embed: Callable[[Sequence[str]], Vectors],
    dimension: int,
    at_once: int,
) -> Generator[None, None, Vectors]:
    """Return the vectors of texts, those of `old` taken over; yield after every `at_once` that were made."""
    vectors = np.zeros((len(texts), dimension), np.float32)
    fresh: list[int] = []
    for place, text in enumerate(texts):
        if text in old:
            vectors[place] = old[text]
        else:
            fresh.append(place)
    fresh.sort(key=lambda place: len(texts[place]))
    for start in range(0, len(fresh), at_once):
        part = fresh[start : start + at_once]
        vectors[part] = embed([texts[place] for place in part])
        yield
    return vectors
