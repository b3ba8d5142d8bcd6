"""What a table query may be: exactly one read-only SELECT over the library's own tables."""

from collections.abc import Collection

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from core.errors import QueryError

LONGEST = 20_000
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


def allowed_query(sql: str, tables: Collection[str]) -> str:
    """Return the query, set anew from its parsed form. Raises QueryError saying what is not allowed."""
    if len(sql) > LONGEST:
        raise QueryError(f"the query is longer than {LONGEST} characters")
    try:
        statements = [s for s in sqlglot.parse(sql, read="duckdb") if s is not None]
    except (SqlglotError, RecursionError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise QueryError(f"the query could not be read: {first}") from error
    if len(statements) != 1:
        raise QueryError(f"one statement is run at a time; these are {len(statements)}")
    query = statements[0]
    if not isinstance(query, exp.Query):
        raise QueryError(f"only SELECT is run, not {query.key.upper()}")
    _refuse(query, {name.casefold() for name in tables})
    return query.sql(dialect="duckdb")


def _refuse(query: exp.Query, tables: set[str]) -> None:
    named = {cte.alias_or_name.casefold() for cte in query.find_all(exp.CTE)}
    for node in query.walk():
        if isinstance(node, NEVER):
            raise QueryError(f"only SELECT is run, not {node.key.upper()}")
        if isinstance(node, exp.Table):
            _refuse_table(node, tables | named)
        elif isinstance(node, exp.Anonymous) and node.name.casefold() not in ALLOWED_FUNCTIONS:
            raise QueryError(f"the function {node.name} is not allowed")
        elif isinstance(node, exp.Placeholder | exp.Parameter | exp.SessionParameter):
            raise QueryError("parameters are not allowed")


def _refuse_table(table: exp.Table, known: set[str]) -> None:
    inner = table.this
    if isinstance(inner, exp.Func):
        allowed = isinstance(inner, exp.GenerateSeries | exp.Unnest)
        name = inner.name if isinstance(inner, exp.Anonymous) else inner.key
        if not allowed and name.casefold() not in ("range", "generate_series", "unnest"):
            raise QueryError(f"the table function {name} is not allowed")
        return
    if table.args.get("db") or table.args.get("catalog") or table.name.casefold() not in known:
        raise QueryError(f"there is no table {table.sql(dialect='duckdb')} in the library")
