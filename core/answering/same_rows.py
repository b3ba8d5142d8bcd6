"""Passages that show the same rows of a table as one source: each query returns other columns of them."""

from collections.abc import Sequence

from core.domain import Cell, Column, PartAnswer, Passage
from core.retrieval.table_cards import text_of


def as_one(passages: Sequence[Passage]) -> tuple[tuple[Passage, ...], dict[int, int]]:
    """Return the passages with all that was read of their rows, and for each number (from 1) the first one
    that shows the same rows; a passage that was found whole stands for what queries returned of it."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for n, passage in enumerate(passages, 1):
        groups.setdefault(_place(passage), []).append(n)
    merged = list(passages)
    first: dict[int, int] = {}
    for numbers in groups.values():
        first |= dict.fromkeys(numbers, numbers[0])
        if len(numbers) > 1:
            own = [passages[n - 1] for n in numbers]
            whole = next((each for each in own if "table" not in each.scores), None)
            merged[numbers[0] - 1] = whole or _joined(own)
    return tuple(merged), first


def resting_on(parts: Sequence[PartAnswer], passages: Sequence[Passage]) -> tuple[PartAnswer, ...]:
    """Return the parts with these passages in place of those that show the same rows."""
    shared = {_place(passage): passage for passage in passages}

    def with_shared(part: PartAnswer) -> PartAnswer:
        own = {
            each.chunk.id: each.model_copy(update={"sub_question": part.id})
            for each in (shared.get(_place(passage), passage) for passage in part.passages)
        }
        return part.model_copy(update={"passages": tuple(own.values())})

    return tuple(map(with_shared, parts))


def _place(passage: Passage) -> tuple[object, ...]:
    """Return a key: equal for passages that show the same rows of a table, unique for any other passage."""
    rows = passage.chunk.location.rows
    if not passage.chunk.table_id or rows is None or len(passage.rows) != rows[1] - rows[0] + 1:
        return (passage.chunk.id,)
    return passage.chunk.table_id, rows


def _joined(passages: Sequence[Passage]) -> Passage:
    """Return the first of passages of the same rows with the columns of all."""
    columns: dict[str, tuple[Column, list[Cell]]] = {}
    for passage in passages:
        for at, column in enumerate(passage.columns):
            columns.setdefault(column.name, (column, [row[at] for row in passage.rows]))
    rows = tuple(zip(*(cells for _, cells in columns.values()), strict=True))
    labels = [column.label() for column, _ in columns.values()]
    lines = ("; ".join(f"{n}: {text_of(c)}" for n, c in zip(labels, row, strict=True)) for row in rows)
    chunk = passages[0].chunk.model_copy(update={"text": "\n".join(lines)})
    why = tuple(dict.fromkeys(reason for passage in passages for reason in passage.why))
    joined = {
        "chunk": chunk,
        "columns": tuple(column for column, _ in columns.values()),
        "rows": rows,
        "why": why,
    }
    return passages[0].model_copy(update={**joined, "highlights": ()})
