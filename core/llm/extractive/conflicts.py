"""Finds where sources disagree: the same thing said with different figures, and which source is newer."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.llm.extractive.names import names_in
from core.llm.extractive.questions import expected_kind
from core.llm.extractive.reading import Line, bag_of, score_lines
from core.llm.extractive.spans import DATE, NUMBER, cells
from core.tasks import Evidence

ALIKE = 0.5  # shared words of two sentences, figures apart, above which they speak of the same
NEAR = 0.55  # share of the best sentence's score from which a sentence counts as an answer


class Conflict(NamedTuple):
    """Two sentences of different sources that give one thing different figures."""

    one: Line
    figure: str
    other: Line
    other_figure: str
    newer: int  # Evidence.n of the newer source, 0 where a date is missing or both are the same


def figures(text: str, kind: str) -> list[str]:
    """Return the dates or numbers of a text as it writes them."""
    pattern = DATE if kind == "date" else NUMBER
    spans = [] if kind == "date" else [m.span() for m in DATE.finditer(text) if not m.group().isdigit()]
    spans += [(n.start, n.end) for n in names_in(text) if kind != "date"]
    return [
        m.group().strip()
        for m in pattern.finditer(text)
        if not any(a <= m.start() < b for a, b in spans) and any(c.isdigit() for c in m.group())
    ]


def plain(figure: str) -> str:
    """Return a figure without its looks: thousands separators, spaces, trailing zeros."""
    bare = re.sub(r"(?<=\d),(?=\d{3})", "", figure).replace("−", "-").lower()
    short = re.sub(r"(\.\d*?[1-9])0+(?!\d)", r"\1", re.sub(r"\.0+(?!\d)", "", bare))
    return re.sub(r"\s+", "", short)


def _matter(text: str) -> frozenset[str]:
    return frozenset(word for word in bag_of(text) if not any(char.isdigit() for char in word))


def disagreements(
    question: str, evidence: Sequence[Evidence], lines: Sequence[Line] | None = None
) -> list[Conflict]:
    """Return the conflicts among the sentences that answer the question best."""
    kind = expected_kind(question)
    if kind not in {"number", "date"}:
        return []
    ranked = list(lines) if lines is not None else score_lines(question, evidence)
    ranked = [line for line in ranked[:12] if line.score >= NEAR * ranked[0].score and not cells(line.text)]
    dates = {piece.n: piece.date for piece in evidence}
    sources = {piece.n: piece.source for piece in evidence}
    found: list[Conflict] = []
    for at, one in enumerate(ranked):
        for other in ranked[at + 1 :]:
            if one.n == other.n or (sources[one.n] == sources[other.n] and dates[one.n] == dates[other.n]):
                continue
            conflict = _conflict(one, other, kind, dates)
            if conflict is not None:
                found.append(conflict)
    return found[:2]


def _conflict(one: Line, other: Line, kind: str, dates: dict[int, str]) -> Conflict | None:
    mine, theirs = _matter(one.text), _matter(other.text)
    if len(mine & theirs) < ALIKE * max(1, min(len(mine), len(theirs))):
        return None
    if {n.name for n in names_in(one.text) if n.kind in {"equipment", "alarm", "document"}} ^ {
        n.name for n in names_in(other.text) if n.kind in {"equipment", "alarm", "document"}
    }:
        return None
    a, b = figures(one.text, kind), figures(other.text, kind)
    if len(a) != 1 or len(b) != 1 or plain(a[0]) == plain(b[0]):
        return None
    first, second = dates[one.n], dates[other.n]
    newer = 0 if not first or not second or first == second else (one.n if first > second else other.n)
    return Conflict(one, a[0], other, b[0], newer)
