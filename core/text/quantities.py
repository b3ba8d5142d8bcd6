"""Numbers with units as sources write them, in English and Chinese, brought to one unit by pint."""

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_TENS = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10_000, "亿": 100_000_000}
_WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "bn": 1e9, "mn": 1e6}
_DIGIT_RUN = r"\d{1,3}(?:[,\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_NUMBER = rf"(?:(?<![A-Za-z\d%)）])[-+−])?(?<![A-Za-z\d.])(?<![A-Za-z\d.][-−–_/])(?:{_DIGIT_RUN})"
_UNIT = (
    r"%|％|‰|°\s?[CF]|℃|Å|€|\$|¥"
    r"|(?:(?i:percent(?:age points?)?|per cent|ppm|ppb|sccm|slm|rpm|hours?|minutes?|seconds?|days?|weeks?"
    r"|wafers?|lots?|units?|pieces?|pcs|tonnes?|tons?|euros?|dollars?)"
    r"|[kMG]?Wh?|[mµk]?V|[mµ]?A|m?Torr|[kM]?Pa|h?Pa|m?bar|psi|1/cm2|cm2|[nµmk]m/min|[nµmck]?m|[mµk]?g|[mµ]?[lL]"
    r"|[GMk]?Hz|ms|min|h|s|EUR|USD|CNY|RMB)(?![A-Za-z])"
    r"|美元|元|个|片|次|件|台|吨|人|辆|批|条|小时|分钟|秒|天|毫米|微米|纳米"
)
_SCALE = r"(?i:thousand|million|billion|trillion|bn|mn)(?![A-Za-z])|k(?![A-Za-z])|[万亿]+"
_QUANTITY = re.compile(
    rf"(?P<between>\b[Bb]etween\s+)?(?P<currency>[$€¥£])?\s?(?P<number>{_NUMBER})"
    rf"(?:\s?(?:-|–|—|to|至|到|~|～|(?(between)and|to))\s?(?P<upper>(?:{_DIGIT_RUN})))?"
    rf"\s?(?P<scale>{_SCALE})?\s?(?P<unit>{_UNIT})?"
)
_CJK_NUMBER = r"[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]*"
_CHINESE = re.compile(rf"(?<![\d.第星期])(?P<number>{_CJK_NUMBER})(?P<unit>{_UNIT})")
_PERCENT = re.compile(rf"百分之(?:(?P<digits>\d+(?:\.\d+)?)|(?P<number>{_CJK_NUMBER}))")
_SPOKEN = {
    "percent": "%",
    "per cent": "%",
    "％": "%",
    "℃": "°C",
    "小时": "h",
    "分钟": "min",
    "秒": "s",
    "天": "day",
    "毫米": "mm",
    "微米": "µm",
    "纳米": "nm",
    "euros": "EUR",
    "euro": "EUR",
    "pcs": "piece",
    "hour": "h",
    "hours": "h",
    "minute": "min",
    "minutes": "min",
    "second": "s",
    "seconds": "s",
}


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, and where it stands in the text (characters). A range is its middle."""

    value: float
    unit: str
    start: int
    end: int
    upper: float | None = None  # of a range


def find_quantities(text: str) -> list[Quantity]:
    """Return the quantities of the text in order; codes ("ETCH-03"), versions and ordinals are none."""
    found = []
    for match in _QUANTITY.finditer(text):
        quantity = _quantity(text, match)
        if quantity:
            found.append(quantity)
    for match in _CHINESE.finditer(text):
        found.append(
            Quantity(from_chinese(match["number"]), normal_unit(match["unit"]), match.start(), match.end())
        )
    for match in _PERCENT.finditer(text):
        value = float(match["digits"]) if match["digits"] else from_chinese(match["number"])
        found = [q for q in found if q.end <= match.start() or q.start >= match.end()]
        found.append(Quantity(value, "%", match.start(), match.end()))
    return sorted(found, key=lambda q: q.start)


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    unit, scale, upper_text = match["unit"] or match["currency"] or "", match["scale"], match["upper"]
    end = len(text[: match.end()].rstrip())
    if not match["unit"] and not scale and re.match(r"[A-Za-z]|[-./_]\d", text[end:]):
        return None  # "8D", "3rd", "1.2.3"
    factor = math.prod(_scales(scale))
    lower = to_number(match["number"]) * factor
    upper = to_number(upper_text) * factor if upper_text else None
    value = lower if upper is None else (lower + upper) / 2
    return Quantity(round(value, 6), normal_unit(unit), match.start("number"), end, upper)


def _scales(word: str | None) -> list[float]:
    if not word:
        return []
    if word.lower() in _WORDS:
        return [_WORDS[word.lower()]]
    return [float(_LARGE[c]) for c in word]


def to_number(text: str) -> float:
    """Read "1,234.5", "−3" or "1 234" as a float."""
    return float(re.sub(r"[,\u202f ]", "", text).replace("−", "-"))


def from_chinese(text: str) -> float:
    """Read a Chinese numeral: 三十二 -> 32, 一亿二千万 -> 120000000, 二〇二四 -> 2024."""
    if all(c in _DIGITS for c in text):
        return float("".join(str(_DIGITS[c]) for c in text))
    total = section = digit = 0
    for c in text:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c in _TENS:
            section += (digit or 1) * _TENS[c]
            digit = 0
        else:
            total = (
                (total + section + digit) * _LARGE[c] if c == "亿" else total + (section + digit) * _LARGE[c]
            )
            section = digit = 0
    return float(total + section + digit)


def normal_unit(unit: str) -> str:
    """Return one spelling for a unit: "percent" and "％" become "%", plurals lose their s."""
    unit = unit.strip()
    lowered = unit.lower()
    if lowered.startswith("percentage"):
        return "%"
    if lowered in _SPOKEN:
        return _SPOKEN[lowered]
    if re.fullmatch(r"(day|week|wafer|lot|tonne|ton|unit|piece|dollar)s?", lowered):
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
