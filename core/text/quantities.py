"""Numbers with units as sources write them, in English and Chinese, brought to one unit by pint."""

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.text.locales import duration_units

ENGLISH_NUMBERS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_CHINESE_SIGNS = "零〇一二两三四五六七八九十"
_LARGE = {"万": 1e4, "亿": 1e8, "만": 1e4, "억": 1e8, "천": 1e3}
_WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "bn": 1e9, "mn": 1e6}
_DIGIT_RUN = r"\d{1,3}(?:[,\u202f]\d{3})+(?:\.\d+)?(?![.,]?\d)|\d+(?:[.,]\d+)*"
_NUMBER = rf"(?:(?<![A-Za-z\d%)）])[-+−])?(?<![A-Za-z\d.])(?<!\d,)(?<![A-Za-z\d.][-−–_/])(?:{_DIGIT_RUN})"
_UNIT = (
    r"%|％|‰|°\s?[CF]|℃|Å|€|\$|¥|£|₩"
    r"|(?:(?i:percent(?:age points?)?|per cent|ppm|ppb|sccm|slm|rpm"
    r"|wafers?|lots?|units?|pieces?|pcs|tonnes?|tons?|euros?|dollars?)"
    r"|[kMG]?Wh?|[mµk]?V|[mµ]?A|m?Torr|[kM]?Pa|h?Pa|m?bar|psi|1/cm2|cm2|[nµmk]m/min|km/h|[nµmck]?m[²³23]?"
    r"|[mµk]?g|[mµ]?[lL]|[GMk]?Hz|[kMGT]B|dB|[kM]?[ΩJN]|mph|lbs?|ft|ms|h|s|EUR|USD|CNY|RMB|GBP|KRW|JPY|CHF)"
    r"(?![A-Za-z])"
    r"|美元|元|个(?!月)|片|次|件|台|吨|人|辆|批|条|毫米|微米|纳米|원|円|명|개(?!월)"
)
_EXPONENT = "[⁺⁻]?[⁰¹²³⁴-⁹]{1,2}"
_TIMES = rf"(?:\s?[×x·]\s?10(?P<power>{_EXPONENT})|(?P<raised>{_EXPONENT}))?"
_SCALE = r"(?i:thousand|million|billion|trillion|bn|mn)(?![A-Za-z])|k(?![A-Za-z])|[万亿만억천]+"
_CJK_NUMBER = rf"[{_CHINESE_SIGNS}][{_CHINESE_SIGNS}百千万亿]*"
_PERCENT = re.compile(rf"百分之(?:(?P<digits>\d+(?:\.\d+)?)|(?P<number>{_CJK_NUMBER}))")
_COUNTED = re.compile(
    rf"\b(?:no|{'|'.join(ENGLISH_NUMBERS)}|both|none)\b"
    rf"|{_CJK_NUMBER}(?=[个名人位次种条台件])",
    re.IGNORECASE,
)
_FIRST_CHINESE_YEAR = 1000  # from this many on, "2024年" is a year and no duration
DURATIONS = frozenset({"ms", "s", "min", "h", "day", "week", "month", "year"})
_SPOKEN = {
    "percent": "%",
    "per cent": "%",
    "％": "%",
    "℃": "°C",
    "毫米": "mm",
    "微米": "µm",
    "纳米": "nm",
    "euros": "EUR",
    "euro": "EUR",
    "pcs": "piece",
}


@cache
def _unit() -> str:
    """Return the pattern of a unit, with the words of time of every language questions are read in."""
    words = "|".join(sorted(duration_units(), key=len, reverse=True))
    return rf"{_UNIT}|(?i:{words})(?![A-Za-z])"


@cache
def _quantities() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<between>\b[Bb]etween\s+)?(?P<currency>[$€¥£₩])?\s?(?P<number>{_NUMBER}){_TIMES}"
        rf"(?:\s?(?:-|–|—|to|至|到|~|～|(?(between)and|to))\s?(?P<upper>(?:{_DIGIT_RUN})))?"
        rf"\s?(?P<scale>{_SCALE})?\s?(?P<unit>{_unit()})?"
    )


@cache
def _in_chinese() -> re.Pattern[str]:
    return re.compile(rf"(?<![\d.第星期])(?P<number>{_CJK_NUMBER})(?P<unit>{_unit()})")


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, and where it is in the text (characters). A range is its middle."""

    value: float
    unit: str
    start: int
    end: int
    upper: float | None = None  # of a range


def find_quantities(text: str) -> list[Quantity]:
    """Return the quantities of the text in order; codes ("ETCH-03"), versions and ordinals are none."""
    found = [q for match in _quantities().finditer(text) if (q := _quantity(text, match)) is not None]
    for match in _in_chinese().finditer(text):
        value = from_chinese(match["number"])
        if value is not None:
            found.append(Quantity(value, normal_unit(match["unit"]), match.start(), match.end()))
    for match in _PERCENT.finditer(text):
        value = float(match["digits"]) if match["digits"] else from_chinese(match["number"])
        if value is not None:
            found = [q for q in found if q.end <= match.start() or q.start >= match.end()]
            found.append(Quantity(value, "%", match.start(), match.end()))
    return sorted(found, key=lambda q: q.start)


def find_counts(text: str) -> list[tuple[int, int]]:
    """Return where a number is spelled out: "three", or a Chinese numeral before what it counts."""
    return [match.span() for match in _COUNTED.finditer(text)]


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    unit, scale, upper_text = match["unit"] or match["currency"] or "", match["scale"], match["upper"]
    end = len(text[: match.end()].rstrip())
    if not match["unit"] and not scale and re.match(r"[A-Za-z]|[-./_]\d", text[end:]):
        return None  # "8D", "3rd", "1.2.3"
    if not match["unit"] and text[: match.start("number")].endswith("[") and text[end : end + 1] == "]":
        return None  # "[3]" refers to a source
    power, number = match["power"], match["number"]
    if match["raised"] and number.lstrip("+-−") == "10":
        power, number = match["raised"], number.replace("10", "1")
    elif match["raised"] and "." not in number:
        return None  # "25²": a power, or a figure with a footnote's mark
    factor = math.prod(_scales(scale)) * _power_of_ten(power)
    lower, upper = to_number(number), to_number(upper_text) if upper_text else None
    if lower is None or (upper_text and upper is None):
        return None
    lower, upper = lower * factor, None if upper is None else upper * factor
    value = lower if upper is None else (lower + upper) / 2
    start = match.start("currency") if match["currency"] else match.start("number")
    unit = normal_unit(unit)
    if match["unit"] in ("年", "년") and value >= _FIRST_CHINESE_YEAR:
        unit, end = "", match.end("number")  # "2024年" is a year
    value = float(f"{value:.12g}") if power else round(value, 6)
    return Quantity(value, unit, start, end, upper)


def _power_of_ten(exponent: str | None) -> float:
    return 10.0 ** int(unicodedata.normalize("NFKC", exponent).replace("−", "-")) if exponent else 1.0


def _scales(word: str | None) -> list[float]:
    if not word:
        return []
    if word.lower() in _WORDS:
        return [_WORDS[word.lower()]]
    return [float(_LARGE[c]) for c in word]


def to_number(text: str) -> float | None:
    """Read "1,234.5", "1.234,5", "3,5", "−3" or "1 234" as a float; None for what is no number ("1.2.3")."""
    plain = re.sub(r"[\u202f ]", "", text).replace("−", "-")
    if re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3})*,\d+", plain) or re.fullmatch(r"[-+]?\d+,\d+", plain):
        plain = plain.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3}){2,}", plain):
        plain = plain.replace(".", "")
    try:
        return float(plain)
    except ValueError:
        return None


def spelled_number(word: str) -> int | None:
    """Return the number a word of either language stands for: "three", 三; None for other words."""
    lowered = word.lower()
    if lowered in ENGLISH_NUMBERS:
        return ENGLISH_NUMBERS.index(lowered) + 1
    value = from_chinese(lowered) if lowered[:1] in _CHINESE_SIGNS else None
    return None if value is None else int(value)


def from_chinese(text: str) -> float | None:
    """Read a Chinese numeral: 三十二 -> 32, 一亿二千万 -> 120000000; None for no numeral."""
    import cn2an

    try:
        return float(cn2an.cn2an(text, "smart"))
    except ValueError:
        return None


def normal_unit(unit: str) -> str:
    """Return one spelling for a unit: "percent" and "％" become "%", plurals lose their s."""
    unit = unit.strip()
    lowered = unit.lower()
    if lowered.startswith("percentage"):
        return "%"
    if lowered in _SPOKEN:
        return _SPOKEN[lowered]
    if lowered in duration_units():
        return duration_units()[lowered]
    if re.fullmatch(r"(wafer|lot|tonne|ton|unit|piece|dollar)s?", lowered):
        return lowered.rstrip("s")
    return unit.replace("° ", "°")


@cache
def _registry() -> Any:
    from pint import UnitRegistry

    return UnitRegistry(autoconvert_offset_to_baseunit=True)


def convert(value: float, unit: str, to: str) -> float | None:
    """Return the value in another unit, or None if the two do not measure the same thing."""
    if unit == to or not unit or not to:
        return value
    from pint.errors import PintError

    try:
        quantity = _registry().Quantity(value, _pint(unit))
        return float(quantity.to(_pint(to)).magnitude)
    except (PintError, AttributeError, ValueError, AssertionError):
        return None


def _pint(unit: str) -> str:
    spoken = {
        "%": "percent",
        "°C": "degC",
        "°F": "degF",
        "µm": "micrometer",
        "Å": "angstrom",
        "mTorr": "millitorr",
    }
    return spoken.get(unit, unit)
