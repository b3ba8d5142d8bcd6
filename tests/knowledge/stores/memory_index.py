"""A vector index in memory (`core.ports.VectorIndex`): Chroma is compared with it, faults are built on it."""

import threading
from collections.abc import Sequence

import numpy as np

from core.knowledge.stores.vector_index.vectors import DOCUMENT
from core.ports import Vectors


class MemoryIndex:
    """Exact search over an array."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[str, tuple[Vectors, str]] = {}

    def upsert(self, ids: Sequence[str], vectors: Vectors, metadata: Sequence[dict[str, str]]) -> None:
        with self._lock:
            for row_id, vector, about in zip(ids, vectors, metadata, strict=True):
                self._rows[row_id] = (np.asarray(vector, np.float32), about[DOCUMENT])

    def delete(self, ids: Sequence[str]) -> None:
        with self._lock:
            for row_id in ids:
                self._rows.pop(row_id, None)

    def count(self) -> int:
        return len(self._rows)

    def ids(self) -> set[str]:
        return set(self._rows)

    def held(self, ids: Sequence[str]) -> set[str]:
        return set(ids) & self._rows.keys()

    def fetch(self, ids: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            return {row_id: self._rows[row_id][0] for row_id in ids if row_id in self._rows}

    def nearest(
        self, vector: Vectors, limit: int, only: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        with self._lock:
            allowed = None if only is None else set(only)
            kept = [
                (row_id, row)
                for row_id, (row, owner) in self._rows.items()
                if allowed is None or owner in allowed
            ]
        if not kept or limit <= 0:
            return []
        matrix = np.stack([row for _, row in kept])
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(vector)
        cosines = matrix @ np.asarray(vector, np.float32) / np.maximum(lengths, 1e-12)
        hits = zip((row_id for row_id, _ in kept), cosines.tolist(), strict=True)
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]
