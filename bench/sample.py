"""Cut a pool to a sample that is read in quickly: `python -m bench.sample --pool musique --to FOLDER`.

Questions at even steps; their gold passages and others at even steps up to the number named. Such a pool is
easier than the whole one.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from bench.data import bench_data

Row = dict[str, Any]


def even(rows: list[Row], count: int) -> list[Row]:
    """Return so many rows at even steps; all where there are no more."""
    count = min(count, len(rows))
    return [rows[place * len(rows) // count] for place in range(count)]


def sample(questions: list[Row], corpus: list[Row], asked: int, passages: int) -> tuple[list[Row], list[Row]]:
    """Return the questions and the passages of the sample, in their order in the pool."""
    chosen = even(questions, asked)
    gold = {name for question in chosen for name in question["gold_ids"]}
    others = even([row for row in corpus if row["id"] not in gold], max(0, passages - len(gold)))
    kept = gold | {row["id"] for row in others}
    return chosen, [row for row in corpus if row["id"] in kept]


def _read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _write(path: Path, rows: list[Row]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def main() -> None:
    """Write questions.jsonl and corpus.jsonl into a folder named like the pool."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pool", required=True)
    parser.add_argument("--to", required=True, type=Path)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--passages", type=int, default=700)
    given = parser.parse_args()
    source, target = bench_data(given.pool), given.to / given.pool
    target.mkdir(parents=True, exist_ok=True)
    questions, corpus = sample(
        _read(source / "questions.jsonl"), _read(source / "corpus.jsonl"), given.questions, given.passages
    )
    _write(target / "questions.jsonl", questions)
    _write(target / "corpus.jsonl", corpus)
    print(target, len(questions), "questions,", len(corpus), "passages")


if __name__ == "__main__":
    main()
