"""Scores routing, plans and answers against gold, as the field does."""

import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.domain import SubQuestion
from core.text.tokens import is_cjk

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation + "，。！？；：、“”‘’（）《》")


class Overlap(NamedTuple):
    """Tokens an answer shares with a gold one, each 0 to 1."""

    f1: float
    precision: float  # of the answer's tokens
    recall: float  # of the gold answer's tokens


def normalised(answer: str) -> str:
    """Return the answer as the official SQuAD script compares it: no case, articles, punctuation, spaces."""
    text = _ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION))
    return " ".join(text.split())


def exact_match(answer: str, golds: Iterable[str]) -> float:
    """Return 1 if the answer equals a gold one after normalisation, else 0."""
    return float(any(normalised(answer) == normalised(gold) for gold in golds))


def answer_f1(answer: str, golds: Iterable[str]) -> float:
    """Return the best F1 (0 to 1) of tokens shared with a gold answer; Chinese counts by characters."""
    return answer_overlap(answer, golds).f1


def answer_overlap(answer: str, golds: Iterable[str]) -> Overlap:
    """Return the tokens shared with the gold answer that shares most; Chinese counts by characters."""
    found = _tokens(answer)
    return max((_overlap(found, _tokens(gold)) for gold in golds), default=Overlap(0.0, 0.0, 0.0))


def _tokens(text: str) -> list[str]:
    plain = normalised(text)
    return [c for c in plain if not c.isspace()] if is_cjk(plain) else plain.split()


def _overlap(found: Sequence[str], gold: Sequence[str]) -> Overlap:
    if not found or not gold:
        same = float(found == gold)
        return Overlap(same, same, same)
    shared = sum((Counter(found) & Counter(gold)).values())
    return Overlap(2 * shared / (len(found) + len(gold)), shared / len(found), shared / len(gold))


@dataclass(frozen=True)
class PlanScore:
    """How near a plan is to the gold one: same number of parts, and F1 of its dependency edges."""

    same_length: float
    length_error: float
    edges: float


def score_plan(parts: Sequence[SubQuestion], gold: Sequence[Mapping[str, object]]) -> PlanScore:
    """Compare by position: part n against gold part n; a plan without edges equals a gold one without."""
    place = {part.id: n for n, part in enumerate(parts)}
    found = {(place[need], place[part.id]) for part in parts for need in part.depends_on}
    order = {str(part["id"]): n for n, part in enumerate(gold)}
    wanted = {
        (order[str(need)], order[str(part["id"])])
        for part in gold
        for need in _listed(part.get("depends_on"))
        if str(need) in order
    }
    shared = len(found & wanted)
    edges = 2 * shared / (len(found) + len(wanted)) if found or wanted else 1.0
    difference = abs(len(parts) - len(gold))
    return PlanScore(float(difference == 0), float(difference), edges)


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def split_on_and(question: str) -> tuple[SubQuestion, ...]:
    """Return the baseline plan: the question cut at every "and", nothing depending on anything."""
    pieces = [piece.strip(" ,?？") for piece in re.split(r"\band\b|以及|和|与", question)]
    return tuple(SubQuestion(id=n, question=f"{piece}?") for n, piece in enumerate(filter(None, pieces), 1))


def mean(values: Iterable[float]) -> float:
    """Return the mean, 0 for nothing."""
    items = list(values)
    return sum(items) / len(items) if items else 0.0
