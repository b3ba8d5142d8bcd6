"""Column lineage of a query: which columns of the library's tables each column of its result comes from.

A model writes queries, and a constant in a query is the model's word, not the table's. Every value of a
result must come from at least one column and through operations that put no constant into it; conditions,
units of measure and numbers of digits may be constants. A function that is not listed passes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope

from core.errors import QueryError
from core.knowledge.stores.typed_tables import query_operations as operations


class Kind(Enum):
    """What a value of a result is."""

    CONSTANT = "constant"  # or may be one
    NULL = "null"
    CELL = "cell"
    PART = "part of a cell"
    FIGURE = "figure"


class Origin(NamedTuple):
    """A column of a table, as one place in FROM brings it: a table joined with itself has two places."""

    table: str
    column: str
    place: int


class Lineage(NamedTuple):
    """Where a value comes from; `copied` is the column it repeats unchanged, `operation` what computes it."""

    kind: Kind
    origins: tuple[Origin, ...] = ()
    copied: Origin | None = None
    operation: str = ""


CONSTANT = Lineage(Kind.CONSTANT)
NULL = Lineage(Kind.NULL)
_AROUND = exp.Window | exp.Filter | exp.IgnoreNulls | exp.Ordered | exp.Order | exp.Distinct


def lineage(sql: str, tables: Mapping[str, Sequence[str]]) -> tuple[Lineage, ...]:
    """Return where each column of the result comes from; raises QueryError where a constant gets into it."""
    schema: dict[str, object] = {name: dict.fromkeys(columns, "VARCHAR") for name, columns in tables.items()}
    try:
        parsed = qualify(sqlglot.parse_one(sql, read="duckdb"), schema=schema, dialect="duckdb")
        scope = build_scope(parsed)
        if scope is None:
            raise QueryError("the columns of the result could not be traced to tables")
        named = {
            name.casefold(): (name, {c.casefold(): c for c in columns}) for name, columns in tables.items()
        }
        return _Tracer(named).result(scope)
    except (SqlglotError, RecursionError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise QueryError(f"the columns of the result could not be traced to tables: {first}") from error


@dataclass
class _Tracer:
    tables: dict[str, tuple[str, dict[str, str]]]
    _open: set[tuple[int, int]] = field(default_factory=set)  # recursive queries refer to themselves
    _first: dict[int, Scope] = field(default_factory=dict)  # and there their first part has no tables
    _rows: set[int] = field(default_factory=set)

    def result(self, scope: Scope) -> tuple[Lineage, ...]:
        """Trace every column of a query's result."""
        found = []
        for place, column in enumerate(_selects(scope)):
            traced = self._output(scope, place)
            if traced.kind in (Kind.CONSTANT, Kind.NULL):
                raise QueryError(
                    f"the result's column {column.alias_or_name} may hold a constant of the query: select "
                    "columns of the tables, or what is computed from them alone"
                )
            found.append(traced)
        return tuple(found)

    def _output(self, scope: Scope, place: int) -> Lineage:
        scope = self._first.setdefault(id(scope.expression), scope)
        key = (id(scope.expression), place)
        if key in self._open:
            return Lineage(Kind.CELL)  # the other part of a recursive query decides
        self._open.add(key)
        try:
            if isinstance(scope.expression, exp.SetOperation):
                return _either([self._output(part, place) for part in scope.set_operation_scopes], "")
            if not isinstance(scope.expression, exp.Select) or place >= len(_selects(scope)):
                return CONSTANT
            self._check_rows(scope)
            return self.trace(_selects(scope)[place], scope)
        finally:
            self._open.discard(key)

    def _check_rows(self, scope: Scope) -> None:
        """Refuse rows that come from no table: VALUES, ranges, and queries of constants."""
        scope = self._first.setdefault(id(scope.expression), scope)
        if id(scope) in self._rows:
            return
        self._rows.add(id(scope))
        for name, (_, source) in scope.selected_sources.items():
            if isinstance(source, exp.Table):
                if source.name.casefold() in self.tables and not isinstance(source.this, exp.Func):
                    continue
            elif isinstance(source.expression, exp.Query):
                parts = (
                    source.set_operation_scopes
                    if isinstance(source.expression, exp.SetOperation)
                    else [source]
                )
                for part in parts:
                    self._check_rows(part)
                    if not part.selected_sources:
                        self.result(part)
                continue
            raise QueryError(f"the rows of {name} come from no table of the library")
        joins = scope.expression.args.get("joins") or []
        if any(join.args.get("method") for join in joins) or scope.expression.find(exp.Pivot, bfs=True):
            raise QueryError("NATURAL, POSITIONAL and ASOF joins and PIVOT cannot be traced to columns")

    def trace(self, node: exp.Expr, scope: Scope, summed: bool = False) -> Lineage:
        """Return where a value comes from; `summed`: it is added up, so that a 0 adds nothing."""
        if isinstance(node, exp.Alias | exp.Paren | exp.Cast | exp.TryCast):
            return self.trace(node.this, scope, summed)
        if isinstance(node, exp.Column):
            return self._column(node, scope)
        if isinstance(node, exp.Subquery):
            subquery = next((s for s in scope.subquery_scopes if s.expression is node.this), None)
            return self._output(subquery, 0) if subquery is not None else CONSTANT
        if isinstance(node, exp.Null | exp.Literal):
            nothing = isinstance(node, exp.Null) or (summed and operations.is_number(node, 0))
            return NULL if nothing else CONSTANT
        if isinstance(node, exp.Case | exp.If | exp.Coalesce | exp.Greatest | exp.Least):
            return self._chosen(node, scope, summed)
        if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.IntDiv | exp.Mod | exp.Neg):
            return self._arithmetic(node, scope, summed)
        if isinstance(node, exp.DPipe | exp.Concat | exp.ConcatWs):
            return self._joined(node, scope)
        if isinstance(node, _AROUND):
            return self.trace(
                node.expressions[0] if isinstance(node, exp.Distinct) else node.this, scope, summed
            )
        return self._function(node, scope)

    def _column(self, column: exp.Column, scope: Scope) -> Lineage:
        at: Scope | None = scope
        while at is not None and column.table not in at.selected_sources:
            at = at.parent
        source = at.selected_sources[column.table][1] if at is not None else None
        if isinstance(source, exp.Table):
            name, columns = self.tables.get(source.name.casefold(), ("", {}))
            real = columns.get(column.name.casefold())
            if not name or real is None:
                return CONSTANT
            origin = Origin(name, real, id(source))
            return Lineage(Kind.CELL, (origin,), origin)
        if isinstance(source, Scope):
            names = [each.alias_or_name for each in _selects(source)]
            return self._output(source, names.index(column.name)) if column.name in names else CONSTANT
        return CONSTANT

    def _chosen(self, node: exp.Expr, scope: Scope, summed: bool) -> Lineage:
        """Trace a value that is one of several: each of them must come from a column."""
        if isinstance(node, exp.Case):
            values = [branch.args["true"] for branch in node.args["ifs"]]
            values += [node.args["default"]] if node.args.get("default") is not None else []
        elif isinstance(node, exp.If):
            values = [node.args["true"], node.args.get("false") or exp.Null()]
        else:
            values = [node.this, *node.expressions]
        if summed and not isinstance(node, exp.Coalesce | exp.Greatest | exp.Least):
            marked = [value for value in values if operations.is_number(value, 1)]
            if marked and all(operations.is_mark(value) for value in values) and node.find(exp.Column):
                return Lineage(Kind.FIGURE, operation="count")  # 1 for the rows that fit: their number
        return _either([self.trace(value, scope, summed) for value in values], "choice")

    def _arithmetic(self, node: exp.Expr, scope: Scope, summed: bool) -> Lineage:
        sides = [node.this] if isinstance(node, exp.Neg) else [node.this, node.expression]
        rest = [side for side in sides if not operations.is_neutral(side, node)]
        return _either([self.trace(side, scope, summed) for side in rest], operations.name(node))

    def _joined(self, node: exp.Expr, scope: Scope) -> Lineage:
        """Trace cells written one after the other: between them only separators, and no parts of cells."""
        texts = node.expressions or [node.this, node.expression]
        found = [self.trace(text, scope) for text in texts if not operations.is_separator(text)]
        if not found or any(one.kind is not Kind.CELL for one in found):
            return CONSTANT
        return Lineage(Kind.CELL, _together(found), None, "joined")

    def _function(self, node: exp.Expr, scope: Scope) -> Lineage:
        if isinstance(node, exp.Predicate | exp.Connector | exp.Not | exp.Between | exp.In):
            columns = [self._column(column, scope) for column in node.find_all(exp.Column)]
            return _either(columns, "condition")
        called = operations.name(node)
        if called in operations.COUNTING:
            inner = scope.expression.args.get("from_") or scope.expression.args.get("from")
            return Lineage(Kind.FIGURE, operation=called) if inner else CONSTANT
        values = operations.passed(node)
        if values is None:
            return CONSTANT
        found = [self.trace(value, scope, called in ("sum", "avg")) for value in values]
        if called == "avg" and any(_is_zero(value) for value in values):
            return CONSTANT
        traced = _either(found, called)
        if called in operations.PARTS and traced.kind is Kind.CELL:
            return traced._replace(kind=Kind.PART)
        keeps_kind = called in operations.CELLS and traced.kind in (Kind.CELL, Kind.PART)
        return (
            traced
            if keeps_kind or traced.kind in (Kind.CONSTANT, Kind.NULL)
            else traced._replace(kind=Kind.FIGURE)
        )


def _selects(scope: Scope) -> Sequence[exp.Expr]:
    query = scope.expression
    return query.selects if isinstance(query, exp.Query) else ()


def _is_zero(value: exp.Expr) -> bool:
    """Say whether a missing value is averaged as 0, which no table says."""
    return any(
        operations.is_number(other, 0) for each in value.find_all(exp.Coalesce) for other in each.expressions
    )


def _either(found: Sequence[Lineage], operation: str) -> Lineage:
    """Return the lineage of what is put together of values, or is one of them."""
    non_null = [one for one in found if one.kind is not Kind.NULL]
    if not non_null:
        return NULL if found else CONSTANT
    if any(one.kind is Kind.CONSTANT for one in non_null):
        return CONSTANT
    kinds = {one.kind for one in non_null}
    kind = kinds.pop() if len(kinds) == 1 else Kind.FIGURE
    copied = {one.copied for one in non_null}
    same = copied.pop() if not operation and len(copied) == 1 else None
    return Lineage(kind, _together(non_null), same, operation or non_null[0].operation)


def _together(found: Sequence[Lineage]) -> tuple[Origin, ...]:
    return tuple(dict.fromkeys(origin for one in found for origin in one.origins))
