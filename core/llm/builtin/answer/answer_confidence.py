"""How likely a piece, quoted with its context, answers: logistic weights over what reading it gave,
the signals of the piece, the rules of `admission` and the place its passage has in the search.

From one confidence on the likeliest piece is given as the answer, from a lower one the question is not
answered and its passage is shown first, as the one that most likely holds the answer. Weights:
`bench/fit_answer_confidence.py`.
"""

import math
from collections.abc import Mapping, Sequence

from core.domain import Evidence
from core.llm.builtin.answer.admission import (
    MATCHED_LIKENESS,
    OPEN_ENDS,
    admissible,
    names_statistic,
)
from core.llm.builtin.answer.fitted_weights import confidence_weights, piece_weights
from core.llm.builtin.answer.labelled_values import looked_up
from core.llm.builtin.answer.lists import asks_list, enumerates, is_introduced
from core.llm.builtin.answer.parsed_question import ParsedQuestion, gives_reason
from core.llm.builtin.answer.question_text import is_in_another_language
from core.llm.builtin.answer.quoting import passage_quote
from core.llm.builtin.answer.rates import counts_per_one
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.stated_causes import asks_cause, is_cause_of_another, of_the_opposite
from core.llm.builtin.answer.stated_relation import misses_relation
from core.llm.builtin.answer.values import is_one_of_counted, names_columns
from core.llm.builtin.answer.word_matching import matches_any

LIKELY_PASSAGE = 0.4  # chance from which a passage is shown as the one where the answer most likely stands
MAX_CANDIDATES = 6  # pieces that are weighed: those with the likeliest readings
# No single passage holds their answer, unless the rules admit it
KINDS_SPANNING_PASSAGES = frozenset({"summary", "compare"})
CONFIDENCE_SIGNALS = (
    "read",  # chance that the answer is in the piece, by a network that reads question and passage
    "held in",  # ... that it is in its passage
    "read lead",  # how far that passage is ahead of the best other by that, below 0 behind it
    "unread",  # 1 where no network read it: it, or the question, is in another script
    *("own", "around", "strange", "alien", "absent", "type", "untyped"),  # see `scorer.SIGNALS`
    *("named", "held", "rival", "row"),
    "rerank",  # the score of the search
    "admitted",  # whether the rules of admission let the piece itself be quoted
    "chance",  # how likely the piece alone answers
    "lead",  # ... and how far it is ahead of the best piece elsewhere
    "yesno",  # 1 where yes or no is asked of what was read
)
PASSAGE_SIGNALS = (
    "confidence",  # logarithm of how likely the passage's best piece answers
    "rerank",  # the score of the search, as a share of the best
    "place",  # 1 / rank in the search
)
FOREIGN_SHARE = 0.25  # share of the question's words that a sentence in another language says
REASON_OR_LIST = 0.5  # chance from which what gives the reason, or enumerates what is asked for, is quoted
DOUBTED = 0.4  # chance of a reading below which no sentence is quoted that the rules do not admit
DOUBTED_BY_BOTH = 0.15  # ... and none that they do
RESTATED_SHARE = 0.9  # share of a why-question's words from which a piece says the same as it
MANY_NEW = 4  # words beside them, none a figure, by which a reason may be given without "because"
LEAST_CONFIDENCE = 0.02  # added before the logarithm is taken


def most_confident(
    parsed: ParsedQuestion, scored: Sequence[Scored], evidence: Sequence[Evidence]
) -> tuple[float, Scored | None]:
    """Return how likely (0 to 1) the piece answers that most likely does, and that piece.

    What no network reads, in another script or where there is none, is left to the rules alone: the
    likeliest piece they admit. So is a row that the question looks up: a cell names it, another is in the
    column that is asked for; and what a label says.
    """
    if labelled := looked_up(parsed, scored, evidence):
        return max(labelled.chance, confidence_weights().threshold), labelled
    ruled = next((one for one in scored if _admitted(parsed, one)), None)
    by_rule = ruled is not None and (ruled.signals["unread"] or _is_looked_up(ruled))
    if ruled is not None and by_rule and ruled.chance >= piece_weights().threshold:
        return max(ruled.chance, confidence_weights().threshold), ruled
    eligible = candidates([one for one in scored if may_answer(parsed, one)])
    rated = [
        (confidence_weights().chance(confidence_signals(parsed, one, scored, evidence)), one)
        for one in eligible
    ]
    return max(rated, key=lambda pair: pair[0], default=(0.0, None))


def is_accepted(parsed: ParsedQuestion, one: Scored, chance: float) -> bool:
    """Say whether so likely a piece is accepted as the answer: one that does what else its kind needs, from
    less on."""
    gives = parsed.kind == "cause" and gives_reason(parsed, one.unit.text)
    lists = parsed.kind == "list" and enumerates(parsed, one)
    if not (gives or lists) and _is_doubted(parsed, one):
        return False
    return chance >= (REASON_OR_LIST if gives or lists else confidence_weights().threshold)


def _is_doubted(parsed: ParsedQuestion, one: Scored) -> bool:
    """Say whether the network that read a sentence hardly found an answer in its passage, however many words
    of the question stand there: in a library of few documents every passage says some. It was taught English,
    and what it finds in a language other than the question's has to say most of its words, as names do.
    """
    if one.unit.kind == "row" or one.signals["unread"]:
        return False
    if is_in_another_language(parsed.language, one.unit.text):
        return one.signals["own"] < FOREIGN_SHARE
    if parsed.language != "en" or parsed.kind == "yesno":
        return False  # a yes stands nowhere to be read
    return one.read.passage < (DOUBTED_BY_BOTH if admissible(parsed, one) else DOUBTED)


def _is_looked_up(row: Scored) -> bool:
    """Say whether a cell names the row, another is in the column asked for, and its document says every
    word of the question: "how many of them were road accidents" asks for less than the row counts."""
    return row.signals["lookup"] == 1 and all(
        best >= MATCHED_LIKENESS for *_, best in row.word_matches.values()
    )


def _admitted(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the rules alone admit a piece; a list where what leads to it says what is sought."""
    one = not asks_list(parsed) or (parsed.kind == "other" and scored.signals["lookup"] == 1)
    listed = one or (enumerates(parsed, scored) and is_introduced(parsed, scored.unit))
    return listed and admissible(parsed, scored)


def candidates(scored: Sequence[Scored]) -> list[Scored]:
    """Return the pieces with the likeliest readings, likely ones first."""
    return sorted(scored, key=lambda one: -(one.read.chance + one.read.passage))[:MAX_CANDIDATES]


def likely_passages(
    parsed: ParsedQuestion, scored: Sequence[Scored], evidence: Sequence[Evidence]
) -> list[Scored]:
    """Return the likeliest piece of each passage, passages that most likely hold the answer first."""
    weights = confidence_weights()
    best: dict[int, tuple[float, Scored]] = {}
    for one in candidates(scored):
        chance = weights.chance(confidence_signals(parsed, one, scored, evidence))
        if chance > best.get(one.unit.evidence.n, (0.0, one))[0]:
            best[one.unit.evidence.n] = (chance, one)
    for one in scored:
        best.setdefault(one.unit.evidence.n, (0.0, one))
    signals = passage_signals({n: chance for n, (chance, _) in best.items()}, evidence)
    order = sorted(best, key=lambda n: -sum(weights.passage[k] * v for k, v in signals[n].items()))
    return [best[n][1] for n in order]


def passage_signals(
    confidences: Mapping[int, float], evidence: Sequence[Evidence]
) -> dict[int, dict[str, float]]:
    """Return the signals of `PASSAGE_SIGNALS` of each passage, by number, from how sure its best piece is."""
    top = max((piece.scores.get("rerank", 0.0) for piece in evidence), default=0.0) or 1.0
    return {
        piece.n: {
            "confidence": math.log(confidences.get(piece.n, 0.0) + LEAST_CONFIDENCE),
            "rerank": piece.scores.get("rerank", 0.0) / top,
            "place": 1.0 / piece.n,
        }
        for piece in evidence
    }


def may_answer(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a passage can hold the answer at all: not of another year, nor prose where a table is said
    to hold it, nor a row whose cell is empty in the column asked for, or which is one of those counted, nor
    where its document knows a name or figure of the question nowhere. A sum, a survey, a list or a comparison
    is in no single one unless the rules admit it, nor does what no network reads.
    """
    signals = scored.signals
    computed = parsed.computed and parsed.kind in ("count", "amount", "duration", "other")
    computed = computed and not names_statistic(parsed, scored)
    if computed or parsed.kind in KINDS_SPANNING_PASSAGES or signals["unread"]:
        return admissible(parsed, scored)
    several = asks_list(parsed) and not signals["lookup"]  # "marriages in 1946": a cell says how many
    if several and not enumerates(parsed, scored):
        return (parsed.kind == "list" or parsed.many > 1) and admissible(parsed, scored)
    if signals["bare"] and (parsed.kind != "yesno" or scored.unit.text.rstrip().endswith(OPEN_ENDS)):
        return False  # a yes says no more than the question
    if parsed.tabular and scored.unit.kind != "row":
        return False
    if signals["untyped"] and not min(best for *_, best in scored.word_matches.values()):
        return False  # of another type, in a document that never says what is asked
    if names_columns(scored.unit.text) or is_one_of_counted(parsed, scored.unit):
        return False
    if counts_per_one(parsed, scored.unit) or misses_relation(parsed, scored):
        return False
    if parsed.kind == "cause" and (
        _restates_question(parsed, scored) or is_cause_of_another(parsed, scored.unit.text)
    ):
        return False
    if asks_cause(parsed) and of_the_opposite(parsed, scored.unit.text):
        return False
    return not any(signals[name] for name in ("year", "alien", "turned", "blank"))


def _restates_question(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a piece says little but what a why-question takes for granted, and nothing around it gives
    a reason."""
    if scored.signals["own"] < RESTATED_SHARE:
        return False
    known = parsed.keys | scored.unit.heading_keys
    new = {word.key for word in scored.unit.words if not word.figure and not matches_any(word.key, known)}
    quote = " ".join(one.text for one in passage_quote(parsed, scored))
    return len(new) < MANY_NEW and not gives_reason(parsed, quote)


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
