"""A query's result as an answer: the rows by the names of their columns, and the value they come to."""

import re
from collections.abc import Sequence

from core.domain import Evidence, Sentence
from core.llm.builtin.answer.evidence_units import Unit, shown
from core.llm.builtin.answer.parsed_question import NUMBER_WORDS, ParsedQuestion, number_of
from core.llm.builtin.answer.values import asks_for_blank, repeats_question
from core.llm.builtin.answer.word_matching import TRANSLATION_LIKENESS, likeness, matches_any, words_of
from core.text.thing_questions import everything_of

MAX_LISTED_ROWS = 20
_FIGURE = re.compile(r"[-+]?\d[\d.,]*")
# "the six samples": as many rows a query has to find
STATED_COUNT = re.compile(rf"\b(?:the|all|these|those) (\d+|{'|'.join(NUMBER_WORDS[2:])}) ")


def can_answer(parsed: ParsedQuestion, computed: Evidence) -> bool:
    """Say whether a result can be what is asked for."""
    return _as_many(parsed, computed) and _of_type(parsed, computed)


def _as_many(parsed: ParsedQuestion, computed: Evidence) -> bool:
    """Say whether a query added up as many rows as the question says there are."""
    stated = STATED_COUNT.search(parsed.question.lower())
    rows = [at for at, column in enumerate(computed.columns) if column.name == "rows"]
    if stated is None or not rows or not computed.rows:
        return True
    return computed.rows[0][rows[0]] == number_of(stated[1])


def _of_type(parsed: ParsedQuestion, computed: Evidence) -> bool:
    """Say whether what a query found can be what is asked for: more than the question says itself, for a
    person or a place a name, and a value in the column that is asked for."""
    if computed.rows and all(asks_for_blank(parsed, computed, at) for at in range(len(computed.rows))):
        return False
    cells = [shown(cell) for row in computed.rows for cell in row]
    new_cells = [cell for cell in cells if not repeats_question(parsed, cell)]
    if parsed.kind in ("person", "place"):
        return any(c.isalpha() for cell in new_cells for c in cell)
    return bool(new_cells) or not cells


def result_sentences(
    parsed: ParsedQuestion, computed: Sequence[Evidence]
) -> tuple[tuple[Sentence, ...], str]:
    """Return a sentence a row of the results, each figure by its name, and the value that all of them come
    to, "" where there is none. Without rows there is nothing to tell."""
    rows = [Unit(piece, "row", "", 0, 0, row=at) for piece in computed for at in range(len(piece.rows))]
    if not rows:
        return (), ""
    cited: dict[str, list[int]] = {}  # a row that two tables were joined for stands once, with both
    for unit in rows[:MAX_LISTED_ROWS]:
        if unit.cells:
            text = "; ".join(f"{name}: **{value}**" for name, value in unit.cells)
            cited.setdefault(text, []).append(unit.evidence.n)
    sentences = [
        Sentence(text=text, citations=tuple(dict.fromkeys(numbers))) for text, numbers in cited.items()
    ]
    value = _value_of_column(parsed, rows) or (_value_of_row(parsed, rows[0]) if len(cited) == 1 else "")
    return tuple(sentences), value


def _value_of_column(parsed: ParsedQuestion, rows: Sequence[Unit]) -> str:
    """Return the value, the same in all rows, of the only column whose cells say nothing that the question
    names: the others tell which rows these are. "" where there is no such column, or several."""
    cells: dict[str, set[str]] = {}
    for row in rows:
        for name, cell in row.cells:
            cells.setdefault(name, set()).add(cell)
    asked = [name for name, found in cells.items() if not any(_is_named(parsed, cell) for cell in found)]
    if len(asked) != 1 or len(cells[asked[0]]) != 1:
        return ""
    (value,) = cells[asked[0]]
    return f"{value} {_unit(rows[0], asked[0])}".strip() if _FIGURE.fullmatch(value) else value


def _is_named(parsed: ParsedQuestion, cell: str) -> bool:
    """Say whether the question says a word of the cell."""
    return any(matches_any(word.key, parsed.keys) for word in words_of(cell))


def _value_of_row(parsed: ParsedQuestion, row: Unit) -> str:
    """Return the first cell that the question does not say; of a row it names, asked for by several columns
    or whole, all of them with their names."""
    new_cells = [(name, cell) for name, cell in row.cells if cell and not repeats_question(parsed, cell)]
    named = any(repeats_question(parsed, cell) for _, cell in row.cells if cell)
    asked = everything_of(parsed.question) or all(_asks_for(parsed, name) for name, _ in new_cells)
    if named and len(new_cells) > 1 and asked:
        return "; ".join(f"{name}: {cell}" for name, cell in new_cells)
    if not new_cells:
        return ""
    name, cell = new_cells[0]
    return f"{cell} {_unit(row, name)}".strip() if _FIGURE.fullmatch(cell) else cell


def _unit(row: Unit, label: str) -> str:
    """Return the unit of a column, "" where it has none."""
    column = next((column for column in row.evidence.columns if column.label() == label), None)
    return column.unit if column is not None else ""


def _asks_for(parsed: ParsedQuestion, column: str) -> bool:
    """Say whether the question says a word of the column's name, in whichever language."""
    own = [word.key for word in words_of(column)]
    return any(likeness(word.key, key) >= TRANSLATION_LIKENESS for word in parsed.words for key in own)
