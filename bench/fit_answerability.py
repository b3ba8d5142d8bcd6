"""Fits the weights by which the built-in engine knows whether a piece answers a question.

Logistic regression over the signals of `core/llm/builtin/answer/scorer.py`, one row a piece that could be
quoted. Questions: MuSiQue's single steps and HotpotQA (English), XQuAD (Chinese), and with `--pieces FILE`
the odd ids of `answers/` as `python -m bench.answers --pieces FILE` writes their evidence. Every question is
asked twice: of the passages that BM25 finds, and of the same without the gold ones, where nothing answers it.
Right is a piece of a gold passage that holds the answer. A third of the public questions, by a hash of the
id, is held out; all figures are of those.

Usage: python -m bench.fit_answerability [--pieces FILE] [--most 400] [--write]
"""

import argparse
import json
import pickle
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi
from sklearn.linear_model import LogisticRegression

from bench.data import bench_data
from core.domain import Evidence
from core.llm.builtin.answer import scorer as scoring
from core.llm.builtin.answer.asked import read
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.scorer import SIGNALS, Scorer
from core.llm.builtin.answer.word_matching import Meaning
from core.llm.embedders import PackagedEmbedder
from core.text.tokens import content_words

FOUND = 6  # passages a question reads
PRECISION = 0.85  # of what is told, on what was not fitted


@dataclass(frozen=True)
class Case:
    """A question with its evidence and the answers a right piece holds; `gold` are evidence numbers."""

    id: str
    group: str
    question: str
    evidence: tuple[Evidence, ...]
    answers: tuple[str, ...]
    gold: frozenset[int] | None  # None: any piece may be right
    every: bool = False  # a right piece holds all of the answers

    @property
    def held_out(self) -> bool:
        """Say whether the case is kept for reporting."""
        return zlib.crc32(self.id.encode()) % 3 == 0


def main() -> None:
    """Fit, report, and with --write replace the weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--pieces", type=Path)
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    scorer = Scorer(Meaning(PackagedEmbedder(bf16=None).embed))
    cases = [*public(given.most), *(own(given.pieces) if given.pieces else ())]
    rows = [row for case in cases for row in rows_of(scorer, case)]
    model = fitted([row for row in rows if not row.case.held_out])
    told = report(model, rows)
    held = {
        "bias": round(float(model.intercept_[0]), 4),
        "signals": {name: round(float(w), 4) for name, w in zip(SIGNALS, model.coef_[0], strict=True)},
        "told": round(told, 3),
        "shown": 0.02,
    }
    print(json.dumps(held, indent=1))
    if given.write:
        Path(scoring.__file__).with_name("weights.json").write_text(
            json.dumps(held, indent=1) + "\n", "utf-8"
        )


@dataclass(frozen=True)
class Row:
    """One piece of a case: its signals and whether it is right."""

    case: Case
    signals: tuple[float, ...]
    right: bool
    text: str = ""


def rows_of(scorer: Scorer, case: Case) -> list[Row]:
    """Return a row for each piece of the case that the scorer weighs."""
    asked = read(case.question)
    return [
        Row(
            case,
            tuple(one.signals[name] for name in SIGNALS),
            is_right(case, one.unit.evidence.n, one.unit.text),
            one.unit.text,
        )
        for one in scorer.score(asked, units(case.evidence))
    ]


def is_right(case: Case, number: int, text: str) -> bool:
    """Say whether a piece answers: from a gold passage, with the answer in it."""
    if case.gold is not None and number not in case.gold and not (case.answers and len(case.answers[0]) > 8):
        return False  # a long answer is one wherever it stands
    found = [plain(answer) in plain(text) for answer in case.answers]
    return bool(found) and (all(found) if case.every else any(found))


def plain(text: str) -> str:
    """Return the text as it is compared: no punctuation, no case, Chinese signs run together."""
    low = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower())
    words = re.findall(r"[\w.%]+", re.sub(r"[.](?=\s|$)", " ", low))
    joined = " ".join(words)
    return joined if any("\u4e00" <= sign <= "\u9fff" for sign in low) else f" {joined} "


def fitted(rows: Sequence[Row]) -> LogisticRegression:
    """Return the regression; every question weighs the same, and the groups together too."""
    sizes: dict[str, int] = {}
    questions: dict[str, set[str]] = {}
    for row in rows:
        sizes[row.case.id] = sizes.get(row.case.id, 0) + 1
        questions.setdefault(row.case.group, set()).add(row.case.id)
    weigh = [1.0 / sizes[row.case.id] / len(questions[row.case.group]) for row in rows]
    scale = len(rows) / sum(weigh)
    model = LogisticRegression(C=3.0, max_iter=2000)
    model.fit(
        np.array([row.signals for row in rows]),
        [row.right for row in rows],
        sample_weight=[w * scale for w in weigh],
    )
    return model


def report(model: LogisticRegression, rows: Sequence[Row]) -> float:
    """Print precision and coverage of each group at falling thresholds; return the threshold to tell from."""
    groups: dict[str, dict[str, tuple[float, bool, bool]]] = {}
    chances = model.predict_proba(np.array([row.signals for row in rows]))[:, 1]
    answerable = {row.case.id for row in rows if row.right}
    for row, chance in zip(rows, chances, strict=True):
        if not row.case.held_out and row.case.group != "answers":
            continue
        best = groups.setdefault(row.case.group, {})
        if row.case.id not in best or best[row.case.id][0] < chance:
            best[row.case.id] = (float(chance), row.right, row.case.id in answerable)
    together = [one for best in groups.values() for one in best.values()]
    threshold = 0.9
    for name, best in [*((name, list(best.values())) for name, best in groups.items()), ("all", together)]:
        print(f"{name}: {len(best)} questions, {sum(one[2] for one in best)} with a right piece")
        for least in (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3):
            told = [one for one in best if one[0] >= least]
            right = sum(one[1] for one in told)
            precision = right / max(1, len(told))
            coverage = right / max(1, sum(one[2] for one in best))
            refused = sum(one[0] < least for one in best if not one[2]) / max(
                1, sum(not one[2] for one in best)
            )
            print(f"  {least:.1f}  precision {precision:.2f}  coverage {coverage:.2f}  refused {refused:.2f}")
            if name == "all" and precision >= PRECISION:
                threshold = least
    return threshold


def public(most: int) -> Iterator[Case]:
    """Yield cases of the public sets: at most `most` questions each, with and without their gold passages."""
    yield from pooled(
        "xquad-zh", "zh/xquad_zh_corpus.jsonl", _plain_questions("zh/xquad_zh_questions.jsonl"), most
    )
    yield from pooled("musique", "musique/corpus.jsonl", _steps("musique/questions.jsonl"), most)


def own(path: Path) -> Iterator[Case]:
    """Yield the odd questions of `answers/` with the evidence they were given."""
    for question, evidence in pickle.loads(path.read_bytes()):
        if int(question["id"][1:]) % 2 and question["kind"] not in ("summary", "compare", "table_compute"):
            yield Case(
                question["id"], "answers", question["question"], evidence,
                tuple(question["answers"]), None, bool(question.get("all")),
            )  # fmt: skip


def pooled(
    group: str, corpus: str, questions: Sequence[tuple[str, str, tuple[str, ...], str]], most: int
) -> Iterator[Case]:
    """Yield each question over what BM25 finds for it in the pool, and over the same without the gold."""
    passages = [json.loads(line) for line in bench_data(*corpus.split("/")).open(encoding="utf-8")]
    index = BM25Okapi([content_words(f"{p['title']} {p['text']}") for p in passages])
    for number, question, answers, gold in questions[:most]:
        scores = index.get_scores(content_words(question))
        best = [passages[i] for i in np.argsort(-scores)[: FOUND + 1]]
        yield Case(
            f"{number}", group, question, _evidence(best[:FOUND]), answers, _numbers(best[:FOUND], gold)
        )
        rest = [p for p in best if p["id"] != gold]
        yield Case(f"{number}-", group, question, _evidence(rest[:FOUND]), (), frozenset())


def _numbers(passages: Sequence[dict[str, str]], gold: str) -> frozenset[int]:
    return frozenset(n for n, passage in enumerate(passages, 1) if passage["id"] == gold)


def _evidence(passages: Sequence[dict[str, str]]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(n=n, text=p["text"], source=p["title"], heading=(p["title"],))
        for n, p in enumerate(passages, 1)
    )


def _plain_questions(path: str) -> list[tuple[str, str, tuple[str, ...], str]]:
    held = [json.loads(line) for line in bench_data(*path.split("/")).open(encoding="utf-8")]
    picked = sorted(held, key=lambda q: zlib.crc32(q["id"].encode()))
    return [(q["id"], q["question"], tuple(q["answers"]), q["gold_ids"][0]) for q in picked]


def _steps(path: str) -> list[tuple[str, str, tuple[str, ...], str]]:
    """Return MuSiQue's single steps that are questions and refer to no other step."""
    found: dict[str, tuple[str, str, tuple[str, ...], str]] = {}
    for line in bench_data(*path.split("/")).open(encoding="utf-8"):
        whole = json.loads(line)
        for step in whole.get("decomposition", ()):
            text = step["question"]
            if "#" not in text and ">>" not in text and step.get("gold_id") and step.get("answer"):
                found.setdefault(
                    text, (f"{whole['id']}-{step['id']}", text, (step["answer"],), step["gold_id"])
                )
    return list(found.values())


if __name__ == "__main__":
    main()
