"""Is the question that was verified offered for its paraphrases, first: `python -m bench.paraphrases`.

Sixty questions written by hand, each with three paraphrases and two questions that only look alike, in two
halves: the rules were made on `look`. Each variant is compared with all questions of its half, as if all of
them had been verified. A near miss that is offered is read by somebody before it is asked; none is an answer.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from core.llm.builtin.questions.similar_questions import SimilarQuestions
from core.llm.encoders.embedders import PackagedEmbedder

FOLDER = Path(__file__).parent / "paraphrase_questions"


def measure(half: str, language: str) -> Counter[str]:
    """Return for how many variants their question is offered first, another one, or none."""
    lines = (FOLDER / f"{half}.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["lang"] == language]
    same = SimilarQuestions(PackagedEmbedder())
    held = [row["question"] for row in rows]
    counted: Counter[str] = Counter()
    for place, row in enumerate(rows):
        for kind in ("paraphrases", "near"):
            for variant in row[kind]:
                offered = same.alike(variant, held)
                outcome = "none" if not offered else "first" if offered[0] == place else "other"
                counted[f"{kind} {outcome}"] += 1
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
