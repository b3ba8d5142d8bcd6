"""What a question wants of one table: its conditions, its measure, what is counted, and what it leaves open.

A query that drops a condition gives a figure that is wrong and looks right. So every condition the question
names must be one the table can hold, and most of its words must be the table's own.
"""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.llm.extractive import query_words as patterns
from core.llm.extractive.cards import Card, CardColumn, akin, named_values, says
from core.llm.extractive.periods import period_of, period_words, without_periods
from core.llm.extractive.questions import expected_kind
from core.text.tokens import content_words, is_cjk, words

KNOWN = 0.5  # share of a question's words that a table must speak of
_YEAR = re.compile(r"(?<![\d-])(?:19|20)\d\d(?![\d-])")
_CODE = re.compile(r"[A-Za-z][\w-]*\d[\w-]*", re.ASCII)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
_WEEK = re.compile(r"\bweek \d{1,2}\b|第\s?\d{1,2}\s?周", re.IGNORECASE)
_KIND = re.compile(r"which ([a-z]+) ", re.IGNORECASE)
_YEAR_NAMES = frozenset({"year", "年", "年份", "年度"})
_NUMBERS = frozenset({"number", "no", "nr", "#", "序号", "编号", "号"})


@dataclass(frozen=True)
class Reading:
    """What the question wants of one table. `where` are SQL conditions, `having` one on the size of a group.

    `counted` is what "how many" asks for, "" for rows or nothing; `asking` the question without its
    conditions; `values` the values the question names, by column; `open` says which condition found no
    place in the table, "" where none is left over.
    """

    card: Card
    question: str
    asking: str
    asked: set[str]
    where: tuple[str, ...]
    having: str
    values: dict[str, list[str]]
    measure: CardColumn | None
    date: CardColumn | None
    counted: str
    limited: tuple[CardColumn, ...]  # columns by whose figures the question cuts rows off
    open: str

    @property
    def known(self) -> float:
        """Return the share (0 to 1) of the question's own words that the table speaks of."""
        bag = _bag(self.card)
        kept = [w for w in _own_words(self.asking) if w not in patterns.PLAIN]
        if not kept:
            return 1.0 if self.where or self.measure is not None else 0.0
        return sum(_in(word, bag) for word in kept) / len(kept)

    @property
    def counts_known(self) -> bool:
        """Say whether the table holds what is counted: as its rows, by a column, or as a value."""
        if (
            unit := self.counted.lower().rpartition(" ")[2]
        ) in patterns.UNITS:  # "how many hours" counts no rows
            adding = (c for c in self.card.columns if c.numeric and not patterns.RUNS_ON.search(c.name))
            return any(not patterns.UNITS[unit].isdisjoint({c.unit.lower(), *words(c.name)}) for c in adding)
        thing = [word for word in content_words(self.counted) if word not in patterns.PLAIN]
        if not thing:
            return True
        columns = " ".join(f"{c.name} {c.unit}" for c in self.card.columns)
        values = " ".join(value for found in self.values.values() for value in found)
        bag = _bag(self.card) | set(words(values))
        if not all(_in(word, bag) for word in thing[:-1]):  # "critical alarms" of a log that knows none
            return False
        if self.card.head:  # of "Chamber parts" each row is a part, whatever stands in it
            bag = frozenset(words(f"{self.card.head} {columns} {values}".replace("_", " ")))
        return _in(thing[-1], bag)

    @property
    def sought(self) -> bool:
        """Say whether rows may hold the answer: where a number is asked for, a column must be named."""
        if self.measure is not None or expected_kind(self.question) != "number":
            return True
        return any(says(self.asked, c.name) >= 0.99 for c in self.card.columns if c.name not in self.values)


def read(question: str, card: Card) -> Reading:
    """Return what the question wants of the table."""
    asked = set(words(question))
    values = named_values(question, card)
    date = next((column for column in card.columns if column.temporal), None)
    where = [
        _equals(next(c for c in card.columns if c.name == name), found) for name, found in values.items()
    ]
    period = period_of(question, moment(date)) if date is not None else in_year(question, card)
    where += [*period, *_numbered(question, card)]
    compared, rest = _columns_compared(question, card)
    where += [f"{left.sql} {operator} {right.sql}" for left, operator, right in compared]
    limit = _limited(rest, card)
    where += [f"{column.sql} {operator} {number}" for column, operator, number in limit.columns]
    cut = [column for left, _, right in compared for column in (left, right)]
    cut += [column for column, _, _ in limit.columns]
    rest = _bare(limit.rest, card)
    rest += "".join(f" {noun}" for said, noun in patterns.MEANT.items() if said in rest.lower())
    reading = Reading(
        card,
        question,
        rest,
        asked,
        tuple(where),
        limit.having,
        values,
        _measure(rest, set(words(rest)), card),
        date,
        _counted(rest, card, cut),
        tuple(cut),
        "",
    )
    return replace(reading, open=limit.missing or _left_over(reading, period) or _unknown_kind(reading))


def moment(column: CardColumn) -> str:
    """Return the SQL of a date column as a moment, also where its type is text."""
    return column.sql if column.type in {"date", "datetime"} else f"TRY_CAST({column.sql} AS TIMESTAMP)"


def in_year(question: str, card: Card) -> list[str]:
    """Return the condition on a column of year numbers for the year a question names."""
    column = next((c for c in card.columns if c.numeric and c.name.lower() in _YEAR_NAMES), None)
    named = _YEAR.findall(question)
    return [f"{column.sql} = {named[0]}"] if column is not None and len(named) == 1 else []


def _counted(question: str, card: Card, cut: list[CardColumn]) -> str:
    """Return what "how many" or "most" counts ("stop alarms"), "" where that is rows, times or nothing."""
    match = patterns.COUNTED.search(question)
    if match is None:
        match = patterns.COUNTED_ZH.search(question)
        found = match.group(1) if match else ""
        return "" if patterns.ROWS.fullmatch(found) else found
    thing, more = match.group(1), match.group(2) or ""
    nouns = {word for column in card.columns for word in words(column.name)} | set(words(card.title))
    nouns -= {word for column in cut for word in words(column.name)}  # "shipments cost less than"
    if not nouns.isdisjoint(content_words(more)):  # "stop alarms", but not "orders weighed"
        thing = f"{thing} {more}"
    return "" if patterns.ROWS.fullmatch(thing) else thing


def _own_words(text: str) -> list[str]:
    """Return the words of meaning that are no numbers, no period and no word of computing."""
    bare = patterns.COMPUTING.sub(" ", without_periods(text))
    return [w for w in dict.fromkeys(content_words(bare)) if not w.replace(".", "").isdigit()]


def _bag(card: Card) -> frozenset[str]:
    """Return the words of the table's name, columns, units and the values on its card."""
    names = " ".join(f"{c.name} {c.unit}" for c in card.columns)
    held = " ".join(sample for column in card.columns if not column.numeric for sample in column.samples)
    return frozenset(words(f"{card.title} {names} {held}".replace("_", " ")))


def _in(word: str, bag: frozenset[str]) -> bool:
    if word in bag or any(akin(word, other) for other in bag):
        return True
    return not patterns.same_meaning(word).isdisjoint(bag)


def _equals(column: CardColumn, values: list[str]) -> str:
    quoted = ["'" + value.replace("'", "''") + "'" for value in values]
    return f"{column.sql} = {quoted[0]}" if len(quoted) == 1 else f"{column.sql} IN ({', '.join(quoted)})"


def _numbered(question: str, card: Card) -> list[str]:
    """Return the conditions of "step 2", "week 11": a column of that name, or the number of such a row."""
    found = []
    for match in patterns.NUMBERED.finditer(question):
        noun, number = set(words(match["noun"])), match["n"]
        column = next((c for c in card.columns if c.numeric and says(noun, c.name) >= 0.99), None)
        if column is None and noun & set(words(card.head)):
            column = next((c for c in card.columns if c.numeric and c.name.lower() in _NUMBERS), None)
        if column is not None:
            found.append(f"{column.sql} = {number}")
    return found


class _Limit(NamedTuple):
    """A limit the question names: on columns, or on the size of a group; `missing` where neither is there."""

    rest: str  # the question without it
    columns: tuple[tuple[CardColumn, str, str], ...] = ()  # (column, operator, number)
    having: str = ""
    missing: str = ""


def _columns_compared(question: str, card: Card) -> tuple[list[tuple[CardColumn, str, CardColumn]], str]:
    """Return "stock below minimum stock" as (left, operator, right), and the question without it."""
    match = patterns.COMPARED.search(question)
    if match is None:
        return [], question
    said = words(match["what"])
    numeric = [c for c in card.columns if c.numeric]
    right = [
        c for c in numeric if content_words(c.name) and content_words(c.name) == said[: len(words(c.name))]
    ]
    if not right:
        return [], question
    other = max(right, key=lambda c: len(words(c.name)))
    mine = set(words(other.name))
    before = set(words(question[: match.start()]))
    left = [c for c in numeric if c is not other and says(before, c.name) >= 0.99]
    left = left or [c for c in numeric if c is not other and set(words(c.name)) < mine]
    if not left:
        return [], question
    rest = f"{question[: match.start()]} {left[0].name} {question[match.end() :]}"
    return [(left[0], _operator(match["op"]), other)], rest


def _operator(said: str) -> str:
    return next((sign for sign, signs in patterns.OPERATORS.items() if said.lower() in signs), ">")


def _limited(question: str, card: Card) -> _Limit:
    """Return the limit the question names ("more than 300 kg") on the column its unit or its words mean."""
    match = patterns.LIMIT.search(question)
    if match is None or (_YEAR.fullmatch(match["n"]) and not match["unit"]):
        return _Limit(question)
    operator, number = _operator(match["op"]), match["n"]
    rest = f"{question[: match.start()]} {question[match.end() :]}"
    unit = (match["unit"] or "").strip().lower()
    meant = patterns.UNITS.get(unit, frozenset({unit}))
    numeric = [c for c in card.columns if c.numeric]
    by_unit = [c for c in numeric if unit and c.unit.lower() in meant]
    near = set(words(question[: match.start()][-50:])) | set(words(question[match.end() :][:30]))
    named = sorted(by_unit or numeric, key=lambda c: -says(near, c.name))
    column = next((c for c in named if says(near, c.name) >= 0.5), None)
    column = column or (by_unit[0] if len(by_unit) == 1 else None)
    if column is not None:
        return _Limit(f"{rest} {column.name}", ((column, operator, number),))
    thing = set(words(match["unit"] or ""))
    if thing and any(_in(word, frozenset(words(card.head))) or word in patterns.PLAIN for word in thing):
        return _Limit(rest, having=f"count(*) {operator} {number}")
    return _Limit(rest, missing=match.group().strip())


def _bare(question: str, card: Card) -> str:
    """Return the question without the extremes that are part of a column's name ("minimum stock")."""
    for column in card.columns:
        name = re.escape(column.name)
        if patterns.MOST.search(column.name) or patterns.LEAST.search(column.name):
            last = column.name.split(" ")[-1]
            question = re.sub(name, last, question, flags=re.IGNORECASE)
    return question


def _measure(question: str, asked: set[str], card: Card) -> CardColumn | None:
    """Return the numeric column the question names best; its unit counts as a name too."""
    best, most = None, 0.0
    for column in card.columns:
        if not column.numeric:
            continue
        score = says(asked, column.name) + (
            0.3 if column.unit and column.unit.lower() in question.lower() else 0.0
        )
        if score > most:
            best, most = column, score
    return best if most >= 0.5 else None


def _unknown_kind(reading: Reading) -> str:
    """Return what a "which shift" asks for, where the table knows nothing of the kind."""
    match = _KIND.match(reading.question)
    kind = [word for word in content_words(match.group(1)) if word not in patterns.PLAIN] if match else []
    return (
        match.group(1) if match and kind and not any(_in(word, _bag(reading.card)) for word in kind) else ""
    )


def _left_over(reading: Reading, period: list[str]) -> str:
    """Return the first code, name or period of the question that the table has no place for."""
    bag = _bag(reading.card)
    said = period_words(reading.question)
    if said and not period and not set(_YEAR.findall(said)) <= set(_YEAR.findall(reading.card.title)):
        return said
    week = _WEEK.search(reading.question)
    if week is not None and not _numbered(week.group(), reading.card):
        return week.group()
    rest = without_periods(reading.question)
    named = [m.group() for pattern in (_CODE, _NAME) for m in pattern.finditer(rest)]
    for name in named:
        mine = [w for w in content_words(name) if w not in patterns.PLAIN]
        if mine and not is_cjk(name) and not any(_in(word, bag) for word in mine[:1]):
            return name
    return ""
