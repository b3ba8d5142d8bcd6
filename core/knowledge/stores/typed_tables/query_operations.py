"""What SQL's operations let through: which arguments of a function get into its result, and which constants
change a value's unit or form only."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from sqlglot import exp

_COUNTING = "count count_if approx_distinct row_number rank dense_rank percent_rank cume_dist ntile"
_CELLS = """max min any_value first last first_value last_value nth_value lag lead arg_max arg_min
    max_by min_by mode upper lower string_agg array_agg list nullif strip_accents"""
_PARTS = "substring substr left right split_part regexp_extract trim ltrim rtrim date_trunc timestamp_trunc"
_FIGURES = """sum avg median quantile quantile_cont quantile_disc percentile_cont percentile_disc
    approx_quantile favg fsum stddev stddev_pop stddev_samp variance var_pop variance_pop var_samp mad
    product skewness kurtosis entropy bool_and bool_or logical_and logical_or round round_even abs ceil
    floor sqrt cbrt ln log log2 log10 exp sign trunc length len year month day quarter week hour minute
    second day_of_week day_of_year week_of_year dayname monthname date str_to_time str_to_date strptime
    try_strptime epoch isfinite isnan list_sum list_avg"""
_SPANS = "date_diff datediff date_sub timestamp_diff"
_ALL = "corr covar_pop covar_samp regr_slope regr_intercept regr_r2 age gcd lcm"
COUNTING = frozenset(_COUNTING.split())
CELLS = frozenset(_CELLS.split())
PARTS = frozenset(_PARTS.split())
SPANS = frozenset(_SPANS.split())
FIRST = CELLS | PARTS | frozenset(_FIGURES.split())
ALL = frozenset(_ALL.split())
TIMES = {Decimal(each) for each in (7, 12, 24, 60, 365, 1024, 1440, 3600, 86400)}
_NAMES: dict[type[exp.Expr], str] = {
    exp.GroupConcat: "string_agg",
    exp.ArrayAgg: "array_agg",
    exp.CountIf: "count_if",
    exp.DateDiff: "date_diff",
    exp.TsOrDsToDate: "date",
    exp.Pow: "power",
    exp.TimeToStr: "strftime",
}
_SEPARATOR = re.compile(r"\s*[,;|]?\s*| - ")
_CODES = re.compile(r"%-?[a-zA-Z]")


def name(node: exp.Expr) -> str:
    """Return the name of an operation."""
    if isinstance(node, exp.Anonymous):
        return node.name.casefold()
    if type(node) in _NAMES:
        return _NAMES[type(node)]
    return node.sql_name().casefold() if isinstance(node, exp.Func) else node.key


def passed(node: exp.Expr) -> Sequence[exp.Expr] | None:
    """Return the arguments that get into the result of a function, None where it is not known."""
    called = name(node)
    if isinstance(node, exp.WithinGroup):
        order = node.expression
        return [order.expressions[0]] if isinstance(order, exp.Order) and order.expressions else None
    if isinstance(node, exp.Extract):
        return [node.expression]
    arguments = _arguments(node)
    if called in SPANS:
        return [part for part in arguments if not _is_unit(part)]
    if called in FIRST:
        return _first(node, called, arguments)
    return arguments if called in ALL else _formed(node, called, arguments)


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    return [part for part in (node.this, node.args.get("expression")) if isinstance(part, exp.Expr)]


def _first(node: exp.Expr, called: str, arguments: Sequence[exp.Expr]) -> Sequence[exp.Expr] | None:
    """Return the first argument, and what stands for it where it is missing."""
    if called == "string_agg" and not _is_listed(node, arguments):
        return None
    default = node.args.get("default")
    return [*arguments[:1], default] if isinstance(default, exp.Expr) else arguments[:1]


def _formed(node: exp.Expr, called: str, arguments: Sequence[exp.Expr]) -> Sequence[exp.Expr] | None:
    if called in ("date_part", "datepart"):
        return arguments[1:2]
    if called == "power":
        return (
            arguments[:1]
            if len(arguments) == 2 and is_number(arguments[1], 2, 3, Decimal("0.5"))
            else arguments
        )
    if called == "strftime":
        form = node.args.get("format") or arguments[-1]
        plain = isinstance(form, exp.Literal) and not re.search(r"\w", _CODES.sub("", form.name))
        return arguments[:1] if plain else None
    return None


def _is_unit(part: exp.Expr) -> bool:
    return isinstance(part, exp.Var) or (isinstance(part, exp.Literal) and part.name.isalpha())


def _is_listed(node: exp.Expr, arguments: Sequence[exp.Expr]) -> bool:
    between = node.args.get("separator") or (arguments[1] if len(arguments) > 1 else None)
    return between is None or is_separator(between)


def is_separator(node: exp.Expr) -> bool:
    """Say whether a text only sets others apart."""
    return isinstance(node, exp.Literal) and node.is_string and bool(_SEPARATOR.fullmatch(node.name))


def _number(node: exp.Expr) -> Decimal | None:
    while isinstance(node, exp.Paren | exp.Cast):
        node = node.this
    if not isinstance(node, exp.Literal) or node.is_string:
        return None
    try:
        return Decimal(node.name)
    except InvalidOperation:
        return None


def is_number(node: exp.Expr, *numbers: Decimal | int) -> bool:
    """Say whether an expression is one of these numbers."""
    value = _number(node)
    return value is not None and value in numbers


def is_mark(node: exp.Expr) -> bool:
    """Say whether a value marks a row as one that counts, or as one that does not."""
    return isinstance(node, exp.Null) or is_number(node, 0, 1)


def _is_factor(node: exp.Expr) -> bool:
    """Say whether a number turns a unit into another: a power of ten, or a number of seconds, hours, days."""
    value = _number(node)
    return value is not None and value > 0 and (value in TIMES or value.normalize().as_tuple().digits == (1,))


def is_neutral(side: exp.Expr, node: exp.Expr) -> bool:
    """Say whether a side of an arithmetic operation is a constant that only changes the value's unit.

    So are the factor of a unit, the number of the terms that a sum is divided by, and the whole that a share
    is taken from.
    """
    other = node.this if side is node.args.get("expression") else node.args.get("expression")
    if other is None or _number(side) is None:
        return False
    if isinstance(node, exp.Mul | exp.Div | exp.IntDiv):
        divides = side is node.args.get("expression") and not isinstance(node, exp.Mul)
        return _is_factor(side) or (divides and is_number(side, _terms(other)))
    return isinstance(node, exp.Sub) and is_number(side, 1, 100) and _is_share(other)


def _bare(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren | exp.Cast | exp.Round):
        node = node.this
    return node


def _terms(node: exp.Expr) -> int:
    bare = _bare(node)
    return _terms(bare.this) + _terms(bare.expression) if isinstance(bare, exp.Add) else 1


def _is_share(node: exp.Expr) -> bool:
    bare = _bare(node)
    if isinstance(bare, exp.Mul):
        return _is_share(bare.this) or _is_share(bare.expression)
    return isinstance(bare, exp.Div) and (_number(bare.expression) is None or _is_share(bare.this))
