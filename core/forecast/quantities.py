"""Numbers with units as sources write them, in English and Chinese, brought to one unit by pint."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_TENS = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10_000, "亿": 100_000_000}
_WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "bn": 1e9, "mn": 1e6}
_NUMBER = r"[-+−]?\d{1,3}(?:[,\u202f ]\d{3})+(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?|[-+−]?\.\d+"
_UNIT = (
    r"%|‰|percent(?:age points)?|per cent|ppm|ppb|°\s?[CF]|℃|[kMG]?W\b|kWh|[mµk]?V\b|[mµ]?A\b|sccm|slm|m?Torr"
    r"|[kM]?Pa|m?bar|psi"
    r"|[nµmck]?m\b|Å|cm2|1/cm2|nm/min|[mµk]?g\b|tonnes?\b|[mµ]?[lL]\b"
    r"|[GMk]?Hz|rpm|ms\b|hours?\b|h\b|minutes?\b|min\b|seconds?\b|s\b"
    r"|days?\b|weeks?\b|wafers?\b|lots?\b|EUR|USD|CNY|RMB|€|\$|¥|元|美元|个|片|次|件|台|吨|人|辆|小时|分钟|秒|天|毫米|微米|纳米"
)
_QUANTITY = re.compile(
    rf"(?P<currency>[$€¥£])?\s?(?P<number>{_NUMBER})"
    rf"(?:\s?(?:-|–|—|to|至|到|~)\s?(?P<upper>{_NUMBER}))?"
    r"\s?(?P<scale>thousand|million|billion|trillion|bn|mn|k(?=\b)|[万亿]+)?"
    rf"\s?(?P<unit>{_UNIT})?",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    rf"(?<![\d.])(?P<number>[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]*)(?P<unit>{_UNIT})"
)
_SPOKEN = {"percent": "%", "per cent": "%", "℃": "°C", "µ": "u"}


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, and where it stands in the text (characters). A range is its middle."""

    value: float
    unit: str
    start: int
    end: int


def find_quantities(text: str) -> list[Quantity]:
    """Return the quantities of the text in order."""
    found = []
    for match in _QUANTITY.finditer(text):
        value = to_number(match["number"])
        if match["upper"] is not None:
            value = (value + to_number(match["upper"])) / 2
        for scale in _scales(match["scale"]):
            value *= scale
        unit = match["unit"] or match["currency"] or ""
        found.append(Quantity(value, normal_unit(unit), match.start("number"), match.end()))
    for match in _CHINESE.finditer(text):
        found.append(
            Quantity(from_chinese(match["number"]), normal_unit(match["unit"]), match.start(), match.end())
        )
    return sorted(found, key=lambda q: q.start)


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
    if lowered in {"hour", "hours"}:
        return "h"
    if re.fullmatch(r"(minute|second|day|week|wafer|lot|tonne)s?", lowered):
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
