"""Which of several values a question chooses ("longer", "cheaper", 更早), and values that can be compared."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from core.text.periods import as_period, find_periods
from core.text.quantities import DURATIONS, convert, find_quantities, normal_unit, to_number
from core.text.tokens import is_cjk

Kind = Literal["amount", "duration", "date"]
_TURNING = {"more": 1, "most": 1, "less": -1, "least": -1}
_WORD = re.compile(r"[a-z]+")
_NUMBER = re.compile(r"(?P<number>[-+−]?\d[\d.,\u202f]*)(?:\s?(?P<unit>[^\d\s/–—~,;:<>()-][^,;:()]*))?")
_TOLERANCE = 1e-9  # relative difference up to which two converted figures are one


class Degree(NamedTuple):
    """The word that asks for a direction, and which value it chooses of each kind (see value_order.toml)."""

    word: str
    amount: int
    duration: int
    date: int

    def turned(self, word: str, sign: int) -> "Degree":
        return Degree(word, sign * self.amount, sign * self.duration, sign * self.date)

    @property
    def signs(self) -> tuple[int, int, int]:
        """Return which value is chosen of each kind."""
        return self.amount, self.duration, self.date


class Measured(NamedTuple):
    """A value that others can be compared with: a figure in its unit, or a period of time."""

    kind: Kind
    value: float | str
    unit: str = ""
    known: bool = True  # its unit is one that quantities have, or it has none

    @property
    def figure(self) -> "Measured":
        """Return four digits that may be a year as a figure, any other value as it is."""
        plain = self.kind == "date" and re.fullmatch(r"\d{4}", str(self.value))
        return Measured("amount", float(self.value)) if plain else self


def degree_of(question: str) -> Degree | None:
    """Return the direction a question asks for, None for none, or for two that differ."""
    found = _chinese(question) if is_cjk(question) else _english(question)
    return found[-1] if found and len({one.signs for one in found}) == 1 else None


def _english(question: str) -> list[Degree]:
    tokens = _WORD.findall(question.lower())
    known = _table("en")
    found: list[Degree] = []
    for at, word in enumerate(tokens):
        turns = _TURNING.get(tokens[at - 1], 0) if at else 0
        if turns and word in known and word not in _TURNING:
            found[-1] = known[word].turned(f"{tokens[at - 1]} {word}", turns)
        elif word in known and (word in _TURNING or _compares(word)):
            found.append(known[word])
    return found


def _compares(word: str) -> bool:
    """Say whether a word compares by itself, as "longer" does, and not "long"."""
    return word.endswith(("er", "est")) or word == "first"


def _chinese(question: str) -> list[Degree]:
    known = _table("zh")
    words = "|".join(sorted(known, key=len, reverse=True))
    for lead in ("更", "最", "较"):
        if matched := re.findall(rf"{lead}({words})", question):
            return [known[word]._replace(word=f"{lead}{word}") for word in matched]
    return []


@cache
def _table(language: str) -> dict[str, Degree]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        word: Degree(word, group["amount"], group["duration"], group["date"])
        for group in table[language]
        for word in group["words"].split()
    }


def measured(text: str) -> Measured | None:
    """Return what a text states where it states one value and nothing else: "14 weeks", "2020-03-25"."""
    text = " ".join(text.split()).strip(" .。")
    periods = find_periods(text)
    if as_period(text) or (len(periods) == 1 and periods[0].end - periods[0].start == len(text)):
        return Measured("date", as_period(text) or periods[0].period)
    found = find_quantities(text)
    if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)) and found[0].upper is None:
        unit = found[0].unit
        return Measured("duration" if unit in DURATIONS else "amount", found[0].value, unit)
    match = _NUMBER.fullmatch(text)
    number = to_number(match["number"]) if match is not None else None
    if match is None or number is None:
        return None
    return Measured("amount", number, normal_unit(match["unit"] or ""), known=not match["unit"])


def ordered(values: Sequence[Measured], degree: Degree) -> list[list[int]] | None:
    """Return the places of the values, those the question chooses first, equal ones together.

    None where they measure different things or the question does not choose among their kind.
    """
    if not degree.date or len({one.kind for one in values}) > 1:
        values = [one.figure for one in values]
    first = values[0]
    sign = degree.signs[("amount", "duration", "date").index(first.kind)]
    if not sign or any(one.kind != first.kind for one in values):
        return None
    if first.kind == "date":
        return _dated([str(one.value) for one in values], sign)
    figures = [_in_unit(one, first.unit) for one in values]
    known = [figure for figure in figures if figure is not None]
    if len(known) < len(figures):
        return None
    places = sorted(range(len(known)), key=lambda at: -sign * known[at])
    groups: list[list[int]] = []
    for at in places:
        last = known[groups[-1][0]] if groups else None
        if last is not None and abs(known[at] - last) <= _TOLERANCE * max(abs(last), abs(known[at])):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def contradict(one: str, other: str) -> bool:
    """Say whether two texts each state one value, of the same thing measured, and not the same value."""
    values = [value for value in (measured(one), measured(other)) if value is not None]
    order = ordered(values, Degree("", 1, 1, 1)) if len(values) == 2 else None
    return order is not None and len(order) == 2


def unlike(values: Sequence[Measured]) -> bool:
    """Say whether the values are of units that are known, and that no conversion brings together."""
    units = {one.unit for one in values}
    return (
        all(one.known and one.unit for one in values)
        and len(units) > 1
        and any(convert(1.0, unit, values[0].unit) is None for unit in units)
    )


def _in_unit(one: Measured, unit: str) -> float | None:
    if one.unit == unit:
        return float(one.value)
    return convert(float(one.value), one.unit, unit) if one.unit and unit else None


def _dated(periods: Sequence[str], sign: int) -> list[list[int]] | None:
    """Return the places in order of time; None where one period lies within another."""
    different = set(periods)
    if any(a != b and (a.startswith(b) or len(a) != len(b)) for a in different for b in different):
        return None
    return [[at for at, one in enumerate(periods) if one == period]
            for period in sorted(different, reverse=sign > 0)]  # fmt: skip
