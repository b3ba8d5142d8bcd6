"""Late interaction whose first places are taken anew by trees learnt from questions with known passages.

Passages are taken one by one: the next is the one that boosted trees (Friedman, 2001) give the best chance
beside those taken, by what the search, the words, the tokens and the graph say of it. So a passage that goes
on from one that was taken ("the director of X" names Y, which the question does not) comes before one that
repeats it. The trees are fitted on the halves of three public pools: `python -m bench.fit_path_reranker`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.domain import Passage
from core.llm.encoders.rerankers import LateInteractionReranker, PassageNearness, ordered
from core.llm.encoders.second_hop import Floats

LEGS = ("keyword", "chunk", "atom", "section", "graph")
FOUND_BY = ("keyword", "chunk", "atom")
ALONE = (
    "search", *LEGS, "place", "tokens", "asked", *(f"by {leg}" for leg in FOUND_BY), "order", "gain", "size",
    "words",
)  # fmt: skip
BESIDE = (
    "new tokens", "led to", "leads back", "led to by the last", "named", "names one", "named by the first",
    "same title", "taken", "named and not asked", "new words",
)  # fmt: skip
FIRST_PLACES = 5  # places that are learnt; behind them the late interaction's order stays
MAX_LEARNT = 40  # passages among which these are sought
MIN_TITLE = 3  # letters of a title that a text may name


class WordMatches(Protocol):
    """What knows the words of passages and how rare they are."""

    def word_matches(self, text: str, chunk_ids: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the weight of each word of the text (w, sum 1) and how far each chunk holds it (n, w)."""


@dataclass(frozen=True)
class Candidates:
    """What is known of n passages for a question; rows are passages, in the order of the search."""

    question: str
    passages: Sequence[Passage]
    near: PassageNearness
    words: tuple[Floats, Floats]  # weights (w) and matches (n, w)
    ranked: Sequence[Passage]  # as the late interaction orders them

    @cached_property
    def order(self) -> list[int]:
        """The places of the passages in the late interaction's order."""
        places = {passage.chunk.id: at for at, passage in enumerate(self.passages)}
        return [places[passage.chunk.id] for passage in self.ranked]

    @cached_property
    def titles(self) -> list[str]:
        return [
            (each.chunk.heading_path[-1] if each.chunk.heading_path else each.document_title)
            .partition(" (")[0]
            .strip()
            .lower()
            for each in self.passages
        ]

    @cached_property
    def texts(self) -> list[str]:
        return [passage.chunk.passage_text().lower() for passage in self.passages]

    @cached_property
    def asked(self) -> Floats:
        """Whether the question says the title of each (n)."""
        question = self.question.lower()
        return np.array([float(len(title) >= MIN_TITLE and title in question) for title in self.titles])

    @cached_property
    def alone(self) -> Floats:
        """What is known of each passage by itself: (n, len(ALONE))."""
        many = len(self.passages)
        scores = np.log([max(passage.score, 1e-6) for passage in self.passages])
        legs = np.array([[passage.scores.get(leg, 0.0) for leg in LEGS] for passage in self.passages])
        highest = legs.max(axis=0)
        place, gain = np.zeros(many), np.zeros(many)
        place[self.order] = np.arange(many)
        gain[self.order] = np.log([max(passage.scores["rerank"], 1e-9) for passage in self.ranked])
        weights, matches = self.words
        return np.column_stack(
            [
                scores - scores.max(),
                legs / np.where(highest > 0, highest, 1.0),
                np.log1p(np.arange(many)),
                self.near.met @ self.near.weights,
                self.asked,
                legs[:, [LEGS.index(leg) for leg in FOUND_BY]] > 0,
                np.log1p(place),
                gain,
                np.log([len(text) + 1 for text in self.texts]),
                matches @ weights,
            ]
        )

    def ties(self, taken: int) -> Floats:
        """Return what ties each passage to one that was taken (n, 6): that leads to it, it leads back, that
        names its title, and a title the question does not say, its text names that title, and has it."""
        title, text = self.titles[taken], self.texts[taken]
        named = np.array([float(_names(text, other, title)) for other in self.titles])
        names = np.array(
            [float(_names(t, title, other)) for t, other in zip(self.texts, self.titles, strict=True)]
        )
        same = np.array([float(other == title) for other in self.titles])
        hops = self.near.hops
        return np.column_stack([hops[:, taken], hops[taken], named, named * (1 - self.asked), names, same])

    def beside(self, taken: Sequence[int], ties: Sequence[Floats]) -> Floats:
        """Return what is known of each passage beside those taken: (n, len(BESIDE))."""
        weights, matches = self.words
        met = self.near.met
        if not taken:
            rest = np.zeros((len(met), len(BESIDE) - 2))
            return np.column_stack([met @ self.near.weights, rest, matches @ weights])
        most = np.maximum.reduce(list(ties))
        chosen = list(taken)
        return np.column_stack(
            [
                np.maximum(met - met[chosen].max(axis=0), 0.0) @ self.near.weights,
                most[:, 0],
                most[:, 1],
                ties[-1][:, 0],
                most[:, 2],
                most[:, 4],
                ties[0][:, 2],
                most[:, 5],
                np.full(len(met), len(chosen) / FIRST_PLACES),
                most[:, 3],
                np.maximum(matches - matches[chosen].max(axis=0), 0.0) @ weights,
            ]
        )


def _names(text: str, title: str, own: str) -> bool:
    return len(title) >= MIN_TITLE and title != own and title in text


@dataclass(frozen=True)
class Trees:
    """Boosted trees as arrays (trees, nodes): a leaf leads to itself and has a value."""

    feature: NDArray[np.int64]
    threshold: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Floats
    depth: int
    begin: float

    @classmethod
    def read(cls, path: Path) -> "Trees":
        held = json.loads(path.read_text("utf-8"))
        feature, left, right = (np.array(held[name], np.int64) for name in ("feature", "left", "right"))
        threshold, value = (np.array(held[name], np.float64) for name in ("threshold", "value"))
        return cls(feature, threshold, left, right, value, held["depth"], held["begin"])

    def __call__(self, signals: Floats) -> Floats:
        """Return the log-odds of n rows of signals (n, s)."""
        trees = np.arange(len(self.feature))[:, None]
        rows = np.arange(len(signals))[None]
        at = np.zeros((len(self.feature), len(signals)), np.int64)
        for _ in range(self.depth):
            below = signals[rows, self.feature[trees, at]] <= self.threshold[trees, at]
            at = np.where(below, self.left[trees, at], self.right[trees, at])
        chances: Floats = self.begin + self.value[trees, at].sum(axis=0)
        return chances


@lru_cache(maxsize=1)
def packaged_trees() -> Trees:
    """Return the trees that come with Strata."""
    return Trees.read(Path(__file__).with_name("path_trees.json"))


class PathReranker:
    """Late interaction whose first places are taken anew, each by its chance beside those taken."""

    name = "learnt-path"

    def __init__(self, late: LateInteractionReranker, words: WordMatches, trees: Trees | None = None) -> None:
        self._late, self._words, self._trees = late, words, trees

    def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        first, behind = passages[:MAX_LEARNT], passages[MAX_LEARNT:]
        found = self.candidates(question, first)
        if found is None:
            return self._late.rerank(question, passages)
        taken, chances = chosen(found, self._trees or packaged_trees())
        left = [at for at in found.order if at not in set(taken)]
        known = {passage.chunk.id: passage for passage in found.ranked}
        order = [known[first[at].chunk.id] for at in (*taken, *left)]
        lowest = chances[-1] if chances else 1.0
        scores = [*chances, *(lowest / (2 + n) for n in range(len(left) + len(behind)))]
        return ordered([*order, *behind], scores)

    def candidates(self, question: str, passages: Sequence[Passage]) -> Candidates | None:
        """Return what is known of the passages; None where no tokens can tell of them."""
        near = self._late.nearness(question, passages) if len(passages) > 1 else None
        if near is None:
            return None
        words = self._words.word_matches(question, [passage.chunk.id for passage in passages])
        return Candidates(question, passages, near, words, self._late.ordered_by(near, passages))


def chosen(found: Candidates, trees: Trees) -> tuple[list[int], list[float]]:
    """Return the passages for the first places, with chances (0 to 1) that fall."""
    taken: list[int] = []
    ties: list[Floats] = []
    chances: list[float] = []
    for _ in range(min(FIRST_PLACES, len(found.passages))):
        odds = trees(np.column_stack([found.alone, found.beside(taken, ties)]))
        odds[taken] = -np.inf
        at = int(np.argmax(odds))
        chances.append(min([float(1 / (1 + np.exp(-odds[at]))), *(last - 1e-9 for last in chances[-1:])]))
        taken.append(at)
        ties.append(found.ties(at))
    return taken, chances
