"""BM25 (Okapi, as rank-bm25 computes it) over the passages, laid out by term in sparse columns.

Each segment is a scipy CSC matrix (passages x terms) of term counts. New passages make a small segment;
segments of like size are merged, so adding n passages one by one costs O(n log n). A query reads only the
columns of its own words.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.knowledge.search.okapi import Okapi
from core.knowledge.stores.disk_cache import read_cache, write_cache
from core.text.terms import index_words, query_words

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass
class Passages:
    """Parallel columns: the passages' ids, documents, lengths in words."""

    ids: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)


class KeywordIndex:
    """Finds passages by their words. Safe to use from many threads."""

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

    def add(self, passages: Iterable[tuple[str, str, str]]) -> None:
        """Add (chunk id, document id, text); an id that is there already stays as it is."""
        with self._lock:
            first = len(self._passages.ids)
            rows: list[int] = []
            columns: list[int] = []
            counts: list[int] = []
            for chunk_id, document_id, text in passages:
                if chunk_id in self._place:
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
            added = len(self._passages.ids) - first
            if not added:
                return
            new = self._passages.lengths[first:]
            self._long = np.concatenate([self._long, np.asarray(new, np.float64)])
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
            gone = [row for owner in document_ids for row in self._rows.pop(owner, ())]
            if not gone:
                return
            self._alive[gone] = False
            self._buried += gone
            self._total -= int(self._long[gone].sum())
            self._count -= len(gone)
            for row in gone:
                self._place.pop(self._passages.ids[row], None)
            self._idf = None
            if self._count < len(self._alive) // 2:
                self._compact()

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
        )
        self._locate()
        self._long = self._long[keep]
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

    # -- searching ------------------------------------------------------------------------

    def _weights(self) -> tuple[Okapi, Floats]:
        """Return rank-bm25's numbers and the inverse document frequency of every term.

        In a corpus so small that the average is not positive, log(1 + ...) keeps the order sensible.
        """
        if self._idf is None:
            if self._buried:
                self._discount()
            known = np.flatnonzero(self._frequency)
            counts = dict(zip(known.tolist(), self._frequency[known].tolist(), strict=True))
            okapi = Okapi(self._count, self._total, counts or {-1: 0})
            idf = np.zeros(len(self._frequency))
            if okapi.average_idf > 0:
                idf[known] = [max(okapi.idf[term], 1e-6) for term in counts]
            else:
                n = self._frequency.astype(np.float64)
                idf = np.log1p((self._count - n + 0.5) / (n + 0.5))
            self._idf = okapi, idf
        return self._idf

    def scores(self, words: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return every passage's score and whether it holds any of the words (dead ones do not)."""
        with self._lock:
            scores = np.zeros(len(self._alive))
            found = np.zeros(len(self._alive), bool)
            if not self._count:
                return scores, found
            okapi, idf = self._weights()
            norms = okapi.k1 * (1 - okapi.b + okapi.b * self._long / okapi.avgdl)
            terms = [
                (self._terms[word], times) for word, times in Counter(words).items() if word in self._terms
            ]
            for first, matrix in self._segments:
                for term, times in terms:
                    if term >= matrix.shape[1]:
                        continue
                    start, end = matrix.indptr[term], matrix.indptr[term + 1]
                    rows = matrix.indices[start:end] + first
                    counts = matrix.data[start:end]
                    scores[rows] += times * idf[term] * (okapi.k1 + 1) * counts / (counts + norms[rows])
                    found[rows] = True
            return scores, found & self._alive

    def search(self, query: str, limit: int, only: Sequence[str] | None = None) -> list[tuple[str, float]]:
        """Return (chunk id, score), best first, of passages that hold a word of the query; ties by id."""
        with self._lock:
            scores, found = self.scores(query_words(query))
            rows = np.flatnonzero(found)
            if only is not None:
                allowed = np.zeros(len(found), bool)
                allowed[[row for owner in only for row in self._rows.get(owner, ())]] = True
                rows = np.flatnonzero(found & allowed)
            if limit <= 0 or not len(rows):
                return []
            if len(rows) > limit:
                worst = np.partition(scores[rows], -limit)[-limit]
                rows = rows[scores[rows] >= worst]
            hits = [(self._passages.ids[row], float(scores[row])) for row in rows]
            return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def holding(self, text: str, most: int) -> list[str] | None:
        """Return the chunks that hold all words of the text, in any order; None if there are over `most`."""
        with self._lock:
            terms = [self._terms.get(word, -1) for word in query_words(text)]
            if not terms or -1 in terms:
                return []
            found: list[str] = []
            for first, matrix in self._segments:
                rows: Ints | None = None
                if max(terms) >= matrix.shape[1]:
                    continue
                for term in sorted(terms, key=lambda t: int(self._frequency[t])):
                    held = matrix.indices[matrix.indptr[term] : matrix.indptr[term + 1]]
                    rows = held if rows is None else np.intersect1d(rows, held, assume_unique=True)
                    if not len(rows):
                        break
                if rows is not None:
                    found += [self._passages.ids[r + first] for r in rows if self._alive[r + first]]
                if len(found) > most:
                    return None
            return found

    # -- keeping --------------------------------------------------------------------------

    def save(self, folder: Path, marks: dict[str, int]) -> None:
        """Write the index as a cache, with marks of what it holds; `load` reads both back."""
        with self._lock:
            self._compact()
            matrix = self._segments[0][1] if self._segments else sparse.csc_matrix((0, len(self._terms)))
            arrays = {
                "data": matrix.data.astype(np.uint16),
                "indices": matrix.indices.astype(np.int32),
                "indptr": matrix.indptr.astype(np.int64),
                "lengths": np.asarray(self._passages.lengths, np.int32),
            }
            value = [marks, list(self._terms), self._passages.ids, self._passages.documents]
            write_cache(folder, "keywords", value, arrays)

    def load(self, folder: Path) -> dict[str, int]:
        """Read what `save` wrote and return its marks; none, and empty, where it is missing or broken."""
        with self._lock:
            self._clear()
            cached = read_cache(folder, "keywords")
            if cached is None:
                return {}
            (marks, terms, ids, documents), kept = cached
            parts = (kept["data"].astype(np.float32), kept["indices"], kept["indptr"])
            matrix = sparse.csc_matrix(parts, shape=(len(ids), len(terms)))
            self._terms = {term: place for place, term in enumerate(terms)}
            self._passages = Passages(ids, documents, kept["lengths"].tolist())
            self._locate()
            self._alive = np.ones(len(ids), bool)
            self._long = kept["lengths"].astype(np.float64)
            self._frequency = np.diff(matrix.indptr).astype(np.int64)
            self._segments = [(0, matrix)] if ids else []
            self._total, self._count = int(self._long.sum()), len(ids)
            found: dict[str, int] = marks
            return found
