"""Whether a piece may be told as the answer at all, however likely it looks."""

import re

from core.llm.builtin.answer.asked import Asked, gives_reason
from core.llm.builtin.answer.quoting import answer_sentences, is_list
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.values import field_of, states_type

_TOTAL = re.compile(
    r"(?:grand |sub)?totals?\b|sum\b|gesamt|summe|somme|合计|总[计和]|合計|합계|총계", re.IGNORECASE
)
SAID = 0.8  # how well a word is said that is said itself
MET = 0.5  # how well a word is met that is at least meant
TYPED = frozenset({"date", "time", "duration", "count", "amount"})


def admissible(asked: Asked, scored: Scored) -> bool:
    """Say whether the piece states something new, of the type and year asked for, in a document that knows
    every name and figure of the question.

    A sum, a difference or a survey is stated by no single piece, unless by a row of totals; a comparison by
    one that says both sides.
    """
    if not _about(asked, scored):
        return False
    computed = asked.computed and asked.kind in ("count", "amount", "other")
    if asked.kind == "summary" or (computed and not _totals(scored)):
        return False
    if asked.kind == "compare":
        told = min(scored.signals["weakest"], scored.signals["own"])
        return told >= SAID and _figures(asked, scored) >= 2
    if asked.kind == "list" and not _lists(scored):
        return False
    if asked.kind == "cause" and not gives_reason(
        asked, " ".join(one.text for one in answer_sentences(asked, scored))
    ):
        return False
    return asked.kind not in TYPED or states_type(asked, scored.unit)


def _about(asked: Asked, scored: Scored) -> bool:
    """Say whether the piece is about what is asked: what is sought stands in it or over it, and so does the
    extreme that is asked for, every year of several, and of a row every name and figure."""
    signals = scored.signals
    if signals["bare"] or signals["year"] or signals["alien"] or signals["turned"]:
        return False
    if signals["here"] < MET or (asked.kind == "yesno" and signals["matter"] < MET):
        return False
    if len(asked.years) > 1 and signals["named"] < 1.0:
        return False
    unnamed = signals["part"] < MET and not signals["column"]
    if scored.unit.kind == "row" and (asked.kind == "list" or signals["strange"] or unnamed):
        return False
    if scored.unit.kind == "sentence" and not _states(asked, scored):
        return False
    # Whoever is named where what is sought is not said need not be the person asked for.
    return not (asked.kind == "person" and signals["unsought"])


def _states(asked: Asked, scored: Scored) -> bool:
    """Say whether a piece of prose is a sentence, a field, or stands in a list: a title states nothing."""
    text = scored.unit.text.rstrip(" \"'”’)]")
    ended = text.endswith((".", "!", ";", "。", "！", "；", "．"))
    return ended or field_of(asked, scored.unit.text) is not None or is_list(scored.unit.evidence.text)


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
