"""Are questions about the whole library distinguished from all others: `python -m bench.library_overview`.

Fifty-six questions a half, half of them about the library as a whole, each with what it asks of it, the
others near misses of the same words; two in seven are Chinese. `look` may be looked at; `report` is only
scored. With --store a library is asked, too: what an answer takes, and calls of a model (there are none).
"""

import argparse
import json
import os
from collections import Counter
from pathlib import Path

from bench.answers import over
from core.domain import Level
from core.text.library_questions import requested_aspects

HERE = Path(__file__).parent / "library_questions"


def measure(file: Path, *, say: bool) -> Counter[str]:
    """Return how many questions are read as asked: of the whole library, with what of it, or of none."""
    counted: Counter[str] = Counter()
    for row in map(json.loads, file.read_text("utf-8").splitlines()):
        found, wanted = requested_aspects(row["question"]), row["asks"]
        kind = "whole" if wanted is not None else "other"
        outcome = "told" if (found is not None) == (wanted is not None) else "missed"
        if wanted is not None and found is not None and set(wanted) - {"count"} != found - {"count"}:
            outcome = "told, with another aspect"
        counted[f"{kind} {outcome}"] += 1
        if say and outcome != "told":
            print(kind, outcome, row["question"], sorted(found) if found is not None else None, wanted)
    return counted


def main() -> None:
    """Print the counts of a half; with --store also what answers of that library cost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=["look", "report"], default="report")
    parser.add_argument("--store", type=Path, help="folder of a library, which is asked too")
    given = parser.parse_args()
    file = HERE / f"{given.half}.jsonl"
    print(given.half, dict(sorted(measure(file, say=given.half == "look").items())))
    if given.store is not None:
        asked(given.store, file)


def asked(folder: Path, file: Path) -> None:
    """Ask a library what its half holds and print levels, sentences, CPU seconds and calls of a model."""
    rows = [row for row in map(json.loads, file.read_text("utf-8").splitlines()) if row["asks"] is not None]
    levels: Counter[str] = Counter()
    sentences = calls = 0
    with over(folder) as assistant:
        assistant.questions.wait(assistant.questions.ask("What is in the library?"))
        began = os.times()
        for row in rows:
            run = assistant.questions.ask(row["question"])
            report = assistant.questions.wait(run)
            answered = report.level is Level.DIRECT and bool(report.sentences)
            levels["answered" if answered else "not answered"] += 1
            sentences += len(report.sentences)
            events = [stamped.event for stamped in assistant.questions.events(run)]
            calls += sum(call.engine not in ("", "built-in") for event in events for call in event.calls)
        spent = sum(os.times()[:2]) - sum(began[:2])
    print(
        dict(levels), f"{sentences} sentences, {spent / len(rows):.2f} CPU s each, {calls} calls of a model"
    )


if __name__ == "__main__":
    main()
