"""Queries that group rows by a column: the group with the most rows, a mean for each group."""

import re
from collections.abc import Sequence
from typing import Literal

from core.domain import Cell, ColumnCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import Word, words_of
from core.llm.builtin.tables.counting import PIECES
from core.llm.builtin.tables.date_conditions import TEMPORAL
from core.llm.builtin.tables.extremes import HIGH, LOW
from core.llm.builtin.tables.figure_conditions import bare, identifies, is_measure
from core.llm.builtin.tables.grouping_zh import most_zh, per_column_zh, which_zh
from core.llm.builtin.tables.joining import MAX_LISTED_ROWS, key_between, names_of
from core.llm.builtin.tables.linking import Linked, called, head_of, rows_called
from core.llm.builtin.tables.listing import sentence_columns
from core.llm.builtin.tables.logs import asks_times
from core.llm.builtin.tables.name_likeness import is_name
from core.llm.builtin.tables.sql_parts import TableSelect, computed
from core.llm.builtin.tables.value_conditions import mentioned_whole
from core.llm.builtin.understand.grammar import tagged
from core.text.sql_quoting import quoted
from core.text.tokens import is_cjk

_WHICH = re.compile(r"\b(?:which|what)\b|哪")
_EACH = re.compile(
    r"\b(?:per|grouped by|(?:split|broken down|separated|sorted) by"
    r"|(?:for|in|by|of|do|does|did|has|have|had|is|are|was|were) (?:each|every)(?: of the)?)\s+([\w-]+)"
    r"|,\s*by\s+(?:the\s+)?([\w-]+)\W*$"
)
_MANY = re.compile(r"(?<!\bat )\b(?:most|fewest|least)\s+((?:[\w-]+\s+)?[\w-]+)")
_ORDERED = re.compile(rf"\b(?:most|{HIGH}|{LOW})\b|最[高大多长低小少短]")
_MORE = re.compile(r"\b(?:more|fewer|less)\s+((?:[\w-]+\s+)?[\w-]+)\b.*\bor\b", re.IGNORECASE)
_YEAR = re.compile(r"year|jahr|ann[ée]e|年", re.IGNORECASE)  # a number that rows are put together by
_LOWEST = re.compile(rf"\b(?:{LOW})\b|最[低小少短]")
_COUNTS = re.compile(  # names of columns that say how many: a word for it, or a plural
    r"\b(?:count|number|n|no|nr|qty|quantity|amount|total|sum|freq(?:uency)?|anzahl|menge|nombre)\b|[a-rt-z]s$|[数量计]",
    re.IGNORECASE,
)


def asks_groups(parsed: ParsedQuestion, linked: Linked, function: str) -> bool:
    """Say whether rows are to be grouped before they are listed or compared; `function` is "avg", "sum" or
    "median" where the question says one."""
    low = parsed.question.lower()
    if function == "sum" and "overall" in low:
        return False
    return _per_column(parsed, linked) is not None or (
        _WHICH.search(low) is not None
        and _ORDERED.search(low) is not None
        and (bool(function) or _many(parsed, linked) is not None)
    )


def grouped(
    parsed: ParsedQuestion, linked: Linked, source: str, values: tuple[Cell, ...], function: str
) -> TableSelect | None:
    """Return the groups with their figure, or the one that has most; None where either is not a column's."""
    each = _per_column(parsed, linked)
    group = each or _group(parsed, linked)
    if group is None or any(one.column == group for one in linked.conditions) or not _exact(parsed, linked):
        return None
    counted = (parsed.kind == "count" and _counts_rows(parsed, linked)) or asks_times(parsed.question)
    measure = next((column for column in linked.measures if column is not group), None)
    if function == "avg" and each is not None and identifies(each):
        return None  # the mean per year of rows that are months is not the mean of the rows
    if function and measure is not None:
        figure, named = computed(function, measure)
    elif not function and (counted or _many(parsed, linked) == "") and not _tallied(linked):
        figure, named = "count(*)", f"number of {_rows_counted(parsed, linked)}"
    elif not function and (summed := _many(parsed, linked)):
        figure, named = computed("sum", summed)
    else:
        return None
    name = quoted(group.name)
    condition = f"{name} IS NOT NULL"
    joint = " AND " if " WHERE " in source else " WHERE "
    return TableSelect(
        f"SELECT {name}, {figure} AS {quoted(named)} {source}{joint}{condition} GROUP BY {name}"
        + _first(figure, parsed, every=each is not None),
        values,
        f"rows put together by {group.name}",
    )


def counted_for_each(
    parsed: ParsedQuestion, linked: Linked, source: str, values: tuple[Cell, ...]
) -> TableSelect | None:
    """Count the rows of each of the things between which the question asks of what there is more: "more
    samples from A or from B". None where another thing is compared."""
    match = _MORE.search(parsed.question)
    pair = next((one for one in linked.conditions if one.operator == "=" and len(one.values) > 1), None)
    if match is None or pair is None or linked.measures or not _exact(parsed, linked) or _tallied(linked):
        return None
    if not any(called(word.key, (head_of(linked.card),)) for word in words_of(match[1])[-1:]):
        return None
    name = quoted(pair.column.name)
    return TableSelect(
        f"SELECT {name}, count(*) AS {quoted(f'number of {_rows_counted(parsed, linked)}')} {source} "
        f"GROUP BY {name} QUALIFY count(*) OVER () = {len(pair.values)} ORDER BY 2 DESC, 1",
        values,
        f"rows put together by {pair.column.name}",
    )


def _counts_rows(parsed: ParsedQuestion, linked: Linked) -> bool:
    """Say whether what is counted is what a row is, or the column that tells it in sentences."""
    names = [word.key for column in sentence_columns(linked) for word in words_of(bare(column))]
    return called(parsed.counted, (head_of(linked.card), *names))


def _rows_counted(parsed: ParsedQuestion, linked: Linked) -> str:
    """Return what the rows are called: as the question does, else as the table, else "rows" where that is
    called by a number or a file's name."""
    counted = next((word.text for word in parsed.words if word.key == parsed.counted), "")
    named = rows_called(linked.card)
    return counted or ("rows" if re.search(r"[\d_-]", named) else named)


def grouped_over_key(
    parsed: ParsedQuestion, linked: Sequence[Linked], operations: re.Pattern[str]
) -> TableSelect | None:
    """Return the row of a table to which most rows of another point: "which artist has the most albums"."""
    low = parsed.question.lower()
    words_after = _words_after_most(low)
    keys = [word.key for word in _words_after_which(parsed.question)]
    if not words_after or not keys:
        return None
    order = "ASC" if _LOWEST.search(low) else "DESC"
    for one in linked:
        for many in linked:
            key = key_between(many.card, one.card.name)
            if (
                key is None
                or many.card.partial
                or many.conditions
                or one.conditions
                or not called(keys[-1], one.subject)
                or not any(called(word, many.subject) for word in words_after)
                or _open(one, many, operations)
                or not (names := names_of(one.card))
            ):
                continue
            shown = "1" if " AS " in names else ", ".join(str(at + 1) for at in range(names.count("b.")))
            return TableSelect(
                f'SELECT {names}, count(*) AS "number of {many.card.title}" FROM {quoted(many.card.name)} a '
                f"JOIN {quoted(one.card.name)} b ON a.{quoted(key.column)} = b.{quoted(key.other)} "
                f"GROUP BY b.{quoted(key.other)}, {shown} "
                f"QUALIFY rank() OVER (ORDER BY count(*) {order}) = 1 ORDER BY {shown} "
                f"LIMIT {MAX_LISTED_ROWS + 1}",
                (),
                f"rows that point to it, joined over {key.column}",
            )
    return None


def _open(one: Linked, many: Linked, operations: re.Pattern[str]) -> bool:
    """Say whether a word of the question has a place in neither table."""
    left = {word.key for word in one.rest}
    return any(word.key in left and not operations.match(word.key) for word in many.rest)


def _first(figure: str, parsed: ParsedQuestion, *, every: bool) -> str:
    """Return the end of the SELECT: all groups in order, or those that stand first, several if they tie."""
    order = "ASC" if _LOWEST.search(parsed.question.lower()) else "DESC"
    conditions = [] if every else [f"rank() OVER (ORDER BY {figure} {order}) = 1"]
    if figure == "count(*)":  # a row a group counts nothing: the table says otherwise how many there are
        conditions.append("max(count(*)) OVER () > 1")
    first = f" QUALIFY {' AND '.join(conditions)}" if conditions else ""
    return f"{first} ORDER BY 2 {order}, 1 LIMIT {MAX_LISTED_ROWS + 1}"


def _per_column(parsed: ParsedQuestion, linked: Linked) -> ColumnCard | None:
    """Return the column of "per year", but not where the table itself is called so: each row is a year."""
    match = _EACH.search(parsed.question.lower())
    if match is None:
        return per_column_zh(parsed.question, linked, _column)
    called_so = (linked.card.title, *(column.name for column in linked.card.columns))
    if any(match[0] in name.lower() for name in called_so):
        return None
    return _column(words_of(match[1] or match[2])[-1:], linked)


def _group(parsed: ParsedQuestion, linked: Linked) -> ColumnCard | None:
    """Return the column that holds what the question asks which of: each of the words names it."""
    return _column(_words_after_which(parsed.question), linked)


def _words_after_which(question: str) -> Sequence[Word]:
    """Return the words right behind the question word, up to the first that is neither noun nor adjective."""
    match = _WHICH.search(question.lower())
    if match is None:
        return ()
    if is_cjk(match[0]):
        return which_zh(question)
    end = match.end()
    for word in tagged(question):
        if word.start >= match.end():
            if word.letter not in "nmNj":
                break
            end = word.end
    return words_of(question[match.end() : end])


def _column(words: Sequence[Word], linked: Linked) -> ColumnCard | None:
    for column in linked.card.columns:
        own = [word.key for word in words_of(bare(column))]
        own += [word.key for word in words_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column.name))]
        groupable = column.type == "text" or column.type in TEMPORAL or _YEAR.search(column.name)
        if words and groupable and not is_measure(column) and all(_is(word.key, own) for word in words):
            return column
    return None


def _is(key: str, own: Sequence[str]) -> bool:
    return any(is_name(key, other) for other in own)


def _many(parsed: ParsedQuestion, linked: Linked) -> ColumnCard | Literal[""] | None:
    """Return what "the most" is said of: "" for what a row is, a column of figures, else None."""
    keys = _words_after_most(parsed.question.lower())
    if keys is None:
        return None
    if not keys or any(called(key, (head_of(linked.card),)) for key in keys):
        return ""
    values = {key for one in linked.conditions if one.column.type == "text" for key in one.words}
    most = _MANY.search(parsed.question.lower())
    if most and words_of(most[1].split()[0]) and values.issuperset(keys):
        return ""  # "the most trips", of the rows whose fault is a trip
    for column in linked.measures:
        own = [word.key for word in words_of(bare(column))]
        if any(_is(key, own) for key in keys):
            return column
    return None


def _words_after_most(low: str) -> list[str] | None:
    """Return the words of what there is most or least of, none of them for how often something happened; None
    where it is not asked."""
    match = _MANY.search(low)
    return most_zh(low) if match is None else [word.key for word in words_of(match[1])]


def asks_most(parsed: ParsedQuestion, linked: Linked) -> bool:
    """Say whether the rows of a log are counted for the thing that happened most."""
    dated = any(column.type in TEMPORAL for column in linked.card.columns)
    return dated and _many(parsed, linked) == "" and _group(parsed, linked) is not None


def _tallied(linked: Linked) -> bool:
    """Say whether a column counts what the rows are about: a row may stand for several of them."""
    head = head_of(linked.card)
    return bool(linked.measures) or any(
        is_measure(column)
        and column.type == "integer"
        and column.unit.lower() in PIECES
        and (_COUNTS.search(bare(column)) or called(head, [w.key for w in words_of(bare(column))]))
        for column in linked.card.columns
    )


def _exact(parsed: ParsedQuestion, linked: Linked) -> bool:
    texts = [one for one in linked.conditions if one.column.type == "text"]
    return not linked.card.partial and all(
        mentioned_whole(parsed, value) for one in texts for value in one.values
    )
