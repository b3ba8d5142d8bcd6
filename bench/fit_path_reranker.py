"""Fits the trees by which the learnt order takes its first passages, and says what they are worth.

Gradient-boosted trees (Friedman, 2001; scikit-learn's histograms) over the signals of
`core/llm/encoders/path_reranker.py`: which passage is the next gold one, beside those taken before. What is
taken is first the late interaction's order, then the order of the trees themselves (DAgger, Ross et al.,
2011). Questions of three public pools at even places are fitted, each pool alike; those at odd places, and
the pools that are not fitted, are only reported. Read the pools with `python -m bench.retrieval` first.

    python -m bench.fit_path_reranker                     recall@5 of both halves, fitted on either
    python -m bench.fit_path_reranker --to FILE           ... and the trees of the even half
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from bench.data import bench_data
from bench.retrieval import POOLS, library
from core.evaluation.retrieval_scores import read_questions, recall
from core.llm.encoders.path_reranker import (
    FIRST_PLACES,
    MAX_LEARNT,
    Candidates,
    PathReranker,
    Trees,
    chosen,
)
from core.llm.encoders.rerankers import LateInteractionReranker

Floats = NDArray[np.float64]
FITTED = ("musique", "hotpotqa", "2wiki")
REACHED_WEIGHT = 0.3  # of a question that needs no other order
ROUNDS = 2  # orders that are fitted on: the late interaction's, then the trees' own
TREES = {"max_iter": 80, "learning_rate": 0.07, "max_leaf_nodes": 12, "min_samples_leaf": 60}


@dataclass(frozen=True)
class Pool:
    """Questions with their candidates, the records these belong to, and the gold records."""

    found: Sequence[Candidates]
    records: Sequence[Sequence[str]]
    gold: Sequence[frozenset[str]]

    def half(self, first: int) -> "Pool":
        return Pool(self.found[first::2], self.records[first::2], self.gold[first::2])

    def recall(self, trees: Trees | None) -> float:
        """Return recall@5 in percent, of the late interaction without trees."""
        kept = []
        for found, records, gold in zip(self.found, self.records, self.gold, strict=True):
            first = [] if trees is None else chosen(found, trees)[0]
            order = [*first, *(at for at in found.order if at not in set(first))]
            kept.append(
                recall([each for each in dict.fromkeys(records[at] for at in order) if each], gold, 5)
            )
        return 100 * float(np.mean(kept))


def read_pool(name: str, folder: Path) -> Pool:
    """Search the questions of a pool in its library."""
    corpus = bench_data(POOLS[name][0])
    found, records, gold = [], [], []
    with library(folder / name, corpus) as whole:
        known = whole.records(corpus)
        late = whole.reranker if isinstance(whole.reranker, LateInteractionReranker) else None
        for question in read_questions(bench_data(POOLS[name][1])):
            passages = whole.retriever.search(question.text, MAX_LEARNT, kind="reasoning")
            one = PathReranker(late, whole.knowledge).candidates(question.text, passages) if late else None
            if one is not None:
                found.append(one)
                records.append([known.get(passage.chunk.id, "") for passage in passages])
                gold.append(question.gold)
    return Pool(found, records, gold)


def samples(pool: Pool, orders: Sequence[Sequence[int]]) -> tuple[Floats, Floats, Floats]:
    """Return signals, whether each is a gold passage not yet taken, and weights.

    A question counts less whose gold passages the late interaction has among its first five already; pools
    count by the root of their questions.
    """
    rows, right, counts = [], [], []
    for found, order, records, gold in zip(pool.found, orders, pool.records, pool.gold, strict=True):
        counted = 1.0 if recall(distinct(records, found.order), gold, 5) < 1 else REACHED_WEIGHT
        ties = [found.ties(at) for at in order[: FIRST_PLACES - 1]]
        for step in range(min(FIRST_PLACES, len(order))):
            taken = list(order[:step])
            left = [at for at in range(len(records)) if at not in taken]
            held = {records[at] for at in taken}
            rows.append(np.column_stack([found.alone, found.beside(taken, ties[:step])])[left])
            right.append([float(records[at] in gold - held) for at in left])
            counts.append(np.full(len(left), counted))
    weights = np.concatenate(counts)
    return np.vstack(rows), np.concatenate(right), weights / float(weights.sum()) ** 0.5


def distinct(records: Sequence[str], order: Sequence[int]) -> list[str]:
    """Return the records of passages in an order, each once."""
    return [each for each in dict.fromkeys(records[at] for at in order) if each]


def fit(pools: Sequence[Pool]) -> Trees:
    """Return the trees of some pools."""
    orders = [[found.order for found in pool.found] for pool in pools]
    parts: list[tuple[Floats, Floats, Floats]] = []
    trees: Trees | None = None
    for _ in range(ROUNDS):
        parts += [samples(pool, of) for pool, of in zip(pools, orders, strict=True)]
        signals, wanted, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        model = HistGradientBoostingClassifier(
            **TREES, l2_regularization=5, early_stopping=False, random_state=0
        )
        trees = as_trees(model.fit(signals, wanted, sample_weight=weights / weights.mean()))
        orders = [[chosen(found, trees)[0] for found in pool.found] for pool in pools]
    assert trees is not None
    return trees


def as_trees(model: Any) -> Trees:
    """Return the fitted trees as arrays; scikit-learn keeps them in records of its own."""
    nodes = [each[0].nodes for each in model._predictors]
    width = max(map(len, nodes))
    shape = (len(nodes), width)
    itself = np.tile(np.arange(width), (len(nodes), 1))
    feature, left, right = np.zeros(shape, np.int64), itself.copy(), itself.copy()
    threshold, value = np.full(shape, 1e300), np.zeros(shape)
    for at, tree in enumerate(nodes):
        inner = ~tree["is_leaf"].astype(bool)
        held = np.flatnonzero(inner)
        feature[at, held] = tree["feature_idx"][inner]
        threshold[at, held] = tree["num_threshold"][inner]
        left[at, held], right[at, held] = tree["left"][inner], tree["right"][inner]
        value[at, : len(tree)] = np.where(inner, 0.0, tree["value"])
    depth = max(int(tree["depth"].max()) for tree in nodes)
    return Trees(
        feature, threshold, left, right, value, depth, float(np.ravel(model._baseline_prediction)[0])
    )


def write(trees: Trees, path: Path) -> None:
    """Keep trees as JSON, numbers shortened to 6 digits."""
    lists = {
        name: [[float(f"{each:.6g}") for each in row] for row in getattr(trees, name).tolist()]
        for name in ("threshold", "value")
    }
    lists |= {name: getattr(trees, name).tolist() for name in ("feature", "left", "right")}
    path.write_text(json.dumps({**lists, "depth": trees.depth, "begin": trees.begin}) + "\n", "utf-8")


def main() -> None:
    """Print recall@5 of each half by the late interaction and by trees of the other half."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "strata-bench")
    parser.add_argument("--to", type=Path, help="where the trees of the even half are written")
    asked = parser.parse_args()
    pools = {name: read_pool(name, asked.folder) for name in FITTED}
    for first, said in ((0, "even"), (1, "odd")):
        trees = fit([pool.half(first) for pool in pools.values()])
        if first == 0 and asked.to:
            write(trees, asked.to)
        for name, pool in pools.items():
            other = pool.half(1 - first)
            before, after = other.recall(None), other.recall(trees)
            print(f"fitted on {said}: {name}, the other half: {before:.2f} -> {after:.2f}", flush=True)


if __name__ == "__main__":
    main()
