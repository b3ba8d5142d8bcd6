"""How far a judge of answers agrees with grades given by hand: `python -m bench.judge_agreement`.

Sixty answers to questions of HotpotQA and 2Wiki, each graded by hand (`judged_answers/`; the first line
of the file says by whom, and which of them the engine gave and which were written). `--judge MODEL` asks your
server. Told are the share of equal grades, Cohen's kappa (Cohen 1960) of three grades and of right against
the rest, and the answers on which the two differ.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.data import bench_data
from core.bootstrap.model_wiring import judge_of
from core.evaluation.answer_judge import AnswerJudge
from core.evaluation.answer_log import StoredAnswer
from core.settings import Settings

Row = dict[str, Any]
LABELS = Path(__file__).parent / "judged_answers" / "labels.jsonl"


def kappa(one: Sequence[object], other: Sequence[object]) -> float:
    """Return Cohen's kappa of two gradings of the same things; 1 where neither could differ."""
    share = sum(a == b for a, b in zip(one, other, strict=True)) / len(one)
    counts, others = Counter(one), Counter(other)
    chance = sum(counts[grade] * others[grade] for grade in counts) / len(one) ** 2
    return (share - chance) / (1 - chance) if chance < 1 else 1.0


def labels(path: Path = LABELS) -> list[Row]:
    """Return the graded answers with question and gold answers of the evaluation data."""
    rows = _read(path)[1:]
    pools = {str(row["pool"]) for row in rows}
    asked = {
        (pool, question["id"]): question
        for pool in pools
        for question in _read(bench_data(pool, "questions.jsonl"))
    }
    found = []
    for row in rows:
        question = asked[row["pool"], row["id"]]
        golds = (question["answer"], *(question.get("answer_aliases") or ()))
        found.append({**row, "question": question["question"], "golds": golds})
    return found


def _read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Print the agreement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judge", default="built-in", metavar="MODEL")
    parser.add_argument("--labels", type=Path, default=LABELS)
    given = parser.parse_args()
    llm = judge_of(Settings.load(), given.judge)
    if llm is None:
        sys.exit("no model server is set: OLLAMA_HOST")
    judge = AnswerJudge(llm, given.judge)
    by_hand, judged = [], []
    for number, row in enumerate(labels(given.labels)):
        asked = StoredAnswer(
            key=str(number), question=row["question"], golds=row["golds"], answer=row["answer"]
        )
        judgement = judge.judge(asked).judged[given.judge]
        by_hand.append(row["grade"])
        judged.append(judgement.grade)
        if judgement.grade != row["grade"]:
            print(f"{row['grade']} by hand, {judgement.grade}: {row['answer']!r} for {row['golds'][0]!r}")
    right = [grade == "right" for grade in by_hand], [grade == "right" for grade in judged]
    for name, one, other in (("three grades", by_hand, judged), ("right or not", *right)):
        same = sum(a == b for a, b in zip(one, other, strict=True)) / len(one)
        print(f"{name}: equal {same:.3f}, kappa {kappa(one, other):.3f}, n {len(one)}")


if __name__ == "__main__":
    main()
