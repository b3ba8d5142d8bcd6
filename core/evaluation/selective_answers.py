"""Grades answers, and the passages shown for them, against the forms that are accepted.

Selective answering (SQuAD 2.0, arXiv 1806.03822): what is answered is right or wrong, the rest is
refused, and some questions have no answer in the library, so that refusing them is right.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field

from core.domain import Outcome, Passage, Report, Value
from core.evaluation.answer_scores import mean

Parity = Literal["odd", "even"]
State = Literal[
    "right", "right_untold", "wrong_told_as_answer", "refused_though_answerable", "refused_rightly"
]

ANSWERED = frozenset({Outcome.ANSWER, Outcome.CAVEAT, Outcome.CONFLICT})
DEPTHS = (1, 3, 10)
# Kinds whose answer is in one place, so that a search alone can show it.
LOOKED_UP = ("fact", "number", "table", "list", "why_how", "yesno", "two_hop")

_CITATION = re.compile(r"\[\d+\]")
_WHOLE_NUMBER = re.compile(r"(?<=\d)\.0+(?![\d.])")  # "280.0" is 280
_THOUSANDS = re.compile(r"(?<=\d)[, ](?=\d{3}\b)")
_FULL_STOP = re.compile(r"\.(?=\s|$)")
_NO_WORD = re.compile(r"[^\w.%]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
# A figure in a passage is whole beside its unit, too: "158명", "55%".
_BESIDE_UNIT = re.compile("(?<=[0-9])(?=%|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])")


class AnswerQuestion(Value):
    """A question and what is accepted as its answer; none is accepted where the library does not say it."""

    model_config = ConfigDict(extra="ignore", frozen=True)  # a file may say more of a question

    id: str
    question: str
    answers: tuple[str, ...] = ()
    every: bool = Field(False, alias="all")  # every one of the answers has to be there
    least: int = 1  # so many of them have to be there
    kind: str = ""
    lang: str = "en"
    doc: str = ""  # the file that holds it
    also: tuple[str, ...] | None = None  # others that hold it, too

    @property
    def needed(self) -> int:
        """How many of the accepted forms an answer needs."""
        return len(self.answers) if self.every else self.least

    @property
    def files(self) -> frozenset[str]:
        """The names of the files that hold the answer."""
        return frozenset(path.rsplit("/", 1)[-1] for path in (self.doc, *(self.also or ())) if path)

    def parity(self) -> Parity | None:
        """Say whether the number in the id is odd or even; None where it has none."""
        digits = re.findall(r"\d+", self.id)
        return None if not digits else ("odd" if int(digits[-1]) % 2 else "even")

    def accepts(self, text: str) -> bool:
        """Say whether a text holds what the answer needs."""
        return bool(self.answers) and count_forms(text, self.answers) >= self.needed

    def appears_in(self, passages: str) -> bool:
        """Say whether passages hold what the answer needs; there a figure is whole beside its unit, too."""
        return self.accepts(passages) or self.accepts(_BESIDE_UNIT.sub(" ", passages))


def plain(text: str) -> str:
    """Return the text as it is compared: lower-case, without citations, separators and punctuation."""
    text = _CITATION.sub(" ", _FULL_STOP.sub(" ", text)).lower()
    return _NO_WORD.sub(" ", _WHOLE_NUMBER.sub("", _THOUSANDS.sub("", text))).strip()


def count_forms(text: str, forms: Iterable[str]) -> int:
    """Return how many of the accepted forms the text holds, numbers and words as whole words."""
    compared = plain(text)
    unspaced = compared.replace(" ", "")
    return sum(_contains(compared, unspaced, plain(form), form) for form in forms)


def _contains(compared: str, unspaced: str, form: str, written: str) -> bool:
    if f" {form} " in f" {compared} ":
        return True
    return _UNSPACED.search(written) is not None and form.replace(" ", "") in unspaced


class Graded(Value):
    """What became of one question."""

    id: str
    question: str
    kind: str
    lang: str
    answerable: bool
    state: State | None = None  # None where only passages were asked for
    outcome: str = ""
    answer: str = ""
    confidence: float = 0.0  # 0 to 1: how sure the answer, or the search where it says nothing, was
    rank: int | None = None  # passages, best first, until all that is accepted was shown
    rank_in_document: int | None = None  # the same, counting only what is in the right document
    seconds: float = 0.0


def graded(question: AnswerQuestion, report: Report, file_of: Callable[[str], str]) -> Graded:
    """Grade a report: its answer, and the passages in the order in which it shows them."""
    answered, right = report.outcome in ANSWERED, question.accepts(report.answer)
    state: State
    if not question.answers:
        state = "wrong_told_as_answer" if answered else "refused_rightly"
    elif right:
        state = "right" if answered else "right_untold"
    else:
        state = "wrong_told_as_answer" if answered else "refused_though_answerable"
    shown = ranked(question, report.passages, file_of)
    return shown.model_copy(
        update={
            "state": state,
            "outcome": report.outcome.value,
            "answer": report.answer,
            "seconds": report.seconds,
        }
    )


def ranked(question: AnswerQuestion, passages: Sequence[Passage], file_of: Callable[[str], str]) -> Graded:
    """Grade passages alone, best first; `file_of` returns the file's name of a document's id."""
    return Graded(
        id=question.id,
        question=question.question,
        kind=question.kind,
        lang=question.lang,
        answerable=bool(question.answers),
        confidence=max((passage.score for passage in passages), default=0.0),
        rank=_rank(question, [passage.chunk.passage_text() for passage in passages]),
        rank_in_document=_rank(
            question,
            [
                passage.chunk.passage_text() if file_of(passage.chunk.document_id) in question.files else ""
                for passage in passages
            ],
        ),
    )


def _rank(question: AnswerQuestion, texts: Sequence[str]) -> int | None:
    """Return after how many texts all that is needed was read, None where it never is."""
    for count in range(1, len(texts) + 1):
        if question.appears_in("\n".join(texts[:count])):
            return count
    return None


def tally(rows: Sequence[Graded]) -> dict[str, Any]:
    """Return the figures: of the answers where they were graded, and of the passages shown."""
    figures: dict[str, Any] = {"questions": len(rows)}
    if any(row.state for row in rows):
        figures |= _answer_figures(rows)
        figures["curve"] = curve(rows)
    figures["passages"] = {
        "looked_up": passage_figures([row for row in rows if row.kind in LOOKED_UP]),
        "all": passage_figures(rows),
        "kinds": {
            kind: passage_figures(found) for kind, found in _grouped(rows, "kind") if _answerable(found)
        },
        "languages": {
            lang: passage_figures(found) for lang, found in _grouped(rows, "lang") if _answerable(found)
        },
    }
    if any(row.state for row in rows):
        figures["kinds"] = {kind: _answer_figures(found) for kind, found in _grouped(rows, "kind")}
        figures["languages"] = {lang: _answer_figures(found) for lang, found in _grouped(rows, "lang")}
    return figures


def passage_figures(rows: Sequence[Graded]) -> dict[str, float]:
    """Return the shares of answerable questions answered by the first 1, 3 and 10 passages shown."""
    asked = _answerable(rows)
    figures: dict[str, float] = {"questions": len(asked)}
    for depth in DEPTHS:
        figures[f"top{depth}"] = _share(row.rank for row in asked)(depth)
    for depth in DEPTHS:
        figures[f"in_document_top{depth}"] = _share(row.rank_in_document for row in asked)(depth)
    return figures


def _share(ranks: Iterable[int | None]) -> Callable[[int], float]:
    known = list(ranks)
    return lambda depth: round(mean(float(rank is not None and rank <= depth) for rank in known), 4)


def _answerable(rows: Iterable[Graded]) -> list[Graded]:
    return [row for row in rows if row.answerable]


def _grouped(rows: Sequence[Graded], name: Literal["kind", "lang"]) -> list[tuple[str, list[Graded]]]:
    groups: dict[str, list[Graded]] = {}
    for row in rows:
        groups.setdefault(getattr(row, name), []).append(row)
    return sorted(groups.items())


def _answer_figures(rows: Sequence[Graded]) -> dict[str, Any]:
    states: Counter[State | None] = Counter(row.state for row in rows)
    answerable = len(_answerable(rows))
    answered = states["right"] + states["wrong_told_as_answer"]
    return {
        "questions": len(rows),
        "right": states["right"],
        "right_untold": states["right_untold"],
        "wrong_told_as_answer": states["wrong_told_as_answer"],
        "refused_though_answerable": states["refused_though_answerable"] + states["right_untold"],
        "refused_rightly": states["refused_rightly"],
        "precision": _ratio(states["right"], answered),
        "coverage": _ratio(states["right"], answerable),
        "refusals": _ratio(states["refused_rightly"], len(rows) - answerable),
    }


def _ratio(part: int, whole: int) -> float | None:
    """Return a share, None where there is nothing to share."""
    return round(part / whole, 4) if whole else None


def curve(rows: Sequence[Graded], steps: int = 10) -> list[dict[str, float]]:
    """Return precision against coverage if only the most confident were answered: a tenth, two tenths, …

    `coverage` is of the answerable questions, `answered` the share of the answers that would still be given,
    `confidence` the threshold that does it.
    """
    answered = sorted(
        (row for row in rows if row.state in ("right", "wrong_told_as_answer")),
        key=lambda row: (-row.confidence, row.id),
    )
    answerable = len(_answerable(rows))
    points = []
    for step in range(1, steps + 1):
        selected = answered[: round(step * len(answered) / steps)]
        right = sum(row.state == "right" for row in selected)
        if selected:
            points.append(
                {
                    "told": round(len(selected) / len(answered), 4),
                    "confidence": round(selected[-1].confidence, 4),
                    "precision": round(right / len(selected), 4),
                    "coverage": round(right / max(answerable, 1), 4),
                }
            )
    return points
