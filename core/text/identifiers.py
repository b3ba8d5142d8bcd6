"""Names of tables, columns and files as the words a reader would write: "MediaType", "report-20150828"."""

import re
from calendar import month_name
from functools import lru_cache

from core.text.periods import BARE_YEAR

_JOINTS = re.compile(r"(?<=[a-z]{2})(?=[A-Z])|_")  # "kWh" and "pH" are one

_PARTS = re.compile(rf"[A-Z]?[a-z]+|[A-Z]+|{BARE_YEAR}(?!\d)|[^\W\d_]+")
_BRACKETED = re.compile(r"\s*[\[(（][^\])）]*[\])）]\s*$")
_DATES = re.compile(rf"(?<!\d)({BARE_YEAR})[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(?:0[1-9]|[12]\d|3[01]))?(?!\d)")
_FISCAL = re.compile(r"(?<![A-Za-z])FY'?(\d\d)(?!\d)")


def as_words(name: str) -> str:
    """Return a name with spaces between its words."""
    return _JOINTS.sub(" ", name)


@lru_cache(maxsize=4096)
def without_unit(name: str, unit: str = "") -> str:
    """Return the words of a column's name or label without its unit, written behind it in brackets or as the
    end of the name: "nitrate_mg_l [mg/L]" is "nitrate"."""
    words = as_words(name)
    bracketed = _BRACKETED.search(words)
    bare = words[: bracketed.start()] if bracketed else words
    unit = unit or (bracketed.group().strip(" []()（）") if bracketed else "")
    ending = re.sub(r"[\W_]+", " ", unit.lower()).strip()
    for end in (ending, ending.replace(" ", " per ")) if ending else ():
        if bare.lower().endswith(f" {end}"):
            return bare[: -len(end)].rstrip()
    return bare


@lru_cache(maxsize=4096)
def file_words(name: str) -> str:
    """Return a file's name, and behind it what its parts say: "olympics2014" 2014, "a-20150828" August 2015,
    "FY09" 2009."""
    parts = [" ".join(_PARTS.findall(name))]
    parts += [f"{year} {month_name[int(month)]}" for year, month in _DATES.findall(name)]
    parts += [f"20{year}" for year in _FISCAL.findall(name)]
    return " ".join((name, *parts))
