"""Names of tables, columns and files as the words a reader would write: "MediaType", "report-20150828"."""

import re
from functools import lru_cache

_JOINTS = re.compile(r"(?<=[a-z]{2})(?=[A-Z])|_")  # "kWh" and "pH" are one

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|(?:19|20)\d\d(?!\d)|[^\W\d_]+")
_DATES = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(?:0[1-9]|[12]\d|3[01]))?(?!\d)")
_FISCAL = re.compile(r"(?<![A-Za-z])FY'?(\d\d)(?!\d)")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def as_words(name: str) -> str:
    """Return a name with spaces between its words."""
    return _JOINTS.sub(" ", name)


@lru_cache(maxsize=4096)
def file_words(name: str) -> str:
    """Return a file's name, and behind it what its parts say: "olympics2014" 2014, "a-20150828" August 2015,
    "FY09" 2009."""
    said = [" ".join(_PARTS.findall(name))]
    said += [f"{year} {_MONTHS[int(month) - 1]}" for year, month in _DATES.findall(name)]
    said += [f"20{year}" for year in _FISCAL.findall(name)]
    return " ".join((name, *said))
