"""Headers of tables in sheets that take several rows, and rows that only name a group of rows."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from core.domain import Cell
from core.ingest.parsers.cells import contains_number, is_filled
from core.ingest.parsers.raw_tables import is_figure, is_label_row

Rows = list[list[Cell]]
_MAX_HEADER_ROWS = 4  # rows of labels
_MIN_NAMED_ROWS_SHARE = 0.8  # of the rows below have something in the first column
_MAX_REMARK_CELLS_SHARE = 0.6  # of the cells of rows of remarks are filled at most
_GROUP = "Group"
_LIMIT = re.compile(r"[<>≤≥]\s?\d[\d.,]*")  # "<5", as small counts are hidden
_DAY = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}")
_OF_ALL = re.compile(r"^\(?\s*(?:(?:all )?(?:figures|amounts|values) )?(?:in|en|unit|units|单位)\b", re.I)


class Headed(NamedTuple):
    """A table with `labels` rows of labels, None where they are to be found; `note` applies to all."""

    rows: Rows
    labels: int | None
    note: str = ""


def headed(rows: Rows) -> Headed:
    """Return the rows with each label above the columns it stands for, and each group in a column."""
    rows = [row for row in rows if any(map(is_filled, row))]
    count = _text_above(rows) or _labels_above(rows)
    remarks: list[str] = []
    if not count and (first := _below_remarks(rows)):
        if first == 1 and len(set(rows[1])) < len(rows[1]):
            count = 2  # what stands above tells columns of one name apart
        else:
            remarks = [" ".join(str(cell) for cell in row if is_filled(cell)) for row in rows[:first]]
            rows, count = rows[first:], 1
    if count:
        body = rows[count:]
        groups = _column_groups([*rows[1:count], *body], len(rows[0]))
        head = [_spread(row, groups, remarks) for row in rows[: count - 1]]
        head = [row for row in head if any(map(is_filled, row))]
        rows, count = [*head, *rows[count - 1 :]], len(head) + 1
    grouped = _grouped(rows, count or 1)
    return Headed(grouped or rows, count or (1 if grouped else None), "; ".join(remarks))


def _is_record(row: Sequence[Cell]) -> bool:
    """Say whether a row holds figures, limits for some, or is that of a day: no labels then."""
    begins = isinstance(row[0], str) and _DAY.fullmatch(row[0].strip())
    limits = any(isinstance(cell, str) and _LIMIT.fullmatch(cell.strip()) for cell in row)
    return bool(begins) or limits or any(map(is_figure, row))


def _labels_above(rows: Rows) -> int:
    """Return how many rows of labels stand above the figures, 0 for less than two.

    The lowest of them names columns only: its first cell is empty, or continues the row above it; or it is
    full of labels that tell apart the columns below each one merged above it.
    """
    first = next((at for at, row in enumerate(rows) if _is_record(row)), 0)
    below = rows[first:]
    if first < 2 or sum(is_filled(row[0]) for row in below) < _MIN_NAMED_ROWS_SHARE * len(below):
        return 0
    for count in range(min(first, _MAX_HEADER_ROWS), 1, -1):
        above, last = rows[count - 2], rows[count - 1]
        names = sum(map(is_filled, last)) > 1
        if names and (not is_filled(last[0]) or last[0] == above[0] or _parts(rows[: count - 1], last)):
            return count
    return 0


def _text_above(rows: Rows) -> int:
    """Return how many rows of text stand above rows of numbers, where text that looks like a number stands
    among them ("Chapter" over "7"); 0 where none does."""
    first = next((at for at, row in enumerate(rows) if any(map(contains_number, row))), 0)
    head = rows[:first]
    figures = any(is_figure(cell) for row in head for cell in row)
    words = sum(isinstance(cell, str) and not is_figure(cell) for row in head for cell in row)
    numbers = [x for x, cell in enumerate(rows[first])] if first else []
    named = all(any(is_filled(row[x]) for row in head) for x in numbers if contains_number(rows[first][x]))
    several = (
        1 < first <= _MAX_HEADER_ROWS and sum(any(map(contains_number, row)) for row in rows[first:]) > 1
    )
    mostly = words >= sum(is_figure(cell) for row in head for cell in row)
    return first if figures and several and named and mostly else 0


def _parts(above: Rows, last: Sequence[Cell]) -> bool:
    """Say whether a full row of labels parts the columns that stand under one merged label."""
    if any(map(is_filled, (row[0] for row in above))) or not all(
        isinstance(cell, str) and cell for cell in last
    ):
        return False
    headed_columns = [labels for labels in zip(*above, last, strict=True) if any(map(is_filled, labels[:-1]))]
    merged = len({labels[:-1] for labels in headed_columns}) < len(headed_columns)
    return merged and len(set(headed_columns)) == len(headed_columns)


def _below_remarks(rows: Rows) -> int:
    """Return how many rows of remarks stand above the only full row of labels, 0 for none.

    Remarks fill fewer cells than the labels do, and hold no figure; below the labels stand figures.
    """
    for at, row in enumerate(rows[: _MAX_HEADER_ROWS + 2]):
        if any(map(is_figure, row)):
            return 0
        if all(map(is_filled, row)) and is_label_row(row):
            below = [any(map(is_figure, each)) for each in rows[at + 1 :]]
            filled = sum(len(set(filter(is_filled, above))) for above in rows[:at])
            sparse = filled <= _MAX_REMARK_CELLS_SHARE * at * len(row)
            return at if sparse and below and below[0] and 2 * sum(below) > len(below) else 0
    return 0


def _column_groups(rows: Rows, width: int) -> list[range]:
    """Return the columns that stand next to each other, parted by empty ones."""
    full = [any(is_filled(row[x]) for row in rows) for x in range(width)]
    edges = [x for x in range(width) if not full[x]]
    return [range(a + 1, b) for a, b in pairwise([-1, *edges, width]) if b - a > 1]


def _spread(row: list[Cell], groups: Sequence[range], remarks: list[str]) -> list[Cell]:
    """Return a row of labels with each repeated over its columns; what stands over none is said of all."""
    texts = [cell for cell in row if is_filled(cell)]
    if len(set(texts)) < len(texts):
        return row  # merged cells say how far a label reaches
    others = sum(is_filled(cell) for cell in row[1:])
    spread: list[Cell] = [None] * len(row)
    for x, cell in enumerate(row):
        if not is_filled(cell):
            continue
        group = next((each for each in groups if x in each), None)
        of_all = _OF_ALL.match(str(cell)) if x == 0 else others == 1 and len(groups) > 1
        if group is None or of_all:
            remarks.append(" ".join(str(cell).split()))
            continue
        for column in _reach(row, x, group) if x else (0,):
            spread[column] = cell
    return spread


def _reach(row: list[Cell], x: int, group: range) -> range:
    """Return the columns of a label: its whole group, or, beside others, up to the next one."""
    columns = range(max(1, group.start), group.stop)
    labels = [column for column in columns if is_filled(row[column])]
    if len(labels) == 1:
        return columns
    if is_filled(row[columns.start]):
        return range(x, next((column for column in labels if column > x), columns.stop))
    if is_filled(row[columns.stop - 1]):
        return range(max((c + 1 for c in labels if c < x), default=columns.start), x + 1)
    return range(x, x + 1)


def _grouped(rows: Rows, count: int) -> Rows | None:
    """Return the rows with the name of their group in a column, None where no rows name a group."""
    head, body = rows[:count], rows[count:]
    names = [_group_name(row) for row in body]
    if sum(map(bool, names)) < 2 or not any(map(is_figure, (cell for row in body for cell in row))):
        return None
    if any(one and other for one, other in pairwise([*names, "end"])) or not names[0]:
        return None
    made: Rows = []
    for at, row in enumerate(head, 1):
        made.append([_GROUP if at == count else None, *row])
    group = ""
    for name, row in zip(names, body, strict=True):
        group = name or group
        if not name:
            made.append([group, *row])
    return made


def _group_name(row: Sequence[Cell]) -> str:
    """Return the words of a row that holds nothing else, in its first cell or merged over all of it."""
    filled = [cell for cell in row if is_filled(cell)]
    alone = len(filled) == 1 and is_filled(row[0])
    merged = len(filled) == len(row) > 2 and len(set(filled)) == 1
    words = str(filled[0]) if (alone or merged) and isinstance(filled[0], str) else ""
    return words if words and not is_figure(words) else ""
