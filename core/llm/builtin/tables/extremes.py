"""English superlatives that ask for the row with the highest or the lowest figure ("at least 3" for none),
and columns that are called by one."""

import re
from collections.abc import Iterable, Sequence

from core.domain import ColumnCard
from core.llm.builtin.answer.word_matching import TRANSLATION_LIKENESS, Word, words_of
from core.llm.builtin.tables.figure_conditions import bare, is_measure
from core.llm.builtin.tables.name_likeness import name_likeness
from core.text.word_lists import word_file, word_list

HIGH = (
    r"(?<!\bat )most(?! (?:often|frequent))|highest|largest|biggest|greatest|longest|maximum|max|latest"
    "|newest|top|best|strongest|heaviest|fastest|deepest|hottest|warmest|tallest|thickest|widest|busiest"
    "|deadliest|costliest|dearest"
)
LOW = (
    r"(?<!\bat )least|fewest|lowest|smallest|shortest|minimum|min|earliest|oldest|worst|weakest|lightest"
    "|slowest|shallowest|coldest|coolest|thinnest|narrowest|cheapest"
)


HIGHEST = re.compile(rf"\b(?:{HIGH}|most (?:expensive|costly))\b|最[高大多长新重快深热厚宽强贵]")
LOWEST = re.compile(rf"\b(?:{LOW}|least (?:expensive|costly))\b|最[低小少短早轻慢浅冷薄窄弱便]")


def ranked_by(
    question: str, words: Sequence[Word], columns: Sequence[ColumnCard]
) -> tuple[ColumnCard | None, frozenset[str]]:
    """Return the column of figures that a superlative asks for without its name, "cheapest" for the price,
    and the words that say so; None where there is none, or several."""
    if not (HIGHEST.search(question.lower()) or LOWEST.search(question.lower())):
        return None, frozenset()
    found: dict[str, tuple[ColumnCard, set[str]]] = {}
    for measure in word_file("superlatives"):
        superlatives = word_list("superlatives", measure)
        matched = {word.key for word in words if word.text.lower() in superlatives}
        for column in columns if matched else ():
            own = words_of(bare(column))
            if is_measure(column) and any(name_likeness(measure, w.key) >= TRANSLATION_LIKENESS for w in own):
                found.setdefault(column.name, (column, set()))[1].update(matched)
    if len(found) != 1:
        return None, frozenset()
    ((column, matched),) = found.values()
    return column, frozenset(matched)


def named_so(column: ColumnCard, pattern: re.Pattern[str]) -> bool:
    """Say whether the pattern found the column's own name: an "average price" is looked up."""
    return pattern.search(column.name.lower()) is not None


def column_so(
    columns: Iterable[ColumnCard], measure: ColumnCard, pattern: re.Pattern[str]
) -> ColumnCard | None:
    """Return the column whose name says the extreme of the measure: "Minimum stock" (最低库存) of "Stock"."""
    own = {word.key for word in words_of(measure.name)}
    candidates = (column for column in columns if named_so(column, pattern))
    return next((column for column in candidates if own < {word.key for word in words_of(column.name)}), None)
