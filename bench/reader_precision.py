"""The reader's networks in float32, bfloat16 and int8: `python -m bench.reader_precision`.

Questions of a pool are read beside their own passages and as many that follow these in the corpus. Processor
seconds a question (in turns, so that other work on the machine meets all alike), how far the chance that a
passage holds the answer is from float32 (mean, and the furthest), how often the likeliest answer is the same
where float32 gives it a chance of 0.3 or more, and how well the chance parts the passages that belong to the
question from the others (AUROC).
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import get_args

import numpy as np
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from bench.data import bench_data
from bench.retrieval import POOLS
from core.evaluation.retrieval_scores import read_questions, read_records
from core.llm.builtin.answer.passage_readings import span_chance
from core.llm.encoders.precision import Precision
from core.llm.encoders.span_extractor import AnswerSpan, SpanExtractor

BESIDE = 5  # passages beside those that belong to a question
LIKELY = 0.3
Asked = tuple[str, list[str], list[bool]]  # question, passages, which of them belong to it


def questions_of(pool: str, most: int) -> list[Asked]:
    """Return questions with their own passages and some that follow them in the corpus."""
    corpus, questions = (bench_data(name) for name in POOLS[pool][:2])
    records = read_records(corpus)
    texts = [f"{row['title']}\n{row['text']}" for row in records]
    places = {str(row["id"]): at for at, row in enumerate(records)}
    asked = []
    for question in read_questions(questions)[:most]:
        own = sorted(places[one] for one in question.gold)
        beside = [at % len(texts) for at in range(own[-1] + 1, own[-1] + 1 + BESIDE)]
        every = dict.fromkeys([*own, *beside])
        asked.append((question.text, [texts[at] for at in every], [at in own for at in every]))
    return asked


def main() -> None:
    """Read the same in each format and print a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pool", choices=POOLS, default="2wiki")
    parser.add_argument("--questions", type=int, default=100)
    given = parser.parse_args()
    asked = questions_of(given.pool, given.questions)
    readers: dict[str, SpanExtractor] = {name: SpanExtractor(name) for name in get_args(Precision)}
    seconds: dict[str, float] = defaultdict(float)
    spans: dict[str, list[AnswerSpan | None]] = defaultdict(list)
    for reader in readers.values():
        reader.read("Which model is loaded before it is timed?", ["All of them."])
    for question, passages, _ in asked:
        for name, reader in readers.items():
            began = time.process_time()
            read = reader.read(question, passages)
            seconds[name] += time.process_time() - began
            spans[name] += [one.best() for one in read]
    belongs = [each for _, _, own in asked for each in own]
    print(f"{given.pool}: {len(asked)} questions, {len(belongs)} passages")
    print("| | s a question | chance from float32 | furthest | same answer | AUROC |\n" + "|---" * 6 + "|")
    for name in readers:
        row = compared(spans["float32"], spans[name])
        auroc = roc_auc_score(belongs, [span_chance(one) for one in spans[name]])
        print(
            f"| {name} | {seconds[name] / len(asked):.3f} | "
            + " | ".join(f"{v:.3f}" for v in (*row, auroc))
            + " |"
        )


def compared(
    exact: Sequence[AnswerSpan | None], spans: Sequence[AnswerSpan | None]
) -> tuple[float, float, float]:
    """Return mean and greatest difference of the chances, and which share of likely answers is the same."""
    apart = np.array([abs(span_chance(a) - span_chance(b)) for a, b in zip(exact, spans, strict=True)])
    same = [
        b is not None and (a.start, a.end) == (b.start, b.end)
        for a, b in zip(exact, spans, strict=True)
        if a is not None and span_chance(a) >= LIKELY
    ]
    return float(apart.mean()), float(apart.max()), float(np.mean(same))


if __name__ == "__main__":
    main()
