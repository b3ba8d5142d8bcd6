"""Does a correction answer its question in other words, and nothing else: `python -m bench.corrections`.

Thirty questions about public documents, each with three paraphrases and a near miss written by hand, in two
halves: the rules were made on `look` and are reported on `report`. Each variant is compared with all
corrections of its half; one that fits several is answered by none. `--questions paraphrase_questions` takes
the sixty of `bench.paraphrases`, with two near misses each.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from core.llm.builtin.questions.equivalent_questions import are_equivalent

HERE = Path(__file__).parent


def measure(file: Path) -> Counter[str]:
    """Return how many variants are answered by their own correction, by another, or by none."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    held = [row["question"] for row in rows]
    counted: Counter[str] = Counter()
    for place, row in enumerate(rows):
        for kind in ("paraphrases", "near"):
            for variant in row[kind]:
                found = [at for at, question in enumerate(held) if are_equivalent(variant, question)]
                outcome = "none" if len(found) != 1 else "own" if found == [place] else "other"
                counted[f"{kind} {outcome}"] += 1
                if kind == "near" and outcome != "none":
                    print("passed wrongly:", variant)
    return counted


def main() -> None:
    """Print the counts of a half."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=["look", "report"], default="report")
    parser.add_argument("--questions", default="corrected_questions", help="folder beside this script")
    given = parser.parse_args()
    print(given.half, dict(sorted(measure(HERE / given.questions / f"{given.half}.jsonl").items())))


if __name__ == "__main__":
    main()
