"""How likely the passage of a piece holds the answer: logistic weights over the signals of the piece, the
rules of `admission`, the kind of the question and the scores of the search.

A piece is told only where its passage is likely enough, too. A passage that is likely, but has no piece that
may be told, is shown first among the closest ones. Weights: `bench/fit_telling.py`.
"""

from collections.abc import Sequence
from typing import get_args

from core.domain import Evidence
from core.llm.builtin.answer.admission import admissible
from core.llm.builtin.answer.asked import Kind, ParsedQuestion
from core.llm.builtin.answer.fitted_weights import telling_weights
from core.llm.builtin.answer.scorer import SIGNALS, Scored

HELD = 0.5  # chance of its passage from which a piece that may be told is told
CANDIDATES = 6  # likeliest pieces that are weighed
LEGS = ("keyword", "chunk", "atom", "document", "graph", "cosine", "rerank")
KEYWORD = 20.0  # a keyword score counts as a share of this
FIRST = 5  # passages among which those of the same document are counted
LONG = 1_500  # characters of a passage that count as one
KINDS: tuple[str, ...] = get_args(Kind)
TELLING = (
    *SIGNALS,
    "admitted",  # whether the rules of admission let the piece itself be told
    *(f"asks {kind}" for kind in KINDS),
    *LEGS,  # the scores of the search
    *(f"{leg} behind" for leg in LEGS),  # how far the best passage is ahead by them
    "together",  # share of the first passages that are of the same document
    "pieces",  # share of the candidates that stand in the passage
    "chance",  # how likely the piece alone answers
    "lead",  # ... and how far it is ahead of the best piece elsewhere
    "size",  # characters of the passage
    "tabular",  # whether the passage has rows
)


def likeliest(
    asked: ParsedQuestion, scored: Sequence[Scored], evidence: Sequence[Evidence]
) -> tuple[float, Scored | None]:
    """Return the piece whose passage most likely holds the answer, and how likely (0 to 1)."""
    rated = [
        (held_by(asked, one, scored, evidence), -at, one)
        for at, one in enumerate(scored[:CANDIDATES])
        if may_be_told(asked, one)
    ]
    best = max(rated, key=lambda one: one[:2], default=None)
    return (best[0], best[2]) if best else (0.0, None)


def held_by(
    asked: ParsedQuestion, one: Scored, scored: Sequence[Scored], evidence: Sequence[Evidence]
) -> float:
    """Return how likely the passage of a piece holds the answer (0 to 1)."""
    return telling_weights().chance(telling_signals(asked, one, scored[:CANDIDATES], evidence))


def may_be_told(asked: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a passage can hold the answer at all: not of another year, nor where its document knows a
    name or figure of the question nowhere; a sum, a survey or a comparison stands in no single one, and a yes
    or no has to be stated."""
    signals = scored.signals
    computed = asked.computed and asked.kind in ("count", "amount", "other")
    if computed or asked.kind in ("summary", "compare", "yesno"):
        return admissible(asked, scored)
    return not (signals["year"] or signals["alien"] or signals["bare"] or signals["turned"])


def telling_signals(
    asked: ParsedQuestion, scored: Scored, candidates: Sequence[Scored], evidence: Sequence[Evidence]
) -> dict[str, float]:
    """Return the signals of `TELLING` for a piece among the candidates."""
    held = scored.unit.evidence
    elsewhere = [one.chance for one in candidates if one.unit.evidence.n != held.n]
    first = evidence[:FIRST]
    signals = {name: scored.signals[name] for name in SIGNALS}
    signals |= {f"asks {kind}": float(asked.kind == kind) for kind in KINDS}
    for leg in LEGS:
        unit = KEYWORD if leg == "keyword" else 1.0
        mine = held.scores.get(leg, 0.0) / unit
        signals[leg] = mine
        signals[f"{leg} behind"] = mine - max(
            (one.scores.get(leg, 0.0) / unit for one in evidence), default=0.0
        )
    return signals | {
        "admitted": float(admissible(asked, scored)),
        "together": sum(one.document == held.document for one in first) / FIRST,
        "pieces": sum(one.unit.evidence.n == held.n for one in candidates) / CANDIDATES,
        "chance": scored.chance,
        "lead": scored.chance - max(elsewhere, default=0.0),
        "size": len(held.text) / LONG,
        "tabular": float(bool(held.rows)),
    }
