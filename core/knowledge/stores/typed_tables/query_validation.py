"""What a table query may be: exactly one read-only SELECT over the library's own tables."""

from collections.abc import Collection
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from core.errors import QueryError

MAX_SQL_CHARACTERS = 20_000
NEVER = (
    exp.Insert,
    exp.Update,
    exp.Delete,
    exp.Merge,
    exp.Create,
    exp.Drop,
    exp.Alter,
    exp.Command,
    exp.Copy,
    exp.Attach,
    exp.Detach,
    exp.Pragma,
    exp.Set,
    exp.Use,
    exp.Into,
    exp.Install,
)
FUNCTIONS = """list_value list_sum list_avg strptime try_strptime strftime date_part datepart date_diff
    date_sub date_add make_date monthname dayname year month day quarter week isfinite isnan round_even trunc
    median mode quantile quantile_cont quantile_disc stddev_pop stddev_samp var_pop var_samp corr covar_pop
    covar_samp regr_slope regr_intercept regr_r2 mad arg_max arg_min max_by min_by any_value first last
    string_agg list array_agg bool_and bool_or count_if product skewness kurtosis entropy
    lower upper trim ltrim rtrim contains starts_with ends_with suffix prefix regexp_matches regexp_extract
    regexp_replace split_part levenshtein jaccard jaro_winkler_similarity strip_accents len length
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
    greatest least nullif ifnull coalesce unnest generate_series range epoch age to_days now today
    sign abs ceil floor round sqrt ln log log2 log10 exp pow power cbrt gcd lcm bit_count even
    printf format concat concat_ws lpad rpad repeat reverse replace substr substring left right instr
    position strpos fsum sumkahan favg histogram bar"""
ALLOWED_FUNCTIONS = frozenset(FUNCTIONS.split())
ROWS_OF = ("range", "generate_series", "unnest")  # the functions that may stand where a table does


class AllowedQuery(NamedTuple):
    """A query set anew from its parsed form, and the tables it reads."""

    sql: str
    tables: frozenset[str]


def allowed_query(sql: str, tables: Collection[str], parameters: int = 0) -> AllowedQuery:
    """Return the query, with as many `?` as there are `parameters`, and which of `tables` it reads.

    Raises QueryError saying what is not allowed.
    """
    if len(sql) > MAX_SQL_CHARACTERS:
        raise QueryError(f"the query is longer than {MAX_SQL_CHARACTERS} characters")
    try:
        statements = [s for s in sqlglot.parse(sql, read="duckdb") if s is not None]
        if len(statements) != 1:
            raise QueryError(f"one statement is run at a time; these are {len(statements)}")
        query = statements[0]
        if not isinstance(query, exp.Query):
            raise QueryError(f"only SELECT is run, not {query.key.upper()}")
        _refuse(query)
        marks = list(query.find_all(exp.Placeholder))
        if len(marks) != parameters or any(mark.args.get("this") for mark in marks):
            raise QueryError(f"the query has {len(marks)} parameters, {parameters} values are given")
        reads = _Names({name.casefold(): name for name in tables})
        reads.resolve(query, frozenset())
        return AllowedQuery(query.sql(dialect="duckdb"), frozenset(reads.found))
    except (SqlglotError, RecursionError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise QueryError(f"the query could not be read: {first}") from error


def _refuse(query: exp.Query) -> None:
    for node in query.walk():
        if isinstance(node, NEVER):
            raise QueryError(f"only SELECT is run, not {node.key.upper()}")
        if isinstance(node, exp.Anonymous) and node.name.casefold() not in ALLOWED_FUNCTIONS:
            raise QueryError(f"the function {node.name} is not allowed")
        if isinstance(node, exp.Parameter | exp.SessionParameter):
            raise QueryError("parameters are not allowed")


class _Names:
    """Resolves every table name by SQL's scoping rules: innermost WITH first.

    The name of a WITH clause is known to the clauses after it and to the body, not to its own query, unless
    it is recursive, and then only to the part after UNION. So a clause called like a table that may not be
    read gives no way to that table.
    """

    def __init__(self, tables: dict[str, str]) -> None:
        self._tables = tables
        self.found: set[str] = set()

    def resolve(self, node: exp.Expr, clauses: frozenset[str]) -> None:
        """Resolve the names below a node, where these WITH clauses are known. Raises QueryError."""
        with_clause = node.args.get("with_") or node.args.get("with")
        if with_clause is not None:
            for clause in with_clause.expressions:
                self._clause(clause, clauses, recursive=bool(with_clause.args.get("recursive")))
                clauses |= {clause.alias_or_name.casefold()}
        if isinstance(node, exp.Table):
            self._table(node, clauses)
        for child in node.iter_expressions():
            if child is not with_clause:
                self.resolve(child, clauses)

    def _clause(self, clause: exp.CTE, clauses: frozenset[str], *, recursive: bool) -> None:
        body = clause.this
        if recursive and isinstance(body, exp.SetOperation) and body.args.get("with_") is None:
            self.resolve(body.this, clauses)
            self.resolve(body.expression, clauses | {clause.alias_or_name.casefold()})
        else:
            self.resolve(body, clauses)

    def _table(self, table: exp.Table, clauses: frozenset[str]) -> None:
        inner = table.this
        if isinstance(inner, exp.Func):
            allowed = isinstance(inner, exp.GenerateSeries | exp.Unnest)
            name = inner.name if isinstance(inner, exp.Anonymous) else inner.key
            if not allowed and name.casefold() not in ROWS_OF:
                raise QueryError(f"the table function {name} is not allowed")
            return
        name, whole = table.name.casefold(), not (table.args.get("db") or table.args.get("catalog"))
        if whole and name in clauses:
            return
        if not whole or name not in self._tables:
            raise QueryError(f"there is no table {table.sql(dialect='duckdb')} in the library")
        self.found.add(self._tables[name])
