"""Conditions that a state sets: "out of stock" is a stock of 0, "critical parts" have a yes there."""

import re

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import ParsedQuestion
from core.llm.builtin.answer.word_matching import is_said, key_of, words_of
from core.llm.builtin.tables.figure_conditions import Condition, bare, is_measure

_OUT_OF = re.compile(
    r"\b(?:out of|zero) (?P<what>[a-z]{3,})\b|\b(?P<is>[a-z]{3,}) (?:is|of) (?:zero|0)\b", re.IGNORECASE
)
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
        yes = _yes_of(column)
        if yes and own and not parsed.negated and parsed.kind != "yesno" and _is_said_of(own, parsed):
            found.append(Condition(column, (yes,), "", frozenset(own), stated=True))
    return found


def _yes_of(column: ColumnCard) -> str | bool:
    """Return the value that says yes, "" where the column holds anything else than that and no."""
    if column.type == "boolean":
        return True
    values = {value.casefold(): value for value in column.samples}
    if column.type != "text" or not values or not values.keys() <= _YES | _NO:
        return ""
    return next((value for low, value in values.items() if low in _YES), "")


def _is_said_of(own: list[str], parsed: ParsedQuestion) -> bool:
    return all(is_said(key, parsed.keys) for key in own)
