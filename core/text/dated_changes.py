"""Finds changes stated with their date, in English and Chinese: "The pump was exchanged on 4 May 2024"."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.text.dated_values import read_values
from core.text.periods import find_periods, frequency_of
from core.text.sentences import sentence_spans
from core.text.tokens import content_words, is_cjk

MAX_STATEMENT_CHARACTERS = 240
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)、])\s*")
# When a document was changed, which tells nothing of what it is about.
_OF_THE_DOCUMENT = re.compile(
    r"(?:date of )?(?:last|latest) (?:change[ds]?|updated?|revis\w+|modifi\w+|review\w*|edit\w*)\s*[:：]"
    r"|(?:最后|最近|上次)(?:修改|更新|修订|变更)(?:日期|时间)?\s*[:：]",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?:\b(?:since|until|till)|自|自从|直到|截至)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class DatedChange:
    """A change as a text states it: its period, the date as written, the statement word for word."""

    period: str
    when: str
    text: str


def find_changes(text: str, year: str = "") -> list[DatedChange]:
    """Return the changes a text states, in order; a date without a year is one of `year`.

    A list item is one statement, as its date often is in its own sentence. One that only names a
    year, or gives a value of its date, states no change.
    """
    return [found for unit in _statements(text) if (found := _change(unit, year)) is not None]


def _statements(text: str) -> list[str]:
    units: list[str] = []
    for line in text.split("\n"):
        item = _ITEM.match(line)
        if item:
            units.append(line[item.end() :].strip())
        else:
            units += [line[start:end].strip() for start, end in sentence_spans(line)]
    return units


def _change(unit: str, year: str) -> DatedChange | None:
    if not 0 < len(unit) <= MAX_STATEMENT_CHARACTERS or not states_change(unit):
        return None
    if _OF_THE_DOCUMENT.match(unit):
        return None
    dated = [
        found
        for found in find_periods(unit, year)
        if frequency_of(found.period) not in {"yearly", "irregular"}
        and not _BEFORE.search(unit[: found.start])
    ]
    if not dated or any(read.amount for read in read_values(unit, year)):
        return None
    last = dated[-1]
    return DatedChange(last.period, unit[last.start : last.end], unit)


def states_change(text: str) -> bool:
    """Say whether the text has a word for changing, beginning or ending something."""
    english, chinese = _words()
    if is_cjk(text) and any(word in text for word in chinese):
        return True
    return not english.isdisjoint(content_words(text))


@cache
def _words() -> tuple[frozenset[str], tuple[str, ...]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    stems = frozenset(stem for word in table["en"].split() for stem in content_words(word))
    return stems, tuple(table["zh"].split())
