"""What is known of a thing, fact by fact: the cells of its rows, and sentences that name it."""

import math
import re
from collections.abc import Iterator, Sequence

from core.domain import Cell, Fact, Passage
from core.retrieval.table_cards import text_of
from core.text.sentences import sentence_spans
from core.text.series_names import CODE
from core.text.thing_questions import is_named
from core.text.tokens import is_cjk

MAX_CELL_CHARACTERS = 200  # of a cell; a longer one is prose
MAX_COLUMNS = 10  # of a table, the first
MAX_SENTENCES = 4  # of a document
MAX_SENTENCE_CHARACTERS = 400
_ITEM = re.compile(r"^(?:[-•*]\s*|\d{1,2}[.)、]\s+)")
MIN_SENTENCE_CHARACTERS = 25  # in Latin letters, a Chinese sign counts as two


def facts_of(thing: str, passages: Sequence[Passage]) -> tuple[Fact, ...]:
    """Return the facts, those of rows first, each once."""
    rows = [fact for passage in passages if _is_own(thing, passage) for fact in _cells(thing, passage)]
    said: dict[str, list[Fact]] = {}
    for passage in passages:
        if not passage.rows:
            said.setdefault(passage.document_title, []).extend(_sentences(thing, passage))
    quoted = [fact for facts in said.values() for fact in facts[:MAX_SENTENCES]]
    kept = {(fact.label, fact.value): fact for fact in reversed((*rows, *quoted))}
    return tuple(reversed(kept.values()))


def _is_own(thing: str, passage: Passage) -> bool:
    """Say whether every row of a query carries the thing's name."""
    named = (any(_same(cell, thing) for cell in row) for row in passage.rows)
    return "table" in passage.scores and bool(passage.rows) and all(named)


def _cells(thing: str, passage: Passage) -> Iterator[Fact]:
    """Yield a fact a column: of one row its cell, of several the cells by what tells the rows apart."""
    free = [
        at for at in range(len(passage.columns)) if not all(_same(row[at], thing) for row in passage.rows)
    ][:MAX_COLUMNS]
    key = -1
    if len(passage.rows) > 1:
        key = next((at for at in free if _tells_apart([row[at] for row in passage.rows])), -1)
        if key < 0:
            return
    for at in free:
        cells = [(row[key] if key >= 0 else None, row[at]) for row in passage.rows if not _is_blank(row[at])]
        value = "; ".join(
            f"{text_of(name)}: {text_of(cell)}" if key >= 0 else text_of(cell) for name, cell in cells
        )
        if at != key and 0 < len(value) <= MAX_CELL_CHARACTERS:
            yield Fact(label=passage.columns[at].label(), value=value, chunk=passage.chunk.id)


def _tells_apart(cells: Sequence[Cell]) -> bool:
    """Say whether cells are names or dates, each another one."""
    texts = [cell for cell in cells if isinstance(cell, str) and cell]
    return len(texts) == len(cells) == len(set(texts))


def _is_blank(cell: Cell) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))


def _same(cell: Cell, thing: str) -> bool:
    return isinstance(cell, str) and cell.strip().casefold() == thing.casefold()


def _ends_range(thing: str, text: str) -> bool:
    """Say whether a thing is named as the end of a range: "P-1 to P-5" speaks of those between, too."""
    link = r"\s?(?:to|through|until|至|到|[-–—~])\s?"
    name = re.escape(thing)
    return re.search(rf"{CODE.pattern}{link}{name}|{name}{link}{CODE.pattern}", text) is not None


def _sentences(thing: str, passage: Passage) -> Iterator[Fact]:
    text = passage.evidence_text
    for start, end in sentence_spans(text):
        said = _ITEM.sub("", " ".join(text[start:end].split()))
        width = len(said) + sum(map(is_cjk, said))
        if (
            width >= MIN_SENTENCE_CHARACTERS
            and len(said) <= MAX_SENTENCE_CHARACTERS
            and said.endswith((".", "。", "!", "！", ")", "）"))
            and is_named(thing, said)
            and not _ends_range(thing, said)
        ):
            yield Fact(label=passage.document_title, value=said, chunk=passage.chunk.id, quoted=True)
