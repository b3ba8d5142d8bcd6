"""Words of a question for which a table has no place: none of them may be a condition left out."""

import re

from core.domain import ColumnCard
from core.llm.builtin.answer.asked import ParsedQuestion, names
from core.llm.builtin.answer.word_matching import SAME, Word, likeness, words_of
from core.llm.builtin.tables.date_conditions import TEMPORAL
from core.llm.builtin.tables.extremes import HIGH, LOW
from core.llm.builtin.tables.figure_conditions import bare
from core.llm.builtin.tables.linking import Linked
from core.llm.builtin.understand.grammar import tagged

_HAPPENS = re.compile(  # said of the rows of a log by whoever asks, not by the log
    r"^(?:time|often|occur|happen|appear|rais|log|send|sent|report|record|trigger|issu|list|发生|出现|触发|报|发出|上报|记录|次)$"
)
OPERATIONS = re.compile(
    rf"^(?:{HIGH}|{LOW}|total|altogether|togeth|sum|add|combin|overal|averag|mean|median|differ|differenc"
    r"|increas|decreas|grow|growth|grew|rise|rose|fall|fell|drop|chang|million|billion|percent|number|count|line"
    r"|row|entri|item|everyth|anyth|record|model|type|kind|sheet|tabl|list|file|valu|figur|column|cell|seri|chart"
    r"|graph|data|dataset|three|two|four|five|总|总共|合计|平均|最高|最低|最大|最小|最多|最少|共|增长|增加|减少|变化)$"
)
ENOUGH = 4  # words of a question of which one may stand open
_FILES = frozenset(
    {"data", "dataset", "list", "table", "sheet", "spreadsheet", "file", "report", "database", "register"}
)


def open_words(linked: Linked, asked: ParsedQuestion) -> tuple[Word, ...]:
    """Return the words the table leaves open, but for those that say what to compute."""
    logged = is_log(linked)
    return tuple(
        word
        for word in linked.rest
        if not OPERATIONS.match(word.key)
        and word.key != asked.counted
        and not (logged and _HAPPENS.match(word.key))
    )


def says_nearly_all(linked: Linked, asked: ParsedQuestion) -> bool:
    """Say whether a single word stands open that leaves no condition out: one that stands in for another
    ("rated" of a nominal power), calls the file ("the antibiotics data") or the thing ("which substance").

    Names, figures and both sides of a comparison restrict; of what is counted or added up every word does.
    """
    left = open_words(linked, asked)
    if len(left) != 1 or len(asked.words) < ENOUGH or asked.kind in ("yesno", "compare"):
        return False
    word = left[0]
    if word.figure or names(word, asked.question):
        return False
    before, behind = _neighbours(word, asked.question)
    if behind in _FILES:
        return True
    if asked.computed or asked.kind == "count":
        return False
    if asked.language != "en":
        return bool(linked.conditions) and asked.kind in ("person", "place")
    if _named(behind, linked):
        return _stands_in(behind, linked)
    letter = next((one.letter for one in tagged(asked.question) if one.start == word.start), "")
    return letter in ("n", "m") and not _named(before, linked) and not re.fullmatch(f"{HIGH}|{LOW}", before)


def _neighbours(word: Word, question: str) -> tuple[str, str]:
    """Return the words that stand right before and right behind the word, "" where anything else does."""
    before = re.search(r"(\w+)\s+$", question[: word.start].lower())
    behind = re.match(r"\s+(\w+)", question[word.end :].lower())
    return before[1] if before else "", behind[1] if behind else ""


def _named(said: str, linked: Linked) -> bool:
    """Say whether a column that the question names is called so."""
    return bool(said) and any(_is_of(said, column) for column in linked.columns)


def _stands_in(said: str, linked: Linked) -> bool:
    """Say whether the column is called by a further word, for which the one that stands open may stand."""
    return any(_is_of(said, column) and len(words_of(bare(column.name))) > 1 for column in linked.columns)


def _is_of(said: str, column: ColumnCard) -> bool:
    own = [word.key for word in words_of(bare(column.name))]
    return any(likeness(word.key, key) >= SAME for word in words_of(said) for key in own)


def is_log(linked: Linked) -> bool:
    """Say whether the rows of a table happened at times, and the question says which it means."""
    dated = any(column.type in TEMPORAL for column in linked.card.columns)
    return dated and any(one.column.type == "text" or one.operator != "=" for one in linked.conditions)
