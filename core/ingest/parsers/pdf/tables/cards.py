"""Cards: labels and values in columns beside each other, recognised by their typesetting, not by colons.

A label stands to the left of its value (its columns are bold, or hold words where those beside them hold
figures, dates and names by turns), above it (lines in one style and lines in another take turns), or in bold
before it.
"""

from collections.abc import Sequence
from itertools import pairwise, takewhile

from core.ingest.parsers.form_fields import LONGEST_LABEL, Fields, is_mixed
from core.ingest.parsers.pdf.layout import WordRun, joined
from core.ingest.parsers.pdf.tables.columns import Spans, column_of

_COLUMNS = 4  # labels and values beside each other
_PAIRS = 2  # lines of labels over lines of values
_ROWS = 3  # where nothing but the words tells
Block = Sequence[Sequence[WordRun]]
Texts = Sequence[Sequence[str]]


def card_of(block: Block, rows: Texts, columns: Spans) -> list[Fields] | None:
    """Return the fields of a card column by column, None where the lines are no card."""
    pairs = _beside(block, rows, columns) or _above(block, rows) or _before(block, columns)
    return [Fields("", pairs)] if pairs else None


def _beside(block: Block, rows: Texts, columns: Spans) -> list[tuple[str, str]]:
    if len(columns) < _COLUMNS or len(columns) % 2:
        return []
    runs: list[list[WordRun]] = [[] for _ in columns]
    for line in block:
        for run in line:
            runs[column_of(run, columns)].append(run)
    names, values = range(0, len(columns), 2), range(1, len(columns), 2)
    labels = [row[at] for at in names for row in rows if row[at]]
    if not _are_labels(labels) or any(row[at + 1] and not row[at] for at in names for row in rows):
        return []
    bold = all(run.bold for at in names for run in runs[at]) and not any(
        run.bold for at in values for run in runs[at]
    )
    by_turns = len(rows) >= _ROWS and all(is_mixed([row[at] for row in rows[1:] if row[at]]) for at in values)
    if not bold and not by_turns:
        return []
    return [(row[at], row[at + 1]) for at in names for row in rows if row[at]]


def _above(block: Block, rows: Texts) -> list[tuple[str, str]]:
    if len(rows) != len(block) or len(rows) < 2 * _PAIRS or len(rows) % 2:
        return []
    styles = [{(run.bold, round(run.size)) for run in line} for line in block]
    by_turns = all(len(style) == 1 for style in styles) and len({*map(frozenset, styles)}) == 2
    if not by_turns or any(one == other for one, other in pairwise(styles)):
        return []
    couples = list(zip(rows[::2], rows[1::2], strict=True))
    if any(
        value and not label for above, below in couples for label, value in zip(above, below, strict=True)
    ):
        return []
    if not _are_labels([label for above, _ in couples for label in above if label]):
        return []
    return [(above[at], below[at]) for at in range(len(rows[0])) for above, below in couples if above[at]]


def _before(block: Block, columns: Spans) -> list[tuple[str, str]]:
    found: list[list[tuple[str, str]]] = [[] for _ in columns]
    for line in block:
        for run in line:
            label = list(takewhile(lambda word: word.bold, run.words))
            value = run.words[len(label) :]
            if not label or not value or any(word.bold for word in value):
                return []
            found[column_of(run, columns)].append((joined(label), joined(value)))
    pairs = [pair for column in found for pair in column]
    return pairs if _are_labels([label for label, _ in pairs]) else []


def _are_labels(texts: Sequence[str]) -> bool:
    short = all(len(text) <= LONGEST_LABEL and not any(map(str.isdigit, text)) for text in texts)
    return short and len(set(texts)) == len(texts) > 1
