"""Whether a piece may be told as the answer at all, however likely it looks."""

from core.llm.builtin.answer.asked import Asked, gives_reason
from core.llm.builtin.answer.quoting import answer_sentences, is_list
from core.llm.builtin.answer.scorer import Scored

SAID = 0.8  # how well a word is said that is said itself
TYPED = frozenset({"date", "duration", "count", "amount"})


def admissible(asked: Asked, scored: Scored) -> bool:
    """Say whether the piece states something new, of the type, year and figures asked for.

    A sum, a difference or a survey is stated by no single piece; a comparison by one that says both sides.
    """
    signals = scored.signals
    if signals["bare"] or signals["year"] or signals["strange"] >= 0.5 or signals["absent"]:
        return False
    if asked.kind == "person" and signals["unsought"]:
        return False  # whoever is named there is not said to be what is asked for
    if asked.kind == "summary" or (asked.computed and asked.kind in ("count", "amount", "other")):
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


def _lists(scored: Scored) -> bool:
    """Say whether the piece stands in a list, or lists things itself."""
    text = scored.unit.text
    return is_list(scored.unit.evidence.text) or sum(text.count(sign) for sign in ",;，、；・") >= 2


def _figures(asked: Asked, scored: Scored) -> int:
    """Return how many figures the piece says that the question does not."""
    known = {word.key for word in asked.words}
    return len({word.key for word in scored.unit.own if word.figure and word.key not in known})
