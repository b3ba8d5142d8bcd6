"""Cuts from a question what it supposes: "as if the exchange is done in May" sets no horizon."""

import re

from core.text.periods import find_dates, find_periods

_YEAR = "2000"  # that a date without a year is read in, to see whether there is one
_CLAUSE = "(?P<clause>[^,;?，；？]{3,160})"
# The second of each language sets mere conditions, too, so that a date must be in it
_ENGLISH = (r"(?:as (?:if|though)|(?:assuming|supposing|suppose|provided)(?: that)?)", r"(?:if|in case)")
_CHINESE = ("(?:假设|假定|假如|倘若|就当|设想)", "(?:如果|若是|若|要是)")
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), at == 1)
    for at in (0, 1)
    for pattern in (
        rf"^{_ENGLISH[at]} {_CLAUSE}[,;]\s*(?=\S)",
        rf"(?<=\S),?\s+{_ENGLISH[at]} {_CLAUSE}(?=[?.,;]|$)",
        rf"^{_CHINESE[at]}{_CLAUSE}[，,；;]\s*(?=\S)",
        rf"(?<=\S)[，,；;]\s*{_CHINESE[at]}{_CLAUSE}(?=[？?。，,；;]|$)",
    )
)
_LIGHT = re.compile(  # that something happens, not what
    r"^that\b|\b(?:is|are|was|were|were to be|will be|would be|has been|had been|gets?|got|be)"
    r" (?:done|made|carried out|completed|finished|over)\b"
    r"|\b(?:takes?|took) place\b|\b(?:happens?|happened|comes?|came)\b|^the\b",
    re.IGNORECASE,
)
_LIGHT_ZH = re.compile("(?:完成|进行|实施|做完|发生)了?|的话$|[在于将]")


def split_supposition(question: str) -> tuple[str, str]:
    """Return the question without what it supposes, and that: "" where it supposes nothing."""
    for pattern, dated in _PATTERNS:
        found = pattern.search(question)
        if found is not None and not (dated and not find_periods(f"in {found['clause']}", _YEAR)):
            rest = f"{question[: found.start()]}{question[found.end() :]}".strip()
            return rest, found["clause"].strip(" .。")
    return question, ""


def event_words(supposed: str) -> str:
    """Return what is supposed to happen without its date and without words that only say that it does."""
    text = supposed
    dates = [(d.start - len("in "), d.end - len("in ")) for d in find_periods(f"in {text}", _YEAR)]
    for start, end in sorted({*find_dates(text), *dates}, reverse=True):
        text = f"{text[: max(0, start)]} {text[end:]}"
    text = _LIGHT_ZH.sub(" ", _LIGHT.sub(" ", text))
    text = re.sub(r"\b(?:in|on|by|at|from|of)$", "", " ".join(text.split()))
    return text.strip() or supposed
