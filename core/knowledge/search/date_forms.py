"""The days a question names as sources may write them: 2024年10月28日, "October 28, 2024", 20241028."""

import re
from collections.abc import Callable

from core.text.locales import month_numbers
from core.text.periods import find_periods
from core.text.tokens import query_words

DAY_WEIGHT = 1.5  # what a day in one figure counts
MONTH_NAME_WEIGHT = 0.5  # what each name of its month counts

_UNITS = re.compile(r"(?<=\d)\s*[年月日]")


def without_units(text: str) -> str:
    """Return the text without the signs that say what the figures of a date are: no source need have them."""
    return _UNITS.sub(" ", text)


def other_forms(text: str) -> dict[str, float]:
    """Return the words by which the days of a text are written elsewhere, with what each counts."""
    days = [dated.period for dated in find_periods(text) if len(dated.period) == len("2024-10-28")]
    found = {day.replace("-", ""): DAY_WEIGHT for day in days}
    for day in days:
        names = [name for name, number in month_numbers().items() if number == int(day[5:7])]
        found |= {word: MONTH_NAME_WEIGHT for name in names for word in query_words(name)}
    return found


def days_within(text: str, known: Callable[[str], bool]) -> dict[str, float]:
    """Return the days of the months a text names, as far as they are known, with what each counts: the fewer
    they are, the more. A log holds its days as 2024-10-28, and a question says "October 2024"."""
    found: dict[str, float] = {}
    for dated in find_periods(text):
        if len(dated.period) == len("2024-10") and dated.period[5:].isdigit():
            days = [f"{dated.period.replace('-', '')}{day:02}" for day in range(1, 32)]
            known_days = [day for day in days if known(day)]
            found |= dict.fromkeys(known_days, DAY_WEIGHT / max(1, len(known_days)) ** 0.5)
    return found
