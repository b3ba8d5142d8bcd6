"""The fitted models of answerability: a weight for each signal, and the chance from which on to answer.

`piece_weights.json` is written by `bench/fit_answerability.py`, `answer_confidence.json` by
`bench/fit_answer_confidence.py`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Weights:
    """The fitted model: a weight a signal, and the chance from which on a question is answered; `passage` are
    the weights that order passages, where such were fitted."""

    bias: float
    signals: Mapping[str, float]
    threshold: float
    passage: Mapping[str, float] = field(default_factory=dict)

    def chance(self, signals: Mapping[str, float]) -> float:
        """Return the logistic of the weighted signals."""
        total = self.bias + sum(self.signals.get(name, 0.0) * value for name, value in signals.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def piece_weights() -> Weights:
    """Return the weights of a piece alone, as they come with Strata."""
    return _read("piece_weights.json")


@lru_cache(maxsize=1)
def confidence_weights() -> Weights:
    """Return the weights of a passage that holds the answer, as they come with Strata."""
    return _read("answer_confidence.json")


def _read(name: str) -> Weights:
    parameters = json.loads((Path(__file__).parent / name).read_text("utf-8"))
    return Weights(
        parameters["bias"], parameters["signals"], parameters["threshold"], parameters.get("passage", {})
    )
