"""What was compared, as a table above the answer: a column a thing, a row what was asked of each."""

from collections.abc import Sequence

from core.answering.comparison_table import comparison
from core.domain import PartAnswer, Report
from core.i18n.escaping import shorten
from core.i18n.messages import plain
from core.ui.chat import source_list
from core.ui.inspector.selection import Source, select
from core.ui.shared import components

MAX_CELL_CHARACTERS = 300


def show(run: str, report: Report) -> None:
    """Show the table of a comparison; nothing where the plan compares nothing."""
    table = comparison(report.plan, report.parts)
    if table is None:
        return
    numbers = {passage.chunk.id: n for n, passage in enumerate(report.passages, 1)}

    def cited(cell: PartAnswer | None) -> list[int]:
        chunks = [passage.chunk.id for passage in cell.passages] if cell is not None and cell.found else []
        return [numbers[chunk] for chunk in chunks if chunk in numbers][:1]

    def cell_text(cell: PartAnswer | None, quoted: bool = False) -> str:
        if cell is None or not cell.found:
            return "" if quoted else plain("not said")
        return shorten(cell.answer, MAX_CELL_CHARACTERS)

    def drawn(
        label: str, cells: Sequence[PartAnswer | None], *, quoted: bool, wide: bool
    ) -> dict[str, object]:
        return {
            "text": shorten(label, MAX_CELL_CHARACTERS),
            "cites": [],
            "cells": [cell_text(cell, quoted) for cell in cells],
            "cell_cites": [cited(cell) for cell in cells],
            "note": "",
            "wide": wide,
        }

    rows = [(row.cells, drawn(row.label, row.cells, quoted=row.quoted, wide=False)) for row in table.rows]
    together = plain("Said of them together")
    rows += [((one,), drawn(together, (one,), quoted=True, wide=True)) for one in table.together]

    def pressed(number: int, row: int) -> None:
        if 0 < number <= len(report.passages) and row < len(rows):
            claim = next((cell_text(cell) for cell in rows[row][0] if number in cited(cell)), "")
            select(Source(passage=report.passages[number - 1], number=number, claim=claim, run=run))

    components.options(
        {
            "label": plain("Comparison"),
            "columns": [
                plain("Known of each") if table.known else plain("Asked of each"),
                *(shorten(thing, 80) for thing in table.things),
            ],
            "rows": [each for _, each in rows],
            "sources": {str(n): each["name"] for n, each in source_list.previews(report).items()},
        },
        f"compared_{run}",
        pressed,
    )
