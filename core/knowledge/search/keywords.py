"""BM25 (Okapi, as rank-bm25 computes it) over the passages, each counted a little in those beside it."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.knowledge.search.date_forms import days_within, other_forms, without_units
from core.knowledge.search.okapi import Okapi, weighed_by_script
from core.knowledge.search.postings import Floats, Ints, Postings
from core.knowledge.search.spelling import SpellingIndex, compounds
from core.text.chinese_english import meanings
from core.text.tokens import IS_CJK, STOP_WORDS, each_index_word, is_cjk, query_words

NEAR_WORD_WEIGHT = 0.8  # of a word near one that the library does not know, times how alike they are
ALIAS_WEIGHT = 1.5  # what the words of another name count together
MAX_MEANINGS = 3  # of a word that are searched
MIN_CHINESE = 0.02  # share of a library's words, below which no English is read as Chinese
NEXT_PASSAGE_WEIGHT = 0.3  # of a word not in a passage but in the next one of its section

Weights = Mapping[str, float]


class KeywordIndex(Postings):
    """Finds passages by their words."""

    _spelled: tuple[int, SpellingIndex] | None = None
    _chinese: tuple[int, float] | None = None

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
            self._idf = okapi, self._by_script(idf)
        return self._idf

    def _by_script(self, idf: Floats) -> Floats:
        """Return the weights with Chinese, Japanese and Korean words weighed among passages that hold any:
        where these are few, each of their words would be rare, the most usual ones too."""
        signs = np.asarray([place for word, place in self._terms.items() if IS_CJK.match(word)], np.int64)
        if not len(signs) or not np.count_nonzero(self._frequency[signs]):
            return idf
        holding = np.zeros(len(self._alive), bool)
        for first, matrix in self._segments:
            columns = matrix[:, signs[signs < matrix.shape[1]]]
            holding[first : first + matrix.shape[0]] = columns.getnnz(axis=1) > 0
        count = int((holding & self._alive).sum())
        return weighed_by_script(idf, self._frequency, signs, count, self._count)

    def scores(self, words: Sequence[str] | Weights, beside: float = 0.0) -> tuple[Floats, NDArray[np.bool_]]:
        """Return every passage's score and whether it holds any of the words (dead ones do not).

        `words` may say what each counts. With `beside` a word also counts, so much less, in the passages
        before and after of the same section: the header of a long table is in its first passage only.
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
                matching = []
                for first, matrix in self._segments:
                    if term >= matrix.shape[1]:
                        continue
                    start, end = matrix.indptr[term], matrix.indptr[term + 1]
                    rows = matrix.indices[start:end] + first
                    counts = matrix.data[start:end]
                    own[rows] += times * idf[term] * (okapi.k1 + 1) * counts / (counts + norms[rows])
                    found[rows] = True
                    matching.append(rows)
                if beside and matching:
                    self._spread(own, np.concatenate(matching), beside, scores)
            return scores, found & self._alive

    def _spread(self, own: Floats, rows: Ints, beside: float, scores: Floats) -> None:
        """Add a word's scores, and a share of them for the rows beside that lack it; clear them again."""
        after = rows[rows + 1 < len(own)] + 1
        after = after[self._follows[after]]
        before = rows[self._follows[rows]]
        reached = np.concatenate([rows, after, before - 1])
        contributions = np.concatenate([own[rows], beside * own[after - 1], beside * own[before]])
        own[rows] = 0.0
        np.maximum.at(own, reached, contributions)
        touched = np.unique(reached)
        scores[touched] += own[touched]
        own[touched] = 0.0

    def weighted(self, query: str, beside: Sequence[str] = ()) -> dict[str, float]:
        """Return the words to search with and what each counts: those of the query, for a word that the
        library does not know those nearest to it, and those of other names `beside`, which count as one."""
        words = query_words(without_units(query))
        weights: dict[str, float] = {word: float(times) for word, times in Counter(words).items()}
        strange = [word for word in weights if not self.knows(word)]
        if 3 * len(strange) > 2 * len(weights):  # it is in a language that the library has not
            strange = [word for word in strange if not word.isalpha()]
        near = self._vocabulary().near_each(strange) if strange else []
        for word, alike in (*near, *compounds(query, self.knows)):
            weights.setdefault(word, NEAR_WORD_WEIGHT * alike)
        for name in beside:
            for word in (others := query_words(name)):
                weights.setdefault(word, ALIAS_WEIGHT / len(others))
        for word, counts in other_forms(query).items():
            known = self.knows(word) or not word.isdigit()  # a month's name has no slips
            forms = [(word, 1.0)] if known else self._vocabulary().near(word)
            for form, alike in forms:
                weights.setdefault(form, counts * alike)
        weights = days_within(query, self.knows) | weights
        share = 1 - self._share_of_chinese() if is_cjk(query) else self._share_of_chinese()
        for translations in self.translated(query).values():
            for name in translations:
                others = query_words(name)
                for word in others:
                    weights.setdefault(word, share / (len(others) * math.sqrt(len(translations))))
        return weights

    def translated(self, query: str) -> dict[str, list[str]]:
        """Return the words of a query with what they are called in another language, as far as passages hold
        it, the most frequent first; of those, a few."""
        found: dict[str, list[str]] = {}
        for word, names in meanings(query) if is_cjk(query) or self._share_of_chinese() > MIN_CHINESE else ():
            counts = {name: self._least_frequency(name) for name in names}
            ranked = sorted((name for name in names if counts[name]), key=lambda name: -counts[name])
            if ranked:
                found[word] = ranked[:MAX_MEANINGS]
        return found

    def _least_frequency(self, text: str) -> int:
        """Return how many passages hold the rarest word of a text."""
        words = query_words(text, self._terms)
        return min((int(self._frequency[self._terms[w]]) if self.knows(w) else 0 for w in words), default=0)

    def _share_of_chinese(self) -> float:
        """Return the share (0 to 1) of the library's words that are Chinese."""
        with self._lock:
            if self._chinese is None or self._chinese[0] != len(self._terms):
                self._chinese = len(self._terms), sum(map(is_cjk, self._terms)) / max(1, len(self._terms))
            return self._chinese[1]

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
            scores, found = self.scores(words, NEXT_PASSAGE_WEIGHT)
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
            matrix = np.zeros((len(ids), len(terms)))
            for column, term in enumerate(terms):
                own = np.zeros(len(self._alive) + 1)
                places = self._rows_with(term)
                self._weight_next_passages(own, places)
                matrix[:, column] = own[rows]
            return weights / max(float(weights.sum()), 1e-12), matrix

    def within(
        self, words: Weights, documents: Collection[str]
    ) -> tuple[list[str], Floats, dict[str, Floats]]:
        """Return the words that the library knows, what each weighs in all of it, and what it weighs among
        the passages of each document: its inverse document frequency there, 0 where none holds it."""
        with self._lock:
            known = [word for word in words if self.knows(word)]
            counts = np.asarray([words[word] for word in known])
            weights = self._weights()[1][[self._terms[word] for word in known]] * counts if known else counts
            rows = {document: np.asarray(self._rows.get(document, ()), np.int64) for document in documents}
            inside = {document: np.zeros(len(known)) for document in documents}
            for place, word in enumerate(known):
                holding = self._rows_with(self._terms[word])
                for document, own in rows.items():
                    frequency = int(np.isin(own, holding).sum())
                    if frequency:
                        rare = np.log1p((len(own) - frequency + 0.5) / (frequency + 0.5))
                        inside[document][place] = rare * counts[place]
            return known, weights, inside

    def _weight_next_passages(self, own: Floats, rows: Ints) -> None:
        """Set 1 at the rows and less beside them."""
        after = rows[rows + 1 < len(self._follows)] + 1
        own[after[self._follows[after]]] = NEXT_PASSAGE_WEIGHT
        own[rows[self._follows[rows]] - 1] = NEXT_PASSAGE_WEIGHT
        own[rows] = 1.0

    def holding(self, text: str, most: int) -> list[str] | None:
        """Return the chunks that hold all words of the text, in any order; None if there are over `most`."""
        with self._lock:
            terms = [self._terms.get(word, -1) for word in query_words(text, self._terms)]
            if not terms or -1 in terms:
                return []
            found: list[str] = []
            for first, matrix in self._segments:
                rows: Ints | None = None
                if max(terms) >= matrix.shape[1]:
                    continue
                for term in sorted(terms, key=lambda t: int(self._frequency[t])):
                    postings = matrix.indices[matrix.indptr[term] : matrix.indptr[term + 1]]
                    rows = postings if rows is None else np.intersect1d(rows, postings, assume_unique=True)
                    if not len(rows):
                        break
                if rows is not None:
                    found += [self._passages.ids[r + first] for r in rows if self._alive[r + first]]
                if len(found) > most:
                    return None
            return found

    def appears_in_documents(self, text: str, many: int, least: int) -> bool:
        """Say whether a text has at least so many different words of matter and at least so many documents
        have a passage with all of them, in any order.

        The first word that fewer passages hold settles it, so most texts are not read to their end.
        """
        terms: set[int] = set()
        with self._lock:
            for word in each_index_word(text):
                if word not in STOP_WORDS:
                    term = self._terms.get(word, -1)
                    if term < 0 or self._frequency[term] < many:
                        return False
                    terms.add(term)
            if len(terms) < least:
                return False
            rows: Ints | None = None
            for term in sorted(terms, key=lambda each: int(self._frequency[each])):
                if rows is not None and len(rows) < many:
                    return False
                places = np.sort(self._rows_with(term))
                if rows is None:
                    rows = places
                else:
                    rows = rows[places[np.minimum(np.searchsorted(places, rows), len(places) - 1)] == rows]
            found = [] if rows is None else [row for row in rows.tolist() if self._alive[row]]
            return len({self._passages.documents[row] for row in found}) >= many

    def words_of_documents(self, text: str, documents: Collection[str]) -> dict[str, frozenset[str]]:
        """Return, per document, which words of the text (as they are searched) any of its passages holds."""
        with self._lock:
            terms = {word: self._terms[word] for word in set(query_words(text)) if word in self._terms}
            matched: dict[str, set[str]] = {document: set() for document in documents}
            for word, term in terms.items():
                rows = self._rows_with(term)
                for document in {self._passages.documents[row] for row in rows[self._alive[rows]].tolist()}:
                    if document in matched:
                        matched[document].add(word)
            return {document: frozenset(words) for document, words in matched.items()}
