"""A table that was found on a page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.ingest.parsers.form_fields import Fields
from core.ingest.parsers.pdf.page import Area, PageWord

Rows = list[list[object]]
_LEADERS = re.compile(r"(?:\s*[.·…]){3,}\s*$")  # dots that lead from a label to its figures


@dataclass(frozen=True)
class FoundTable:
    """A table's rows, where it stands, and from where to where each of its columns goes.

    `header` is how many of the rows name the columns, None where that is still to be seen; a form has
    `fields` instead of columns.
    """

    rows: Rows
    area: Area
    columns: Sequence[tuple[float, float]]
    bold: bool  # all words of the first row are
    title: str = ""
    header: int | None = None
    fields: tuple[Fields, ...] = ()
    words: frozenset[PageWord] = frozenset()  # that are in its cells

    def beside(self, other: "FoundTable") -> bool:
        """Say whether another table has as many columns, each at the place of its own."""
        return len(self.columns) == len(other.columns) and all(
            min(a1, b1) - max(a0, b0) > 0.5 * min(a1 - a0, b1 - b0)
            for (a0, a1), (b0, b1) in zip(self.columns, other.columns, strict=True)
        )


def texts_of(rows: Rows) -> list[list[str]]:
    """Return rows with "" for what is empty."""
    return [[str(cell or "") for cell in row] for row in rows]


def without_leaders(rows: Rows) -> Rows:
    """Return rows without the dots that lead from a label to its figures."""
    return [
        [_LEADERS.sub("", cell) or cell if isinstance(cell, str) else cell for cell in row] for row in rows
    ]
