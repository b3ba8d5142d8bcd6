"""Sentences that say where something is written, not what it is: "its weight is stated on the drawing"."""

import re

from core.llm.builtin.answer.parsed_question import ParsedQuestion, attribute
from core.llm.builtin.answer.word_matching import keys_of, matches_any, words_of

_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）")
_CLAUSE = re.compile(r"[,;:，；：。]\s*|[.!?]\s+|\b(?:and|but|while|whereas)\b")
_WRITTEN = (
    "given|listed|stated|described|specified|shown|found|recorded|noted|printed|documented|defined|laid down"
    "|set out"
)
_SOURCE = (
    r"tables?|lists?|figures?|fig\.|drawings?|sheets?|documents?|manuals?|sections?|chapters?|append\w+|annex"
    r"|catalog(?:ue)?s?|files?|pages?|reports?|procedures?|specifications?|labels?|nameplates?|datasheets?"
    r"|[\w-]+\.[a-z]{2,4}|[A-Z]+-[A-Z\d-]*\d"
)
_REFERS = re.compile(
    rf"\b(?:see|refer to|{_WRITTEN})\b(?: (?:also|separately))?(?: (?:in|on|under|at))?\b"
    rf"[^,;]{{0,40}}?(?:{_SOURCE})\b(?: \d[\w.]*\b)?"
    r"|(?<![意发看常])[参详]?见(?![到面过解证])|参[照考阅]|列于|载于|记录在|写在"
)
_ASKS_WHERE = re.compile(rf"\b(?:{_WRITTEN}|describes?|states?|lists?|specif\w+)\b|见|记录|写在|哪[份个]")
# What these kinds ask for may be no more than the name of a procedure.
_KINDS = frozenset({"date", "time", "duration", "count", "amount", "person", "place", "other"})


def refers_elsewhere(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether a text mentions the attribute that is asked for only to say where it is written."""
    wanted = [word.key for word in attribute(parsed)]
    if parsed.kind not in _KINDS or not wanted or _ASKS_WHERE.search(parsed.question):
        return False
    clauses = _CLAUSE.split(_BRACKETS.sub("", text))
    saying = [one for one in clauses if all(matches_any(key, keys_of(one)) for key in wanted)]
    return bool(saying) and all(_is_reference(parsed, clause) for clause in saying)


def _is_reference(parsed: ParsedQuestion, clause: str) -> bool:
    """Say whether a clause names a source, before it nothing that the question does not say, and behind it
    no figure: "given in table 3 as 25 Nm" is a value."""
    refers = _REFERS.search(clause)
    if refers is None or any(sign.isdigit() for sign in clause[refers.end() :]):
        return False
    return all(matches_any(word.key, parsed.keys) for word in words_of(clause[: refers.start()]))
