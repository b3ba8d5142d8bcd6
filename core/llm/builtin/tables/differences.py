"""Queries that subtract: the figure of one year from that of another, or one row's from another's."""

from core.domain import ColumnCard
from core.llm.builtin.tables.figure_conditions import Condition
from core.llm.builtin.tables.linking import Linked
from core.llm.builtin.tables.sql_parts import TableSelect, where
from core.text.sql_quoting import quoted


def difference(linked: Linked, measure: ColumnCard) -> TableSelect | None:
    """Subtract the figure of the earlier of two years from the later's, or of one row from another's."""
    dated = next(
        (c for c in linked.conditions if len(c.values) == 2 and (c.part == "year" or _years(c))), None
    )
    if dated is None:
        return _between(linked, measure)
    others = [condition for condition in linked.conditions if condition is not dated]
    clause, values = where(others)
    name, low = quoted(measure.name), sorted(dated.values, key=str)
    key = f"{dated.part}({quoted(dated.column.name)})" if dated.part else quoted(dated.column.name)
    later, earlier = (f"sum(CASE WHEN {key} = ? THEN {name} END)" for _ in range(2))
    return TableSelect(
        f"SELECT {later} - {earlier} AS {quoted(f'change of {measure.name}')} "
        f"FROM {quoted(linked.card.name)}{clause}",
        (low[1], low[0], *values),
        "the later figure less the earlier",
    )


def _between(linked: Linked, measure: ColumnCard) -> TableSelect | None:
    """Subtract the figures of two rows that the question names; nothing where a name stands for several."""
    pair = next((c for c in linked.conditions if len(c.values) == 2 and c.operator == "="), None)
    if pair is None:
        return None
    clause, values = where(linked.conditions)
    name = quoted(measure.name)
    return TableSelect(
        f"SELECT max({name}) - min({name}) AS {quoted(f'difference of {measure.name}')} "
        f"FROM {quoted(linked.card.name)}{clause} "
        f"HAVING count(*) = 2 AND count(DISTINCT {quoted(pair.column.name)}) = 2 AND count({name}) = 2",
        values,
        "the higher figure less the lower",
    )


def _years(condition: Condition) -> bool:
    return all(isinstance(value, int) and 1800 < value < 2200 for value in condition.values)
