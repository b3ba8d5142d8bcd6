"""Month names and words of time from CLDR (by Babel), in the languages that questions are read in."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Literal

LANGUAGES = ("en", "zh", "fr", "de", "ko", "ja", "ar")
_DURATIONS = {
    "second": "s", "minute": "min", "hour": "h", "day": "day", "week": "week", "month": "month",
    "year": "year",
}  # fmt: skip
_LONGER = ("quarter", "decade", "century")  # measured by nobody, but spans of time
_LETTERS = "\u2e80"  # scripts before it write with letters: one or two of them are no word of time
_UNCLEAR = frozenset({"分", "日"})  # Japanese minutes and days are marks and dates in Chinese


@cache
def month_numbers() -> Mapping[str, int]:
    """Return the number of each month by its name: English in lower case, abbreviated too; others as written.

    Months that are only a number with a sign ("3月") are not among them.
    """
    from babel.dates import get_month_names

    found: dict[str, int] = {"sept": 9}
    for language in LANGUAGES:
        for at, name in get_month_names("wide", locale=language).items():
            if name.isalpha() and not name.endswith("月"):
                found[name.lower() if language == "en" else name] = at
    return found | {name.lower(): at for at, name in get_month_names("abbreviated", locale="en").items()}


def month_number(name: str) -> int:
    """Return the number of a month by its name, 0 for any other word."""
    plain = name.rstrip(".")
    return month_numbers().get(plain) or month_numbers().get(plain.lower(), 0)


@cache
def duration_units() -> Mapping[str, str]:
    """Return the unit ("h") of each word that measures time ("hours", "Stunden", "小时"), in lower case."""
    found = {"hr": "h", "hrs": "h", "secs": "s", "mins": "min"}
    for language in LANGUAGES:
        for name, unit in _DURATIONS.items():
            for word in _written(f"duration-{name}", language):
                if word not in _UNCLEAR and (len(word) > 2 or word > _LETTERS):
                    found.setdefault(word, unit)
    return found


@cache
def time_words() -> frozenset[str]:
    """Return the words that name a span of time ("months", "quarter", "季度"), in lower case."""
    longer = {
        word for language in LANGUAGES for name in _LONGER for word in _written(f"duration-{name}", language)
    }
    return frozenset(duration_units()) | longer


def _written(unit: str, language: str) -> Iterator[str]:
    """Yield how a unit is written behind numbers that ask for different forms of it."""
    from babel.units import format_unit

    forms: tuple[Literal["long", "short"], ...] = ("long", "short")
    for number, length in product((1, 2, 5, 20), forms):
        written = format_unit(number, unit, length, locale=language)
        if "duration" not in written:  # Babel gives the unit's name where a language lacks the form
            yield "".join(sign for sign in written if sign.isalpha()).lower()
