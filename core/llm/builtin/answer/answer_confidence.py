"""How likely a piece, quoted with its context, answers: logistic weights over what reading it gave,
the signals of the piece, the rules of `admission` and the place its passage has in the search.

From one confidence on the likeliest piece is given as the answer, from a lower one the question is not
answered and its passage is shown first, as the one that most likely holds the answer. Weights:
`bench/fit_answer_confidence.py`.
"""

from collections.abc import Sequence

from core.domain import Evidence
from core.llm.builtin.answer.admission import admissible
from core.llm.builtin.answer.fitted_weights import confidence_weights, piece_weights
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.scorer import Scored

LIKELY_PASSAGE = 0.4  # chance from which a passage is shown as the one where the answer most likely stands
MAX_CANDIDATES = 6  # pieces that are weighed: those with the likeliest readings
# No single passage holds their answer, unless the rules admit it
KINDS_SPANNING_PASSAGES = frozenset({"summary", "compare", "list"})
CONFIDENCE_SIGNALS = (
    "read",  # chance that the answer stands in the piece, by a network that reads question and passage
    "held in",  # ... that it stands in its passage
    "read lead",  # how far that passage is ahead of the best other by that, below 0 behind it
    "unread",  # 1 where no network read it: it, or the question, is in another script
    *("own", "around", "strange", "alien", "absent", "type", "untyped"),  # see `scorer.SIGNALS`
    *("named", "held", "rival", "row"),
    "rerank",  # the score of the search
    "admitted",  # whether the rules of admission let the piece itself be told
    "chance",  # how likely the piece alone answers
    "lead",  # ... and how far it is ahead of the best piece elsewhere
    "yesno",  # 1 where yes or no is asked of what was read
)


def most_confident(
    parsed: ParsedQuestion, scored: Sequence[Scored], evidence: Sequence[Evidence]
) -> tuple[float, Scored | None]:
    """Return the piece that most likely answers, and how likely (0 to 1).

    What no network reads, in another script or where there is none, is left to the rules alone: the
    likeliest piece they admit. So is a row that the question looks up: a cell names it, another stands in the
    column that is asked for.
    """
    ruled = next((one for one in scored if admissible(parsed, one)), None)
    by_rule = ruled is not None and (ruled.signals["unread"] or ruled.signals["lookup"] == 1)
    if ruled is not None and by_rule and ruled.chance >= piece_weights().threshold:
        return max(ruled.chance, confidence_weights().threshold), ruled
    held = candidates(parsed, scored)
    rows = [confidence_signals(parsed, one, scored, evidence) for one in held]
    rated = [(confidence_weights().chance(row), -at) for at, row in enumerate(rows)]
    best = max(rated, default=None)
    return (best[0], held[-best[1]]) if best else (0.0, None)


def candidates(parsed: ParsedQuestion, scored: Sequence[Scored]) -> list[Scored]:
    """Return the pieces that may answer at all and have the likeliest readings, likely ones first."""
    may = [one for one in scored if may_answer(parsed, one)]
    return sorted(may, key=lambda one: -(one.read.chance + one.read.passage))[:MAX_CANDIDATES]


def may_answer(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a passage can hold the answer at all: not of another year, nor a row whose cell is empty
    in the column asked for, nor where its document knows a name or figure of the question nowhere. A sum, a
    survey, a list or a comparison stands in no single one unless the rules admit it, nor does what no network
    reads."""
    signals = scored.signals
    computed = parsed.computed and parsed.kind in ("count", "amount", "other")
    if computed or parsed.many or parsed.kind in KINDS_SPANNING_PASSAGES or signals["unread"]:
        return admissible(parsed, scored)
    return not any(signals[name] for name in ("year", "alien", "bare", "turned", "blank"))


def confidence_signals(
    parsed: ParsedQuestion, one: Scored, scored: Sequence[Scored], evidence: Sequence[Evidence]
) -> dict[str, float]:
    """Return the signals of `CONFIDENCE_SIGNALS` for a piece among all that were scored."""
    elsewhere = [other.chance for other in scored if other.unit.evidence.n != one.unit.evidence.n]
    best = max((piece.scores.get("rerank", 0.0) for piece in evidence), default=0.0)
    return {
        **{name: one.signals[name] for name in CONFIDENCE_SIGNALS if name in one.signals},
        "rerank": one.unit.evidence.scores.get("rerank", 0.0) / (best or 1.0),
        "admitted": float(admissible(parsed, one)),
        "chance": one.chance,
        "lead": one.chance - max(elsewhere, default=0.0),
        "yesno": float(parsed.kind == "yesno" and not one.signals["unread"]),
    }
