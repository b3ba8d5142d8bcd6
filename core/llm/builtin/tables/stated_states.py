"""Conditions that a state sets: "out of stock" is a stock of 0, "critical parts" have a yes there."""

import re

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import key_of, matches_any, words_of
from core.llm.builtin.tables.figure_conditions import Condition, bare, is_measure

_OUT_OF = re.compile(
    r"\b(?:out of|zero) (?P<what>[a-z]{3,})\b|\b(?P<is>[a-z]{3,}) (?:is|of) (?:zero|0)\b", re.IGNORECASE
)
_LACKS = re.compile(r"\b(?:no|without|lack|lacks|lacking|kein\w*|ohne)(?:\s+\w+)?\s*$", re.IGNORECASE)
_YES = frozenset(("yes", "true", "y", "ja", "oui", "是"))
_NO = frozenset(("no", "false", "n", "nein", "non", "否"))


def conditions_on_states(parsed: ParsedQuestion, card: TableCard) -> list[Condition]:
    """Return the conditions that a figure is 0 of which something is out, and that a column of yes and no
    says yes to what its name says of the thing asked for."""
    found: list[Condition] = []
    out = _OUT_OF.search(parsed.question)
    key = key_of((out["what"] or out["is"]).lower()) if out else ""
    for column in card.columns:
        own = [word.key for word in words_of(bare(column))]
        if out and own == [key] and is_measure(column):
            found.append(Condition(column, (0,), "", frozenset({key})))
        value = _state_of(column, own, parsed)
        if value is not None and own and parsed.kind != "yesno" and _is_fully_matched(own, parsed):
            found.append(Condition(column, (value,), "", frozenset(own), stated=True))
    return found


def _state_of(column: ColumnCard, own: list[str], parsed: ParsedQuestion) -> str | bool | None:
    """Return the value that says yes, or no where the question says "no" or "without" before the column's
    words; None where the column holds anything else than these, or the question denies something else."""
    starts = [word.start for word in parsed.words if matches_any(word.key, own)]
    before = parsed.question[: min(starts, default=0)]
    lacks = _LACKS.search(before) is not None
    if parsed.negated and not lacks:
        return None
    if column.type == "boolean":
        return not lacks
    values = {value.casefold(): value for value in column.samples}
    if column.type != "text" or not values or not values.keys() <= _YES | _NO:
        return None
    return next((value for low, value in values.items() if low in (_NO if lacks else _YES)), None)


def _is_fully_matched(own: list[str], parsed: ParsedQuestion) -> bool:
    return all(matches_any(key, parsed.keys) for key in own)
