"""Scores the gate and the planner of the built-in engine on public questions, per data set.

    python -m bench.gate_plan [--json] [--data FOLDER]

Gate: accuracy per data set (style is no signal, so an overall figure would flatter); over all questions and
over the half its weights were not fitted on; `sure`: how often the rule is sure enough that balanced effort
asks no model, and how often it is right then.
Plan: share of questions with the gold number of parts (`accuracy`; `capped` counts gold plans of more
than five parts as five), mean absolute error of that number, F1 of the dependency edges; each beside the
same for splitting at "and".
"""

import argparse
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.data import data_folder
from core.answering.understand import PLAN_CERTAINTY
from core.llm.builtin import BuiltinLLM
from core.tasks import Understand, Understood

MAX_PARTS = 5
FITTED_PARITY = 0  # questions at even places are those bench/fit_gate.py fits on
SETS = ("musique", "fanoutqa_dev", "strategyqa", "break_qdmr_highlevel_dev")
PAIRS = {"musique pair": ("musique", "musique_single_hop"), "fanoutqa pair": ("fanoutqa", "fanoutqa_leaf")}

Edges = frozenset[tuple[int, int]]
Shape = tuple[int, Edges]


def rows(path: Path) -> Iterator[dict[str, object]]:
    """Yield the objects of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def score_gate(path: Path, engine: BuiltinLLM) -> dict[str, object]:
    """Return accuracy overall, per data set, per pair, where it is sure, and milliseconds a question."""
    every: list[tuple[str, bool, float]] = []
    started = time.perf_counter()
    for row in rows(path):
        reply = engine.run(Understand(question=str(row["question"])), Understood)
        right = reply.composite == (row["label"] == "composite")
        every.append((str(row["dataset"]), right, reply.certainty))
    seconds = time.perf_counter() - started
    right_of: dict[str, list[bool]] = defaultdict(list)
    held_out: dict[str, list[bool]] = defaultdict(list)
    for place, (name, right, _) in enumerate(every):
        right_of[name].append(right)
        if place % 2 != FITTED_PARITY:
            held_out[name].append(right)
    pairs = {name: [h for key in keys for h in right_of.get(key, [])] for name, keys in PAIRS.items()}
    sure = [right for _, right, certainty in every if certainty >= PLAN_CERTAINTY]
    return {
        "accuracy": _mean([right for _, right, _ in every]),
        "not_fitted": _mean([hit for hits in held_out.values() for hit in hits]),
        "datasets": {name: _mean(hits) for name, hits in sorted(right_of.items())},
        "datasets_not_fitted": {name: _mean(hits) for name, hits in sorted(held_out.items())},
        "pairs": {name: _mean(hits) for name, hits in pairs.items() if hits},
        "sure": {"share": round(len(sure) / max(1, len(every)), 4), "accuracy": _mean(sure)},
        "ms": round(1000 * seconds / max(1, len(every)), 3),
    }


def gold_shape(row: dict[str, object]) -> Shape:
    """Return the number of parts and the edges (part, part it depends on) of a gold decomposition."""
    parts = row["sub_questions"]
    assert isinstance(parts, list)
    return len(parts), frozenset((part["id"], need) for part in parts for need in part["depends_on"])


def planned_shape(question: str, engine: BuiltinLLM) -> Shape:
    """Return the shape of the built-in engine's plan."""
    parts = engine.run(Understand(question=question, most=MAX_PARTS), Understood).parts
    return len(parts), frozenset((part.id, need) for part in parts for need in part.depends_on)


def split_shape(question: str) -> Shape:
    """Return the shape of the baseline: one part for each piece between "and"s, none depending on another."""
    return min(MAX_PARTS, len(re.split(r"\band\b|以及|和|与", question))), frozenset()


def score_plan(path: Path, shape_of: Callable[[str], Shape]) -> dict[str, float]:
    """Return accuracy and error of the number of parts, and edge F1 (micro), over one file."""
    exact, capped, errors = [], [], []
    both = mine = theirs = 0
    for row in rows(path):
        count, edges = shape_of(str(row["question"]))
        gold_count, gold_edges = gold_shape(row)
        exact.append(count == gold_count)
        capped.append(count == min(MAX_PARTS, gold_count))
        errors.append(abs(count - gold_count))
        both += len(edges & gold_edges)
        mine += len(edges)
        theirs += len(gold_edges)
    f1 = 2 * both / (mine + theirs) if mine + theirs else 0.0
    return {"accuracy": _mean(exact), "capped": _mean(capped), "mae": _mean(errors), "edge_f1": round(f1, 4)}


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def main(arguments: Sequence[str] | None = None) -> dict[str, object]:
    """Print the scores and return them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--data", type=Path, default=data_folder())
    options = parser.parse_args(arguments)
    engine = BuiltinLLM()
    files = {name: options.data / "decomposition" / f"{name}.jsonl" for name in SETS}
    result: dict[str, object] = {
        "gate": score_gate(options.data / "gate" / "questions.jsonl", engine),
        "plan": {name: score_plan(path, lambda q: planned_shape(q, engine)) for name, path in files.items()},
        "split_on_and": {name: score_plan(path, split_shape) for name, path in files.items()},
    }
    print(
        json.dumps(result, ensure_ascii=False)
        if options.json
        else json.dumps(result, indent=2, ensure_ascii=False)
    )
    return result


if __name__ == "__main__":
    main()
