"""Orders passages for a question whose answer is in one place: first the document, then the place in it.

What a question says of its document (a name, a case, a year) is in many passages of that document or in
its title. It tells documents apart and says nothing of the place. So words and token vectors are weighed
by how rare they are *within the document* of each passage, and the document by the words that it holds as a
whole. The weights are a pairwise logistic regression on questions over strangers' files
(`python -m bench.fit_fact_reranker`).
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.domain import Passage
from core.llm.encoders.rerankers import (
    GRAMMAR_WORD_WEIGHT,
    HasTokenSpans,
    LateInteractionReranker,
    TokenRows,
    ordered,
    word_around,
)
from core.ports import Embedder, QueryTerms
from core.text.tokens import index_words, is_stopword, query_words

Floats = NDArray[np.float64]
WINDOW_WORDS = 40  # words that stand together
# What a passage's words, its document's words and names, its best window and its tokens' nearness count.
WEIGHTS = {"words": 1.4, "document": 5.7, "named": 1.9, "place": 2.2, "meaning": 3.6}


class WordStatistics(Protocol):
    """What knows how rare words are."""

    def query_terms(self, text: str, documents: Collection[str]) -> QueryTerms:
        """Return the words of a question with what they weigh."""


class FactReranker:
    """Orders passages by their document, and within it by what distinguishes its passages."""

    name = "late-interaction"

    def __init__(self, embedder: Embedder, rows: TokenRows, words: WordStatistics) -> None:
        self._embedder = embedder
        self._words = words
        self._late = LateInteractionReranker(embedder, rows)

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first; the first has the score 1, others the share of it they come to."""
        if not passages:
            return []
        scores = self.signals(question, passages) @ np.asarray(list(WEIGHTS.values()))
        return ordered(passages, (scores / max(float(scores.max()), 1e-9)).tolist())

    def signals(self, question: str, passages: Sequence[Passage]) -> Floats:
        """Return what each of the n passages, at least one, has of each of `WEIGHTS`: (n, 5), 0 to 1."""
        asked = self._words.query_terms(question, {passage.chunk.document_id for passage in passages})
        found = np.asarray([passage.scores.get("keyword", 0.0) for passage in passages])
        whole = float(asked.weights.sum()) or 1.0
        rows = []
        for passage in passages:
            within = asked.within[passage.chunk.document_id]
            named = asked.named[passage.chunk.document_id]
            called = np.asarray([word in named for word in asked.words], bool)
            rows.append(
                (
                    asked.weights[within > 0].sum() / whole,
                    asked.weights[called].sum() / whole,
                    densest(passage.chunk.passage_text(), asked.words, within),
                )
            )
        document, own, place = np.asarray(rows).T
        meaning = self._nearness(question, passages, asked)
        return np.column_stack([found / (found.max() or 1.0), document, own, place, meaning])

    def _nearness(self, question: str, passages: Sequence[Passage], asked: QueryTerms) -> Floats:
        """Return the passages' MaxSim, each token weighed as its word is within the passage's document."""
        met = self._late.token_matches(question, passages)
        if met is None:
            return np.zeros(len(passages))
        words = self._token_words(question, met.shape[1])
        known = {word: place for place, word in enumerate(asked.words)}
        nearness = np.zeros(len(passages))
        for place, passage in enumerate(passages):
            within = asked.within[passage.chunk.document_id]
            rarest = float(within.max(initial=1.0))
            weights = np.asarray(
                [
                    max((within[known[w]] if w in known else rarest for w in of), default=GRAMMAR_WORD_WEIGHT)
                    for of in words
                ]
            )
            nearness[place] = float(met[place] @ weights) / max(float(weights.sum()), 1e-9)
        return nearness

    def _token_words(self, question: str, count: int) -> list[list[str]]:
        """Return, per token of the question, its word as words are searched; none for one of grammar."""
        if not isinstance(self._embedder, HasTokenSpans):
            return [[] for _ in range(count)]
        found = [word_around(question, *span) for span in self._embedder.token_spans(question)[:count]]
        token_words = [query_words(word) if word and not is_stopword(word) else [] for word in found]
        return token_words + [[] for _ in range(count - len(token_words))]


@lru_cache(maxsize=512)  # the passages of a question are ordered for each of its parts
def _words(text: str) -> tuple[str, ...]:
    return tuple(index_words(text))


def densest(text: str, words: Sequence[str], weights: Floats) -> float:
    """Return the greatest share (0 to 1) of the words' weight that stands within a window of the text."""
    worth = {word: float(weight) for word, weight in zip(words, weights, strict=True) if weight > 0}
    whole = sum(worth.values())
    if not whole:
        return 0.0
    places = [(at, word) for at, word in enumerate(_words(text)) if word in worth]
    best = 0.0
    for first, (start, _) in enumerate(places):
        in_window = {word for at, word in places[first : first + WINDOW_WORDS] if at < start + WINDOW_WORDS}
        best = max(best, sum(worth[word] for word in in_window))
    return best / whole
