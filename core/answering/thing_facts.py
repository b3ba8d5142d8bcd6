"""What is known of a thing, fact by fact: the cells of its rows, and sentences that name it."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.domain import Cell, Column, Fact, Passage
from core.retrieval.table_cards import text_of
from core.text.codes import THING_CODE
from core.text.sentences import sentence_spans
from core.text.thing_questions import is_named
from core.text.tokens import is_cjk

MAX_CELL_CHARACTERS = 200  # of a cell; a longer one is prose
MAX_COLUMNS = 10  # of a table, the first
MAX_SENTENCES = 4  # of a document
MAX_SENTENCE_CHARACTERS = 400
_ITEM = re.compile(r"^(?:[-•*]\s*|\d{1,2}[.)、]\s+)")
MIN_SENTENCE_CHARACTERS = 25  # in Latin letters, a Chinese sign counts as two


def facts_of(thing: str, passages: Sequence[Passage]) -> tuple[Fact, ...]:
    """Return the facts, those of rows first."""
    tables: dict[str, list[_QueriedRow]] = {}
    sentences: dict[str, list[Fact]] = {}
    for passage in passages:
        if _is_own(thing, passage):
            queried = tables.setdefault(passage.chunk.table_id or passage.chunk.id, [])
            seen = {row.cells for row in queried}  # two queries may return a row
            queried += [
                _QueriedRow(passage.columns, row, passage.chunk.id) for row in passage.rows if row not in seen
            ]
        elif not passage.rows:
            sentences.setdefault(passage.document_title, []).extend(_sentences(thing, passage))
    cells = [fact for table, rows in tables.items() for fact in _cells(thing, table, rows)]
    quoted = {fact.value: fact for facts in sentences.values() for fact in facts[:MAX_SENTENCES]}
    return (*cells, *quoted.values())


class _QueriedRow(NamedTuple):
    """A row that a query returned, and the chunk that shows it."""

    columns: tuple[Column, ...]
    cells: tuple[Cell, ...]
    chunk: str


def _is_own(thing: str, passage: Passage) -> bool:
    """Say whether every row of a query carries the thing's name."""
    named = (any(_same(cell, thing) for cell in row) for row in passage.rows)
    return "table" in passage.scores and bool(passage.rows) and all(named)


def _cells(thing: str, table: str, rows: Sequence[_QueriedRow]) -> Iterator[Fact]:
    """Yield a fact a column: the cell where all rows have the same, else the cells by what tells the rows
    apart, or nothing where no column of names or dates does."""
    columns = rows[0].columns
    rows = [row for row in rows if row.columns == columns]
    by_column = [(column, [row.cells[at] for row in rows]) for at, column in enumerate(columns)]
    free = [(column, cells) for column, cells in by_column if not all(_same(cell, thing) for cell in cells)]
    key = next((cells for _, cells in free if _distinguishes(cells)), None)
    for column, cells in free[:MAX_COLUMNS]:
        worded = len(cells) == 1 or isinstance(cells[0], str)  # of figures, each row has its own
        same = worded and len(set(map(text_of, cells))) == 1
        if _is_blank(cells[0]) if same else key is None or cells is key:
            continue
        parts = [
            f"{text_of(name)}: {text_of(cell)}"
            for name, cell in zip(key or (), cells, strict=False)
            if not _is_blank(cell)
        ]
        value = text_of(cells[0]) if same else "; ".join(parts)
        if 0 < len(value) <= MAX_CELL_CHARACTERS:
            yield Fact(label=column.label(), value=value, chunk=rows[0].chunk, table=table)


def _distinguishes(cells: Sequence[Cell]) -> bool:
    """Say whether cells are names or dates, each another one."""
    texts = [cell for cell in cells if isinstance(cell, str) and cell]
    return len(texts) == len(cells) == len(set(texts)) > 1


def _is_blank(cell: Cell) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))


def _same(cell: Cell, thing: str) -> bool:
    return isinstance(cell, str) and cell.strip().casefold() == thing.casefold()


def _ends_range(thing: str, text: str) -> bool:
    """Say whether a thing is named as the end of a range: "P-1 to P-5" includes those between, too."""
    link = r"\s?(?:to|through|until|至|到|[-–—~])\s?"
    name = re.escape(thing)
    return re.search(rf"{THING_CODE.pattern}{link}{name}|{name}{link}{THING_CODE.pattern}", text) is not None


def _sentences(thing: str, passage: Passage) -> Iterator[Fact]:
    text = passage.evidence_text
    for start, end in sentence_spans(text):
        sentence = _ITEM.sub("", " ".join(text[start:end].split()))
        width = len(sentence) + sum(map(is_cjk, sentence))
        if (
            width >= MIN_SENTENCE_CHARACTERS
            and len(sentence) <= MAX_SENTENCE_CHARACTERS
            and sentence.endswith((".", "。", "!", "！", ")", "）"))
            and is_named(thing, sentence)
            and not _ends_range(thing, sentence)
        ):
            yield Fact(label=passage.document_title, value=sentence, chunk=passage.chunk.id)
