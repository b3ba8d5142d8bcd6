"""Fits the weights by which the built-in engine knows whether a passage holds the answer.

Logistic regression over the signals of `core/llm/builtin/answer/answer_confidence.py`, one row a candidate.
Questions: the odd ids of `answers/` and further files of the same form over documents of their own, with the
evidence that the product's search finds for them, as `bench.answers --evidence` writes it.
Right is a candidate whose quotation, with the sentences around it, holds what is accepted.

Passages that are shown where nothing is answered are ordered by pairwise logistic regression (RankNet, ICML
2005, with a linear scorer) over that confidence and the search's score and place: one that holds what is
accepted, in its document, is better than each that does not.

What is reported is not what was fitted: a tenth of the documents, by a hash of their names, is asked of a fit
on all others. The threshold is the lowest from which precision is as wished.

    python -m bench.fit_answer_confidence KEPT.jsonl ...            figures and the curve
    python -m bench.fit_answer_confidence KEPT.jsonl ... --write    ... and replaces the weights
"""

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from bench.answers import Pieces
from core.domain import Evidence
from core.evaluation.selective_answers import DEPTHS, LOOKED_UP, AnswerQuestion
from core.llm.builtin.answer import answer_confidence
from core.llm.builtin.answer.answer_confidence import (
    CONFIDENCE_SIGNALS,
    PASSAGE_SIGNALS,
    confidence_signals,
    may_answer,
    passage_signals,
)
from core.llm.builtin.answer.answer_confidence import candidates as likely
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.fitted_weights import piece_weights
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.quoting import passage_quote
from core.llm.builtin.answer.scorer import Scorer
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.span_extractor import packaged_reader

INVERSE_REGULARISATION = 0.03  # inverse of the regularisation
MIN_PRECISION = 0.8  # of what is answered, of documents that were not fitted
FOLDS = 10
ADMITTED, CHANCE = CONFIDENCE_SIGNALS.index("admitted"), CONFIDENCE_SIGNALS.index("chance")
Floats = NDArray[np.float64]
Fit = tuple[StandardScaler, LogisticRegression]
STEPS = (0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4)


@dataclass(frozen=True)
class Asked:
    """A question with its candidates: signals (n, len(CONFIDENCE_SIGNALS)), which hold the answer (n), which
    may be told (n), the numbers of their passages (n); and its evidence."""

    question: AnswerQuestion
    signals: Floats
    right: NDArray[np.bool_]
    may: NDArray[np.bool_]
    passages: tuple[int, ...]
    evidence: tuple[Evidence, ...]

    @property
    def fold(self) -> int:
        """Return to which tenth it belongs: questions of one document are never parted."""
        return zlib.crc32((self.question.doc or self.question.id).encode()) % FOLDS


def main() -> None:
    """Fit, report, and with --write replace the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kept", nargs="+", type=Path, help="evidence kept by bench.fit_answerability")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    scorer = Scorer(Meaning(PackagedEmbedder()), packaged_reader())
    asked = [one for file in given.kept for one in candidates(scorer, file)]
    threshold = report(asked)
    report_order(asked)
    held = {
        **weights_of(*fitted(asked)),
        "threshold": threshold,
        "passage": fitted_order(asked, fitted(asked)),
    }
    if given.write:
        path = Path(answer_confidence.__file__).with_name("answer_confidence.json")
        path.write_text(json.dumps(held, indent=1) + "\n", "utf-8")


def candidates(scorer: Scorer, file: Path) -> Iterator[Asked]:
    """Yield the questions of a file that no query answered."""
    for line in file.open(encoding="utf-8"):
        held = Pieces.model_validate_json(line)
        if any(piece.kind == "result" for piece in held.evidence):
            continue
        asked = read(held.question.question)
        scored = scorer.score(asked, units(held.evidence))
        may = [one for one in scored if may_answer(asked, one)]
        found = likely(may)
        found += [one for one in likely(scored) if not any(one is other for other in found)]
        rows = [confidence_signals(asked, one, scored, held.evidence) for one in found]
        texts = [" ".join(s.text for s in passage_quote(asked, one)).replace("**", "") for one in found]
        yield Asked(
            held.question,
            np.array([[row[name] for name in CONFIDENCE_SIGNALS] for row in rows]).reshape(
                -1, len(CONFIDENCE_SIGNALS)
            ),
            np.array([held.question.appears_in(text) for text in texts], bool),
            np.array([any(one is other for other in may) for one in found], bool),
            tuple(one.unit.evidence.n for one in found),
            held.evidence,
        )


def fitted(asked: Sequence[Asked]) -> Fit:
    """Return scaling and regression; the candidates of a question that may be answered share its weight."""
    held = [one for one in asked if one.may.any()]
    signals = np.concatenate([one.signals[one.may] for one in held])
    right = np.concatenate([one.right[one.may] for one in held])
    weigh = np.concatenate([np.full(one.may.sum(), 1.0 / one.may.sum()) for one in held])
    scale = StandardScaler()
    model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=3000)
    model.fit(scale.fit_transform(signals), right, sample_weight=weigh)
    return scale, model


def weights_of(scale: StandardScaler, model: LogisticRegression) -> dict[str, object]:
    """Return the weights of the signals as they are, not scaled, and the bias."""
    worth = model.coef_[0] / scale.scale_
    return {
        "bias": round(float(model.intercept_[0] - worth @ scale.mean_), 4),
        "signals": {name: round(float(w), 4) for name, w in zip(CONFIDENCE_SIGNALS, worth, strict=True)},
    }


def chances_of(one: Asked, by: Fit) -> Floats:
    """Return how likely each candidate answers."""
    chances: Floats = by[1].predict_proba(by[0].transform(one.signals))[:, 1]
    return chances


def ordering(one: Asked, by: Fit) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the signals (m, len(PASSAGE_SIGNALS)) of the passages, and which hold what is accepted."""
    best: dict[int, float] = {}
    for n, chance in zip(one.passages, chances_of(one, by) if one.passages else (), strict=True):
        best[n] = max(best.get(n, 0.0), float(chance))
    signals = passage_signals(best, one.evidence)
    files = one.question.files
    right = [
        one.question.appears_in(piece.text) and (not files or piece.name in files) for piece in one.evidence
    ]
    rows = [[signals[piece.n][name] for name in PASSAGE_SIGNALS] for piece in one.evidence]
    return np.array(rows).reshape(-1, len(PASSAGE_SIGNALS)), np.array(right, bool)


def fitted_order(asked: Sequence[Asked], by: Fit) -> dict[str, float]:
    """Return the weights that order passages."""
    pairs, weigh = [], []
    for one in asked:
        signals, right = ordering(one, by)
        if one.question.kind in LOOKED_UP and right.any() and not right.all():
            found = [good - bad for good in signals[right] for bad in signals[~right]]
            pairs += found
            weigh += [1.0 / len(found)] * len(found)
    x, w = np.array(pairs), np.array(weigh)
    model = LogisticRegression(fit_intercept=False, max_iter=3000)
    model.fit(np.concatenate([x, -x]), np.repeat([1, 0], len(x)), sample_weight=np.concatenate([w, w]))
    return {name: round(float(w), 4) for name, w in zip(PASSAGE_SIGNALS, model.coef_[0], strict=True)}


def report_order(asked: Sequence[Asked]) -> None:
    """Print how many answers are in the first, first three, first ten passages, as the search returns them
    and as they are ordered, each tenth by a fit on the others."""
    found: dict[str, list[list[bool]]] = {"search": [], "ordered": []}
    for fold in range(FOLDS):
        others = [one for one in asked if one.fold != fold]
        by = fitted(others)
        weights = np.array(list(fitted_order(others, by).values()))
        for one in asked:
            if one.fold == fold and one.question.answers and one.question.kind in LOOKED_UP:
                signals, right = ordering(one, by)
                for name, order in (("search", right), ("ordered", right[np.argsort(-(signals @ weights))])):
                    found[name].append([bool(order[:depth].any()) for depth in DEPTHS])
    for name, rows in found.items():
        print(f"{name}: {len(rows)} look-ups, in the first {DEPTHS}: {np.mean(rows, axis=0).round(3)}")


def report(asked: Sequence[Asked]) -> float:
    """Print precision, coverage and refusals at falling thresholds, each tenth asked of a fit on the others;
    return the threshold to tell from."""
    best: list[tuple[float, bool, bool]] = []
    ruled: list[bool] = []  # of what the rules alone would tell, whether it is right
    for fold in range(FOLDS):
        by = fitted([one for one in asked if one.fold != fold])
        for one in asked:
            if one.fold == fold:
                answerable = bool(one.question.answers)
                if not one.may.any():
                    best.append((0.0, False, answerable))
                    continue
                at = int(np.where(one.may, chances_of(one, by), -1.0).argmax())
                admitted = np.flatnonzero(
                    (one.signals[:, ADMITTED] > 0) & (one.signals[:, CHANCE] >= piece_weights().threshold)
                )
                ruled += [bool(one.right[first]) for first in admitted[:1].tolist()]
                best.append((float(chances_of(one, by)[at]), bool(one.right[at]), answerable))
    with_answer = sum(one[2] for one in best)
    print(f"{len(best)} questions, {with_answer} answerable")
    print(f"told by the rules alone: {sum(ruled)} of {len(ruled)} right")
    threshold = max(STEPS)
    for least in STEPS:
        answered = [one for one in best if one[0] >= least]
        right = sum(one[1] for one in answered)
        precision, wrong = right / max(1, len(answered)), sum(not one[2] for one in answered)
        refused = 1 - wrong / max(1, len(best) - answerable)
        print(
            f"  {least:.2f}  told {len(answered):3}  precision {precision:.2f}  "
            f"coverage {right / max(1, answerable):.2f}  refused {refused:.2f}"
        )
        if precision >= MIN_PRECISION:
            threshold = least
    return threshold


if __name__ == "__main__":
    main()
