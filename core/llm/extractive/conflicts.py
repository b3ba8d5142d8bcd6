"""Finds where sources disagree: the same thing said with different figures, and which source is newer."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.llm.extractive.counts import counts_nothing
from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.questions import expected_kind
from core.llm.extractive.reading import Line, bag_of, score_lines
from core.llm.extractive.spans import DATE, NUMBER, cells
from core.tasks import Evidence
from core.text.proper_names import names_in

ALIKE = 0.5  # shared words of two sentences, figures apart, above which they speak of the same
NEAR = 0.55  # share of the best sentence's score from which a sentence counts as an answer


_PRONOUN = re.compile(r"(?:It|Its|They|Their)\b|[它其该]")


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
    ranked = sorted(lines, key=lambda line: -line.score) if lines else score_lines(question, evidence)
    ranked = [line for line in ranked[:12] if line.score >= NEAR * ranked[0].score and not cells(line.text)]
    asked = frozenset(bag_of(question))
    ranked = [line for line in ranked if _speaks_of(line, asked) and not counts_nothing(question, line.text)]
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
    return sorted(found, key=lambda c: max(dates[c.one.n], dates[c.other.n]), reverse=True)[:1]


def newest_of(conflicts: Sequence[Conflict], lines: Sequence[Line]) -> Line | None:
    """Return the best sentence that says the newer figure of a conflict, None where no date tells."""
    conflict = next((one for one in conflicts if one.newer), None)
    if conflict is None:
        return None
    newer = conflict.figure if conflict.newer == conflict.one.n else conflict.other_figure
    said = conflict.one if conflict.newer == conflict.one.n else conflict.other
    return next((line for line in lines[:12] if plain(newer) in plain(line.text) and _same(line, said)), said)


def _same(line: Line, said: Line) -> bool:
    return len(_matter(line.text) & _matter(said.text)) >= ALIKE * max(1, len(_matter(said.text)))


def _speaks_of(line: Line, asked: frozenset[str]) -> bool:
    """Say whether a sentence itself, not only its title, says at least half of what is asked.

    One that begins with a pronoun has its subject before it and must say the deed alone.
    """
    bag = frozenset(bag_of(line.text))
    said = sum(1 for word in asked if word in bag or not synonyms(word).isdisjoint(bag))
    return said > 0 if _PRONOUN.match(line.text) else 2 * said >= len(asked)


def _bare(text: str) -> str:
    """Return a sentence without its list number and its asides: "(earlier revisions said 500)"."""
    return re.sub(r"\s?[(（][^()（）]*[)）]", "", re.sub(r"^\d{1,2}[.)、]\s*", "", text))


def _unit(figure: str) -> str:
    return re.sub(r"[\d\s.,–~±-]+", "", figure).lower()


def _conflict(one: Line, other: Line, kind: str, dates: dict[int, str]) -> Conflict | None:
    mine, theirs = _matter(one.text), _matter(other.text)
    if len(mine & theirs) < ALIKE * max(1, min(len(mine), len(theirs))):
        return None
    if {n.name for n in names_in(one.text) if n.kind in {"equipment", "alarm", "document"}} ^ {
        n.name for n in names_in(other.text) if n.kind in {"equipment", "alarm", "document"}
    }:
        return None
    a, b = figures(_bare(one.text), kind), figures(_bare(other.text), kind)
    if len(a) != 1 or len(b) != 1 or plain(a[0]) == plain(b[0]) or _unit(a[0]) != _unit(b[0]):
        return None
    first, second = dates[one.n], dates[other.n]
    newer = 0 if not first or not second or first == second else (one.n if first > second else other.n)
    return Conflict(one, a[0], other, b[0], newer)
