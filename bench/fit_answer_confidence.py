"""Fits the weights by which the built-in engine knows whether a passage holds the answer.

Logistic regression over the signals of `core/llm/builtin/answer/answer_confidence.py`, one row a candidate.
Questions: the odd ids of `answers/` and further files of the same form over documents of their own, with the
evidence that the product's search finds for them, as `bench.fit_answerability` keeps it beside its library.
Right is a candidate whose quotation, with the sentences around it, holds what is accepted.

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
from core.evaluation.selective_answers import AnswerQuestion
from core.llm.builtin.answer import answer_confidence
from core.llm.builtin.answer.answer_confidence import CONFIDENCE_SIGNALS, confidence_signals
from core.llm.builtin.answer.answer_confidence import candidates as likely
from core.llm.builtin.answer.evidence_units import units
from core.llm.builtin.answer.fitted_weights import piece_weights
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.quoting import passage_quote
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.answer.word_matching import Meaning
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.span_extractor import SpanExtractor

INVERSE_REGULARISATION = 0.3  # inverse of the regularisation
MIN_PRECISION = 0.8  # of what is told, of documents that were not fitted
FOLDS = 10
ADMITTED, CHANCE = CONFIDENCE_SIGNALS.index("admitted"), CONFIDENCE_SIGNALS.index("chance")
STEPS = (0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4)


@dataclass(frozen=True)
class Asked:
    """A question of a file with its candidates: signals (n, len(TELLING)), and which hold the answer (n)."""

    question: AnswerQuestion
    signals: NDArray[np.float64]
    right: NDArray[np.bool_]

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
    scorer = Scorer(Meaning(PackagedEmbedder()), SpanExtractor(bf16=True))
    asked = [one for file in given.kept for one in candidates(scorer, file)]
    threshold = report(asked)
    scale, model = fitted(asked)
    worth = model.coef_[0] / scale.scale_
    held = {
        "bias": round(float(model.intercept_[0] - worth @ scale.mean_), 4),
        "signals": {name: round(float(w), 4) for name, w in zip(CONFIDENCE_SIGNALS, worth, strict=True)},
        "told": threshold,
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
        told = likely(asked, scored)
        rows = [confidence_signals(asked, one, scored, held.evidence) for one in told]
        texts = [" ".join(s.text for s in passage_quote(asked, one)).replace("**", "") for one in told]
        yield Asked(
            held.question,
            np.array([[row[name] for name in CONFIDENCE_SIGNALS] for row in rows]).reshape(
                -1, len(CONFIDENCE_SIGNALS)
            ),
            np.array(
                [bool(held.question.answers) and held.question.appears_in(text) for text in texts], bool
            ),
        )


def fitted(asked: Sequence[Asked]) -> tuple[StandardScaler, LogisticRegression]:
    """Return scaling and regression; the candidates of a question share its weight."""
    held = [one for one in asked if len(one.right)]
    signals = np.concatenate([one.signals for one in held])
    weigh = np.concatenate([np.full(len(one.right), 1.0 / len(one.right)) for one in held])
    scale = StandardScaler()
    model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=3000)
    model.fit(scale.fit_transform(signals), np.concatenate([one.right for one in held]), sample_weight=weigh)
    return scale, model


def report(asked: Sequence[Asked]) -> float:
    """Print precision, coverage and refusals at falling thresholds, each tenth asked of a fit on the others;
    return the threshold to tell from."""
    best: list[tuple[float, bool, bool]] = []
    ruled: list[bool] = []  # of what the rules alone would tell, whether it is right
    for fold in range(FOLDS):
        scale, model = fitted([one for one in asked if one.fold != fold])
        for one in asked:
            if one.fold == fold:
                answerable = bool(one.question.answers)
                if not len(one.right):
                    best.append((0.0, False, answerable))
                    continue
                chances = model.predict_proba(scale.transform(one.signals))[:, 1]
                at = int(chances.argmax())
                admitted = np.flatnonzero(
                    (one.signals[:, ADMITTED] > 0) & (one.signals[:, CHANCE] >= piece_weights().threshold)
                )
                ruled += [bool(one.right[first]) for first in admitted[:1].tolist()]
                best.append((float(chances[at]), bool(one.right[at]), answerable))
    answerable = sum(one[2] for one in best)
    print(f"{len(best)} questions, {answerable} answerable")
    print(f"told by the rules alone: {sum(ruled)} of {len(ruled)} right")
    threshold = max(STEPS)
    for least in STEPS:
        told = [one for one in best if one[0] >= least]
        right = sum(one[1] for one in told)
        precision, wrong = right / max(1, len(told)), sum(not one[2] for one in told)
        refused = 1 - wrong / max(1, len(best) - answerable)
        print(
            f"  {least:.2f}  told {len(told):3}  precision {precision:.2f}  "
            f"coverage {right / max(1, answerable):.2f}  refused {refused:.2f}"
        )
        if precision >= MIN_PRECISION:
            threshold = least
    return threshold


if __name__ == "__main__":
    main()
