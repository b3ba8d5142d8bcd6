"""Fits the weights that tell simple from composite questions, and scores them on the half not fitted.

    python -m bench.fit_gate [--data FOLDER] [--ridge 3]

Logistic regression by Newton's method over the counts of `understand/composite_classifier.py`, on the
questions at even places of `gate/questions.jsonl` in the folder of STRATA_BENCH_DATA, each also without
capitals and question mark, so that style is no signal.
Prints the weights as they are in `composite_classifier.py`, and accuracy per data set on both halves.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.data import data_folder
from bench.gate_plan import FITTED_PARITY, MAX_PARTS, rows
from core.llm.builtin.understand.composite_classifier import counts
from core.llm.builtin.understand.grammar import read
from core.llm.builtin.understand.understand_rule import split

NEWTON_STEPS = 60  # of Newton's method; it has settled long before


def features(text: str) -> dict[str, float]:
    """Return the counts of a question, as the rule reads it."""
    question = read(text)
    return counts(question, len(split(question, MAX_PARTS)))


def fit(matrix: np.ndarray, labels: np.ndarray, ridge: float) -> np.ndarray:
    """Return bias and weights of least penalised log loss; `matrix` (n, d), `labels` (n,) of 0 and 1."""
    x = np.c_[np.ones(len(matrix)), matrix]
    weights = np.zeros(x.shape[1])
    penalty = np.eye(len(weights)) * ridge
    penalty[0, 0] = 0.0
    for _ in range(NEWTON_STEPS):
        likely = 1 / (1 + np.exp(-x @ weights))
        curve = likely * (1 - likely) + 1e-9
        hessian = (x * curve[:, None]).T @ x + penalty
        weights = weights + np.linalg.solve(hessian, x.T @ (labels - likely) - penalty @ weights)
    return weights


def main(arguments: Sequence[str] | None = None) -> dict[str, object]:
    """Print weights and accuracies and return them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=data_folder())
    parser.add_argument("--ridge", type=float, default=3.0)
    options = parser.parse_args(arguments)
    every = list(rows(options.data / "gate" / "questions.jsonl"))
    found, labels = [], []
    for row in every[FITTED_PARITY::2]:
        text = str(row["question"])
        for spelling in (text, text.lower().rstrip("?")):
            found.append(features(spelling))
            labels.append(float(row["label"] == "composite"))
    names = list(found[0])
    weights = fit(np.array([[one[name] for name in names] for one in found]), np.array(labels), options.ridge)
    scored: dict[str, dict[str, list[bool]]] = {"fitted": defaultdict(list), "not_fitted": defaultdict(list)}
    for place, row in enumerate(every):
        of = features(str(row["question"]))
        composite = weights[0] + sum(w * of[name] for name, w in zip(names, weights[1:], strict=True)) > 0
        half = "fitted" if place % 2 == FITTED_PARITY else "not_fitted"
        scored[half][str(row["dataset"])].append(bool(composite) == (row["label"] == "composite"))
    result: dict[str, object] = {
        "bias": round(float(weights[0]), 2),
        "weights": {name: round(float(w), 2) for name, w in zip(names, weights[1:], strict=True)},
        **{
            half: {
                "accuracy": round(float(np.mean([hit for hits in sets.values() for hit in hits])), 4),
                **{name: round(float(np.mean(hits)), 4) for name, hits in sorted(sets.items())},
            }
            for half, sets in scored.items()
        },
    }
    print(json.dumps(result, indent=2, ensure_ascii=False))
    return result


if __name__ == "__main__":
    main()
