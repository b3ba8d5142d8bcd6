"""The rule for WriteQuery: count, sum, mean, extremes, groups, top n and look-ups as one DuckDB SELECT."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.llm.extractive import query_words as patterns
from core.llm.extractive.cards import Card, CardColumn, ranked, read_card, says
from core.llm.extractive.periods import period_words
from core.llm.extractive.questions import expected_kind
from core.llm.extractive.selecting import alias_of, context, dimension, dimension_name, joined, told
from core.llm.extractive.table_reading import KNOWN, Reading, moment, read
from core.tasks import Query, WriteQuery
from core.text.tokens import content_words, words

LISTED, WITHIN = "the rows that match", "the rows within the limits"


def write_query(task: WriteQuery) -> Query:
    """Return one SELECT, "" where no table speaks of the question or a second try would repeat the first.

    A table that has no place for a condition of the question, or does not hold what is counted, is left
    alone: a figure without that condition would be wrong.
    """
    cards = [card for card in map(read_card, task.tables) if card is not None]
    refused = "no table speaks of the question"
    listed: Query | None = None  # rows as they stand, where no other table can compute what is asked
    for card in ranked(task.question, cards):
        plain = read(task.question, card)
        if task.failed:
            sql = _rows(plain)
            return Query(
                sql="" if sql == task.failed else sql,
                reason="the plain rows, since the query before was refused",
            )
        joint = read(task.question, _with_twins(card, cards))
        sql, reason = _select(joint)
        if not sql:
            refused = reason
            continue
        if reason == LISTED:  # rows that are listed are cited one by one, from their own table
            listed = listed or Query(sql=_select(plain)[0], reason=reason)
            if patterns.COMPUTING.search(task.question):
                continue
            return listed
        return Query(sql=sql, reason=reason)
    return listed or Query(reason=refused)


def queried(sql: str) -> str:
    """Return the name of the first table a query of `write_query` reads, as its card writes it."""
    named = re.search(r'FROM \(?(?:SELECT .*? FROM )?"((?:[^"]|"")+)"', sql)
    return named.group(1).replace('""', '"') if named else ""


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


def _from(reading: Reading) -> str:
    where = f" WHERE {' AND '.join(reading.where)}" if reading.where else ""
    return f"FROM {reading.card.sql}{where}"


def _rows(reading: Reading) -> str:
    order = "" if joined(reading) else " ORDER BY _row"
    return f"SELECT * {_from(reading)}{order} LIMIT 50"


def _aggregate(reading: Reading) -> tuple[str, str]:
    """Return the SQL of the aggregate and its name, "" where the question wants none."""
    question, measure = reading.asking, reading.measure
    if measure is not None:
        whole = reading.where or patterns.IN_ALL.search(question)  # "how much is X" sums up no whole table
        for pattern, function in ((patterns.MEDIAN, "median"), (patterns.MEAN, "avg"), (patterns.SUM, "sum")):
            if pattern.search(question) and (function != "sum" or whole):
                value = f"{function}({measure.sql})"
                return (value if function == "sum" else f"round({value}, 2)"), function
    if patterns.COUNT.search(question) and not _stated(reading):
        counting = _counting(reading)
        if counting is not None:
            return f"sum({counting.sql})", "sum"
        distinct = _distinct(reading)
        return (f"count(DISTINCT {distinct.sql})" if distinct is not None else "count(*)"), "count"
    plain = measure is not None and reading.where and patterns.ADDS_UP.search(measure.name)
    if measure is not None and plain and patterns.HOW_MUCH.search(question) and not _extreme(question):
        return f"sum({measure.sql})", "sum"
    return "", ""


def _extreme(question: str) -> bool:
    return any(p.search(question) is not None for p in (patterns.MOST, patterns.LEAST, patterns.TOP))


def _counting(reading: Reading) -> CardColumn | None:
    """Return the column that holds how many there are of what is counted ("added particles"), if any: then a
    row is not one particle. Numbers by which things are called add up to nothing."""
    thing = set(words(reading.counted))
    if not thing or patterns.DISTINCT.search(reading.question):
        return None
    return next(
        (
            column
            for column in reading.card.columns
            if column.numeric
            and not thing.isdisjoint(words(re.split(r" (?:per|of|by|in) ", column.name)[0]))
            and not patterns.CALLS.search(column.name)
            and not patterns.RUNS_ON.search(column.name)
        ),
        None,
    )


def _stated(reading: Reading) -> bool:
    """Say whether a row says how many there are, "Chambers | 2" of a list of properties and their values."""
    thing = set(content_words(reading.counted)[-1:])
    return len(reading.card.columns) == 2 and any(
        thing <= set(words(value)) for found in reading.values.values() for value in found if thing
    )


def _distinct(reading: Reading) -> CardColumn | None:
    """Return the column whose different values are counted, None where the rows themselves are: each row of
    an alarm log is one alarm, but not one tool."""
    thing = set(words(reading.counted))
    if not thing or (says(thing, reading.card.head) > 0 and not patterns.DISTINCT.search(reading.question)):
        return None
    named = (c for c in reading.card.columns if not c.numeric and c.name not in reading.values)
    return next((column for column in named if says(thing, column.name) >= 0.5), None)


def _select(reading: Reading) -> tuple[str, str]:
    """Return the SQL and what it does; "" and why not where the table would answer something else."""
    if reading.open:
        return "", f"the table has no place for “{reading.open}”"
    kind = expected_kind(reading.question)
    if kind == "cause" or (kind == "definition" and not patterns.COMPUTING.search(reading.asking)):
        return "", "no figure is asked for"
    if reading.known < KNOWN:
        return "", "the table speaks of too little of the question"
    if not reading.counts_known:
        return "", f"the table does not hold {reading.counted}"
    found = _grouped(reading) or _one_figure(reading) or _at_the_extreme(reading)
    if found:
        return found
    if not reading.sought:
        return "", "no column holds the number that is asked for"
    if reading.limited:
        return _within(reading), WITHIN
    asked = reading.measure is not None and reading.where and patterns.HOW_MUCH.search(reading.asking)
    return _within(reading) if asked else _rows(reading), LISTED


def _grouped(reading: Reading) -> tuple[str, str] | None:
    """Return the query for a figure per group, or for the group that is first in it."""
    question = reading.asking
    aggregate, name = _aggregate(reading)
    if name == "sum" and reading.measure is None:
        reading = replace(reading, measure=_counting(reading))
    most, least = patterns.MOST.search(question), patterns.LEAST.search(question)
    top = patterns.TOP.search(question)
    group = dimension(reading, patterns.GROUP)
    which = dimension(reading, patterns.TOP_OF) if top else ""
    if not which and (most or least or reading.having):
        which = dimension(reading, patterns.WHICH)
    compared = next((column for column, found in reading.values.items() if len(found) > 1), "")
    if not group and compared:
        group = next(c.sql for c in reading.card.columns if c.name == compared)
    if not group and patterns.COMPARES.search(reading.question) and reading.date is not None:
        by_year = any(where.startswith("year(") and " IN (" in where for where in reading.where)
        group = f"strftime({moment(reading.date)}, '%Y')" if by_year else ""
    order = "ASC" if least and not most else "DESC"
    if reading.having or (which and not aggregate and reading.measure is None):
        aggregate, name = "count(*)", "count"
    if not which and not (group and (aggregate or reading.measure)):
        return None
    dim = which or group
    if not aggregate and reading.measure is not None:
        name = _joined_by(reading, order == "ASC") if which and not group else "avg"
        aggregate = f"{name}({reading.measure.sql})"
        aggregate = f"round({aggregate}, 2)" if name == "avg" else aggregate
    ordered = f"2 {order} LIMIT {_limit(top)}" if (which and not reading.having) or top else "1"
    having = f" HAVING {reading.having}" if reading.having else ""
    columns = f"{dim} AS {dimension_name(dim)}, {aggregate} AS {alias_of(reading, name)}"
    columns += "".join(f", {column}" for column in context(reading, dim))
    return f"SELECT {columns} {_from(reading)} GROUP BY 1{having} ORDER BY {ordered}", f"{name} by group"


def _one_figure(reading: Reading) -> tuple[str, str] | None:
    aggregate, name = _aggregate(reading)
    if not aggregate:
        return None
    if name == "sum" and reading.measure is None:
        reading = replace(reading, measure=_counting(reading))
    about = "".join(f", {column}" for column in context(reading))
    return (
        f"SELECT {aggregate} AS {alias_of(reading, name)}{about} {_from(reading)}",
        f"{name} over the rows that match",
    )


def _at_the_extreme(reading: Reading) -> tuple[str, str] | None:
    """Return the query for the rows that are highest, lowest, first or last."""
    question = reading.asking
    most, least = patterns.MOST.search(question), patterns.LEAST.search(question)
    top = patterns.TOP.search(question)
    if not (most or least or top):
        return None
    if reading.measure is not None:
        key = reading.measure.sql
    elif reading.date is not None and patterns.IN_TIME.search(question):
        key = moment(reading.date)
    else:
        return None
    where = _from(reading)
    joint = " AND " if " WHERE " in where else " WHERE "
    order = "ASC" if least and not most else "DESC"
    column = reading.measure or reading.date
    name = ("earliest" if order == "ASC" else "latest") if column is reading.date else ""
    name = name or ("lowest" if order == "ASC" else "highest")
    return (
        f"SELECT {told(reading, [column], name)} {where}{joint}{key} IS NOT NULL ORDER BY {key} {order} "
        f"LIMIT {_limit(top)}",
        "the rows at the extreme",
    )


def _within(reading: Reading) -> str:
    """Return the query for the figures of the rows that keep to the conditions of the question."""
    order, most = "" if joined(reading) else " ORDER BY _row", 50
    now = patterns.NOW.search(reading.question) and not (reading.limited or period_words(reading.question))
    if reading.date is not None and now:
        order, most = f" ORDER BY {moment(reading.date)} DESC", 1
    figures = reading.limited or (reading.measure,)
    return f"SELECT {told(reading, figures, 'found')} {_from(reading)}{order} LIMIT {most}"


def _joined_by(reading: Reading, rising: bool) -> str:
    """Return how a group becomes one figure: what adds up is summed, the rest keeps its extreme."""
    name = reading.measure.name if reading.measure is not None else ""
    if patterns.ADDS_UP.search(name):
        return "sum"
    return "min" if rising else "max"


def _limit(top: re.Match[str] | None) -> int:
    if top is None:
        return 1
    said = next(group for group in top.groups() if group)
    return patterns.NUMBERS.get(said.lower(), int(said) if said.isdigit() else 1)
