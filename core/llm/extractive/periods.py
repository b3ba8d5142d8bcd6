"""Periods of time a question names, as conditions on a date column."""

import re
from datetime import date, timedelta

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = "(" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + ")"
_ZH = "零一二三四五六七八九十"
_DAY = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b|(\d{4})年(\d{1,2})月(\d{1,2})[日号]")
_DAY_WORDS = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)? {_MONTH}\.? (\d{{4}})\b|\b{_MONTH}\.? (\d{{1,2}})(?:st|nd|"
    rf"rd|th)?,? (\d{{4}})\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"\b(?:between|from) {_MONTH}\b(?: (\d{{4}}))? (?:and|to|until|through) {_MONTH}\b(?: (\d{{4}}))?",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"\b(?:between|from) (20\d\d|19\d\d) (?:and|to|until|through) (20\d\d|19\d\d)\b|"
    r"(20\d\d)年?[至到-](20\d\d)年"
)
_RANGE_ZH = re.compile(r"(?:(\d{4})年)?(\d{1,2})月?[至到-](\d{1,2})月")
_MONTH_YEAR = re.compile(
    rf"\b{_MONTH}\b\.?(?: (?:of )?(\d{{4}}))?(?! \d)|(?:(\d{{4}})年)?(\d{{1,2}})月(?!\d*[日号])|"
    rf"\b(\d{{4}})-(\d{{2}})\b(?!-)",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\bQ([1-4])(?:[ /-]?(\d{4}))?|\b(first|second|third|fourth) quarter(?: of (\d{4}))?|"
    r"(?:(\d{4})年)?第?([一二三四1-4])季度",
    re.IGNORECASE,
)
_HALF = re.compile(
    r"\b(first|second) half(?: of (\d{4}))?|\bH([12])(?: (\d{4}))?|(?:(\d{4})年)?([上下])半年", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\d-])((?:19|20)\d\d)(?:年)?(?![\d-])")
_SINCE = re.compile(r"\b(?:since|after|from)\b|以来|之后|以后|自", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|until|up to)\b|之前|以前", re.IGNORECASE)


_SAID = re.compile(
    rf"\b(?:in|during|since|from|between|until|before|after|on) (?:the )?"
    rf"(?:(?:first|second|third|fourth|half|quarter|of|and|to|until|{_MONTH[1:-1]}|Q[1-4]|H[12]|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?|(?:19|20)\d\d)\b,? ?)+"
    r"|(?:(?:19|20)\d\d年)(?:第?[一二三四1-4]季度|[上下]半年|\d{1,2}月(?:[至到-]\d{1,2}月|\d{1,2}[日号])?|"
    r"[至到-](?:19|20)\d\d年)?",
    re.IGNORECASE,
)


def period_words(question: str) -> str:
    """Return the period as the question says it ("in March 2025"), "" where it names none."""
    found = (match.group().strip(" ,") for match in _SAID.finditer(question))
    return next((said for said in found if re.search(r"\d", said)), "")


def without_periods(question: str) -> str:
    """Return the question without the periods and months it names."""
    return re.sub(rf"\b{_MONTH}\b(?: \d{{4}})?", " ", _SAID.sub(" ", question))


def _month(text: str) -> int:
    return next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(text.lower()[:3]))


def _between(column: str, start: date, end: date) -> str:
    return f"{column} >= '{start}' AND {column} < '{end}'"


def _after(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1)


def period_of(question: str, column: str) -> list[str]:
    """Return the SQL conditions for the period a question names; empty where it names none."""
    year = _YEAR.search(question)
    default = int(year.group(1)) if year else 0
    for reader in (_day, _span, _part_of_year, _single_month):
        found = reader(question, column, default)
        if found:
            return found
    years = [int(a) for a in _YEAR.findall(question)]
    if not years:
        return []
    lead = question[: year.start()][-12:] if year else ""
    if len(years) == 1 and _SINCE.search(lead):
        return [f"{column} >= '{years[0]}-01-01'"]
    if len(years) == 1 and _BEFORE.search(lead):
        return [f"{column} < '{years[0]}-01-01'"]
    if _YEARS.search(question):
        return [_between(column, date(min(years), 1, 1), date(max(years) + 1, 1, 1))]
    listed = ", ".join(map(str, dict.fromkeys(years)))
    return [f"year({column}) = {listed}" if len(set(years)) == 1 else f"year({column}) IN ({listed})"]


def _day(question: str, column: str, _default: int) -> list[str]:
    match = _DAY.search(question)
    if match:
        y, m, d = (int(part) for part in match.groups() if part)
    else:
        spoken = _DAY_WORDS.search(question)
        if spoken is None:
            return []
        g = spoken.groups()
        y, m, d = (int(g[2]), _month(g[1]), int(g[0])) if g[0] else (int(g[5]), _month(g[3]), int(g[4]))
    if not (1 <= m <= 12 and 1 <= d <= 31):
        return []
    start = date(y, m, min(d, (_after(y, m) - timedelta(days=1)).day))
    return [_between(column, start, start + timedelta(days=1))]


def _span(question: str, column: str, default: int) -> list[str]:
    match = _RANGE.search(question)
    if match:
        a, year_a, b, year_b = match.groups()
        first, last = _month(a), _month(b)
        start_year = int(year_a or year_b or default or 0)
        end_year = int(year_b or start_year)
    else:
        chinese = _RANGE_ZH.search(question)
        if chinese is None:
            return []
        first, last = int(chinese.group(2)), int(chinese.group(3))
        start_year = end_year = int(chinese.group(1) or default or 0)
    if not (1 <= first <= 12 and 1 <= last <= 12):
        return []
    if not start_year:
        return [f"month({column}) BETWEEN {first} AND {last}"]
    return [_between(column, date(start_year, first, 1), _after(end_year, last))]


def _part_of_year(question: str, column: str, default: int) -> list[str]:
    words = {
        "first": 1,
        "second": 2,
        "third": 3,
        "fourth": 4,
        "上": 1,
        "下": 2,
        "一": 1,
        "二": 2,
        "三": 3,
        "四": 4,
    }
    for pattern, months in ((_QUARTER, 3), (_HALF, 6)):
        match = pattern.search(question)
        if match is None:
            continue
        said = next(g for g in match.groups() if g and not re.fullmatch(r"\d{4}", g))
        number = words.get(said.lower()) or int(said)
        spoken = next((g for g in match.groups() if g and re.fullmatch(r"\d{4}", g)), "")
        year = int(spoken or default or 0)
        first, last = (number - 1) * months + 1, number * months
        if not year:
            return [f"month({column}) BETWEEN {first} AND {last}"]
        return [_between(column, date(year, first, 1), _after(year, last))]
    return []


def _single_month(question: str, column: str, default: int) -> list[str]:
    for match in _MONTH_YEAR.finditer(question):
        name, year_a, year_b, number, year_c, number_c = match.groups()
        if name and name.lower() in {"may", "mar", "sep"} and not match.group()[0].isupper():
            continue
        month = _month(name) if name else int(number or number_c)
        if not 1 <= month <= 12:
            continue
        year = int(year_a or year_b or year_c or default or 0)
        lead = question[max(0, match.start() - 12) : match.start()]
        tail = question[match.end() : match.end() + 2]
        for pattern, sign in ((_SINCE, ">="), (_BEFORE, "<")):
            if pattern.search(lead) or pattern.match(tail):
                return [
                    f"{column} {sign} '{date(year, month, 1)}'" if year else f"month({column}) {sign} {month}"
                ]
        if not year:
            return [f"month({column}) = {month}"]
        return [_between(column, date(year, month, 1), _after(year, month))]
    return []
