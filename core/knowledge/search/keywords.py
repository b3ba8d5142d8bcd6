"""BM25 (Okapi, as rank-bm25 computes it) over the passages, each counted a little in those beside it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.knowledge.search.okapi import Okapi
from core.knowledge.search.postings import Floats, Ints, Postings
from core.knowledge.search.spelling import SpellingIndex
from core.text.tokens import query_words

NEAR = 0.8  # what a word counts that is near one that the library does not know, times how alike they are
ALIAS = 1.5  # what the words of another name count together
BESIDE = 0.3  # what a word counts that stands not in a passage but in the next one of its section

Weights = Mapping[str, float]


class KeywordIndex(Postings):
    """Finds passages by their words."""

    _spelled: tuple[int, SpellingIndex] | None = None

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

    def scores(self, words: Sequence[str] | Weights, beside: float = 0.0) -> tuple[Floats, NDArray[np.bool_]]:
        """Return every passage's score and whether it holds any of the words (dead ones do not).

        `words` may say what each counts. With `beside` a word also counts, so much less, in the passages
        before and after of the same section: the header of a long table stands in its first passage only.
        """
        with self._lock:
            scores = np.zeros(len(self._alive))
            found = np.zeros(len(self._alive), bool)
            if not self._count:
                return scores, found
            okapi, idf = self._weights()
            norms = okapi.k1 * (1 - okapi.b + okapi.b * self._long / okapi.avgdl)
            counted = words if isinstance(words, Mapping) else Counter(words)
            terms = [(self._terms[word], times) for word, times in counted.items() if word in self._terms]
            own = np.zeros(len(self._alive)) if beside else scores
            for term, times in terms:
                held = []
                for first, matrix in self._segments:
                    if term >= matrix.shape[1]:
                        continue
                    start, end = matrix.indptr[term], matrix.indptr[term + 1]
                    rows = matrix.indices[start:end] + first
                    counts = matrix.data[start:end]
                    own[rows] += times * idf[term] * (okapi.k1 + 1) * counts / (counts + norms[rows])
                    found[rows] = True
                    held.append(rows)
                if beside and held:
                    self._spread(own, np.concatenate(held), beside, scores)
            return scores, found & self._alive

    def _spread(self, own: Floats, rows: Ints, beside: float, scores: Floats) -> None:
        """Add a word's scores, and a share of them for the rows beside that lack it; clear them again."""
        after = rows[rows + 1 < len(own)] + 1
        after = after[self._follows[after]]
        before = rows[self._follows[rows]]
        reached = np.concatenate([rows, after, before - 1])
        given = np.concatenate([own[rows], beside * own[after - 1], beside * own[before]])
        own[rows] = 0.0
        np.maximum.at(own, reached, given)
        touched = np.unique(reached)
        scores[touched] += own[touched]
        own[touched] = 0.0

    def weighted(self, query: str, beside: Sequence[str] = ()) -> dict[str, float]:
        """Return the words to search with and what each counts: those of the query, for a word that the
        library does not know those nearest to it, and those of other names `beside`, which count as one."""
        words = query_words(query)
        weights: dict[str, float] = {word: float(times) for word, times in Counter(words).items()}
        strange = [word for word in weights if not self.knows(word)]
        if 3 * len(strange) <= 2 * len(weights):  # else it is in a language that the library has not
            for word in strange:
                weights.update({near: NEAR * alike for near, alike in self._vocabulary().near(word)})
        for name in beside:
            others = query_words(name)
            for word in others:
                weights.setdefault(word, ALIAS / len(others))
        return weights

    def knows(self, word: str) -> bool:
        """Say whether a passage holds the word, as `index_words` gives it."""
        with self._lock:
            term = self._terms.get(word, -1)
            if term >= 0 and self._buried:
                self._discount()
            return term >= 0 and bool(self._frequency[term] > 0)

    def _vocabulary(self) -> SpellingIndex:
        with self._lock:
            if self._spelled is None or self._spelled[0] != len(self._terms):
                self._spelled = len(self._terms), SpellingIndex(self._terms)
            return self._spelled[1]

    def search(
        self, query: str | Weights, limit: int, only: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        """Return (chunk id, score), best first, of passages that hold a word of the query; ties by id."""
        with self._lock:
            words = self.weighted(query) if isinstance(query, str) else query
            scores, found = self.scores(words, BESIDE)
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

    def matches(self, words: Weights, ids: Sequence[str]) -> tuple[Floats, Floats]:
        """Return what each word weighs (w, sum 1: what it counts times its inverse document frequency), and
        how far each passage holds it (n, w): 1 in it, less in a passage beside it, 0 otherwise. No words, (0)
        and (n, 0), where the library knows none of them."""
        with self._lock:
            counted = {self._terms[word]: share for word, share in words.items() if word in self._terms}
            if not counted or not self._count:
                return np.zeros(0), np.zeros((len(ids), 0))
            terms = list(counted)
            weights = self._weights()[1][terms] * np.asarray(list(counted.values()))
            rows = np.asarray([self._place.get(each, -1) for each in ids], np.int64)
            held = np.zeros((len(ids), len(terms)))
            for column, term in enumerate(terms):
                own = np.zeros(len(self._alive) + 1)
                places = self._rows_with(term)
                self._hear(own, places)
                held[:, column] = own[rows]
            return weights / max(float(weights.sum()), 1e-12), held

    def _rows_with(self, term: int) -> Ints:
        """Return the rows that hold a term."""
        found = [
            matrix.indices[matrix.indptr[term] : matrix.indptr[term + 1]] + first
            for first, matrix in self._segments
            if term < matrix.shape[1]
        ]
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def _hear(self, own: Floats, rows: Ints) -> None:
        """Set 1 at the rows and less beside them."""
        after = rows[rows + 1 < len(self._follows)] + 1
        own[after[self._follows[after]]] = BESIDE
        own[rows[self._follows[rows]] - 1] = BESIDE
        own[rows] = 1.0

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

    def said_by(self, text: str, many: int) -> bool:
        """Say whether at least so many documents have a passage with all words of the text, in any order."""
        with self._lock:
            terms = [self._terms.get(word, -1) for word in set(query_words(text))]
            if not terms or -1 in terms:
                return False
            terms.sort(key=lambda term: int(self._frequency[term]))
            rows: Ints | None = None
            for term in terms:
                if self._frequency[term] < many or (rows is not None and len(rows) < many):
                    return False
                held = np.sort(self._rows_with(term))
                if rows is None:
                    rows = held
                else:
                    rows = rows[held[np.minimum(np.searchsorted(held, rows), len(held) - 1)] == rows]
            found = [] if rows is None else [row for row in rows.tolist() if self._alive[row]]
            return len({self._passages.documents[row] for row in found}) >= many

    def words_of_documents(self, text: str, documents: Collection[str]) -> dict[str, frozenset[str]]:
        """Return, per document, which words of the text (as they are searched) any of its passages holds."""
        with self._lock:
            terms = {word: self._terms[word] for word in set(query_words(text)) if word in self._terms}
            said: dict[str, set[str]] = {document: set() for document in documents}
            for word, term in terms.items():
                rows = self._rows_with(term)
                for document in {self._passages.documents[row] for row in rows[self._alive[rows]].tolist()}:
                    if document in said:
                        said[document].add(word)
            return {document: frozenset(words) for document, words in said.items()}
