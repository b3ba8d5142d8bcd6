"""English superlatives that ask for the row with the highest or the lowest figure ("at least 3" for none),
and columns that are called by one."""

import re
from collections.abc import Iterable, Sequence

from core.domain import ColumnCard
from core.llm.builtin.answer.word_matching import (
    SAME_WORD_LIKENESS,
    TRANSLATION_LIKENESS,
    Word,
    keys_of,
    words_of,
)
from core.llm.builtin.tables.figure_conditions import bare, is_measure
from core.llm.builtin.tables.name_likeness import name_likeness
from core.text.tokens import is_cjk
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


_THINGS = re.compile(r"\b(?:which|what) (?:of the )?([\w-]+)")  # that are ranked
_OF_TIME_TOO = "length"  # "longest" is said of a time, too


def ranked(
    question: str, words: Sequence[Word], named: tuple[ColumnCard, ...], columns: Sequence[ColumnCard]
) -> tuple[tuple[ColumnCard, ...], frozenset[str], bool | None]:
    """Return the columns that are asked for, the one by which a superlative ranks first ("cheapest": the
    price), the words that say so, and whether there is one; False where the table has only figures of another
    kind, None where there is nothing to decide."""
    measures = [column for column in named if is_measure(column)]
    others = _ranks_others(question, words, measures)
    if measures and not others:
        return named, frozenset(), None
    ranking, superlative = _ranked_by(question, words, columns)
    if ranking is None:
        return named, frozenset(), False if others else None
    return (ranking, *(column for column in named if column not in measures)), superlative, True


def _ranked_by(
    question: str, words: Sequence[Word], columns: Sequence[ColumnCard]
) -> tuple[ColumnCard | None, frozenset[str]]:
    """Return the column of figures that a superlative asks for without its name and the words that say so;
    None where there is none, or several."""
    found: dict[str, tuple[ColumnCard, set[str]]] = {}
    for measure, superlatives in _adjectives(question, words).items():
        for column in columns:
            own = words_of(bare(column))
            if is_measure(column) and any(name_likeness(measure, w.key) >= TRANSLATION_LIKENESS for w in own):
                found.setdefault(column.name, (column, set()))[1].update(w.key for w in superlatives)
    if len(found) != 1:
        return None, frozenset()
    ((column, matched),) = found.values()
    return column, frozenset(matched)


def _ranks_others(question: str, words: Sequence[Word], measures: Sequence[ColumnCard]) -> bool:
    """Say whether an English superlative asks for a figure that none of these measures is, which are named
    only by the things that are ranked: no price under "Dog" for "which dog is the heaviest"."""
    kinds = _adjectives(question, words)
    if not measures or is_cjk(question) or all(kind == _OF_TIME_TOO for kind in kinds):
        return False
    things = [key for thing in _THINGS.findall(question.lower()) for key in keys_of(thing)]
    free = [word.key for word in words if word.key not in things]
    names = [word.key for column in measures for word in words_of(bare(column))]
    return not any(name_likeness(key, name) >= SAME_WORD_LIKENESS for key in free for name in names)


def _adjectives(question: str, words: Sequence[Word]) -> dict[str, list[Word]]:
    """Return the superlatives that say by which figure rows are ranked, by what that is called."""
    if not (HIGHEST.search(question.lower()) or LOWEST.search(question.lower())):
        return {}
    found = {
        measure: [word for word in words if word.text.lower() in word_list("superlatives", measure)]
        for measure in word_file("superlatives")
    }
    return {measure: superlatives for measure, superlatives in found.items() if superlatives}


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
