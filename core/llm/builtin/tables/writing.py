"""The rule for WriteQuery: look up, count, add up, average, find extremes, compare and join, as one SELECT.

A query is written only where every content word of the question is linked to the table: a
figure without one of its conditions would be wrong and look right.
"""

import re
from dataclasses import replace
from functools import partial

from core.domain import Cell, ColumnCard
from core.llm.builtin.answer.editions import superseded
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import ParsedQuestion, read
from core.llm.builtin.answer.question_text import asks_worth, names_worth
from core.llm.builtin.answer.rates import is_for_each
from core.llm.builtin.answer.stated_conditions import lacks_rate
from core.llm.builtin.tables.compared_columns import MEAN, misses_comparison
from core.llm.builtin.tables.counting import (
    aggregate,
    column_of_totals,
    count_of_rows,
    count_rows,
    counts_in_unit,
)
from core.llm.builtin.tables.date_conditions import TEMPORAL, lies_outside
from core.llm.builtin.tables.differences import difference
from core.llm.builtin.tables.extremes import HIGHEST, LOWEST, column_so, named_so
from core.llm.builtin.tables.figure_conditions import DIFFERS, EMPTY, bare, is_identifier
from core.llm.builtin.tables.full_names import full_names
from core.llm.builtin.tables.grouping import asks_groups, counted_for_each, grouped, grouped_over_key
from core.llm.builtin.tables.joining import MAX_LISTED_ROWS, joined_tables
from core.llm.builtin.tables.linking import Linked, link
from core.llm.builtin.tables.logs import asks_times, end_of_log, is_log
from core.llm.builtin.tables.look_ups import looked_up, shown_columns
from core.llm.builtin.tables.only_row import only_row
from core.llm.builtin.tables.open_words import OPERATIONS, open_words
from core.llm.builtin.tables.row_durations import asks_duration, durations
from core.llm.builtin.tables.similar_tables import over_similar
from core.llm.builtin.tables.sql_parts import TableSelect, where
from core.tasks import Query, WriteQuery
from core.text.sql_quoting import quoted
from core.text.thing_questions import everything_of

_SUM = re.compile(
    r"\b(?:in total|total(?: number| of)?|(?:al)?together|sum(?:med)?(?: of| up)?|add(?:ed)? up|combined"
    r"|overall)\b"
    r"|总[共计数和]|合计|一共"
)
_MEAN = re.compile(r"\b(?:average|mean|on average)\b|平均")
_MEDIAN = re.compile(r"\bmedian\b|中位")
_FUNCTIONS = ((_MEDIAN, "median"), (_MEAN, "avg"), (_SUM, "sum"))
_THAN = (
    r"\bhow (?:much|many) (?:more|less|fewer|(?:high|low|long|short|old|young|larg|small|heavi|great)er)\b"
    r"|比.+[多少高低大小长短重轻](?:了|出)?(?:多少|几)"
)
_DIFFERENCE = re.compile(
    rf"{_THAN}|"
    r"\bby how (?:much|many)\b|\b(?:difference|increase|decrease|"
    r"grow(?:th|n)?|grew|rise|rose|fall|fell|drop(?:ped)?|change)\b|增长|增加|减少|下降|变化|相差"
)
_EXTREMES = {
    (False, "DESC"): "highest figure", (False, "ASC"): "lowest figure",
    (True, "DESC"): "last time", (True, "ASC"): "first time",
}  # fmt: skip
_MENTIONED = re.compile(r"\b(?:mention(?:s|ed)?|cited?|referenced)\b|提到|提及", re.IGNORECASE)
_COUNTED = re.compile("most|fewest|least|最[多少]")  # of rows: "the most work orders"
_WHICH = re.compile(r"(?:(?:in|on|at|for|during|of) )?(?:which|what|who|where|when)\b(?! (?:is|was) the)")
_APART = re.compile(r"\bbetween\b.+\band\b|\bfrom\b.+\b(?:to|until)\b|从.+到|之间")


def write_query(task: WriteQuery, meaning: Meaning) -> Query:
    """Return one SELECT, its values as parameters; "" where no table has a place for all that is asked."""
    if not task.failed and (thing := everything_of(task.question)):
        return only_row(read(thing), task.tables, meaning)
    parsed = read(task.question)
    if _MENTIONED.search(task.question):
        return Query(reason="no table says what documents speak of")
    if task.failed or parsed.kind in ("summary", "cause", "manner") or not parsed.words:
        return Query(reason="no figure or row of a table is asked for")
    replaced = superseded(task.question, (card.document for card in task.tables))
    cards = [card for card in task.tables if card.document not in replaced]
    people = full_names(parsed, task.tables)
    linked = [link(parsed, card, meaning, people) for card in cards]
    if (put_together := grouped_over_key(parsed, linked, OPERATIONS)) is not None:
        return put_together.query()
    placed = sorted((one for one in linked if _is_placed(parsed, one)), key=lambda one: not one.has_rank)
    for one in placed:
        written = _select(parsed, one)
        if written is not None:
            every = over_similar(parsed, one, written, placed, partial(_select, parsed))
            return every.query() if every else Query(reason="tables of several documents hold what is asked")
    for two in (one for one in joined_tables(cards) if one.applies_to(parsed)):
        both = link(parsed, two.card, meaning, people)
        written = _select(parsed, both) if _is_placed(parsed, both) else None
        if written is not None and (over_both := two.select(parsed, written)) is not None:
            return over_both.query()
    return Query(reason="no table has a place for every word of the question")


def _is_placed(parsed: ParsedQuestion, linked: Linked) -> bool:
    """Say whether the table has a place for every word of the question; "not" only where a value says it."""
    values = " ".join(str(value).lower() for one in linked.conditions for value in one.values)
    if linked.has_rank is False or any(map(lies_outside, linked.conditions)):
        return False
    empty = any(one.operator in (EMPTY, DIFFERS) for one in linked.conditions)
    denied = parsed.negated and not empty and not read(values).negated
    return not (denied or open_words(linked, parsed) or misses_comparison(parsed, linked.conditions))


def _select(parsed: ParsedQuestion, linked: Linked) -> TableSelect | None:
    low = _asked(parsed, linked)
    if any(one.bound for one in linked.conditions) and len(linked.conditions) > 1:
        return None  # the mean of all rows, or of those the other conditions leave
    clause, values = where(linked.conditions)
    source = f"FROM {quoted(linked.card.name)}{clause}"
    whole = parsed.computed or parsed.kind == "count" or HIGHEST.search(low) or LOWEST.search(low)
    if whole and (linked.card.partial or (len(linked.measures) > 1 and _APART.search(low))):
        return None  # the rows of one page add up to nothing, and how far two figures lie apart is neither
    if parsed.kind != "count" and _is_of_identifiers(low, linked):
        return None
    function = next((name for pattern, name in _FUNCTIONS if _computes(pattern, low, linked)), "")
    if for_each := counted_for_each(parsed, linked, source, values):
        return for_each
    if asks_groups(parsed, linked, function):
        return grouped(parsed, linked, source, values, function)
    if asks_worth(low):
        worth = tuple(column for column in linked.card.columns if names_worth(column.name))
        if len(worth) != 1:
            return None  # a product of two columns is neither of them
        linked = replace(linked, columns=worth)
    if lacks_rate(parsed, " ".join(f"{column.name} /{column.unit}" for column in linked.columns)):
        return None
    return _over_rows(parsed, linked, source, values)


def _asked(parsed: ParsedQuestion, linked: Linked) -> str:
    """Return the question in small letters, without a mean that only bounds what is asked for."""
    low = parsed.question.lower()
    return MEAN.sub("", low) if any(one.bound for one in linked.conditions) else low


def _is_of_identifiers(low: str, linked: Linked) -> bool:
    """Say whether what is to be added up, averaged or ranked is a column of identifiers: it is the first one
    that is named behind the word for it ("mean station ID of the pumping stations")."""
    patterns = (*(pattern for pattern, _ in _FUNCTIONS), HIGHEST, LOWEST)
    matches = (
        found for pattern in patterns if (found := pattern.search(low)) and not _COUNTED.fullmatch(found[0])
    )
    start = min((found.end() for found in matches), default=-1)
    if start < 0:
        return False
    named = [
        (low.find(bare(column).lower(), start), not is_identifier(column)) for column in linked.card.columns
    ]
    return not min((one for one in named if one[0] >= 0), default=(0, True))[1]


def _computes(pattern: re.Pattern[str], low: str, linked: Linked) -> bool:
    """Say whether the question asks for what the pattern finds, and no column is called so."""
    return pattern.search(low) is not None and not any(named_so(one, pattern) for one in linked.measures)


def _over_rows(
    parsed: ParsedQuestion, linked: Linked, source: str, values: tuple[Cell, ...]
) -> TableSelect | None:
    """Count, add up, compare or look up the rows that match."""
    low = _asked(parsed, linked)
    if asks_duration(parsed, linked):
        return durations(linked, source, values, low)
    if asks_times(low):
        counted = TableSelect(f'SELECT count(*) AS "times" {source}', values, "rows that match")
        return counted if is_log(linked) and not linked.card.partial else None
    if (end := end_of_log(parsed, linked)) is not None:
        return None if linked.card.partial else _extreme(linked, end[0], source, values, end[1], most=5)
    put_together = any(pattern.search(low) for pattern, _ in _FUNCTIONS)
    measure = _measure(low, linked) or (put_together and count_of_rows(parsed, linked)) or None
    measure = measure or (column_of_totals(linked) if _SUM.search(low) else None)
    if re.search(_THAN, low) or (measure is not None and _DIFFERENCE.search(low)):
        return difference(linked, measure) if measure is not None else None
    if measure is not None and linked.conditions and counts_in_unit(parsed, measure):
        function = next((name for pattern, name in _FUNCTIONS if pattern.search(low)), "sum")
        return aggregate(function, measure, source, values)
    counts = parsed.kind == "count" and parsed.counted  # "X 的价格是多少" counts nothing
    if counts and not (measure and (_MEAN.search(low) or _MEDIAN.search(low) or _asks_which(low))):
        return count_rows(parsed, linked, source, values)
    if measure is not None and (figure := _of_measure(parsed, linked, measure, source, values)) is not None:
        return figure
    return looked_up(parsed, linked, source, values)


def _of_measure(
    parsed: ParsedQuestion, linked: Linked, measure: ColumnCard, source: str, values: tuple[Cell, ...]
) -> TableSelect | None:
    """Add up or average a column's figures, or find the highest or lowest, where that is asked for."""
    low = _asked(parsed, linked)
    for pattern, function in _FUNCTIONS:
        if pattern.search(low) and not (measure in linked.columns and named_so(measure, pattern)):
            if function == "sum" and is_for_each(parsed, measure.name):
                return None
            return aggregate(function, measure, source, values)
    for pattern, order in ((HIGHEST, "DESC"), (LOWEST, "ASC")):
        if pattern.search(low) and not named_so(measure, pattern):
            if own := column_so(linked.card.columns, measure, pattern):
                return looked_up(parsed, replace(linked, columns=(own,)), source, values)
            return _extreme(linked, measure, source, values, order)
    return None


def _asks_which(low: str) -> bool:
    """Say whether the question asks where a figure is highest or lowest: "in which year was the number of ...
    highest"."""
    return _WHICH.match(low) is not None and bool(HIGHEST.search(low) or LOWEST.search(low))


def _measure(low: str, linked: Linked) -> ColumnCard | None:
    """Return the column whose figures are meant: of several the one named next behind "sum of", if it is."""
    function = next((found for pattern, _ in _FUNCTIONS if (found := pattern.search(low))), None)
    named = [
        (low.find(column.name.lower(), function.end()), column) for column in linked.measures if function
    ]
    behind = [(place, -len(column.name), column) for place, column in named if place >= 0]
    if len(linked.measures) > 1 and behind:
        return min(behind, key=lambda each: each[:2])[2]
    return next(iter(linked.measures), None)


def _extreme(
    linked: Linked, measure: ColumnCard, source: str, values: tuple[Cell, ...], order: str, most: int = 2
) -> TableSelect:
    """Return the rows with the highest or lowest figure, or the last or first, called by columns of text
    and days, `most` of them."""
    bound = {condition.column.name for condition in linked.conditions}
    free = [
        c for c in linked.card.columns if c.name not in bound and (c.type == "text" or c.type in TEMPORAL)
    ]
    named = [column for column in linked.columns if column is not measure]
    shown = shown_columns(
        linked, (*free[:most], *named, measure)
    )  # a number and a name, where both call the row
    joint = " AND " if " WHERE " in source else " WHERE "
    name = quoted(measure.name)
    return TableSelect(
        f"SELECT {shown} {source}{joint}{name} IS NOT NULL "
        f"QUALIFY rank() OVER (ORDER BY {name} {order}) = 1 ORDER BY _row LIMIT {MAX_LISTED_ROWS + 1}",
        values,
        f"the rows with the {_EXTREMES[measure.type in TEMPORAL, order]}",
    )
