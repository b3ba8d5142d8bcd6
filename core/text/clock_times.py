"""Times of day as questions write them: "08:00", "8 am", "8点30分", "下午3时"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time

_HALF_DAYS = {"凌晨": 0, "早上": 0, "上午": 0, "中午": 12, "下午": 12, "晚上": 12}
_TIME = re.compile(
    rf"(?P<half>{'|'.join(_HALF_DAYS)})?\s*(?<![\d.:/-])(?P<hour>\d{{1,2}})"
    r"(?:[:：](?P<minute>[0-5]\d)(?:[:：](?P<second>[0-5]\d))?(?![\d:])(?:\s*(?P<noon>[ap])\.?m\b\.?)?"
    r"|\s*(?P<noon_only>[ap])\.?m\b\.?"
    r"|\s*Uhr\b"
    r"|\s*[点时](?!间|段)(?:\s*(?P<minutes>[0-5]?\d)\s*分?|(?P<past>半)|整)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ClockTime:
    """A time of day found in a text, and where (characters); `seconds`: it includes seconds."""

    at: time
    start: int
    end: int
    seconds: bool = False


def find_clock_times(text: str) -> Iterator[ClockTime]:
    """Yield the times of day of the text, in order."""
    for match in _TIME.finditer(text):
        hour, minute = int(match["hour"]), int(match["minute"] or match["minutes"] or 0)
        noon = (match["noon"] or match["noon_only"] or "").lower()
        if noon and not 1 <= hour <= 12:
            continue
        if noon:
            hour = hour % 12 + (12 if noon == "p" else 0)
        elif match["half"] and hour < 12 and not (match["half"] == "中午" and hour > 10):
            hour += _HALF_DAYS[match["half"]]
        if hour > 23:
            continue
        minute = 30 if match["past"] else minute
        at = time(hour, minute, int(match["second"] or 0))
        yield ClockTime(
            at, match.start() + len(match[0]) - len(match[0].lstrip()), match.end(), bool(match["second"])
        )
