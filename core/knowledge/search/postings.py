"""The words of the passages, laid out by term in sparse columns.

Each segment is a scipy CSC matrix (passages x terms) of term counts. New passages make a small segment;
segments of like size are merged, so adding n passages one by one costs O(n log n). A query reads only the
columns of its own words.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.knowledge.search.okapi import Okapi
from core.knowledge.stores.disk_cache import read_cache, write_cache
from core.text.tokens import index_words

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Posting(NamedTuple):
    """A passage to be found by the words of its text. Those that name the same `section` one after the other
    count in each other; without one, a passage stands alone."""

    id: str
    document: str
    text: str
    section: str = ""


@dataclass
class Passages:
    """Parallel columns: ids, documents, lengths in words, whether one continues the section before it."""

    ids: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    follows: list[bool] = field(default_factory=list)


class Postings:
    """Which passages hold which words, and how often. Safe to use from many threads."""

    def __init__(self, words: Callable[[str], list[str]] = index_words) -> None:
        self._words = words
        self._lock = threading.RLock()
        self._clear()

    def _clear(self) -> None:
        self._terms: dict[str, int] = {}
        self._passages = Passages()
        self._place: dict[str, int] = {}
        self._alive = np.zeros(0, bool)
        self._long = np.zeros(0, np.float64)
        self._follows = np.zeros(0, bool)
        self._frequency = np.zeros(0, np.int64)  # living passages with the term
        self._segments: list[tuple[int, Any]] = []  # first row, matrix
        self._total = 0
        self._count = 0
        self._idf: tuple[Okapi, Floats] | None = None
        self._rows: dict[str, list[int]] = {}  # document -> its living passages
        self._buried: list[int] = []  # dead passages that the frequencies still count

    def __len__(self) -> int:
        return self._count

    def ids(self) -> set[str]:
        """Return the ids of all passages."""
        return set(self._place)

    # -- changing -------------------------------------------------------------------------

    def add(self, passages: Iterable[tuple[str, str, str] | Posting]) -> None:
        """Add passages; an id that is there already stays as it is."""
        with self._lock:
            first = len(self._passages.ids)
            rows: list[int] = []
            columns: list[int] = []
            counts: list[int] = []
            before = ""
            for chunk_id, document_id, text, section in (Posting(*passage) for passage in passages):
                if chunk_id in self._place:
                    before = ""
                    continue
                words = Counter(self._words(text))
                row = len(self._passages.ids)
                for word, times in words.items():
                    columns.append(self._terms.setdefault(word, len(self._terms)))
                    counts.append(times)
                rows += [row - first] * len(words)
                self._place[chunk_id] = row
                self._rows.setdefault(document_id, []).append(row)
                self._passages.ids.append(chunk_id)
                self._passages.documents.append(document_id)
                self._passages.lengths.append(sum(words.values()))
                self._passages.follows.append(bool(section) and section == before)
                before = section
            added = len(self._passages.ids) - first
            if not added:
                return
            new = self._passages.lengths[first:]
            self._long = np.concatenate([self._long, np.asarray(new, np.float64)])
            self._follows = np.concatenate([self._follows, np.asarray(self._passages.follows[first:], bool)])
            self._alive = np.concatenate([self._alive, np.ones(added, bool)])
            self._total += sum(new)
            self._count += added
            grown = np.zeros(len(self._terms), np.int64)
            grown[: len(self._frequency)] = self._frequency
            np.add.at(grown, columns, 1)
            self._frequency = grown
            shape = (added, len(self._terms))
            matrix = sparse.csc_matrix(
                (np.asarray(counts, np.float32), (np.asarray(rows), np.asarray(columns))), shape=shape
            )
            self._segments.append((first, matrix))
            self._merge()
            self._idf = None

    def _merge(self) -> None:
        while (
            len(self._segments) > 1 and self._segments[-2][1].shape[0] <= 2 * self._segments[-1][1].shape[0]
        ):
            (first, older), (_, newer) = self._segments[-2:]
            both = [self._widened(older), self._widened(newer)]
            self._segments[-2:] = [(first, sparse.vstack(both, format="csc"))]

    def remove(self, document_ids: Iterable[str]) -> None:
        """Drop all passages of the documents."""
        with self._lock:
            removed = [row for owner in document_ids for row in self._rows.pop(owner, ())]
            if not removed:
                return
            self._alive[removed] = False
            self._buried += removed
            self._total -= int(self._long[removed].sum())
            self._count -= len(removed)
            for row in removed:
                self._place.pop(self._passages.ids[row], None)
            self._idf = None
            if self._count < len(self._alive) // 2:
                self._compact()

    def _rows_with(self, term: int) -> Ints:
        """Return the rows that hold a term."""
        found = [
            matrix.indices[matrix.indptr[term] : matrix.indptr[term + 1]] + first
            for first, matrix in self._segments
            if term < matrix.shape[1]
        ]
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def _discount(self) -> None:
        """Take the buried passages out of the terms' frequencies, all in one pass."""
        dead = np.zeros(len(self._alive), bool)
        dead[self._buried] = True
        for first, matrix in self._segments:
            entries = np.flatnonzero(dead[first : first + matrix.shape[0]][matrix.indices])
            columns = np.searchsorted(matrix.indptr, entries, side="right") - 1
            np.subtract.at(self._frequency, columns, 1)
        self._buried = []

    def _compact(self) -> None:
        """Lay everything out anew, without the dead."""
        if not self._segments:
            return
        if self._buried:
            self._discount()
        keep = np.flatnonzero(self._alive)
        matrix = self._whole()[keep]
        old = self._passages
        self._passages = Passages(
            [old.ids[i] for i in keep],
            [old.documents[i] for i in keep],
            [old.lengths[i] for i in keep],
            [old.follows[i] for i in keep],
        )
        self._locate()
        self._long = self._long[keep]
        self._follows = self._follows[keep]
        self._alive = np.ones(len(keep), bool)
        self._segments = [(0, matrix)] if len(keep) else []

    def _locate(self) -> None:
        self._place = {chunk_id: row for row, chunk_id in enumerate(self._passages.ids)}
        self._rows = {}
        for row, document_id in enumerate(self._passages.documents):
            self._rows.setdefault(document_id, []).append(row)

    def _whole(self) -> Any:
        return sparse.vstack([self._widened(matrix) for _, matrix in self._segments], format="csc")

    def _widened(self, matrix: Any) -> Any:
        """Return the matrix with a column for every term known now."""
        more = len(self._terms) - matrix.shape[1]
        if not more:
            return matrix
        indptr = np.concatenate([matrix.indptr, np.full(more, matrix.indptr[-1], matrix.indptr.dtype)])
        return sparse.csc_matrix(
            (matrix.data, matrix.indices, indptr), shape=(matrix.shape[0], len(self._terms))
        )

    # -- keeping --------------------------------------------------------------------------

    def save(self, folder: Path, marks: Mapping[str, Any]) -> None:
        """Write the index as a cache, with marks of what it holds; `load` reads both back."""
        with self._lock:
            self._compact()
            matrix = self._segments[0][1] if self._segments else sparse.csc_matrix((0, len(self._terms)))
            arrays = {
                "data": matrix.data.astype(np.uint16),
                "indices": matrix.indices.astype(np.int32),
                "indptr": matrix.indptr.astype(np.int64),
                "lengths": np.asarray(self._passages.lengths, np.int32),
                "follows": self._follows,
            }
            value = [marks, list(self._terms), self._passages.ids, self._passages.documents]
            write_cache(folder, "keywords", value, arrays)

    def load(self, folder: Path) -> dict[str, Any]:
        """Read what `save` wrote and return its marks; none, and empty, where it is missing or broken."""
        with self._lock:
            self._clear()
            cached = read_cache(folder, "keywords")
            if cached is None:
                return {}
            (marks, terms, ids, documents), arrays = cached
            parts = (arrays["data"].astype(np.float32), arrays["indices"], arrays["indptr"])
            matrix = sparse.csc_matrix(parts, shape=(len(ids), len(terms)))
            self._terms = {term: place for place, term in enumerate(terms)}
            follows = arrays.get("follows", np.zeros(len(ids), bool))
            self._passages = Passages(ids, documents, arrays["lengths"].tolist(), follows.tolist())
            self._follows = follows.astype(bool)
            self._locate()
            self._alive = np.ones(len(ids), bool)
            self._long = arrays["lengths"].astype(np.float64)
            self._frequency = np.diff(matrix.indptr).astype(np.int64)
            self._segments = [(0, matrix)] if ids else []
            self._total, self._count = int(self._long.sum()), len(ids)
            found: dict[str, Any] = marks
            return found
