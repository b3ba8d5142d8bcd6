"""Whether the sentence that decides a yes-or-no question says yes or no to it, where its words show that.

No: the clause in which the answer was read denies ("not supported", "forbidden"), or says the opposite of a
word of the question by a prefix ("unopened" of "opened"). Yes: it denies nothing and says all the question
says. Anything else is left to the reader.
"""

import re
from typing import Literal

from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.scorer import Scored

Polarity = Literal["yes", "no"]
YES_EN, NO_EN, YES_ZH, NO_ZH = "Yes:", "No:", "是：", "否："  # what stands before the sentence that decides
LEAD = re.compile(rf"^(?:{YES_EN}|{NO_EN}|{YES_ZH}|{NO_ZH})\s*")
STATED_LIKENESS = 0.5  # how well each word of the question is said where the answer is yes
MIN_STEM = 5  # letters of a word that a prefix makes the opposite of
_DENIES = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|forbid(?:s|den)?|prohibit(?:s|ed)?"
    r"|impossible|unable|insufficient|lacks?|fails? to|nicht|keine?[nmrs]?|nie(?:mals)?|ohne|verboten"
    r"|untersagt|pas|jamais|aucune?|interdite?s?|sans|nunca|sin|prohibid[oa]s?|non|mai|senza|vietat[oi])\b|n['’]t\b"
    r"|不|没有|没|未|无法|禁止|ません|ない|않|못|없|금지",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;；。]\s*|[,，]\s*(?=but\b|however\b|mais\b|aber\b)|\bbut\b|\bexcept\b|但", re.IGNORECASE
)
_ENDS = (".", "!", "。", "！")
_OPPOSITE = ("un", "in", "im", "non", "dis")
# What sets a bound or a condition decides only with what it is compared to
_BOUND = re.compile(r"\b(?:only|unless|at least|at most|minimum|maximum|depend(?:s|ing)|if)\b", re.IGNORECASE)


def polarity(parsed: ParsedQuestion, one: Scored) -> Polarity | None:
    """Return what the piece says to the question, None where its words do not show it."""
    if parsed.negated:
        return None
    clause = _clause(one)
    if _DENIES.search(clause) or _reversed(parsed, clause):
        return "no"
    stated = all(met >= STATED_LIKENESS for _, met, _ in one.said.values())
    whole = one.unit.kind == "row" or one.unit.text.rstrip(" \"'”’)").endswith(
        _ENDS
    )  # a heading says nothing
    return "yes" if stated and whole and not _BOUND.search(clause) else None


def _clause(one: Scored) -> str:
    """Return the clause in which the answer was read, the whole piece where none was."""
    text = one.unit.text
    if one.read.span is None:
        return text
    start, end = one.read.span
    begins = max((m.end() for m in _CLAUSE.finditer(text) if m.end() <= start), default=0)
    ends = min((m.start() for m in _CLAUSE.finditer(text) if m.start() >= end), default=len(text))
    return text[begins:ends]


def _reversed(parsed: ParsedQuestion, clause: str) -> bool:
    asked = {word.text.lower() for word in parsed.words if len(word.text) >= MIN_STEM}
    said = re.findall(r"[a-z]+", clause.lower())
    return any(word == f"{prefix}{stem}" for word in said for prefix in _OPPOSITE for stem in asked)
