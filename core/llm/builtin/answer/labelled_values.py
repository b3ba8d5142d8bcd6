"""Looks up what a label says: "Estimator: Ellis Turner" in a form, a head of lines, a cell beside its label.

The question says the whole label, and nothing it seeks stands outside it; the passage, its headings or its
title say every other word of the question. Where the label stands twice with another value, nobody knows
which is asked for, and nothing is looked up.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.domain import Evidence
from core.llm.builtin.answer.evidence_units import Unit, is_named, shown, units
from core.llm.builtin.answer.parsed_question import ParsedQuestion, attribute
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.values import fields_of, repeats_question, spans_of
from core.llm.builtin.answer.word_matching import TRANSLATION_LIKENESS, best_likeness, keys_of

ONE_VALUE = frozenset({"date", "time", "duration", "count", "amount", "person", "place", "other"})
MAX_VALUE_WORDS = 12  # of what still is a value, not a text
_SPOILED = ("year", "turned", "blank")  # signals of another year, another extreme, an empty cell


def looked_up(
    parsed: ParsedQuestion, scored: Sequence[Scored], evidence: Sequence[Evidence]
) -> Scored | None:
    """Return the shortest piece that holds the value of the label asked for, None where several differ."""
    if parsed.kind not in ONE_VALUE or parsed.computed or parsed.many or parsed.negated or parsed.defined:
        return None
    found = [
        (value, label, one)
        for one in scored
        if not any(one.signals[name] for name in _SPOILED) and _knows(parsed, one.unit)
        for label, value in _labelled(one.unit)
        if _asked(parsed, label) and _fits(parsed, value)
    ]
    documents = {one.unit.evidence.document for *_, one in found}
    labels = {keys_of(label) for _, label, _ in found}
    values = {
        value.casefold()
        for unit in units([piece for piece in evidence if piece.document in documents])
        for label, value in _labelled(unit)
        if keys_of(label) in labels
    }
    if len(values) != 1:
        return None
    return min((one for *_, one in found), key=lambda one: (one.unit.evidence.n, len(one.unit.text)))


def _labelled(unit: Unit) -> Iterator[tuple[str, str]]:
    """Yield labels with their values: of a sentence its fields, of a row each cell whose neighbour has no
    column name of its own, or that ends in a colon."""
    if unit.kind == "sentence":
        yield from fields_of(unit.text)
        return
    row = [shown(cell) for cell in unit.evidence.rows[unit.row]]
    columns = unit.evidence.columns
    for at, (label, value) in enumerate(pairwise(row)):
        beside = at + 1 < len(columns) and not is_named(columns[at + 1].label())
        if label and value and (beside or label.endswith((":", "："))):
            yield label, value


def _asked(parsed: ParsedQuestion, label: str) -> bool:
    own = keys_of(label)
    asked, wanted = keys_of(parsed.question), attribute(parsed)
    return (
        bool(own and wanted)
        and all(best_likeness(key, asked) >= TRANSLATION_LIKENESS for key in own)
        and all(best_likeness(word.key, own) >= TRANSLATION_LIKENESS for word in wanted)
    )


def _knows(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether the passage, its headings or its title say every word of the question."""
    known_keys = unit.word_keys | unit.heading_keys | unit.passage_keys
    return all(best_likeness(word.key, known_keys) >= TRANSLATION_LIKENESS for word in parsed.words)


def _fits(parsed: ParsedQuestion, value: str) -> bool:
    """Say whether it is a value of the type asked for that the question does not say itself."""
    if repeats_question(parsed, value) or len(value.split()) > MAX_VALUE_WORDS:
        return False
    return parsed.kind == "other" or bool(spans_of(parsed, value))
