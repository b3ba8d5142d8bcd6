"""The span of time a question names: a month, "10 to 14 March", "10 March 08:00 to 12 March 18:00"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from core.text.clock_times import ClockTime, find_clock_times
from core.text.periods import Dated, first_day, following

_TO = r"(?:to|and|until|till|through|up to|bis|und|et|jusqu'au|到|至|[-–—~])"
_JOINT = re.compile(rf"\s*(?:the\s+)?{_TO}\s*(?:the\s+)?", re.IGNORECASE)
_FIRST_DAY = re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|日)?\s*{_TO}\s*(?:the\s+)?$", re.IGNORECASE)
_LAST_DAY = re.compile(rf"\s*{_TO}\s*(?P<day>\d{{1,2}})\s*[日号](?:\s*之间)?")
_DAY_THEN_TIME = re.compile(
    r"\s*(?:[,，T]|at|um|à|的)?\s*(?:(?:between|from|zwischen|von|entre)\s+|从)?\s*", re.IGNORECASE
)
_TIME_THEN_DAY = re.compile(r"\s*(?:,|on|of|am|le)?\s*(?:the\s+)?", re.IGNORECASE)


@dataclass(frozen=True)
class End:
    """An end of a span: a period or a moment, from `begins` to before `ends`, and where it stands."""

    begins: datetime
    ends: datetime
    start: int
    end: int
    moment: bool = False  # a time of day is given

    def written(self, at: datetime) -> str:
        """Return the begin or the end as a value of a query."""
        return at.isoformat(" ") if self.moment else at.date().isoformat()


def ends_of(text: str, periods: Sequence[Dated]) -> tuple[End, End] | None:
    """Return the first and the last end of the span, twice the same where it is one period or moment.

    None for several periods that make no span, or one that ends before it begins.
    """
    clocks = tuple(find_clock_times(text))
    ends = [_end(text, period, clocks) for period in periods]
    if len(ends) > 1:
        joined = _JOINT.fullmatch(text[ends[0].end : ends[1].start]) is not None
        first, last = (_first(text, ends[0], ()), _last(text, ends[1], ())) if joined else (None, None)
    else:
        first, last = _first(text, ends[0], clocks), _last(text, ends[0], clocks)
    if first is None or last is None or last.ends <= first.begins:
        return None
    return first, last


def _end(text: str, period: Dated, clocks: Sequence[ClockTime]) -> End:
    """Return a period, or the moment of its day whose time stands behind or before it."""
    begins = _midnight(first_day(period.period))
    whole = End(begins, _midnight(first_day(next(following(period.period)))), period.start, period.end)
    if len(period.period) < len("2025-03-10"):
        return whole
    for clock in clocks:
        if clock.start >= period.end and _DAY_THEN_TIME.fullmatch(text[period.end : clock.start]):
            return _moment(begins, clock, period.start, clock.end)
        if clock.end <= period.start and _TIME_THEN_DAY.fullmatch(text[clock.end : period.start]):
            return _moment(begins, clock, clock.start, period.end)
    return whole


def _moment(day: datetime, clock: ClockTime, start: int, end: int) -> End:
    at = datetime.combine(day.date(), clock.at)
    return End(at, at + (timedelta(seconds=1) if clock.seconds else timedelta(minutes=1)), start, end, True)


def _first(text: str, own: End, clocks: Sequence[ClockTime]) -> End:
    """Return where the span begins: "10 to 14 March" on the 10th, "08:00 to 12:00 on 10 March" at eight."""
    if own.moment:
        earlier = (c for c in clocks if c.end <= own.start and _JOINT.fullmatch(text[c.end : own.start]))
        clock = next(earlier, None)
        return own if clock is None else _moment(own.begins, clock, clock.start, own.end)
    one = _FIRST_DAY.search(text[: own.start])
    if one and own.ends - own.begins == timedelta(days=1) and 0 < int(one["day"]) <= own.begins.day:
        begins = own.begins.replace(day=int(one["day"]))
        return End(begins, begins + timedelta(days=1), one.start(), own.end)
    return own


def _last(text: str, own: End, clocks: Sequence[ClockTime]) -> End | None:
    """Return where the span ends: "3月10日至14日" on the 14th, "3月10日8点至12点" at noon; None for a day
    that its month has not."""
    day = _LAST_DAY.match(text, own.end)
    if day and own.ends - own.begins <= timedelta(days=1):
        try:
            begins = own.begins.replace(day=int(day["day"]), hour=0, minute=0, second=0)
        except ValueError:
            return None
        last = Dated(begins.date().isoformat(), own.start, day.end())
        return _end(text, last, [clock for clock in clocks if clock.start >= day.end()])
    later = (c for c in clocks if own.moment and c.start >= own.end)
    clock = next((c for c in later if _JOINT.fullmatch(text[own.end : c.start])), None)
    return own if clock is None else _moment(own.begins, clock, own.start, clock.end)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())
