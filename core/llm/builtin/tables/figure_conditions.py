"""Conditions that a question sets on figures: "the 8-cylinder cars", "with five gears", "over 3 kg"."""

import re
from dataclasses import dataclass

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import NUMBER_WORDS, ParsedQuestion
from core.llm.builtin.answer.word_matching import SAME_WORD_LIKENESS, key_of, likeness, words_of
from core.text.identifiers import without_unit
from core.text.word_lists import word_list

NUMERIC = frozenset({"integer", "real"})
_IDENTIFIES = re.compile(
    r"(?:^|[\s_])(?:id|no|nr|number|code|key|index|zip|phone|fax|sku|ean|upc|isbn|serial|year|#)\.?$|[a-z]Id$|(?-i:[A-Z]{4}(?:ID|NUMBER|INDEX))$"
    r"|编号|序号|号码|(?<!信)号$|年份|代码|^年$|번호",
    re.IGNORECASE,
)
_YEARS = re.compile(r"\byears?$|年份?$", re.IGNORECASE)
_UNIT = re.compile(r"\s*[\[(（][^\])）]*[\])）]\s*$")
_NUMBER = rf"(?P<number>\d+(?:[.,]\d+)*|{'|'.join(NUMBER_WORDS[2:])})"
COMPARED = {
    ">": ("more than", "over", "above", "greater than", "higher than", "exceeding", "longer than"),
    ">=": ("at least", "no less than", "from"),
    "<": ("less than", "under", "below", "fewer than", "lower than", "shorter than"),
    "<=": ("at most", "up to", "no more than"),
}
_OPERATOR = "|".join(phrase for group in COMPARED.values() for phrase in group)
_BEFORE = re.compile(
    rf"(?:(?P<than>{_OPERATOR})\s+)?(?<![\w/.-]){_NUMBER}(?:\s+|-)(?P<word>[^\W\d_]+)", re.IGNORECASE
)
_BEHIND = re.compile(
    rf"\b(?P<word>[^\W\d_]+)(?:\s+(?:of|is|was|=))?\s+(?:(?P<than>{_OPERATOR})\s+)?{_NUMBER}(?![\w-])",
    re.IGNORECASE,
)
EMPTY = "IS NULL"  # the operator of a condition without a value
DIFFERS = "IS DISTINCT FROM"  # ... that a cell says anything else, or nothing
NO_SPAN = frozenset(("=", EMPTY, DIFFERS))  # operators that set no bound


@dataclass(frozen=True)
class Condition:
    """A column and the values it may have; `part` is "", or "year" or "month" of a date."""

    column: ColumnCard
    values: tuple[str | int | float, ...]
    part: str = ""
    words: frozenset[str] = frozenset()  # of the question that it accounts for
    operator: str = "="
    other: ColumnCard | None = None  # the column it is compared with instead of a value
    bound: str = ""  # the SQL it is compared with instead of a value
    stated: bool = False  # the question says the values in other words: "A-1 to A-5", "critical" of a yes


def is_measure(column: ColumnCard) -> bool:
    """Say whether a column holds figures that mean an amount: identifiers and years do not."""
    return column.type in NUMERIC and not identifies(column)


def identifies(column: ColumnCard) -> bool:
    """Say whether a column holds identifiers or years: they add up to nothing."""
    named = _IDENTIFIES.search(_UNIT.sub("", column.name).strip()) is not None
    return column.numbers_rows or named or _numbers_things(column)


def is_identifier(column: ColumnCard) -> bool:
    """Say whether a column holds identifiers; years, which have a latest and an earliest, are none."""
    return identifies(column) and _YEARS.search(bare(column)) is None


def _numbers_things(column: ColumnCard) -> bool:
    """Say whether whole numbers without a unit stand under the singular name of a thing that is called by its
    number: "Route", "Bus", but not "Rooms"."""
    last = re.split(r"[\W_]+", bare(column).strip().lower())[-1]
    return column.type == "integer" and not column.unit and last in word_list("numbered_things", "singular")


def bare(column: ColumnCard) -> str:
    """Return a column's name without its unit."""
    return without_unit(column.name, column.unit)


def abbreviates(short: str, word: str) -> bool:
    """Say whether a column's word stands for a longer one: its beginning ("cyl", "temp"), or without a vowel
    its letters in order ("hp", "qty")."""
    if len(short) < 2 or len(word) < len(short) + 2 or not short.isalpha() or short[0] != word[0]:
        return False
    letters = iter(word)
    bare_of_vowels = not re.search("[aeiou]", short)
    return (len(short) >= 3 and word.startswith(short)) or (
        bare_of_vowels and all(letter in letters for letter in short)
    )


def conditions_on_figures(parsed: ParsedQuestion, card: TableCard, used: frozenset[str]) -> list[Condition]:
    """Return a condition for each figure of the question beside the name or the unit of a column of figures;
    for a year and for what is `used` none."""
    found: dict[str, Condition] = {}
    for pattern in (_BEFORE, _BEHIND):
        for match in pattern.finditer(parsed.question):
            column = next(
                (c for c in card.columns if c.type in NUMERIC and _measured(match["word"], c)), None
            )
            words = frozenset(w.key for w in parsed.words if w.start < match.end() and w.end > match.start())
            grammar = not any(word.start <= match.start("word") < word.end for word in parsed.words)
            if (
                column is None
                or (grammar and match["word"] != column.unit)
                or match["number"] in parsed.years
                or words & used
            ):
                continue
            value = _value(match["number"])
            if value is None:
                continue
            than = (match["than"] or "").lower()
            operator = next((sign for sign, group in COMPARED.items() if than in group), "=")
            if operator != "=" and is_identifier(column):
                continue  # "at least 2 customers" are counted
            found[column.name] = Condition(column, (value,), "", words, operator)
            used |= words
    return list(found.values())


def _measured(word: str, column: ColumnCard) -> bool:
    key = key_of(word.lower())
    if column.unit and word == column.unit:
        return True
    own = [each.key for each in words_of(bare(column))]
    return any(likeness(key, each) >= SAME_WORD_LIKENESS or abbreviates(each, key) for each in own)


def _value(text: str) -> int | float | None:
    """Return the number a text says, None for what is none: a version (1.4.0), a date (1.5.2025)."""
    low = text.lower()
    if low in NUMBER_WORDS:
        return NUMBER_WORDS.index(low)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", low):
        low = low.replace(",", "")
    if not re.fullmatch(r"\d+(?:[.,]\d+)?", low):
        return None
    plain = low.replace(",", ".")
    return float(plain) if "." in plain else int(plain)
