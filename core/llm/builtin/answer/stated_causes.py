"""Passages that state a cause come first where a question asks what caused something and none answers it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain import Evidence
from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.word_matching import keys_of, matches_any
from core.llm.builtin.questions.opposites import poles
from core.text.sentences import sentence_spans

MAX_QUOTED_CHARACTERS = 500  # characters of a section on causes that are quoted whole
OTHERWISE = 3  # the place of what states no cause
_ASKED = re.compile(
    r"\bcaus(?:e|es|ed|ing)\b|\bdue to\b|\bbecause of\b|\b(?:result|consequence) of\b"
    r"|引起|导致|造成|原因|根因|起因",
    re.IGNORECASE,
)
_HEADED = re.compile(r"\bcauses?\b|原因|根因|起因", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because(?: of)?|due to|owing to)\b", re.IGNORECASE)
_STATED = re.compile(
    r"\bbecause\b|\bdue to\b|\bowing to\b|\bcaus(?:e|es|ed)\b|\breasons?\b"
    r"|\bresult(?:s|ed)? (?:from|in)\b|\btherefore\b"
    r"|\b(?:lead|leads|led) to\b|\bcom(?:e|es|ing) from\b|\battributed to\b|因为|由于|引起|导致|造成|原因",
    re.IGNORECASE,
)


def asks_cause(parsed: ParsedQuestion) -> bool:
    """Say whether the question asks why something is, or whether one thing caused another."""
    return parsed.kind == "cause" or _ASKED.search(parsed.question) is not None


def states_cause(one: Scored) -> bool:
    """Say whether a piece stands under a heading on causes, or says that one thing comes of another."""
    return _is_headed(one) or _STATED.search(one.unit.text) is not None


def of_the_opposite(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether a text gives the cause of the opposite of what the question takes for granted: it says why
    something rose, and is asked why it fell."""
    asked = poles(parsed.question, "change")
    for start, end in sentence_spans(text) if asked else ():
        stated = _STATED.search(text, start, end)
        changed = poles(text[start : stated.start()], "change") if stated else frozenset()
        if changed and changed.isdisjoint(asked):
            return True
    return False


def is_cause_of_another(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether a text gives what a why-question takes for granted as the reason of something else: "it was
    sent back because its crust was soft" does not say why the crust was soft."""
    for start, end in sentence_spans(text):
        reason = _REASON.search(text, start + 1, end)
        if reason is None:
            continue
        before, behind = keys_of(text[start : reason.start()]), keys_of(text[reason.end() : end])
        effect = [word for word in parsed.words if matches_any(word.key, before)]
        cause = [word for word in parsed.words if matches_any(word.key, behind) and word not in effect]
        if len(cause) > len(effect):
            return True
    return False


def causes_first(
    parsed: ParsedQuestion, pieces: Sequence[Scored], evidence: Sequence[Evidence]
) -> list[Scored]:
    """Return the pieces, where a cause is asked for those that state one first: a section on causes, whole if
    it is short, then prose, then rows; of a document one."""
    if not asks_cause(parsed):
        return list(pieces)
    weighed = {one.unit.evidence.n for one in pieces}
    unsaid = [Scored(_section(piece), 0.0, {}) for piece in evidence if piece.n not in weighed]
    quoted = [replace(one, unit=_section(one.unit.evidence)) if _is_headed(one) else one for one in pieces]
    ordered = sorted([*quoted, *(one for one in unsaid if _is_headed(one))], key=_place)
    first: dict[str, Scored] = {}
    for one in ordered:
        if _place(one) < OTHERWISE:
            first.setdefault(one.unit.evidence.document or str(one.unit.evidence.n), one)
    placed = {one.unit.evidence.n for one in first.values()}
    return [*first.values(), *(one for one in quoted if one.unit.evidence.n not in placed)]


def _place(one: Scored) -> int:
    if not states_cause(one):
        return OTHERWISE
    return 0 if _is_headed(one) else 1 if one.unit.kind == "sentence" else 2


def _is_headed(one: Scored) -> bool:
    """Say whether a piece of prose stands under a heading that mentions causes."""
    headed = one.unit.evidence.heading[-1:]
    return one.unit.kind == "sentence" and any(_HEADED.search(heading) for heading in headed)


def _section(evidence: Evidence) -> Unit:
    """Return a passage as one piece, cut behind a sentence where it is long."""
    text = evidence.text.strip()
    ends = [end for _, end in sentence_spans(text) if end <= MAX_QUOTED_CHARACTERS]
    quoted = text[: ends[-1]] if ends else text[:MAX_QUOTED_CHARACTERS]
    start = evidence.text.index(quoted)
    return Unit(evidence, "row" if evidence.rows else "sentence", quoted, start, start + len(quoted))
