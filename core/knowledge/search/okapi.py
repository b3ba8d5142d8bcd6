"""The numbers of BM25 as rank-bm25 has them."""

from collections.abc import Sequence

from rank_bm25 import BM25Okapi


class Okapi(BM25Okapi):  # type: ignore[misc]
    """rank-bm25's parameters and term weights, from counts that are known instead of from the passages."""

    def __init__(self, passages: int, words: int, frequency: dict[int, int]) -> None:
        self._counted = passages, words, frequency
        super().__init__(())

    def _initialize(self, corpus: Sequence[object]) -> dict[int, int]:
        self.corpus_size, words, frequency = self._counted
        self.avgdl = words / self.corpus_size or 1.0
        return frequency
