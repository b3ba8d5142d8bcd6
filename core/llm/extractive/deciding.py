"""Settles a comparison whose facts stand in the question: "Who was born first, A (1950) or B (1948)?"."""

import re

from core.llm.extractive.nations import nation
from core.llm.extractive.spans import DATE, NUMBER
from core.text.tokens import content_words, is_cjk

_OPTION = re.compile(
    r"(?:^|[,，:：\s]|是|和|与|"
    r"或)([^()（）,，:：]{1,80}?(?:\s?\([^()]*\))?)\s?[(（]([^()（）]{1,300})[)）](?!\s?[(（])"
)
_EARLY = re.compile(
    r"\b(?:first|earlier|earliest|older|oldest|elder|eldest|sooner)\b|更早|最早|最先|先|年长|更老",
    re.IGNORECASE,
)
_LATE = re.compile(
    r"\b(?:later|latest|last|younger|youngest|newer|newest|most recent(?:ly)?)\b|更晚|最晚|年轻|较晚|更新",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:more|higher|highest|larger|largest|bigger|biggest|greater|longer|longest|"
    r"taller|most|faster|hotter|heavier|better|best|farther)\b|更[高多大长快好]|最[高多大长快好]",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:less|lower|lowest|smaller|smallest|fewer|fewest|shorter|shortest|least|"
    r"cheaper|cheapest|slower|worse|worst)\b|更[低少小短慢差]|最[低少小短慢差]",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"\b(?:same|both|similar|alike|equal|share|identical)\b|相同|一样|一致|同一|都", re.IGNORECASE
)
_DIFFERENCE = re.compile(r"\b(?:difference|differ|compare)|区别|不同|差异", re.IGNORECASE)
_MONTHS = {
    name: at
    for at, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_UNKNOWN = re.compile(r"^(?:#\d+|\?|unknown|not found|未知|未找到|)$", re.IGNORECASE)


def decide(question: str, kind: str) -> str:
    """Return the outcome of a comparison of facts in parentheses, "" where the question is none."""
    options: list[tuple[str, str]] = [
        (name.strip(" 和与或"), fact.strip()) for name, fact in _OPTION.findall(question)
    ]
    options = [
        (re.sub(r"^.*\b(?:or|and|was|were|is|are|did|between|do|does)\s+", "", name), fact)
        for name, fact in options
    ]
    options = [(name, fact) for name, fact in options if name]
    if len(options) != 2 or any(_UNKNOWN.match(fact) for _, fact in options):
        return ""
    (one, fact_one), (other, fact_other) = options
    frame = re.sub(r"[(（][^()（）]*[)）]", " ", question)
    for early, pattern in ((True, _EARLY), (False, _LATE)):
        if pattern.search(frame):
            dates = moment(fact_one), moment(fact_other)
            if dates[0] and dates[1] and dates[0] != dates[1]:
                return one if (dates[0] < dates[1]) == early else other
    for most, pattern in ((True, _MORE), (False, _LESS)):
        if pattern.search(frame):
            sizes = amount(fact_one), amount(fact_other)
            if sizes[0] is not None and sizes[1] is not None and sizes[0] != sizes[1]:
                return one if (sizes[0] > sizes[1]) == most else other
    if _DIFFERENCE.search(frame):
        return f"{one}: {fact_one}; {other}: {fact_other}"
    return _agreement(question, kind, fact_one, fact_other) if _SAME.search(frame) else ""


def _agreement(question: str, kind: str, one: str, other: str) -> str:
    yes, no = ("是", "否") if is_cjk(question) else ("yes", "no")
    facts = one.lower().strip(". "), other.lower().strip(". ")
    if {*facts} <= {"yes", "no", "是", "否"}:
        return yes if facts[0] in {"yes", "是"} and facts[1] in {"yes", "是"} else no
    if kind != "yes/no":
        shared = [word for word in content_words(one) if word in set(content_words(other))]
        return one if shared and len(one) <= len(other) else (other if shared else "")
    if nation(one) and nation(other):
        return yes if nation(one) == nation(other) else no
    a, b = set(content_words(one)), set(content_words(other))
    return yes if a and b and len(a & b) >= 0.5 * min(len(a), len(b)) else no


def moment(text: str) -> tuple[int, int, int] | None:
    """Return (year, month, day) of the first date with a year, zeros where it says none."""
    for match in DATE.finditer(text):
        found = match.group()
        year = re.search(r"\d{4}|\b\d{3}\b", found)
        if year is None:
            continue
        numbers = [int(n) for n in re.findall(r"\d+", found.replace(year.group(), " ", 1))]
        name = re.search(r"[A-Za-z]{3}", found)
        month = _MONTHS.get(name.group().lower(), 0) if name else 0
        if month:
            return int(year.group()), month, numbers[0] if numbers else 0
        numbers += [0, 0]
        return int(year.group()), numbers[0], numbers[1]
    return None


_SCALE = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "万": 1e4,
    "亿": 1e8,
    "万元": 1e4,
    "亿元": 1e8,
}


def amount(text: str) -> float | None:
    """Return the first number of a text as written in digits, its scale word applied."""
    for match in NUMBER.finditer(text):
        digits = re.search(r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?", match.group())
        if digits:
            value = float(digits.group().replace(",", "").replace("−", "-"))
            scale = re.search(r"thousand|million|billion|trillion|亿|万", match.group())
            return value * (_SCALE[scale.group()] if scale else 1.0)
    return None
