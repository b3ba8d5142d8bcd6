"""MaxSim of late interaction (ColBERT, arXiv 2004.12832, section 3.2) of one question with passages."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

Floats = NDArray[np.float32]
Rows = Floats | NDArray[np.int8]


@lru_cache(maxsize=1)
def _threads() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def on_one_thread() -> AbstractContextManager[object]:
    """Keep numpy's products on one thread: shared among several, so little work waits longer for the threads
    than it takes, and on a busy machine a hundred times as long."""
    limited: AbstractContextManager[object] = _threads().limit(limits=1)
    return limited


def best_matches(question: Floats, passages: Sequence[Rows]) -> Floats:
    """Return per passage and token of the question (n, t) the highest product of that token's vector with a
    row of the passage; `question` is (t, d), each passage (s, d). A passage without rows matches nothing: 0.
    """
    best = np.zeros((len(passages), len(question)), np.float32)
    filled = [number for number, rows in enumerate(passages) if len(rows)]
    if not filled or not len(question):
        return best
    rows = np.concatenate([passages[number] for number in filled]).astype(np.float32, copy=False)
    starts = np.cumsum([0, *(len(passages[number]) for number in filled[:-1])])
    with on_one_thread():
        products = rows @ question.T
    best[filled] = np.maximum.reduceat(products, starts, axis=0)
    return best
