"""Counts rows of what a table is about, or adds up the column that counts it."""

import re

from core.domain import Cell, ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.rates import is_for_each
from core.llm.builtin.answer.word_matching import TRANSLATION_LIKENESS, key_of, keys_of, likeness, words_of
from core.llm.builtin.tables.figure_conditions import EMPTY, bare, identifies, is_measure
from core.llm.builtin.tables.full_names import by_initial
from core.llm.builtin.tables.linking import Linked, called, head_of
from core.llm.builtin.tables.name_likeness import is_name
from core.llm.builtin.tables.sql_parts import FUNCTIONS, TableSelect, computed
from core.llm.builtin.tables.value_conditions import mentioned_whole
from core.text.quantities import normal_unit
from core.text.sql_quoting import quoted

_BESIDE = re.compile(r"\b([\w-]+) (?:and|or|und|oder) (?:the )?([\w-]+)")
_GENERIC = re.compile(
    r"(?:sheet|table|tabelle|feuil|hoja|foglio|工作表)\s*\d*", re.IGNORECASE
)  # named by no one
_COUNTS = re.compile(r"(?:total|count|number|n|freq(?:uency)?|anzahl|nombre|总数|数量|合计)", re.IGNORECASE)
_KEY_WORDS = frozenset(("id", "no", "nr", "number", "code", "key", "编号", "号", "代码"))
_TOTAL = re.compile(r"\b(?:total|sum)\b|合计|总[计价额]", re.IGNORECASE)
_STATE = re.compile(r"\b(?:status|state|zustand)\b|状态", re.IGNORECASE)
_ROWS = re.compile(r"^(?:entri|record|row|line|item|model)$")
PIECES = frozenset(
    ("", "pcs", "pc", "ea", "st", "stk", "stück", "#", "n", "个", "件", "片", "台", "人", "次")
)


def count_of_rows(parsed: ParsedQuestion, linked: Linked) -> ColumnCard | None:
    """Return the column that only counts what the table is about ("total" of murders.csv), where that is
    said. Asked only where figures are to be put together."""
    totals = [
        column for column in linked.card.columns if is_measure(column) and _COUNTS.fullmatch(column.name)
    ]
    named = called(head_of(linked.card), [word.key for word in parsed.words])
    return totals[0] if len(totals) == 1 and named else None


def column_of_totals(linked: Linked) -> ColumnCard | None:
    """Return the only column of totals: "the total of our orders" adds up those of the orders."""
    totals = [column for column in linked.card.columns if is_measure(column) and _TOTAL.search(column.name)]
    return totals[0] if len(totals) == 1 else None


def count_rows(
    parsed: ParsedQuestion, linked: Linked, source: str, values: tuple[Cell, ...]
) -> TableSelect | None:
    """Count rows of what the table is about, or identifiers; what a column counts is added up."""
    counts = [c for c in linked.card.columns if is_measure(c) and c.unit.lower() in PIECES]
    # an area or a price is no count
    named = [c for c in counts if any(is_name(parsed.counted, word.key) for word in words_of(c.name))]
    named = [c for c in named if not is_for_each(parsed, c.name)]
    column = next((c for c in named if _mentions_all(parsed, c.name)), next(iter(named), None))
    if column is not None and linked.conditions:
        return aggregate("sum", column, source, values)
    texts = [one for one in linked.conditions if one.column.type == "text" and not one.stated]
    values_named = [value for one in texts for value in one.values]
    whole = all(mentioned_whole(parsed, one) or by_initial(str(one), parsed) for one in values_named)
    if not whole:
        return None  # of "Led Zeppelin I" the question says a part: it counts more than that one
    title = linked.card.document if _GENERIC.fullmatch(linked.card.title) else _label(linked.card)
    rows = [head_of(linked.card), *(word.key for word in words_of(title))]
    if not parsed.counted or linked.measures or _counts_others(parsed, linked):
        return None
    key = next(
        (
            one
            for one in linked.card.columns
            if _is_key_of(parsed.counted, one) or (one.numbers_rows and _is_counted(parsed, one))
        ),
        None,
    )
    if key is not None:
        label = quoted(f"number of {key.name}") if key.numbers_rows else _alias(parsed)
        sql = f"SELECT count(DISTINCT {quoted(key.name)}) AS {label} {source}"
        return TableSelect(sql, values, f"different values of {key.name}")
    if called(parsed.counted, rows) or (_ROWS.match(parsed.counted) and _names_table(parsed, linked)):
        blank = any(one.operator == EMPTY for one in linked.conditions)
        state = next((column.name for column in state_columns(linked)), "") if blank else ""
        if state:  # what is not delivered may be cancelled
            sql = (
                f"SELECT {quoted(state)}, count(*) AS {_alias(parsed)} {source} GROUP BY 1 ORDER BY 2 DESC, 1"
            )
            return TableSelect(sql, values, f"rows that match, by {state}")
        return TableSelect(f"SELECT count(*) AS {_alias(parsed)} {source}", values, "rows that match")
    return None


def state_columns(linked: Linked) -> tuple[ColumnCard, ...]:
    """Return the columns that say in which state a row is, but for those that a condition names."""
    bound = {one.column.name for one in linked.conditions}
    return tuple(
        column
        for column in linked.card.columns
        if column.type == "text" and column.name not in bound and _STATE.search(column.name)
    )


def _names_table(parsed: ParsedQuestion, linked: Linked) -> bool:
    """Say whether the question says what the rows of the table are, beside its conditions: "entries of the
    disturbance log"."""
    taken = {key for one in linked.conditions for key in one.words}
    return called(head_of(linked.card), [word.key for word in parsed.words if word.key not in taken])


def counts_in_unit(parsed: ParsedQuestion, column: ColumnCard) -> bool:
    """Say whether what is counted is the unit of a column: of "Downtime [min]" minutes."""
    counted = next((word.text for word in parsed.words if word.key == parsed.counted), "")
    return parsed.kind == "count" and bool(counted) and normal_unit(counted) == normal_unit(column.unit)


def _counts_others(parsed: ParsedQuestion, linked: Linked) -> bool:
    """Say whether the question asks for other things beside those that are counted: "samples and results"."""
    beside = _BESIDE.finditer(parsed.question.lower())
    taken = {key for one in linked.conditions for key in one.words}
    return any(
        key_of(match[1]) == parsed.counted and not taken.intersection(keys_of(match[2])) for match in beside
    )


def _is_key_of(key: str, column: ColumnCard) -> bool:
    """Say whether a column holds the identifiers of the things that are counted: "Customer Id"."""
    if not identifies(column):
        return False
    thing = [word.key for word in words_of(bare(column)) if word.key not in _KEY_WORDS]
    return len(thing) == 1 and called(key, thing) and thing != [word.key for word in words_of(column.name)]


def _is_counted(parsed: ParsedQuestion, column: ColumnCard) -> bool:
    """Say whether a column that numbers the rows is called as what is counted: "work order"."""
    own = words_of(bare(column))
    return _mentions_all(parsed, bare(column)) and any(word.key == parsed.counted for word in own)


def _label(card: TableCard) -> str:
    """Return the name of the column by which rows are called: the first, if it holds texts."""
    first = card.columns[0] if card.columns else None
    return first.name if first is not None and first.type == "text" else ""


def _mentions_all(parsed: ParsedQuestion, name: str) -> bool:
    """Say whether the question says every word of a column's name: of "stock" and "minimum stock", which."""
    return all(
        any(likeness(one.key, word.key) >= TRANSLATION_LIKENESS for one in parsed.words)
        for word in words_of(name)
    )


def aggregate(function: str, measure: ColumnCard, source: str, values: tuple[Cell, ...]) -> TableSelect:
    name = quoted(measure.name)
    figure, called_so = computed(function, measure)
    return TableSelect(
        f'SELECT {figure} AS {quoted(called_so)}, count({name}) AS "rows" {source} '
        f"HAVING count({name}) > 0",  # rows without a figure say none
        values,
        f"{FUNCTIONS[function]} over the rows that match",
    )


def _alias(parsed: ParsedQuestion) -> str:
    text = next((word.text for word in parsed.words if word.key == parsed.counted), "rows")
    return quoted(f"number of {text}")
