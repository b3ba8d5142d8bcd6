"""Do paraphrases of a corrected question find its answer, and near misses not: `python -m bench.paraphrases`.

Sixty questions written by hand, each with three paraphrases and two questions that only look alike, in two
halves: the threshold was set by `look`, `report` is what it was not set by. Each variant is compared with all
questions of its half, as if all of them had been corrected.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from core.llm.builtin.same_question import SameQuestion
from core.llm.embedders import PackagedEmbedder

FOLDER = Path(__file__).parent / "paraphrase_questions"


def measure(half: str, language: str) -> Counter[str]:
    """Return how often a paraphrase or a near miss found its question, another one, or none."""
    lines = (FOLDER / f"{half}.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["lang"] == language]
    same = SameQuestion(PackagedEmbedder())
    held = [row["question"] for row in rows]
    counted: Counter[str] = Counter()
    for place, row in enumerate(rows):
        for kind in ("paraphrases", "near"):
            for variant in row[kind]:
                found = same.find(variant, held)
                told = "none" if found is None else "found" if found == place else "other"
                counted[f"{kind} {told}"] += 1
    return counted


def main() -> None:
    """Print the counts of a half, by language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=["look", "report"], default="report")
    given = parser.parse_args()
    for language in ("en", "zh"):
        print(given.half, language, dict(sorted(measure(given.half, language).items())))


if __name__ == "__main__":
    main()
