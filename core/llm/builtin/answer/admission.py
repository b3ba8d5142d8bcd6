"""Whether a piece may be told as the answer at all, however likely it looks."""

import re

from core.llm.builtin.answer.asked import Asked, gives_reason
from core.llm.builtin.answer.quoting import answer_sentences, is_list
from core.llm.builtin.answer.scorer import Scored

_TOTAL = re.compile(
    r"(?:grand |sub)?totals?\b|sum\b|gesamt|summe|somme|合计|总[计和]|合計|합계|총계", re.IGNORECASE
)
SAID = 0.8  # how well a word is said that is said itself
TYPED = frozenset({"date", "duration", "count", "amount"})


def admissible(asked: Asked, scored: Scored) -> bool:
    """Say whether the piece states something new, of the type and year asked for, in a document that knows
    every name and figure of the question.

    A sum, a difference or a survey is stated by no single piece, unless by a row of totals; a comparison by
    one that says both sides.
    """
    signals = scored.signals
    if signals["bare"] or signals["year"] or signals["alien"]:
        return False
    if asked.kind == "person" and signals["unsought"]:
        return False  # whoever is named there is not said to be what is asked for
    computed = asked.computed and asked.kind in ("count", "amount", "other")
    if asked.kind == "summary" or (computed and not _totals(scored)):
        return False
    if asked.kind == "compare":
        return signals["weakest"] >= SAID and signals["own"] >= SAID and _figures(asked, scored) >= 2
    if asked.kind == "list" and not _lists(scored):
        return False
    if asked.kind == "cause" and not gives_reason(
        asked, " ".join(one.text for one in answer_sentences(asked, scored))
    ):
        return False
    typed = signals["type"] >= 1.0 or signals["field"] or signals["column"]
    return bool(typed) or asked.kind not in TYPED


def _totals(scored: Scored) -> bool:
    """Say whether the piece is the row of a table that adds up the others."""
    return scored.unit.kind == "row" and any(_TOTAL.match(value) for _, value in scored.unit.cells[:2])


def _lists(scored: Scored) -> bool:
    """Say whether the piece stands in a list, or lists things itself."""
    text = scored.unit.text
    return is_list(scored.unit.evidence.text) or sum(text.count(sign) for sign in ",;，、；・") >= 2


def _figures(asked: Asked, scored: Scored) -> int:
    """Return how many figures the piece says that the question does not."""
    known = {word.key for word in asked.words}
    return len({word.key for word in scored.unit.own if word.figure and word.key not in known})
