"""The header of a table drawn with level lines, where upright lines part its labels."""

from collections.abc import Sequence

from core.ingest.parsers.pdf.layout import WordRun, joined
from core.ingest.parsers.pdf.page import PageWord
from core.ingest.parsers.pdf.tables.bands import TextLine, lines_in
from core.ingest.parsers.pdf.tables.columns import Spans, over
from core.ingest.parsers.pdf.tables.grids import RulingLine

Labels = list[list[PageWord]]
_CENTRE_TOLERANCE = 0.12  # of the width of the columns a label stands over


def parted_labels(
    band: Sequence[WordRun], columns: Spans, edges: Sequence[RulingLine]
) -> list[object] | None:
    """Return the label of each column, None where no upright line is in the band.

    A label that stands alone between two upright lines is said of every column between them, if the columns
    have labels of their own below it; other words belong to the column they stand over.
    """
    lines = lines_in(band)
    if not lines or not any(_parts(edges, line) for line in lines):
        return None
    labels: list[list[str]] = [[] for _ in columns]
    for at, line in enumerate(lines):
        for group in _groups(columns, _parts(edges, line)):
            line_words = _over(line, columns, group)
            below = [_over(other, columns, group) for other in lines[at + 1 :]]
            labelled_below = all(any(words[column] for words in below) for column in group)
            label = _label(line, columns[group[0]][0], columns[group[-1]][1])
            for column in group:
                words = label if label and labelled_below and len(group) > 1 else line_words[column]
                if words:
                    labels[column].append(joined(words))
    return [" ".join(parts) or None for parts in labels]


def _parts(edges: Sequence[RulingLine], line: TextLine) -> list[float]:
    """Return where upright lines stand beside a line of text."""
    return sorted(
        edge.x0
        for edge in edges
        if edge.x1 - edge.x0 < edge.y1 - edge.y0 and edge.y0 <= line.middle <= edge.y1
    )


def _groups(columns: Spans, parts: Sequence[float]) -> list[range]:
    """Return the columns that no upright line parts."""
    places = [sum(at < (x0 + x1) / 2 for at in parts) for x0, x1 in columns]
    starts = [at for at, place in enumerate(places) if at == 0 or place != places[at - 1]]
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(columns)], strict=True)]


def _label(line: TextLine, x0: float, x1: float) -> list[PageWord]:
    """Return the words that stand alone between two places and in their middle, none of others."""
    runs = [run for run in line.runs if x0 < (run.x0 + run.x1) / 2 < x1]
    central = len(runs) == 1 and abs(runs[0].x0 + runs[0].x1 - x0 - x1) / 2 < _CENTRE_TOLERANCE * (x1 - x0)
    return runs[0].words if central else []


def _over(line: TextLine, columns: Spans, group: range) -> Labels:
    """Return the words of a line over each column of the group; a text over several columns is parted."""
    by_column: Labels = [[] for _ in columns]
    for run in line.runs:
        parts = [[word] for word in run.words] if len(over(run, columns)) > 1 else [run.words]
        for words in parts:
            nearest = _nearest((words[0].x0 + words[-1].x1) / 2, columns)
            if nearest in group:
                by_column[nearest] += words
    return by_column


def _nearest(middle: float, columns: Spans) -> int:
    return min(range(len(columns)), key=lambda at: abs(middle - sum(columns[at]) / 2))
