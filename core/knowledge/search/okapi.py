"""BM25's parameters and inverse document frequencies as rank-bm25 computes them."""

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
    """Return `idf` (terms,) with the weights of another script's terms (`signs`, indices) capped.

    The cap is the weight among the `holding` passages that contain the script at all: where these are few of
    `all`, even their commonest words would count as rare. `frequency` (terms,) counts passages per term.
    """
    if holding > MAX_FOREIGN_SHARE * all:
        return idf
    n = frequency[signs].astype(np.float64)
    weighed = idf.copy()
    weighed[signs] = np.minimum(idf[signs], np.log1p((holding - n + 0.5) / (n + 0.5)))
    return weighed
