"""Reads what a predictive question wants: how far, in which steps, counted or averaged, since when."""

import re
from dataclasses import dataclass
from typing import Literal

from core.domain import Frequency
from core.forecast.supposition import split_supposition
from core.text.codes import THING_CODE
from core.text.glossary import query_terms
from core.text.locales import month_number
from core.text.periods import find_periods
from core.text.quantities import ENGLISH_NUMBERS, spelled_number
from core.text.tokens import content_words

Aggregate = Literal["mean", "sum", "count", "last"]

_UNITS: tuple[tuple[str, Frequency], ...] = (
    (r"days?|daily|天|日", "daily"),
    (r"weeks?|weekly|周|星期", "weekly"),
    (r"months?|monthly|月", "monthly"),
    (r"quarters?|quarterly|季度?", "quarterly"),
    (r"years?|yearly|annual(?:ly)?|年", "yearly"),
)
_ANY = "|".join(pattern for pattern, _ in _UNITS)
_NEXT = re.compile(
    rf"\b(?:next|coming|following|over|within|in|for|another)\s+(?:the\s+)?(?:next\s+|coming\s+|following\s+)?"
    rf"(?P<n>\d+|{'|'.join(ENGLISH_NUMBERS)}|few|couple of)?\s*(?P<unit>{_ANY})\b",
    re.IGNORECASE,
)
_NEXT_ZH = re.compile(
    r"(?:未来|接下来|今后|往后|之后|后续|下)\s*(?:的)?(?P<n>\d+|[一二两三四五六七八九十]+|几)?\s*个?\s*"
    r"(?P<unit>天|日|周|星期|月|季度|季|年)"
)
_NEXT_YEARS_ZH = {"明年": 1, "后年": 2, "来年": 1}
_EACH = re.compile(
    rf"\b(?:per|each|every|a|by)\s+(?P<unit>{_ANY})\b|\b(?P<adverb>daily|weekly|monthly|quarterly|yearly|annual)\b"
    r"|(?:每|按|逐)个?(?P<zh>天|日|周|星期|月|季度|季|年)|(?<![个下来一二三四])(?P<zh2>月|季|年|周)度",
    re.IGNORECASE,
)
_HALF = re.compile(
    r"(?P<which>first|second)\s+half\s+(?:of\s+)?(?:the\s+)?(?P<year>20\d\d)|\bH(?P<h>[12])[\s/-]*(?P<year2>20\d\d)"
    r"|(?P<year4>20\d\d)[\s/-]*H(?P<h2>[12])|(?P<year3>20\d\d)\s*年\s*(?P<zh>[上下])半年",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|from|based on|starting)\s+(?:the\s+data\s+(?:of|from)\s+)?$|自|从|根据", re.IGNORECASE
)
_COUNT = re.compile(
    r"\bhow many\b|\bnumber of\b|\bcounts?\b|\bhow often\b|多少(?:次|个|条|起|件)|几次|次数|数量|频率"
    r"|多少.{0,12}(?:报警|告警|警报|事故)",
    re.IGNORECASE,
)
_COUNT_OF = re.compile(
    r"\b(?!(?:total|overall|average|mean|expected|exact|current|final)\b)([^\W\d]{2,40})[ -]counts?\b",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\b(?:average|mean|typical)\b|平均", re.IGNORECASE)
_SUM = re.compile(r"\b(?:total|sum|altogether|in all)\b|合计|总(?:数|量|共|计|和|额)", re.IGNORECASE)
_LAST = re.compile(r"\bat the end of (?:each|every)\b|(?:月|年|季)末值", re.IGNORECASE)
# What the quantity belongs to: "of roses", "from Ferrant Drives"; months and codes are seen to elsewhere
_OWNER = re.compile(
    r"\bof\s+(?:(?:an?|the|all|each|our|their|its|this|that)\s+)?([^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*)?)"
)
_PROPER = re.compile(r"(?<=[a-z,;:]\s)[A-Z][a-z][\w-]*(?:\s[A-Z][\w-]*)*")
_TIMES = frozenset(
    content_words("next coming last day week month quarter half year end time beginning start average")
)
_NOT_CODE = re.compile(r"(?:Q[1-4]|H[12]|W\d{1,2}|CW\d{1,2}|FY\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class ForecastRequest:
    """What the question asks for; None where it does not say.

    `words` and `codes` are what the quantity must match; of each of `things`, to which it belongs, a table
    must say a word; `measured` is X of "the X count", and rows that are not of X do not count it. `steps` of
    `unit` count from the last observation; `first` and `last` are the periods to forecast, `since` the one
    from which the history counts (`core.text.periods`). `question` is without `supposed`, the event as if
    which came it is asked.
    """

    question: str
    words: frozenset[str]
    codes: frozenset[str]
    frequency: Frequency | None = None
    aggregate: Aggregate | None = None
    counting: bool = False
    measured: frozenset[str] = frozenset()
    things: tuple[frozenset[str], ...] = ()
    steps: int | None = None
    unit: Frequency | None = None
    first: str | None = None
    last: str | None = None
    since: str | None = None
    supposed: str = ""


def read_question(question: str) -> ForecastRequest:
    """Read the question, in English or Chinese, apart from what it supposes."""
    question, supposed = split_supposition(question)
    steps, unit = _ahead(question)
    first, last, since = _target(question)
    codes = {code.upper() for code in THING_CODE.findall(question) if not _NOT_CODE.fullmatch(code)}
    return ForecastRequest(
        question=question,
        words=query_terms(question),
        codes=frozenset(codes),
        frequency=_each(question),
        aggregate=_aggregate(question),
        counting=_COUNT.search(question) is not None,
        measured=frozenset(content_words(" ".join(_COUNT_OF.findall(question)))),
        things=_things(question),
        steps=steps,
        unit=unit,
        first=first,
        last=last,
        since=since,
        supposed=supposed,
    )


def _things(question: str) -> tuple[frozenset[str], ...]:
    """Return the words of each thing whose quantity is asked for, by its name or behind "of"."""
    dated = [(found.start, found.end) for found in find_periods(question)]
    places = [(match.start(1), match[1]) for match in _OWNER.finditer(question)]
    places += [(match.start(), match[0]) for match in _PROPER.finditer(question)]
    named = [(at, text) for at, text in places if not month_number(text.split()[0])]
    things = [query_terms(text) for at, text in named if not any(a <= at < b for a, b in dated)]
    return tuple(words for words in things if words and _TIMES.isdisjoint(words))


def _frequency(word: str) -> Frequency:
    return next(f for pattern, f in _UNITS if re.fullmatch(pattern, word, re.IGNORECASE))


def _number(word: str | None) -> int:
    if not word:
        return 1
    if word.isdigit():
        return int(word)
    if word.lower() in {"few", "几"}:
        return 3
    return 2 if word.lower() == "couple of" else spelled_number(word) or 1


def _ahead(question: str) -> tuple[int | None, Frequency | None]:
    for word, years in _NEXT_YEARS_ZH.items():
        if word in question:
            return years, "yearly"
    match = _NEXT.search(question) or _NEXT_ZH.search(question)
    if not match:
        return (6, "monthly") if re.search(r"未来半年|\bnext half[- ]year", question) else (None, None)
    return _number(match["n"]), _frequency(match["unit"])


def _each(question: str) -> Frequency | None:
    match = _EACH.search(question)
    if not match:
        return None
    return _frequency(next(word for word in match.groups() if word))


def _aggregate(question: str) -> Aggregate | None:
    if _MEAN.search(question):
        return "mean"
    if _SUM.search(question):
        return "sum"
    return "last" if _LAST.search(question) else None


def _target(question: str) -> tuple[str | None, str | None, str | None]:
    """Return the first and last period asked for, and since when the history counts."""
    half = _HALF.search(question)
    if half:
        year = half["year"] or half["year2"] or half["year3"] or half["year4"]
        second = (
            (half["which"] or "").lower() == "second" or "2" in (half["h"], half["h2"]) or half["zh"] == "下"
        )
        return (f"{year}-07", f"{year}-12", None) if second else (f"{year}-01", f"{year}-06", None)
    since: str | None = None
    targets: list[str] = []
    for dated in find_periods(question):
        if _SINCE.search(question[: dated.start]) and not targets and since is None:
            since = dated.period
        else:
            targets.append(dated.period)
    if not targets:
        return None, None, since
    return min(targets), max(targets), since
