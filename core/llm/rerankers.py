"""Order passages against the question: late interaction, a cross-encoder, a model's list, or not at all."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.domain import Passage
from core.errors import SettingsError
from core.language import is_cjk, is_stopword
from core.maxsim import best_matches
from core.ports import LLM, Embedder, Vectors
from core.tasks import Evidence, Ranked, RankPassages

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

Floats = NDArray[np.float64]
UNLIKE, ALIKE = 0.3, 0.9  # cosines of token vectors from which a token counts as met, and as wholly met
ENGLISH_ONLY = frozenset({"all-MiniLM-L6-v2"})  # embedders whose tokens say nothing of Chinese
GRAMMAR = 0.15  # what a word of grammar counts beside others
HOP = 1.0  # what a passage gains that a chosen one surely leads to, on the scale of the scores' logarithm
SURELY = 0.05  # share of a walk from a chosen passage that makes it so

# How the library leads from chunk to chunk: (from, to) -> share of a walk, and the name of what ties them.
Ways = Callable[[Sequence[str]], Mapping[tuple[str, str], tuple[float, str]]]


class TokenRows(Protocol):
    """Where a library keeps token vectors: int8 rows per chunk, reduced as `project` reduces a question's."""

    def read(self, chunk_ids: Sequence[str]) -> Sequence[NDArray[np.int8]]: ...

    def project(self, tokens: Vectors) -> Vectors: ...

    def unit(self) -> float: ...


@runtime_checkable
class TellsTokens(Protocol):
    """An embedder that says where in the text its token vectors stand."""

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]: ...


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
    passage of a question with two subjects is not a second one about the first. With `ways`, what a chosen
    passage leads to counts more (the second hop): "where was the director of X born" names neither the
    director nor the place, but the passage about X names the director.
    """

    name = "late-interaction"

    def __init__(
        self, embedder: Embedder, rows: TokenRows, weight: float = 10.0, ways: Ways | None = None
    ) -> None:
        self._embedder = embedder
        self._rows = rows
        self._weight = weight
        self._ways = ways

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        read = self._readable(question)
        foreign = self._embedder.name in ENGLISH_ONLY and is_cjk(question)
        tokens = self._embedder.encode([read]).tokens if passages and not foreign else None
        if tokens is None or not len(tokens[0]):
            return ordered(passages, [passage.score for passage in passages])
        met = np.clip((self._similarities(tokens[0], passages) - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0)
        weights = self._weight * token_weights(read, self._embedder, len(tokens[0]))
        known = np.log([max(passage.score, 1e-6) for passage in passages])
        ways = self._ways([passage.chunk.id for passage in passages]) if self._ways else {}
        gains, led = completing(known, met, weights, _hops(passages, ways))
        told = [_led(passages, i, by, ways) if by >= 0 else passages[i] for i, by in enumerate(led)]
        return ordered(told, [float(score) for score in np.exp(gains - gains.max())])

    def _similarities(self, asked: Vectors, passages: Sequence[Passage]) -> Floats:
        """Return per passage and token of the question (n, t) the best cosine with a token of the passage."""
        kept = self._rows.read([passage.chunk.id for passage in passages])
        reduced = self._rows.project(asked)
        bare = [
            i for i, rows in enumerate(kept) if rows.shape != (len(rows), reduced.shape[1]) or not len(rows)
        ]
        texts = [self._readable(passages[i].chunk.passage_text()) for i in bare]
        fresh = dict(zip(bare, self._embedder.encode(texts).tokens or (), strict=True)) if bare else {}
        best = best_matches(reduced, [kept[i][:0] if i in fresh else kept[i] for i in range(len(kept))])
        similarities = best.astype(np.float64) * self._rows.unit()
        if fresh:
            similarities[bare] = best_matches(asked, [fresh[i] for i in bare])
        return similarities

    def _readable(self, text: str) -> str:
        """Return as much of the text's beginning as the embedder can read."""
        while self._embedder.count(text) > self._embedder.window:
            text = text[: len(text) * 3 // 4]
        return text


def completing(
    known: Floats, met: Floats, weights: Floats, hops: Floats | None = None
) -> tuple[Floats, list[int]]:
    """Return the gain of each passage at its turn, falling in the order in which they are taken, and which
    passage before it led to each, -1 for none.

    `known` (n) is what each is worth by itself, `met` (n, t) how far it meets each token, `weights` (t) what
    a token counts, `hops` (n, n) what the column's passage adds to the row's once it is taken. Greedy
    maximum coverage, which without hops is within 1 - 1/e of the best.
    """
    gains = np.zeros(len(known))
    covered, added = np.zeros(met.shape[1]), np.zeros(len(known))
    led = np.full(len(known), -1)
    left = list(range(len(known)))
    least = np.inf
    while left:
        offers = known[left] + np.maximum(met[left] - covered, 0.0) @ weights + added[left]
        at = int(np.argmax(offers))
        taken = left.pop(at)
        # A hop may lift a passage above the one that led to it: its turn is still after.
        least = gains[taken] = min(float(offers[at]), least - 1e-6)
        covered = np.maximum(covered, met[taken])
        if hops is not None:
            more = (hops[:, taken] > added) & np.isin(np.arange(len(known)), left)
            led[more] = taken
            added[more] = hops[more, taken]
    return gains, [int(by) for by in led]


def _hops(passages: Sequence[Passage], ways: Mapping[tuple[str, str], tuple[float, str]]) -> Floats:
    """Return (n, n) what a passage (row) gains once another (column) is taken that leads to it."""
    place = {passage.chunk.id: at for at, passage in enumerate(passages)}
    hops = np.zeros((len(passages), len(passages)))
    for (start, end), (share, _) in ways.items():
        hops[place[end], place[start]] = HOP * min(1.0, share / SURELY) ** 0.5
    return hops


def _led(
    passages: Sequence[Passage], at: int, by: int, ways: Mapping[tuple[str, str], tuple[float, str]]
) -> Passage:
    """Return the passage with what led to it, for the reader."""
    passage, start = passages[at], passages[by]
    share, name = ways[start.chunk.id, passage.chunk.id]
    there = start.chunk.heading_path[-1] if start.chunk.heading_path else start.document_title
    why = f"second hop from {there}" + (f" by {name}" if name else "")
    scores = {**passage.scores, "hop": min(1.0, share / SURELY) ** 0.5}
    return passage.model_copy(update={"why": tuple(dict.fromkeys((*passage.why, why))), "scores": scores})


def token_weights(question: str, embedder: Embedder, count: int) -> Floats:
    """Return what each token of the question counts (sum 1): those of grammar little."""
    weights = np.ones(count)
    if isinstance(embedder, TellsTokens):
        for place, (start, end) in enumerate(embedder.token_spans(question)[:count]):
            word = _word_around(question, start, end)
            weights[place] = GRAMMAR if not word or is_stopword(word) else 1.0
    total: Floats = weights / weights.sum()
    return total


def _word_around(text: str, start: int, end: int) -> str:
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


class ListwiseReranker:
    """A model orders the passages as one list; those it leaves out keep their order, at the end."""

    name = "listwise"

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        if not passages:
            return []
        evidence = tuple(
            Evidence(n=n, text=p.chunk.text, source=p.document_title, place=p.chunk.location.label())
            for n, p in enumerate(passages, start=1)
        )
        language = passages[0].chunk.language
        reply = self._llm.run(
            RankPassages(question=question, evidence=evidence, language=language), into=Ranked
        )
        named = [n for n in dict.fromkeys(reply.order) if 1 <= n <= len(passages)]
        rest = [n for n in range(1, len(passages) + 1) if n not in named]
        place = {n: rank for rank, n in enumerate(named + rest)}
        return ordered(passages, [1.0 - place[n] / len(passages) for n in range(1, len(passages) + 1)])
