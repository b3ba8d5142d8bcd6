"""The rule for WriteQuery: look up, count, add up, average, find extremes, compare and join, as one SELECT.

A query is written only where the table has a place for every word of the question that carries matter: a
figure without one of its conditions would be wrong and look right.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Cell, ColumnCard, TableCard
from core.llm.builtin.answer.asked import ParsedQuestion, attribute, focus, read
from core.llm.builtin.answer.word_matching import SAME, Meaning, likeness, words_of
from core.llm.builtin.tables.figure_conditions import Condition, identifies, is_measure
from core.llm.builtin.tables.linking import TEMPORAL, Linked, called, head_of, link
from core.tasks import Query, WriteQuery

_GENERIC = re.compile(
    r"(?:sheet|table|tabelle|feuil|hoja|foglio|工作表)\s*\d*", re.IGNORECASE
)  # named by no one
LISTED = 12  # rows a look-up may bring
_SUM = re.compile(
    r"\b(?:in total|total(?: number| of)?|(?:al)?together|sum(?:med)?(?: of| up)?|add(?:ed)? up|combined"
    r"|overall)\b"
    r"|总[共计数和]|合计|一共"
)
_MEAN = re.compile(r"\b(?:average|mean|on average)\b|平均")
_MEDIAN = re.compile(r"\bmedian\b|中位")
_MOST = re.compile(
    r"\b(?:most|highest|largest|biggest|greatest|longest|maximum|max|latest|newest|top|best)\b|最[高大多长新]"
)
_LEAST = re.compile(
    r"\b(?:least|fewest|lowest|smallest|shortest|minimum|min|earliest|oldest|worst)\b|最[低小少短早]"
)
_DIFFERENCE = re.compile(
    r"\bby how (?:much|many)\b|\b(?:difference|increase|decrease|"
    r"grow(?:th|n)?|grew|rise|rose|fall|fell|drop(?:ped)?|change)\b|增长|增加|减少|下降|变化|相差"
)
_OPERATIONS = re.compile(
    r"^(?:total|altogether|togeth|sum|add|combin|overal|averag|mean|median|most|highest|largest|biggest|greatest|longest|maximum"
    r"|max|latest|newest|top|best|least|fewest|lowest|smallest|shortest|minimum|min|earliest|oldest|worst|differ|differenc"
    r"|increas|decreas|grow|growth|grew|rise|rose|fall|fell|drop|chang|million|billion|percent|number|count|line|row|entri"
    r"|item|everyth|anyth|record|sheet|tabl|list|file|three|two|four|five|总|总共|合计|平均|最高|最低|最大|最小|最多|最少|共|增长|增加|减少|变化)$"
)  # fmt: skip


@dataclass(frozen=True)
class _Written:
    sql: str
    parameters: tuple[Cell, ...]
    reason: str

    def query(self) -> Query:
        return Query(sql=self.sql, parameters=self.parameters, reason=self.reason)


def write_query(task: WriteQuery, meaning: Meaning) -> Query:
    """Return one SELECT, its values as parameters; "" where no table has a place for all that is asked."""
    asked = read(task.question)
    if task.failed or asked.kind in ("summary", "cause", "manner") or not asked.words:
        return Query(reason="no figure or row of a table is asked for")
    linked = [link(asked, card, meaning) for card in task.tables]
    for one in linked:
        joined = _joined(asked, one, linked)
        if joined is not None:
            return joined.query()
    for one in linked:
        if not _open(one, asked):
            written = _select(asked, one)
            if written is not None:
                return written.query()
    return Query(reason="no table has a place for every word of the question")


def _open(linked: Linked, asked: ParsedQuestion) -> tuple[str, ...]:
    """Return the words the table leaves open, but for those that say what to compute."""
    return tuple(
        word.key for word in linked.rest if not _OPERATIONS.match(word.key) and word.key != asked.counted
    )


def _select(asked: ParsedQuestion, linked: Linked) -> _Written | None:
    low = asked.question.lower()
    where, values = _where(linked.conditions)
    source = f"FROM {_quoted(linked.card.name)}{where}"
    whole = asked.computed or asked.kind == "count" or _MOST.search(low) or _LEAST.search(low)
    if linked.card.partial and whole:
        return None  # the rows of one page add up to nothing
    measure = next(iter(linked.measures), None)
    if measure is not None and _DIFFERENCE.search(low):
        return _difference(linked, measure)
    if asked.kind == "count":
        return _counted(asked, linked, source, values, measure)
    if measure is not None:
        for pattern, function in ((_MEDIAN, "median"), (_MEAN, "avg"), (_SUM, "sum")):
            if pattern.search(low) and not _named_so(measure, pattern):
                return _aggregate(function, measure, source, values)
        for pattern, order in ((_MOST, "DESC"), (_LEAST, "ASC")):
            if pattern.search(low) and not _named_so(measure, pattern):
                return _extreme(linked, measure, source, values, order)
    return _looked_up(asked, linked, source, values)


def _named_so(column: ColumnCard, pattern: re.Pattern[str]) -> bool:
    """Say whether the pattern found the column's own name: an "average price" is looked up."""
    return pattern.search(column.name.lower()) is not None


def _where(conditions: Sequence[Condition]) -> tuple[str, tuple[Cell, ...]]:
    """Return the WHERE clause and its values, in order."""
    clauses: list[str] = []
    values: list[Cell] = []
    for condition in conditions:
        name = _quoted(condition.column.name)
        subject = f"{condition.part}({name})" if condition.part else name
        marks = ", ".join("?" for _ in condition.values)
        one = f"{subject} {condition.operator} ?"
        clauses.append(f"{subject} IN ({marks})" if len(condition.values) > 1 else one)
        values += condition.values
    return (f" WHERE {' AND '.join(clauses)}" if clauses else ""), tuple(values)


def _counted(
    asked: ParsedQuestion, linked: Linked, source: str, values: tuple[Cell, ...], measure: ColumnCard | None
) -> _Written | None:
    """Count rows of what the table is about; what a column counts is added up."""
    column = next((c for c in linked.card.columns if is_measure(c) and _says(asked.counted, c.name)), None)
    if column is not None and linked.conditions:
        return _aggregate("sum", column, source, values)
    whole = all(_said_whole(asked, value) for one in linked.conditions for value in one.values)
    if not whole:
        return None  # of "Led Zeppelin I" the question says a part: it counts more than that one
    title = linked.card.document if _GENERIC.fullmatch(linked.card.title) else _label(linked.card)
    rows = [head_of(linked.card), *(word.key for word in words_of(title))]
    if asked.counted and called(asked.counted, rows) and not linked.measures:
        return _Written(f"SELECT count(*) AS {_alias(asked)} {source}", values, "rows that match")
    return None


def _said_whole(asked: ParsedQuestion, value: str | int | float) -> bool:
    """Say whether the question says a value to its last word, however short, but for what is added to it."""
    said = set(re.findall(r"\w+", asked.question.lower()))
    return not isinstance(value, str) or said.issuperset(re.findall(r"\w+", value.lower().split(",")[0]))


def _label(card: TableCard) -> str:
    """Return the name of the column by which rows are called: the first, if it holds texts."""
    first = card.columns[0] if card.columns else None
    return first.name if first is not None and first.type == "text" else ""


def _says(key: str, name: str) -> bool:
    return bool(key) and any(likeness(key, word.key) >= SAME for word in words_of(name))


def _aggregate(function: str, measure: ColumnCard, source: str, values: tuple[Cell, ...]) -> _Written:
    name = _quoted(measure.name)
    label = {"sum": "total", "avg": "mean", "median": "median"}[function]
    digits = 2 if measure.type == "integer" else 4
    figure = f"round({function}({name}), {digits})" if function != "sum" else f"sum({name})"
    return _Written(
        f'SELECT {figure} AS {_quoted(f"{label} of {measure.name}")}, count(*) AS "rows" {source} '
        "HAVING count(*) > 0",
        values,
        f"{label} over the rows that match",
    )


def _extreme(
    linked: Linked, measure: ColumnCard, source: str, values: tuple[Cell, ...], order: str
) -> _Written:
    bound = {condition.column.name for condition in linked.conditions}
    free = [
        c for c in linked.card.columns if c.name not in bound and (c.type == "text" or c.type in TEMPORAL)
    ]
    named = [column for column in linked.columns if column is not measure]
    shown = _shown(linked, (*free[:1], *named, measure))
    joint = " AND " if " WHERE " in source else " WHERE "
    name = _quoted(measure.name)
    return _Written(
        f"SELECT {shown} {source}{joint}{name} IS NOT NULL ORDER BY {name} {order} LIMIT 1",
        values,
        f"the row with the {'highest' if order == 'DESC' else 'lowest'} figure",
    )


def _difference(linked: Linked, measure: ColumnCard) -> _Written | None:
    """Subtract the figure of the earlier of two years from that of the later."""
    dated = next(
        (c for c in linked.conditions if len(c.values) == 2 and (c.part == "year" or _years(c))), None
    )
    if dated is None:
        return None
    others = [condition for condition in linked.conditions if condition is not dated]
    clause, values = _where(others)
    name, low = _quoted(measure.name), sorted(dated.values, key=str)
    key = f"{dated.part}({_quoted(dated.column.name)})" if dated.part else _quoted(dated.column.name)
    later, earlier = (f"sum(CASE WHEN {key} = ? THEN {name} END)" for _ in range(2))
    return _Written(
        f"SELECT {later} - {earlier} AS {_quoted(f'change of {measure.name}')} "
        f"FROM {_quoted(linked.card.name)}{clause}",
        (low[1], low[0], *values),
        "the later figure less the earlier",
    )


def _years(condition: Condition) -> bool:
    return all(isinstance(value, int) and 1800 < value < 2200 for value in condition.values)


def _looked_up(
    asked: ParsedQuestion, linked: Linked, source: str, values: tuple[Cell, ...]
) -> _Written | None:
    """Show the named columns of the rows that match; nothing without a condition or a named column."""
    conditioned = {condition.column.name for condition in linked.conditions}
    wanted = tuple(c for c in linked.columns if c.name not in conditioned and not _only_named(c, asked))
    if not linked.conditions or not wanted:
        return None
    taken = {key for condition in linked.conditions for key in condition.words}
    if asked.kind != "yesno" and any(word.key in taken for word in attribute(asked)):
        return None  # a value that holds half of what is sought names another thing
    shown = _shown(linked, wanted[:4])
    return _Written(
        f"SELECT {shown}, _row {source} ORDER BY _row LIMIT {LISTED + 1}", values, "the rows that match"
    )


def _only_named(column: ColumnCard, asked: ParsedQuestion) -> bool:
    """Say whether a column is an identifier that the question does not ask for by that word."""
    if not identifies(column):
        return False
    last = words_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column.name))[-1:]
    return not any(likeness(word.key, one.key) >= SAME for word in last for one in asked.words)


def _shown(linked: Linked, wanted: Sequence[ColumnCard]) -> str:
    """Return the columns to show: what the rows are named by, then what is asked."""
    named = [condition.column for condition in linked.conditions]
    label = next((c for c in linked.card.columns if c.type == "text" or c.type in TEMPORAL), None)
    columns = dict.fromkeys([*([label] if label and not named else named), *wanted])
    return ", ".join(_quoted(column.name) for column in columns)


def _joined(asked: ParsedQuestion, one: Linked, linked: Sequence[Linked]) -> _Written | None:
    """Follow a key that holds from the row the question names to the table it asks about."""
    if not one.conditions:
        return None
    for key in one.card.keys:
        other = next((each for each in linked if each.card.name == key.table), None)
        if other is None or other.conditions:
            continue
        taken = {word for condition in one.conditions for word in condition.words}
        left = [w for w in asked.words if w.key not in taken and not _OPERATIONS.match(w.key)]
        about_both = other.subject | one.subject | {w.key for w in words_of(other.card.document)}
        said = [w for w in left if any(likeness(w.key, k) >= SAME for k in about_both)]
        columns = [c for c in other.columns if c.name not in (key.other,)]
        sought = [w for w in focus(asked) if w in left][:1]
        about = [w for w in sought if any(likeness(w.key, k) >= SAME for k in other.subject - one.subject)]
        if not about or len(left) - len(said) > 1 + len(columns):
            continue
        names = _names(other.card) if not columns else ", ".join(f"b.{_quoted(c.name)}" for c in columns[:3])
        if not names:
            continue
        clause, values = _where(one.conditions)
        clause = re.sub(r'(?<![\w.])("(?:[^"]|"")+") ([=<>]|IN)', r"a.\1 \2", clause)
        return _Written(
            f"SELECT DISTINCT {names} FROM {_quoted(one.card.name)} a JOIN {_quoted(other.card.name)} b "
            f"ON a.{_quoted(key.column)} = b.{_quoted(key.other)}{clause} LIMIT {LISTED + 1}",
            values,
            f"joined over {key.column}",
        )
    return None


def _names(card: TableCard) -> str:
    """Return the SQL of what a row is called: first and last name as one, else its columns of names."""
    named = [
        c for c in card.columns if c.type == "text" and re.search(r"name|title|名", c.name, re.IGNORECASE)
    ]
    first = next((c for c in named if re.search(r"first|given", c.name, re.IGNORECASE)), None)
    last = next((c for c in named if re.search(r"last|family|sur", c.name, re.IGNORECASE)), None)
    if first is not None and last is not None:
        return f"concat_ws(' ', b.{_quoted(first.name)}, b.{_quoted(last.name)}) AS {_quoted(card.title)}"
    return ", ".join(f"b.{_quoted(c.name)}" for c in named[:2])


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _alias(asked: ParsedQuestion) -> str:
    text = next((word.text for word in asked.words if word.key == asked.counted), "rows")
    return _quoted(f"number of {text}")
