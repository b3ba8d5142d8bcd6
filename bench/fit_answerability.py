"""Fits the weights by which the built-in engine knows whether a piece answers a question.

Logistic regression over the signals of `core/llm/builtin/answer/scorer.py`, one row a piece that could be
told. Questions: MuSiQue's single steps (English), XQuAD (Chinese), each asked twice, of the passages BM25
finds and of the same without the gold one, where nothing answers it; and questions over real documents: the
odd ids of `answers/`, and further files of the same form. Their evidence is found by the product's own search
(`bench.answers`) and kept beside the library. Right is a piece whose telling holds what is accepted.

What is reported is not what was fitted: each tenth of the documents, by a hash of their names, is asked of a
fit on all others. The threshold is the lowest from which precision over real documents is as wished.

    python -m bench.fit_answerability                    figures and the curve
    python -m bench.fit_answerability --write            ... and replaces the weights
    python -m bench.fit_answerability --more FILE        with further questions over the same documents
    python -m bench.fit_answerability --more FILE=DIR    ... over the documents of a library of one's own
"""

import argparse
import json
import re
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from bench.answers import Pieces, evidence_of
from bench.data import bench_data
from core.domain import Evidence
from core.evaluation.selective_answers import AnswerQuestion, Parity
from core.llm.builtin.answer import scorer as scoring
from core.llm.builtin.answer.admission import admissible
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.quoting import answer_sentences
from core.llm.builtin.answer.scorer import SIGNALS, Scorer
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.span_extractor import packaged_reader
from core.text.tokens import content_words

MAX_PASSAGES = 6  # passages a public question reads
REAL_DOCUMENT_WEIGHT = 10.0  # what a question over real documents weighs, against 1 for a public one
INVERSE_REGULARISATION = 0.03  # inverse of the regularisation
MIN_PRECISION = 0.85  # of what is answered, on what was not fitted
STEPS = (0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A question with its evidence; `gold` are the numbers of the pieces that may be right, None for any."""

    group: str
    question: AnswerQuestion
    evidence: tuple[Evidence, ...]
    gold: frozenset[int] | None = None

    @property
    def key(self) -> str:
        """Name the case: the same question with and without its answer are two."""
        return f"{self.group} {self.question.id} {len(self.question.answers)}"

    @property
    def fold(self) -> int:
        """Return to which tenth of the cases it belongs: questions of one document are never parted."""
        return zlib.crc32((self.question.doc or self.question.id).encode()) % 10


@dataclass(frozen=True)
class Row:
    """One piece of a case that may be the answer: its signals, and whether that is right."""

    case: Case
    signals: tuple[float, ...]
    right: bool


def main() -> None:
    """Fit, report, and with --write replace the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--more", action="append", default=[], help="JSONL as of answers/, FILE or FILE=DIR")
    parser.add_argument("--most", type=int, default=150, help="questions of each public set")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "strata-bench" / "answers"
    )
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    scorer = Scorer(Meaning(PackagedEmbedder()), packaged_reader())
    cases = [*public(given.most), *own(given.folder, given.more)]
    rows = [row for case in cases for row in rows_of(scorer, case)]
    threshold = report(cases, rows)
    scale, model = fitted(rows)
    weights = model.coef_[0] / scale.scale_
    held = {
        "bias": round(float(model.intercept_[0] - weights @ scale.mean_), 4),
        "signals": {name: round(float(w), 4) for name, w in zip(SIGNALS, weights, strict=True)},
        "threshold": threshold,
    }
    text = json.dumps(held, indent=1) + "\n"
    print(text)
    if given.write:
        Path(scoring.__file__).with_name("piece_weights.json").write_text(text, "utf-8")


def rows_of(scorer: Scorer, case: Case) -> list[Row]:
    """Return a row for each piece of the case that may be the answer."""
    asked = read(case.question.question)
    rows = []
    for one in scorer.score(asked, units(case.evidence)):
        if not admissible(asked, one):
            continue
        text = " ".join(sentence.text for sentence in answer_sentences(asked, one)).replace("**", "")
        where = case.gold is None or one.unit.evidence.n in case.gold
        right = where and case.question.appears_in(text)
        rows.append(Row(case, tuple(one.signals[name] for name in SIGNALS), right))
    return rows


def fitted(rows: Sequence[Row]) -> tuple[StandardScaler, LogisticRegression]:
    """Return scaling and regression; the pieces of a question share its weight."""
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row.case.key] = sizes.get(row.case.key, 0) + 1
    weigh = [
        (REAL_DOCUMENT_WEIGHT if row.case.group == "answers" else 1.0) / sizes[row.case.key] for row in rows
    ]
    scale = StandardScaler()
    signals = scale.fit_transform(np.array([row.signals for row in rows]))
    model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=3000)
    model.fit(signals, [row.right for row in rows], sample_weight=np.array(weigh) * 5)
    return scale, model


def chances(rows: Sequence[Row]) -> Floats:
    """Return each row's chance by a fit that saw no document of its tenth."""
    found = np.zeros(len(rows))
    for fold in range(10):
        inside = [at for at, row in enumerate(rows) if row.case.fold == fold]
        scale, model = fitted([row for row in rows if row.case.fold != fold])
        if inside:
            signals = scale.transform(np.array([rows[at].signals for at in inside]))
            found[inside] = model.predict_proba(signals)[:, 1]
    return found


def report(cases: Sequence[Case], rows: Sequence[Row]) -> float:
    """Print precision and coverage of each group at falling thresholds; return the one to tell from."""
    best: dict[str, tuple[float, bool]] = {}
    for row, chance in zip(rows, chances(rows), strict=True):
        if row.case.key not in best or best[row.case.key][0] < chance:
            best[row.case.key] = (float(chance), row.right)
    threshold = max(STEPS)
    for group in sorted({case.group for case in cases}):
        asked = [case for case in cases if case.group == group]
        answerable = sum(bool(case.question.answers) for case in asked)
        print(f"{group}: {len(asked)} questions, {answerable} answerable")
        for least in STEPS:
            held = [best[case.key] for case in asked if best.get(case.key, (0.0, False))[0] >= least]
            right = sum(one[1] for one in held)
            precision, coverage = right / max(1, len(held)), right / max(1, answerable)
            print(f"  {least:.2f}  told {len(held):3}  precision {precision:.2f}  coverage {coverage:.2f}")
            if group == "answers" and held and precision >= MIN_PRECISION:
                threshold = least
    return threshold


def own(folder: Path, more: Sequence[str]) -> Iterator[Case]:
    """Yield the odd questions of `answers/`, and those of further files, with what the search finds."""
    for named in (str(bench_data("answers", "answers.jsonl")), *more):
        name, _, library = named.partition("=")
        file = Path(name)
        kept = folder.with_name(f"{folder.name}-{file.stem}.jsonl")
        if not kept.is_file():
            parity: Parity | None = "odd" if file.parent.name == "answers" else None
            evidence_of(Path(library) if library else folder, file, parity, kept, not library)
        for line in kept.open(encoding="utf-8"):
            piece = Pieces.model_validate_json(line)
            if not any(one.kind == "result" for one in piece.evidence):
                yield Case("answers", piece.question, piece.evidence)


def public(most: int) -> Iterator[Case]:
    """Yield cases of the public sets: at most `most` questions each, with and without their gold passages."""
    yield from pooled(
        "xquad-zh", "zh/xquad_zh_corpus.jsonl", _plain_questions("zh/xquad_zh_questions.jsonl"), most
    )
    yield from pooled("musique", "musique/corpus.jsonl", _steps("musique/questions.jsonl"), most)


def pooled(
    group: str, corpus: str, questions: Sequence[tuple[str, str, tuple[str, ...], str]], most: int
) -> Iterator[Case]:
    """Yield each question over what BM25 finds for it in the pool, and over the same without the gold."""
    passages = [json.loads(line) for line in bench_data(*corpus.split("/")).open(encoding="utf-8")]
    index = BM25Okapi([content_words(f"{p['title']} {p['text']}") for p in passages])
    for number, question, answers, gold in questions[:most]:
        scores = index.get_scores(content_words(question))
        best = [passages[i] for i in np.argsort(-scores)[: MAX_PASSAGES + 1]]
        known = AnswerQuestion(id=number, question=question, answers=answers, all=False)
        numbers = frozenset(n for n, passage in enumerate(best[:MAX_PASSAGES], 1) if passage["id"] == gold)
        yield Case(group, known, _evidence(best[:MAX_PASSAGES]), numbers)
        rest = [passage for passage in best if passage["id"] != gold]
        yield Case(
            group, known.model_copy(update={"answers": ()}), _evidence(rest[:MAX_PASSAGES]), frozenset()
        )


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
            if not re.search("#|>>", text) and step.get("gold_id") and step.get("answer"):
                known = (f"{whole['id']}-{step['id']}", text, (step["answer"],), step["gold_id"])
                found.setdefault(text, known)
    return list(found.values())


if __name__ == "__main__":
    main()
