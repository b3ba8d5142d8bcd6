"""Conditions that a cell is empty or says another thing: "orders that are not delivered yet", "is any
disturbance still open", "that did not end as completed"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import TRANSLATION_LIKENESS, key_of, words_of
from core.llm.builtin.tables.date_conditions import MOMENT, TEMPORAL, start_and_end
from core.llm.builtin.tables.figure_conditions import DIFFERS, EMPTY, Condition, bare
from core.llm.builtin.tables.name_likeness import name_likeness

_NOT_DONE = re.compile(
    r"(?:\bnot|n['’]t)(?: (?:yet|still|be|been|being))* (?P<verb>[a-z]+)"
    r"|\b(?:yet|still) to be (?P<due>[a-z]+)",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\bnot\b|n['’]t\b", re.IGNORECASE)
_ENDS = re.compile(r"^(?:end|finish|come|came|turn|pass|count|get|go)$")  # "did not end as", "come from"
_DID = re.compile(r"\b(?:did|does|do)\s*$", re.IGNORECASE)
MAX_WORDS_BETWEEN = 3  # of the question between "not" and the value that it denies
_OPEN = re.compile(
    r"\b(?:still|currently|yet) (?P<open>open|ongoing|running|unresolved|active)\b", re.IGNORECASE
)


def conditions_on_blanks(parsed: ParsedQuestion, card: TableCard) -> list[Condition]:
    """Return the condition that the cell is empty that would tell when something was done, of a thing that is
    not: the one column of days that the verb names; or that a row has no end, of what is still open."""
    done = _NOT_DONE.search(parsed.question)
    if done and _DID.search(parsed.question[: done.start()]):
        return []  # "did not end as completed" ended
    if done:
        verb = key_of((done["verb"] or done["due"]).lower())
        named = [column for column in card.columns if column.type in TEMPORAL and _names_moment(verb, column)]
        return [_empty(named[0], parsed, done)] if len(named) == 1 else []
    still = _OPEN.search(parsed.question)
    both = start_and_end(card) if still else None
    if still is None or both is None or _is_a_value(still["open"], card):
        return []
    return [_empty(both[1], parsed, still)]


def _names_moment(verb: str, column: ColumnCard) -> bool:
    own = [word.key for word in words_of(bare(column)) if word.key not in MOMENT]
    return len(own) == 1 and name_likeness(verb, own[0]) >= TRANSLATION_LIKENESS


def _is_a_value(word: str, card: TableCard) -> bool:
    return any(word.lower() == value.lower() for column in card.columns for value in column.samples)


def _empty(column: ColumnCard, parsed: ParsedQuestion, match: "re.Match[str]") -> Condition:
    words = {word.key for word in parsed.words if match.start() <= word.start < match.end()}
    return Condition(column, (), "", frozenset(words), EMPTY)


def denying(parsed: ParsedQuestion, conditions: Sequence[Condition]) -> list[Condition]:
    """Return the conditions on values, the one that "not" stands before as its opposite, where it is one
    value, and the question denies nothing else."""
    denial = _DENIES.findall(parsed.question)
    match = _DENIES.search(parsed.question) if len(denial) == 1 else None
    if match is None:
        return list(conditions)
    behind = [word.key for word in parsed.words if match.end() <= word.start]
    if _DID.search(parsed.question[: match.start()]) and not _ENDS.match(behind[0] if behind else ""):
        return list(conditions)  # "which alarms did not occur on A" is not "which occurred elsewhere"
    single = (one for one in conditions if one.operator == "=" and len(one.values) == 1 and one.words)
    places = {id(one): min(map(behind.index, one.words)) for one in single if one.words <= {*behind}}
    nearest = min(places, key=lambda one: places[one], default=0)
    if not places or places[nearest] >= MAX_WORDS_BETWEEN:
        return list(conditions)
    return [replace(one, operator=DIFFERS) if id(one) == nearest else one for one in conditions]
