"""English superlatives that ask for the row with the highest or the lowest figure ("at least 3" for none),
and columns that are called by one."""

import re
from collections.abc import Iterable

from core.domain import ColumnCard
from core.llm.builtin.answer.word_matching import words_of

HIGH = (
    r"(?<!\bat )most|highest|largest|biggest|greatest|longest|maximum|max|latest|newest|top|best|strongest"
    "|heaviest|fastest|deepest|hottest|warmest|tallest|thickest|widest|busiest|deadliest"
)
LOW = (
    r"(?<!\bat )least|fewest|lowest|smallest|shortest|minimum|min|earliest|oldest|worst|weakest|lightest"
    "|slowest|shallowest|coldest|thinnest|narrowest|cheapest"
)


def named_so(column: ColumnCard, pattern: re.Pattern[str]) -> bool:
    """Say whether the pattern found the column's own name: an "average price" is looked up."""
    return pattern.search(column.name.lower()) is not None


def column_so(
    columns: Iterable[ColumnCard], measure: ColumnCard, pattern: re.Pattern[str]
) -> ColumnCard | None:
    """Return the column whose name says the extreme of the measure: "Minimum stock" (最低库存) of "Stock"."""
    own = {word.key for word in words_of(measure.name)}
    held = (column for column in columns if named_so(column, pattern))
    return next((column for column in held if own < {word.key for word in words_of(column.name)}), None)
