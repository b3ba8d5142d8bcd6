"""Values of a table's columns that a question names, in whichever language, as conditions on its rows."""

import re
from collections.abc import Sequence

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion, names
from core.llm.builtin.answer.word_matching import Word, key_of, keys_of, matches_any, words_of
from core.llm.builtin.tables.date_conditions import TEMPORAL
from core.llm.builtin.tables.figure_conditions import NUMERIC, Condition
from core.llm.builtin.tables.name_likeness import is_name, name_likeness
from core.llm.builtin.understand.grammar import tagged
from core.text.locales import month_number
from core.text.tokens import is_cjk

WHOLE_VALUE_SHARE = 0.99  # share of a value's words from which the question says all of it
MAX_NAME_WORDS = 7  # of a value that a question may name by some of its words
_ADDRESS = re.compile(r"\s*(?:https?|ftp|file)://|\s*www\.")
_BESIDE = re.compile(r"\s*[(（,，;；]")
_SIZE = re.compile(r"\s(?=\S*\d)(?!\d+$)")  # a model or an amount, but no bare number: "Iron Man 2"
_NUMBERED = re.compile(r"(?P<name>[^\W\d](?:.*\D)?)(?P<number>\d{1,9})")
_PART = re.compile(r"[^\W\u3400-\u9fff]+|[\u3400-\u9fff]+")  # a run of one script: "12" of "晶圆12上"


def conditions_on_values(
    parsed: ParsedQuestion, card: TableCard, row: str, taken: frozenset[str] = frozenset()
) -> list[Condition]:
    """Return a condition for each column with a value the question names; a word counts for one column, none
    that is `taken`, as by a date.

    `row` is the word for what a row of the table is: as a noun it names no value ("orders" of "ordered").
    """
    nouns = {word.start for word in tagged(parsed.question) if word.letter in "nm"}
    rows = frozenset(word.key for word in parsed.words if word.key == row and word.start in nouns) | taken
    found: list[tuple[int, float, Condition]] = []
    called = [row, *(word.key for column in card.columns for word in words_of(column.name))]
    for column in card.columns:
        if column.type in NUMERIC or column.type in TEMPORAL or column.type == "boolean":
            continue
        best = _named(parsed, column, rows) or _translated(parsed, column, called)
        if best is not None:
            found.append(best)
    found.sort(key=lambda one: (one[1] < WHOLE_VALUE_SHARE, -one[0], -one[1]))
    selected: list[Condition] = []
    used: set[str] = set()
    for _, _, condition in found:
        if not condition.words & used:
            selected.append(condition)
            used |= condition.words
    return selected


def _named(
    parsed: ParsedQuestion, column: ColumnCard, rows: frozenset[str]
) -> tuple[int, float, Condition] | None:
    """Return the values of the column that say most of the question's words, with how many and what share."""
    rated: list[tuple[int, float, frozenset[str], str]] = []
    framed = keys_of(parsed.question) - {parsed.counted}  # words that frame a question do beside another
    for value in column.samples:
        if _ADDRESS.match(value):
            continue  # its words are those of a path, not a name
        own = words_of(value)
        head = words_of(_BESIDE.split(value, maxsplit=1)[0])
        kind = words_of(_SIZE.split(value, maxsplit=1)[0])
        head = kind if 1 < len(kind) < len(head) else head
        sayable = parsed.keys - {parsed.counted} - rows
        matched = [
            w for w in parsed.words if w.key in sayable and matches_any(w.key, [one.key for one in own])
        ]
        share = sum(matches_any(one.key, sayable) or one.key in framed for one in own) / max(1, len(own))
        named = any(names(word, parsed.question) for word in matched) and not _is_sentence(own)
        if head and all(matches_any(word.key, sayable) or word.key in framed for word in head):
            share = 1.0  # "Focus ring, silicon", "Vacuum counter VC-100" are called by what stands before
        if matched and (
            share >= WHOLE_VALUE_SHARE
            or (named and (share >= 0.5 or len(matched) > 1 or _is_start(matched, own)))
        ):
            rated.append((len(matched), share, frozenset(word.key for word in matched), value))
    if not rated:
        return None
    most = max(count for count, *_ in rated)
    best = [one for one in rated if one[0] == most]
    exact = [one for one in best if one[1] >= WHOLE_VALUE_SHARE] or best
    words = exact[0][2]
    values = [value for _, _, matched, value in exact if matched == words]
    for _, share, others, value in rated:  # "the Blues and the Flyers": each is said whole
        if exact[0][1] >= WHOLE_VALUE_SHARE and share >= WHOLE_VALUE_SHARE and not others & words:
            values.append(value)
            words |= others
    span = _between(parsed.question, values, column)
    every = tuple(dict.fromkeys(span or values))
    return most, exact[0][1], Condition(column, every, words=words, stated=bool(span))


def _is_sentence(own: Sequence[Word]) -> bool:
    """Say whether a value is named by nothing but all of its words: a remark, or figures alone, as a time."""
    return len(own) > MAX_NAME_WORDS or all(word.figure for word in own)


def _between(question: str, values: Sequence[str], column: ColumnCard) -> list[str]:
    """Return all codes or months from one to another where the question says so, "A-01 to A-05", "from March
    to May"; else none."""
    places = {value: place for value in column.samples if (place := _place(value))}
    ends = [value for value in dict.fromkeys(values) if value in places]
    if len(ends) != 2 or places[ends[0]][0] != places[ends[1]][0]:
        return []
    first, last = sorted(ends, key=lambda end: places[end][1])
    joined = rf"{re.escape(first)}\s*(?:to|through|until|till|bis|至|到|[–—-])\s*{re.escape(last)}"
    between = rf"\b(?:between|zwischen)\s+{re.escape(first)}\s+(?:and|und)\s+{re.escape(last)}"
    if re.search(f"{joined}|{between}", question, re.IGNORECASE) is None:
        return []
    name, reach = places[first][0], range(places[first][1], places[last][1] + 1)
    return [value for value, place in places.items() if place[0] == name and place[1] in reach]


def _place(value: str) -> tuple[str, int] | None:
    """Return the name and the number of a code, or which month of the year it is; None for anything else."""
    if month := month_number(value):
        return "month", month
    code = _NUMBERED.fullmatch(value)
    return None if code is None else (code["name"], int(code["number"]))


def _translated(
    parsed: ParsedQuestion, column: ColumnCard, called: Sequence[str]
) -> tuple[int, float, Condition] | None:
    """Return the only value of the column that a Chinese word of the question is called in English.

    A word by which rows or columns are `called` is none: 报警 is the column "Alarm", not the value "warning".
    """
    found: dict[str, str] = {}
    for word in (one for one in parsed.words if is_cjk(one.key) and one.key != parsed.counted):
        if not any(is_name(word.key, name) for name in called):
            found |= {value: word.key for value in column.samples if _means(word.key, value)}
    if len(found) != 1:
        return None
    ((value, key),) = found.items()
    return 1, WHOLE_VALUE_SHARE, Condition(column, (value,), words=frozenset({key}))


def _means(key: str, value: str) -> bool:
    """Say whether a value of one English word is what the dictionary or the vocabulary gives for a word."""
    own = words_of(value)
    return len(own) == 1 and is_cjk(key) and not is_cjk(value) and name_likeness(key, own[0].key) > 0


def _is_start(matched: Sequence[Word], own: Sequence[Word]) -> bool:
    """Say whether the question has the first word of a value: "GoPro" of "GoPro, Inc."."""
    return bool(own) and matches_any(own[0].key, (word.key for word in matched))


def mentioned_whole(parsed: ParsedQuestion, value: str | int | float) -> bool:
    """Say whether the question says a value to its last word, however short, but for what is added to it."""
    low = parsed.question.lower()
    question_parts = {_plain(part) for part in _PART.findall(low)}
    parts = _PART.findall(value.lower().split(",")[0]) if isinstance(value, str) else []
    whole = all(
        _plain(part) in question_parts or key_of(part) in parsed.keys or (is_cjk(part) and part in low)
        for part in parts
    )
    return whole or (isinstance(value, str) and any(_means(word.key, value) for word in parsed.words))


def _plain(part: str) -> str:
    """Return a number without zeros before it."""
    return part.lstrip("0") or "0" if part.isdigit() else part
