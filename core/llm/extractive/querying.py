"""The rule for WriteQuery: count, sum, mean, extremes, groups, top n and look-ups as one DuckDB SELECT."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.language import words
from core.llm.extractive import query_words as patterns
from core.llm.extractive.cards import Card, CardColumn, choose, named_values, read_card, says
from core.llm.extractive.periods import period_of
from core.tasks import Query, WriteQuery


@dataclass(frozen=True)
class _Reading:
    """What the question wants of one table."""

    card: Card
    question: str
    asked: set[str]
    where: tuple[str, ...]
    values: dict[str, list[str]]
    measure: CardColumn | None
    date: CardColumn | None


def write_query(task: WriteQuery) -> Query:
    """Return one SELECT, "" where no table speaks of the question or a second try would repeat the first."""
    cards = [card for card in map(read_card, task.tables) if card is not None]
    card = choose(task.question, cards)
    if card is None:
        return Query(reason="no table speaks of the question")
    reading = _read(task.question, card)
    joint = _read(task.question, _with_twins(card, cards))
    if task.failed:
        sql = _rows(reading)
        return Query(
            sql="" if sql == task.failed else sql, reason="the plain rows, since the query before was refused"
        )
    sql, reason = _select(joint)
    if sql == _rows(joint):  # rows that are listed are cited one by one, from their own table
        sql = _rows(reading)
    return Query(sql=sql, reason=reason)


def _with_twins(card: Card, cards: Sequence[Card]) -> Card:
    """Join a table with those of the same columns: a catalogue or a log may be written in several tables."""
    names = [column.sql for column in card.columns]
    twins = [other for other in cards if [column.sql for column in other.columns] == names]
    if len(twins) < 2:
        return card
    listed = ", ".join(names)
    union = " UNION ALL ".join(f"SELECT {listed} FROM {twin.sql}" for twin in twins)
    columns = tuple(
        replace(column, samples=tuple(dict.fromkeys(s for twin in twins for s in twin.columns[at].samples)))
        for at, column in enumerate(card.columns)
    )
    return Card(f"({union}) AS twins", card.title, columns)


def _read(question: str, card: Card) -> _Reading:
    asked = set(words(question))
    values = named_values(question, card)
    date = next((column for column in card.columns if column.temporal), None)
    where = [
        _equals(next(c for c in card.columns if c.name == name), found) for name, found in values.items()
    ]
    if date is not None:
        where += period_of(question, _moment(date))
    else:
        where += _in_year(question, card)
    measure = _measure(question, asked, card)
    limit = patterns.LIMIT.search(question)
    if limit is not None and measure is not None:
        operator = next(
            (sign for sign, signs in patterns.OPERATORS.items() if limit["op"].lower() in signs), ">"
        )
        where.append(f"{measure.sql} {operator} {limit['n']}")
    return _Reading(card, question, asked, tuple(where), values, measure, date)


def _in_year(question: str, card: Card) -> list[str]:
    """Return the condition on a column of year numbers for the year a question names."""
    column = next(
        (c for c in card.columns if c.numeric and c.name.lower() in {"year", "年", "年份", "年度"}), None
    )
    named = re.findall(r"(?<![\d-])(?:19|20)\d\d(?![\d-])", question)
    return [f"{column.sql} = {named[0]}"] if column is not None and len(named) == 1 else []


def _equals(column: CardColumn, values: list[str]) -> str:
    quoted = ["'" + value.replace("'", "''") + "'" for value in values]
    return f"{column.sql} = {quoted[0]}" if len(quoted) == 1 else f"{column.sql} IN ({', '.join(quoted)})"


def _moment(column: CardColumn) -> str:
    return column.sql if column.type in {"date", "datetime"} else f"TRY_CAST({column.sql} AS TIMESTAMP)"


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


def _dimension(reading: _Reading, pattern: re.Pattern[str]) -> str:
    """Return the SQL of what to group by: a column the words name, or a period of the date column."""
    for match in pattern.finditer(reading.question):
        said = next(group for group in match.groups() if group)
        period = next(
            (
                p
                for w, p in patterns.PERIOD_DIMS.items()
                if said.lower().split(" ")[0] == w or (w in said and not w.isascii())
            ),
            "",
        )
        if period and reading.date is not None:
            return f"date_trunc('{period}', {_moment(reading.date)})"
        for size in (said, said.split(" ")[0]):
            mine = set(words(size))
            texts = [c for c in reading.card.columns if not c.numeric and says(mine, c.name) >= 0.5]
            if texts:
                return texts[0].sql
    return ""


def _from(reading: _Reading) -> str:
    where = f" WHERE {' AND '.join(reading.where)}" if reading.where else ""
    return f"FROM {reading.card.sql}{where}"


def _rows(reading: _Reading) -> str:
    return f"SELECT * {_from(reading)} ORDER BY _row LIMIT 50"


def _aggregate(reading: _Reading) -> tuple[str, str]:
    """Return the SQL of the aggregate and its name, "" where the question wants none."""
    question, measure = reading.question, reading.measure
    if measure is not None:
        for pattern, function in ((patterns.MEDIAN, "median"), (patterns.MEAN, "avg"), (patterns.SUM, "sum")):
            if pattern.search(question):
                value = f"{function}({measure.sql})"
                return (value if function == "sum" else f"round({value}, 2)"), function
    if patterns.COUNT.search(question):
        if (
            measure is not None
            and not re.search(r"\b(?:times|often)\b|次", question)
            and says(reading.asked, measure.name) >= 0.99
            and not reading.card.title.lower().count("log")
        ):
            return f"sum({measure.sql})", "sum"
        counting = _counting(reading)
        if counting is not None:
            return f"sum({counting.sql})", "sum"
        if patterns.DISTINCT.search(question):
            named = [
                c
                for c in reading.card.columns
                if not c.numeric and says(reading.asked, c.name) >= 0.5 and c.name not in reading.values
            ]
            if named:
                return f"count(DISTINCT {named[0].sql})", "count"
        return "count(*)", "count"
    return "", ""


def _counting(reading: _Reading) -> CardColumn | None:
    """Return the column that holds how many there are of what is counted ("added particles"), if any: then a
    row is not one particle. Numbers by which things are called add up to nothing."""
    counted = patterns.COUNTED.search(reading.question)
    if counted is None or patterns.DISTINCT.search(reading.question):
        return None
    thing = set(words(counted.group(1)))
    return next(
        (
            column
            for column in reading.card.columns
            if column.numeric
            and not thing.isdisjoint(words(re.split(r" (?:per|of|by|in) ", column.name)[0]))
            and not patterns.CALLS.search(column.name)
        ),
        None,
    )


def _select(reading: _Reading) -> tuple[str, str]:
    question = reading.question
    aggregate, name = _aggregate(reading)
    if name == "sum" and reading.measure is None:
        reading = replace(reading, measure=_counting(reading))
    most, least = patterns.MOST.search(question), patterns.LEAST.search(question)
    top = patterns.TOP.search(question)
    limit = _limit(top)
    group = _dimension(reading, patterns.GROUP)
    which = _dimension(reading, patterns.WHICH) if (most or least) else ""
    compared = next((column for column, found in reading.values.items() if len(found) > 1), "")
    if not group and compared:
        group = next(c.sql for c in reading.card.columns if c.name == compared)
    order = "ASC" if least and not most else "DESC"
    if which and not aggregate and reading.measure is None:
        aggregate, name = "count(*)", "count"
    if which or (group and (aggregate or reading.measure)):
        dim = which or group
        if not aggregate and reading.measure is not None:
            name = _joined_by(reading, order == "ASC") if which and not group else "avg"
            aggregate = f"{name}({reading.measure.sql})"
            aggregate = f"round({aggregate}, 2)" if name == "avg" else aggregate
        ordered = f"2 {order} LIMIT {limit}" if which or top else "1"
        alias = _alias(reading, name)
        columns = f"{dim} AS {_dim_name(dim)}, {aggregate} AS {alias}"
        columns += "".join(f", {column}" for column in _context(reading, dim))
        return f"SELECT {columns} {_from(reading)} GROUP BY 1 ORDER BY {ordered}", f"{name} by group"
    if aggregate:
        context = "".join(f", {column}" for column in _context(reading))
        return (
            f"SELECT {aggregate} AS {_alias(reading, name)}{context} {_from(reading)}",
            f"{name} over the rows that match",
        )
    if (most or least or top) and (reading.measure is not None or reading.date is not None):
        key = (
            reading.measure.sql
            if reading.measure is not None
            else _moment(reading.date)
            if reading.date
            else "_row"
        )
        where = _from(reading)
        joint = " AND " if " WHERE " in where else " WHERE "
        return (
            f"SELECT * {where}{joint}{key} IS NOT NULL ORDER BY {key} {order} LIMIT {limit}",
            "the rows at the extreme",
        )
    return _rows(reading), "the rows that match"


def _joined_by(reading: _Reading, rising: bool) -> str:
    """Return how a group becomes one figure: what adds up is summed, the rest keeps its extreme."""
    name = reading.measure.name if reading.measure is not None else ""
    if patterns.ADDS_UP.search(name):
        return "sum"
    return "min" if rising else "max"


def _alias(reading: _Reading, name: str) -> str:
    """Return the quoted name of the figure, in the words a reader would use: "average Yield"."""
    if name == "count" or reading.measure is None:
        counted = patterns.COUNTED.search(reading.question)
        return _quoted(f"number of {counted.group(1) if counted else 'entries'}")
    unit = f" [{reading.measure.unit}]" if reading.measure.unit else ""
    return _quoted(f"{patterns.CALLED[name]} {reading.measure.name}{unit}")


def _dim_name(dim: str) -> str:
    period = re.match(r"date_trunc\('(\w+)'", dim)
    return _quoted(period.group(1)) if period else dim


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _context(reading: _Reading, dim: str = "") -> list[str]:
    """Return what the figure is about, so that the row says it: the values asked for, the period covered."""
    chosen = [c for c in reading.card.columns if len(reading.values.get(c.name, ())) == 1 and c.sql != dim]
    told = [f"min({column.sql}) AS {column.sql}" for column in chosen]
    year = next((w.split(" = ")[0] for w in reading.where if re.fullmatch(r'".*" = \d{4}', w)), "")
    if year:
        told.append(f"min({year}) AS {year}")
    if reading.date is not None and len(reading.where) > len(reading.values):
        moment = f"CAST({_moment(reading.date)} AS DATE)"
        told += [f'min({moment}) AS "from"', f'max({moment}) AS "to"']
    return told


def _limit(top: re.Match[str] | None) -> int:
    if top is None:
        return 1
    said = next(group for group in top.groups() if group)
    return patterns.NUMBERS.get(said.lower(), int(said) if said.isdigit() else 1)
