"""Lists that are in columns beside each other: items with check boxes or bullets, some on several lines.

A column is where the marks of three different items or more stand under each other. What has no mark belongs
to the item it stands under, so that the lines of one column never mix with those of the next.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from core.ingest.parsers.pdf.layout import WordRun

_MARKS = frozenset("☐☒☑☓✓✔✗•●○▪■□◦➢")
_MIN_ITEMS = 3  # items of a column
_MAX_ITEM_GAP_SIZES = 4.0  # sizes between two items of one column, wrapped lines included
_MAX_WRAP_GAP_SIZES = 0.9  # sizes between an item and the line it continues
_EDGE_TOLERANCE_SIZES = 0.5  # sizes by which the marks of a column differ


class ItemColumns(NamedTuple):
    """Runs above the columns, those of each column from left to right, and those below."""

    above: list[WordRun]
    columns: list[list[WordRun]]
    below: list[WordRun]


def item_columns(runs: Sequence[WordRun]) -> ItemColumns | None:
    """Return the first block of list columns among the runs and what stands around it, None without one."""
    stacks = sorted(_stacks(runs), key=lambda stack: stack[0].y0)
    for at, stack in enumerate(stacks):
        beside = [stack, *(other for other in stacks[at + 1 :] if _level(stack, other))]
        found = _block(runs, sorted(beside, key=lambda each: each[0].x0)) if len(beside) > 1 else None
        if found is not None:
            return found
    return None


def _stacks(runs: Sequence[WordRun]) -> list[list[WordRun]]:
    """Return the items that stand under each other; a mark with the same word each time is an answer."""
    stacks: list[list[WordRun]] = []
    for run in sorted((run for run in runs if _is_item(run)), key=lambda run: run.y0):
        home = next((stack for stack in stacks if _is_next(stack[-1], run)), None)
        if home is None:
            stacks.append([run])
        else:
            home.append(run)
    return [
        stack for stack in stacks if len({_label(run) for run in stack}) >= max(_MIN_ITEMS, 0.7 * len(stack))
    ]


def _is_item(run: WordRun) -> bool:
    return run.words[0].text in _MARKS and len(run.words) > 1


def _label(run: WordRun) -> str:
    """Return what the first mark of a run stands for."""
    words = [word.text for word in run.words[1:]]
    end = next((at for at, word in enumerate(words) if word in _MARKS), len(words))
    return " ".join(words[:end])


def _is_next(above: WordRun, run: WordRun) -> bool:
    close = -0.5 * run.size < run.y0 - above.y1 < _MAX_ITEM_GAP_SIZES * run.size
    return close and abs(above.x0 - run.x0) < _EDGE_TOLERANCE_SIZES * run.size


def _level(one: Sequence[WordRun], other: Sequence[WordRun]) -> bool:
    """Say whether two stacks stand beside each other for most of the shorter one."""
    both = min(one[-1].y1, other[-1].y1) - max(one[0].y0, other[0].y0)
    return both > 0.5 * min(one[-1].y1 - one[0].y0, other[-1].y1 - other[0].y0)


def _block(runs: Sequence[WordRun], stacks: Sequence[Sequence[WordRun]]) -> ItemColumns | None:
    """Return the columns the stacks make, None where something reaches from one into the next."""
    edges = [stack[0].x0 for stack in stacks]
    if any(right - left < 2 * stacks[0][0].size for left, right in pairwise(edges)):
        return None
    top, bottom = min(stack[0].middle for stack in stacks), max(stack[-1].middle for stack in stacks)
    rest = sorted((run for run in runs if run.middle > bottom), key=lambda run: run.middle)
    inside = [run for run in runs if top - 0.5 * run.size < run.middle <= bottom]
    for run in rest:
        if _is_item(run) or not any(_wraps(other, run) for other in inside):
            continue
        inside.append(run)
    columns: list[list[WordRun]] = [[] for _ in edges]
    for run in inside:
        if run.x0 < edges[0] - run.size or any(run.x0 < edge - 2 and run.x1 > edge + 2 for edge in edges[1:]):
            return None
        columns[sum(run.x0 >= edge - 2 for edge in edges[1:])].append(run)
    if not all(_is_list(column) for column in columns):
        return None
    used = set(map(id, inside))
    around = [run for run in runs if id(run) not in used]
    above = [run for run in around if run.middle < top]
    return ItemColumns(above, columns, [run for run in around if run.middle >= top])


def _wraps(above: WordRun, run: WordRun) -> bool:
    """Say whether a run continues another: close below it, as large, and not left of its words."""
    begins = above.words[1].x0 if _is_item(above) else above.x0
    near = -0.5 * run.size < run.y0 - above.y1 < _MAX_WRAP_GAP_SIZES * run.size
    return (
        near
        and abs(run.x0 - begins) < _EDGE_TOLERANCE_SIZES * run.size
        and abs(run.size - above.size) < 0.1 * run.size
    )


def _is_list(column: Sequence[WordRun]) -> bool:
    """Say whether every line without a mark stands under the words of an item, or beside them."""
    first = min((run for run in column if _is_item(run)), key=lambda run: run.y0, default=None)
    return first is not None and all(
        _is_item(run) or (run.middle > first.y0 and run.x0 > first.words[0].x1 - 2) for run in column
    )
