"""The numbers of BM25 as rank-bm25 has them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

MAX_FOREIGN_SHARE = 0.25  # share of passages up to which a script is not the library's own


class Okapi(BM25Okapi):  # type: ignore[misc]
    """rank-bm25's parameters and term weights, from counts that are known instead of from the passages."""

    def __init__(self, passages: int, words: int, frequency: dict[int, int]) -> None:
        self._counted = passages, words, frequency
        super().__init__(())

    def _initialize(self, corpus: Sequence[object]) -> dict[int, int]:
        self.corpus_size, words, frequency = self._counted
        self.avgdl = words / self.corpus_size or 1.0
        return frequency


def weighed_by_script(
    idf: NDArray[np.float64], frequency: NDArray[np.int64], signs: NDArray[np.int64], holding: int, all: int
) -> NDArray[np.float64]:
    """Return the term weights with those of another script (`signs`) no more than they are among the passages
    `holding` any of it: where these are few, each of their words would be rare, the most usual too."""
    if holding > MAX_FOREIGN_SHARE * all:
        return idf
    n = frequency[signs].astype(np.float64)
    weighed = idf.copy()
    weighed[signs] = np.minimum(idf[signs], np.log1p((holding - n + 0.5) / (n + 0.5)))
    return weighed
