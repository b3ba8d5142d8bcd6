"""Order passages against the question: late interaction, a cross-encoder, or not at all."""

import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.domain import Passage
from core.errors import SettingsError
from core.llm.encoders.second_hop import Floats, completing, hops_between, led_to
from core.llm.encoders.second_hop import Hops as Hops
from core.ports import Embedder, Vectors
from core.text.english import MAX_UNREAD_SHARE, unread
from core.text.maxsim import best_matches
from core.text.tokens import is_cjk, is_stopword

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

MIN_TOKEN_COSINE = 0.3  # of token vectors, from which a token counts as met
FULL_TOKEN_COSINE = 0.9  # ... as wholly met
GRAMMAR_WORD_WEIGHT = 0.15  # what a word of grammar counts beside others


class TokenRows(Protocol):
    """Where a library keeps token vectors: int8 rows per chunk, reduced as `project` reduces a question's."""

    def read(self, chunk_ids: Sequence[str]) -> Sequence[NDArray[np.int8]]:
        """Return each chunk's rows (t, k), none where nothing is kept."""

    def project(self, tokens: Vectors) -> Vectors:
        """Return a question's token vectors (t, d) reduced to (t, k)."""

    def unit(self) -> float:
        """Return what one step of the int8 rows is worth as a cosine."""


class PassageNearness(NamedTuple):
    """How far n passages meet each of t tokens of a question (n, t), what a token counts (t, sum 1), what
    ties the passages, and what one (column) adds to another (row) that it leads to (n, n)."""

    met: Floats
    weights: Floats
    ties: Mapping[tuple[str, str], tuple[float, str]]
    hops: Floats


@runtime_checkable
class HasTokenSpans(Protocol):
    """An embedder that says where in the text its token vectors stand."""

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return the first and past-the-last character of each token, special tokens left out."""


def ordered(passages: Sequence[Passage], scores: Sequence[float]) -> list[Passage]:
    """Return the passages by falling score, ties in the order given, with the ranks before and after."""
    order = sorted(range(len(passages)), key=lambda i: (-scores[i], i))
    return [
        passages[i].model_copy(
            update={
                "scores": {**passages[i].scores, "rerank": float(scores[i])},
                "rank_before": i + 1,
                "rank_after": rank,
            }
        )
        for rank, i in enumerate(order, start=1)
    ]


class NoReranker:
    """Keeps the order of the search."""

    name = "none"

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        return ordered(passages, [passage.score for passage in passages])


class LateInteractionReranker:
    """Late interaction (ColBERT, arXiv 2004.12832) that chooses passages which complete each other.

    Passages are taken one by one: the next is the one whose search score, and whose tokens' nearness to
    those tokens of the question that no passage before it has met, are highest together. So the second
    passage of a question with two subjects is not a second one about the first. With `hops`, what a chosen
    passage leads to counts more (the second hop): "where was the director of X born" names neither the
    director nor the place, but the passage about X names the director.
    """

    name = "late-interaction"

    def __init__(
        self,
        embedder: Embedder,
        rows: TokenRows,
        weight: float = 10.0,
        hops: Hops | None = None,
    ) -> None:
        self._embedder = embedder
        self._rows = rows
        self._weight = weight
        self._hops = hops

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        near = self.nearness(question, passages)
        if near is None:
            return ordered(passages, [passage.score for passage in passages])
        return self.ordered_by(near, passages)

    def nearness(self, question: str, passages: Sequence[Passage]) -> "PassageNearness | None":
        """Return how near the passages are to the question and to one another; None where no tokens tell."""
        similar = self.token_matches(question, passages) if passages else None
        if similar is None:
            return None
        met = np.clip((similar - MIN_TOKEN_COSINE) / (FULL_TOKEN_COSINE - MIN_TOKEN_COSINE), 0.0, 1.0)
        weights = token_weights(self._readable(question), self._embedder, met.shape[1])
        ties = self._hops([passage.chunk.id for passage in passages]) if self._hops else {}
        return PassageNearness(met, weights, ties, hops_between(passages, ties))

    def ordered_by(self, near: "PassageNearness", passages: Sequence[Passage]) -> list[Passage]:
        """Return the passages, best first, by their search scores and what is near."""
        known = np.log([max(passage.score, 1e-6) for passage in passages])
        gains, led = completing(known, near.met, self._weight * near.weights, near.hops)
        marked = [led_to(passages, i, by, near.ties) if by >= 0 else passages[i] for i, by in enumerate(led)]
        return ordered(marked, np.exp((gains - gains.max()) / self._weight).tolist())

    def token_matches(self, question: str, passages: Sequence[Passage]) -> Floats | None:
        """Return per passage and token of the question (n, t) the best cosine with a token of the passage;
        None where the embedder gives no token vectors or cannot read the question."""
        foreign = self._embedder.english_only and unread(question) > MAX_UNREAD_SHARE
        tokens = None if foreign else self._embedder.encode([self._readable(question)]).tokens
        if tokens is None or not len(tokens[0]):
            return None
        return self._similarities(tokens[0], passages)

    def _similarities(self, asked: Vectors, passages: Sequence[Passage]) -> Floats:
        """Return per passage and token of the question (n, t) the best cosine with a token of the passage."""
        stored = self._rows.read([passage.chunk.id for passage in passages])
        reduced = self._rows.project(asked)
        bare = [
            i for i, rows in enumerate(stored) if rows.shape != (len(rows), reduced.shape[1]) or not len(rows)
        ]
        texts = [self._readable(passages[i].chunk.passage_text()) for i in bare]
        fresh = dict(zip(bare, self._embedder.encode(texts).tokens or (), strict=True)) if bare else {}
        best = best_matches(reduced, [stored[i][:0] if i in fresh else stored[i] for i in range(len(stored))])
        similarities = best.astype(np.float64) * self._rows.unit()
        if fresh:
            similarities[bare] = best_matches(asked, [fresh[i] for i in bare])
        return similarities

    def _readable(self, text: str) -> str:
        """Return as much of the text's beginning as the embedder can read."""
        while self._embedder.count(text) > self._embedder.window:
            text = text[: len(text) * 3 // 4]
        return text


def token_weights(question: str, embedder: Embedder, count: int) -> Floats:
    """Return what each token of the question counts (sum 1): those of grammar little."""
    weights = np.ones(count)
    if isinstance(embedder, HasTokenSpans):
        for place, (start, end) in enumerate(embedder.token_spans(question)[:count]):
            word = word_around(question, start, end)
            weights[place] = GRAMMAR_WORD_WEIGHT if not word or is_stopword(word) else 1.0
    total: Floats = weights / weights.sum()
    return total


def word_around(text: str, start: int, end: int) -> str:
    """Return the word the characters are part of, "" for marks."""
    if not any(c.isalnum() for c in text[start:end]):
        return ""
    while start > 0 and text[start - 1].isalnum() and not is_cjk(text[start - 1]):
        start -= 1
    while end < len(text) and text[end].isalnum() and not is_cjk(text[end]):
        end += 1
    return text[start:end].lower()


class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers, by id or path."""

    def __init__(self, model: str) -> None:
        self.name = model
        self._lock = threading.Lock()

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        if not passages:
            return []
        pairs = [(question, passage.chunk.passage_text()) for passage in passages]
        with self._lock:
            scores = self._model.predict(pairs, show_progress_bar=False)
        return ordered(
            passages, [float(score) for score in np.asarray(scores).reshape(len(pairs), -1)[:, -1]]
        )

    @cached_property
    def _model(self) -> "CrossEncoder":
        try:
            from sentence_transformers import CrossEncoder

            model: CrossEncoder = CrossEncoder(self.name)
            return model
        except (OSError, ValueError) as error:
            raise SettingsError(
                f"the reranker {self.name} could not be loaded: {error}",
                hint="Give STRATA_RERANK__MODEL a folder that holds a cross-encoder, or set "
                "STRATA_RERANK__BACKEND=late-interaction.",
            ) from error
