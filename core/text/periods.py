"""Points in time as sources write them, and the steps of a series.

A period is a string that sorts: "2024", "2024-Q1", "2024-03", "2024-W07" or "2024-03-18".
"""

import re
from calendar import month_name
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal

from core.text.locales import month_number, month_numbers

ENGLISH_MONTH = rf"(?:{'|'.join(month_name[1:])})"  # a pattern
BARE_YEAR = r"(?:19|20)\d\d"  # a pattern: four digits that are read as a year without a word beside them
Frequency = Literal["yearly", "quarterly", "monthly", "weekly", "daily", "irregular"]

_YEAR = r"(?<![A-Za-z\d.,-])(?P<year>(?:1[5-9]|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)?"
_MEASURED = (  # "2000 hours" is no year
    r"(?!\s?(?:hours?|hrs|h|min(?:utes?)?|s|sccm|rpm|nm|mm|µm|W|V|Pa|wafers?|lots?|units?|pieces?|pages?|EUR|USD"
    r"|times|people|employees|kWh|kg)\b|\s?[%°€$小片件个次元人台瓦转公千万亿])"
)
_FIRST_BARE_YEAR = 1900  # from when on four digits alone are a year to those who count by periods
_IN_FIGURES = re.compile(r"(?<![\d./])\d{1,2}([./])\d{1,2}\1(?:\d{4}|\d\d)(?![\d./]\d)")


@cache
def _month() -> str:
    """Return the pattern of a month's name: English however it is written, others as their language does."""
    names = sorted(month_numbers(), key=len, reverse=True)
    english = "|".join(name for name in names if name.isascii() and name.islower())
    others = "|".join(name for name in names if not (name.isascii() and name.islower()))
    return rf"(?P<name>(?i:{english})|(?-i:{others}))\.?"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a period with its year, the longest reading first."""
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?!\d)",
            rf"{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월]\s*(?P<day>\d{{1,2}})\s*[日号일]",
            rf"(?<!\d){_DAY}\s+(?:of\s+)?{_month()},?\s+{_YEAR}",
            rf"\b{_month()}\s+{_DAY},?\s+{_YEAR}",
            r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:1[5-9]|20)\d\d)(?![\d.]\d)",
            r"(?<![\d/])(?P<day>1[3-9]|2\d|3[01])/(?P<month>\d{1,2})/(?P<year>(?:1[5-9]|20)\d\d)(?!\d)",
            r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>1[3-9]|2\d|3[01])/(?P<year>(?:1[5-9]|20)\d\d)(?!\d)",
            rf"{_YEAR}[-\s]?Q(?P<quarter>[1-4])(?!\d)",
            r"(?<![A-Za-z])Q(?P<quarter>[1-4])(?:\s+of\s+|[\s/-]*)(?P<year>(?:19|20)\d\d)(?!\d)",
            rf"(?P<word>first|second|third|fourth)\s+quarter\s+(?:of\s+)?{_YEAR}",
            rf"{_YEAR}\s*[年년]\s*第?\s*(?P<quarter>[1-4一二三四])\s*(?:季度|분기)",
            rf"{_YEAR}[-\s]?W(?P<week>\d{{1,2}})(?!\d)",
            r"\b(?:week|calendar week|CW|KW)\s*(?P<week>\d{1,2})\s*(?:of|/|,)?\s*(?P<year>(?:19|20)\d\d)",
            rf"{_YEAR}\s*年\s*第?\s*(?P<week>\d{{1,2}})\s*周",
            rf"{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월](?:份|底|末|初)?",
            rf"\b{_month()}\s*(?:of\s+)?,?\s*{_YEAR}",
            rf"{_YEAR}[-/](?P<month>0[1-9]|1[0-2])(?![\d-])",
            r"(?<![\d/])(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)(?!\d)",
            r"\bFY\s?(?P<year>20\d\d)(?!\d)",
            rf"{_YEAR}(?:\s*[年년](?:度|底|末|初)?|(?!\d|\.\d|,\d){_MEASURED})",
        )
    )


@cache
def _yearless() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a period without a year."""
    return tuple(
        re.compile(pattern)
        for pattern in (
            r"(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日号일]",
            rf"(?<!\d){_DAY}\s+(?:of\s+)?{_month()}(?![a-z])",
            rf"\b{_month()}\s+{_DAY}(?![\d%]|[.,:]\d)",
            r"(?<![A-Za-z])Q(?P<quarter>[1-4])(?![\d-])",
            r"(?i:(?P<word>first|second|third|fourth)\s+quarter)",
            r"第\s*(?P<quarter>[1-4一二三四])\s*季度",
            r"\b(?i:week|calendar week|CW|KW)\s*(?P<week>\d{1,2})(?!\d)",
            r"第\s*(?P<week>\d{1,2})\s*周",
            r"(?<![\d个])(?P<month>\d{1,2})\s*[月월](?:份|底|末|初)?(?!\s*\d*\s*[日号일])",
            rf"\b(?=[A-Z])(?!May){_month()}(?![A-Za-z])",
            r"(?:(?<=in )|(?<=of )|(?<=by )|(?<=to )|(?<=and )|(?<=from )|(?<=since )|(?<=, )|(?<=: ))"
            rf"(?=May){_month()}(?![A-Za-z])(?! [a-z])",
        )
    )


_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
FREQUENCIES: tuple[Frequency, ...] = ("daily", "weekly", "monthly", "quarterly", "yearly")  # the finest first
STEPS: dict[Frequency, int] = {"yearly": 1, "quarterly": 4, "monthly": 12, "weekly": 52, "daily": 7}


def is_year(text: str) -> bool:
    """Say whether the whole text is a bare year, 1900 to 2099."""
    return re.fullmatch(BARE_YEAR, text) is not None


@dataclass(frozen=True)
class Dated:
    """A period found in a text, and where (characters)."""

    period: str
    start: int
    end: int


def find_periods(text: str, year: str = "") -> list[Dated]:
    """Return the periods named in the text, in order, longest reading first, none overlapping.

    A period without a year ("week 11", "3月") belongs to the year named before it, else to `year`; without
    either it is passed over.
    """
    found: list[Dated] = []
    for match in _apart(_patterns(), text, found):
        period = _period(match, "")
        if period and (len(period) > 4 or int(period) >= _FIRST_BARE_YEAR):
            found.append(Dated(period, match.start(), match.end()))
    for match in _apart(_yearless(), text, found):
        before = [d for d in found if d.end <= match.start()]
        of = max(before, key=lambda d: d.end).period[:4] if before else year
        period = _period(match, of) if of else None
        if period:
            found.append(Dated(period, match.start(), match.end()))
    return sorted(found, key=lambda d: d.start)


def year_named(text: str) -> str:
    """Return the year of the last period the text names, "" for none."""
    found = find_periods(text)
    return found[-1].period[:4] if found else ""


def find_dates(text: str) -> list[tuple[int, int]]:
    """Return where the text names a time: a day, week, month, quarter or year, with its year or without.

    Years count from 1500 on; "03/04/2021" is a date although nobody can tell which.
    """
    found: list[Dated] = []
    for match in _apart((_IN_FIGURES, *_patterns(), *_yearless()), text, found):
        if match.re is _IN_FIGURES or _period(match, "2000"):
            found.append(Dated("", match.start(), match.end()))
    return sorted((d.start, d.end) for d in found)


def _apart(patterns: Iterable[re.Pattern[str]], text: str, found: Sequence[Dated]) -> Iterator[re.Match[str]]:
    """Yield the matches that overlap nothing found so far, also while more is found."""
    for pattern in patterns:
        for match in pattern.finditer(text):
            if all(match.end() <= d.start or match.start() >= d.end for d in found):
                yield match


def _period(match: re.Match[str], year: str) -> str | None:
    parts = {k: v for k, v in match.groupdict().items() if v}
    year = parts.get("year") or year
    if "week" in parts:
        return f"{year}-W{int(parts['week']):02}" if 1 <= int(parts["week"]) <= 53 else None
    quarter = parts.get("quarter") or parts.get("word")
    if quarter:
        return f"{year}-Q{_QUARTERS.get(quarter.lower()) or int(quarter)}"
    month = month_number(parts["name"]) if "name" in parts else int(parts.get("month", 0))
    if "month" in parts and not 1 <= month <= 12:
        return None
    if "day" in parts:
        try:
            return date(int(year), month, int(parts["day"])).isoformat()
        except ValueError:
            return None
    return f"{year}-{month:02}" if month else year


def as_period(value: object) -> str | None:
    """Read a cell: a date, a time stamp, a year as number, or a text that is one period."""
    if isinstance(value, date):  # datetime is a date too
        return value.isoformat()[:10]
    if isinstance(value, int | float) and float(value).is_integer() and 1900 <= value <= 2100:
        return str(int(value))
    text = str(value).strip()
    found = find_periods(text)
    whole = len(found) == 1 and found[0].end - found[0].start >= 0.6 * len(text)
    return found[0].period if whole else None


def frequency_of(period: str) -> Frequency:
    """Return how long a period is."""
    if "Q" in period:
        return "quarterly"
    if "W" in period:
        return "weekly"
    kinds: dict[int, Frequency] = {4: "yearly", 7: "monthly", 10: "daily"}
    return kinds.get(len(period), "irregular")


def first_day(period: str) -> date:
    """Return the period's first day."""
    year = int(period[:4])
    match frequency_of(period):
        case "quarterly":
            return date(year, 3 * int(period[-1]) - 2, 1)
        case "weekly":
            return date.fromisocalendar(year, min(int(period[-2:]), 52), 1)
        case "monthly":
            return date(year, int(period[5:7]), 1)
        case "daily":
            return date.fromisoformat(period)
        case _:
            return date(year, 1, 1)


def coarsen(period: str, frequency: Frequency) -> str | None:
    """Return the longer period this one lies in, or None if it is itself longer than that."""
    order: tuple[Frequency, ...] = ("daily", "weekly", "monthly", "quarterly", "yearly")
    own = frequency_of(period)
    if own not in order or frequency not in order or order.index(own) > order.index(frequency):
        return None
    day = first_day(period)
    match frequency:
        case "yearly":
            return f"{day.year}"
        case "quarterly":
            return f"{day.year}-Q{(day.month + 2) // 3}"
        case "monthly":
            return f"{day.year}-{day.month:02}"
        case "weekly":
            return "{}-W{:02}".format(*day.isocalendar()[:2])
        case _:
            return period


def following(period: str) -> Iterator[str]:
    """Yield the periods after this one, without end."""
    frequency, day = frequency_of(period), first_day(period)
    while True:
        match frequency:
            case "yearly":
                day = day.replace(year=day.year + 1)
            case "quarterly" | "monthly":
                months = 3 if frequency == "quarterly" else 1
                total = day.year * 12 + day.month - 1 + months
                day = date(total // 12, total % 12 + 1, 1)
            case "weekly":
                day += timedelta(days=7)
            case _:
                day += timedelta(days=1)
        named = coarsen(day.isoformat(), frequency)
        yield named if named is not None else day.isoformat()


def between(first: str, last: str) -> list[str]:
    """Return all periods from first to last, both included."""
    periods = [first]
    for period in following(first):
        if period > last:
            return periods
        periods.append(period)
    return periods
