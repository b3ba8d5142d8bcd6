"""The numbers of Word's lists as they are printed: "IV.", "A)", "2.1", "第三条"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from core.ingest.parsers.office.ooxml import W

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element

_MARK = "- "
_UNCOUNTED = ("bullet", "none")
_LETTERS = 26
_ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")),
    *((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)
_DIGITS = "〇一二三四五六七八九"
_PLACE = re.compile(r"%(\d)")


class NumberLevel(NamedTuple):
    """How a level of a list is numbered: the form of its number, what is printed, where it begins."""

    form: str
    text: str
    first: int


@dataclass
class ListNumbers:
    """Counts the items of a document's lists; lists made after one pattern are counted together."""

    levels: dict[tuple[str, int], NumberLevel] = field(default_factory=dict)  # (list, level)
    patterns: dict[str, str] = field(default_factory=dict)  # list -> what it is made after
    counts: dict[tuple[str, int], int] = field(default_factory=dict)  # (pattern, level)

    @staticmethod
    def of(document: "Document") -> "ListNumbers":
        """Read the numbering of a document, empty where it has none."""
        parts = (rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith("/numbering"))
        part = next(parts, None)
        numbers = ListNumbers()
        if part is None:
            return numbers
        patterns = {
            each.get(W + "abstractNumId") or "": each for each in part.element.iter(W + "abstractNum")
        }
        for each in part.element.iter(W + "num"):
            link, key = each.find(W + "abstractNumId"), each.get(W + "numId") or ""
            pattern = link.get(W + "val") or "" if link is not None else ""
            begins_anew = each.find(f".//{W}startOverride") is not None
            numbers.patterns[key] = key if begins_anew else f"after {pattern}"
            for holder in (patterns.get(pattern), each):
                for depth, level in _levels(holder):
                    numbers.levels[key, depth] = level
        return numbers

    def is_counted(self, key: str, depth: int) -> bool:
        """Say whether a list has numbers at that depth, not bullets."""
        level = self.levels.get((key, depth))
        return level is not None and level.form not in _UNCOUNTED

    def next_number(self, key: str, depth: int, *, plain: bool = False) -> str:
        """Return what stands before the next item of a list, with a space; `plain` numbers one of no list."""
        level = self.levels.get((key, depth)) or (
            NumberLevel("decimal", f"%{depth + 1}.", 1) if plain else None
        )
        if level is None or level.form in _UNCOUNTED:
            return _MARK
        pattern = self.patterns.get(key, key)
        self.counts[pattern, depth] = self.counts.get((pattern, depth), level.first - 1) + 1
        for other in [each for each in self.counts if each[0] == pattern and each[1] > depth]:
            del self.counts[other]

        def number(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            upper = self.levels.get((key, at), level)
            return _written(self.counts.get((pattern, at), upper.first), upper.form)

        label = _PLACE.sub(number, level.text).strip()
        return f"{label} " if label else _MARK


def _levels(holder: "_Element | None") -> Iterator[tuple[int, NumberLevel]]:
    for level in holder.iter(W + "lvl") if holder is not None else ():
        form, text, first = (level.find(W + name) for name in ("numFmt", "lvlText", "start"))
        at = int(level.get(W + "ilvl") or 0)
        yield (
            at,
            NumberLevel(
                str(form.get(W + "val")) if form is not None else "decimal",
                (text.get(W + "val") or "") if text is not None else f"%{at + 1}.",
                int(first.get(W + "val") or 1) if first is not None else 1,
            ),
        )


def _written(number: int, form: str) -> str:
    if form in ("upperRoman", "lowerRoman"):
        roman = "".join(_roman(number))
        return roman if form == "upperRoman" else roman.lower()
    if form in ("upperLetter", "lowerLetter") and number > 0:
        letter = chr(ord("A") + (number - 1) % _LETTERS) * ((number - 1) // _LETTERS + 1)
        return letter if form == "upperLetter" else letter.lower()
    if form.startswith(("chinese", "ideograph", "japanese")) and 0 < number < 100:
        return _chinese(number)
    return f"{number:02}" if form == "decimalZero" else str(number)


def _roman(number: int) -> Iterator[str]:
    for value, letters in _ROMAN:
        while number >= value:
            yield letters
            number -= value


def _chinese(number: int) -> str:
    tens, ones = divmod(number, 10)
    ten = ("" if tens == 1 else _DIGITS[tens]) + "十" if tens else ""
    return ten + (_DIGITS[ones] if ones or not tens else "")
