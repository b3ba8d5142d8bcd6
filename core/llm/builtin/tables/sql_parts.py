"""Pieces of a SELECT: quoted names, conditions with their values as parameters, and what they make up."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Cell, ColumnCard
from core.llm.builtin.tables.figure_conditions import EMPTY, NO_SPAN, Condition
from core.tasks import Query
from core.text.sql_quoting import quoted


@dataclass(frozen=True)
class TableSelect:
    """A SELECT with the values of its parameters in order, and what its result shows."""

    sql: str
    parameters: tuple[Cell, ...]
    reason: str

    def query(self) -> Query:
        return Query(sql=self.sql, parameters=self.parameters, reason=self.reason)


FUNCTIONS = {"sum": "total", "avg": "mean", "median": "median"}  # of SQL, and what they give


def computed(function: str, measure: ColumnCard) -> tuple[str, str]:
    """Return what one of `FUNCTIONS` makes of a column, in SQL, and what that is called."""
    figure = f"{function}({quoted(measure.name)})"
    digits = 2 if measure.type == "integer" else 4
    rounded = figure if function == "sum" else f"round({figure}, {digits})"
    return rounded, f"{FUNCTIONS[function]} of {measure.name}"


def where(conditions: Sequence[Condition], table: str = "") -> tuple[str, tuple[Cell, ...]]:
    """Return the WHERE clause and its values; columns are those of `table`, where an alias is given."""
    clauses: list[str] = []
    values: list[Cell] = []
    for condition in conditions:
        name = f"{table}.{quoted(condition.column.name)}" if table else quoted(condition.column.name)
        limit = condition.bound
        if condition.other is not None:
            limit = ".".join(filter(None, (table, quoted(condition.other.name))))
        if condition.operator == EMPTY:
            clauses.append(f"{name} {EMPTY}")
            continue
        if limit:
            clauses.append(f"{name} {condition.operator} {limit}")
            continue
        subject = f"{condition.part}({name})" if condition.part else name
        marks = ", ".join("?" for _ in condition.values)
        bounds = condition.operator not in NO_SPAN
        mark = "CAST(? AS TIMESTAMP)" if bounds and _is_text(condition) else "?"
        one = f"{subject} {condition.operator} {mark}"
        clauses.append(f"{subject} IN ({marks})" if len(condition.values) > 1 else one)
        values += condition.values
    return (f" WHERE {' AND '.join(clauses)}" if clauses else ""), tuple(values)


def _is_text(condition: Condition) -> bool:
    return isinstance(condition.values[0], str)  # a day, where it is an end of a span
