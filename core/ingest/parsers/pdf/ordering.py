"""Reading order: runs are in columns, columns are read one after the other.

A gutter is accepted where the text on both sides of it fills its column, as prose does; the short
cells of a table do not, so a table stays in rows. Lists beside each other are columns by their marks.
"""

import statistics
from collections.abc import Sequence

from core.ingest.parsers.pdf.item_columns import item_columns
from core.ingest.parsers.pdf.layout import WordRun

_FULL_SHARE, _FULL_CHARACTERS = 0.55, 16  # of a column's width, characters: a full line
_MIN_PROSE_SHARE = 0.55  # least share of prose's letters that are in full lines


def ordered(runs: Sequence[WordRun]) -> list[WordRun]:
    """Return the runs in reading order, each knowing the column (numbered over the page) it is in."""
    out: list[WordRun] = []
    for column, group in enumerate(_regions(list(runs), 0)):
        for run in sorted(group, key=lambda run: (run.y0, run.x0)):
            run.column = column
            out.append(run)
    return out


def after(made: Sequence[WordRun], more: Sequence[WordRun]) -> Sequence[WordRun]:
    """Return runs with their columns numbered on from those of the runs before them."""
    first = max((run.column for run in made), default=-1) + 1
    for run in more:
        run.column += first
    return more


def _regions(runs: list[WordRun], depth: int) -> list[list[WordRun]]:
    """Part runs at gutters; what crosses one stands alone, between such bands columns are read in turn."""
    gutter = _gutter(runs) if depth < 4 else None
    if gutter is None:
        return _lists(runs, depth)
    crossing = sorted((r for r in runs if r.x0 < gutter - 2 and r.x1 > gutter + 2), key=lambda run: run.y0)
    regions: list[list[WordRun]] = []
    band: list[WordRun] = []
    rest = sorted((r for r in runs if r not in crossing), key=lambda run: run.middle)
    for bar in crossing:
        beside = _parts_of_line(bar, rest)
        rest = [run for run in rest if not any(run is part for part in beside)]
        above = [run for run in rest if run.middle < bar.middle]
        rest = rest[len(above) :]
        if above and band:
            regions.append(band)
            band = []
        regions.extend(_sides(above, gutter, depth))
        band += [bar, *beside]
    if band:
        regions.append(band)
    regions.extend(_sides(rest, gutter, depth))
    return regions


def _parts_of_line(bar: WordRun, runs: Sequence[WordRun]) -> list[WordRun]:
    """Return what stands to both sides of a run that crosses the gutter: one centred line."""
    level = [run for run in runs if abs(run.middle - bar.middle) < 0.45 * max(run.size, bar.size)]
    left, right = ([run for run in level if (run.x1 <= bar.x0) is before] for before in (True, False))
    return level if left and right else []


def _lists(runs: list[WordRun], depth: int) -> list[list[WordRun]]:
    """Part runs at lists beside each other; where there are none they are one region."""
    lists = item_columns(runs) if depth < 4 else None
    if lists is None:
        return [runs] if runs else []
    return [
        *_regions(lists.above, depth + 1),
        *lists.columns,
        *_regions(lists.below, depth + 1),
    ]


def _sides(runs: list[WordRun], gutter: float, depth: int) -> list[list[WordRun]]:
    left = [run for run in runs if (run.x0 + run.x1) / 2 < gutter]
    right = [run for run in runs if (run.x0 + run.x1) / 2 >= gutter]
    return _regions(left, depth + 1) + _regions(right, depth + 1)


def _gutter(runs: list[WordRun]) -> float | None:
    """Return the x of the clearest gutter with prose on both sides, None where there is none."""
    if len(runs) < 8:
        return None
    left, right = min(r.x0 for r in runs), max(r.x1 for r in runs)
    size = statistics.median(r.size for r in runs)
    best: tuple[int, float, float] | None = None
    for x in sorted({run.x0 - 0.5 * size for run in runs}):
        if not left + 0.12 * (right - left) < x < right - 0.12 * (right - left):
            continue
        crossing = [r for r in runs if r.x0 < x - 2 and r.x1 > x + 2]
        sides = [r for r in runs if r.x1 <= x + 2], [r for r in runs if r.x0 >= x - 2]
        if len(crossing) > 0.25 * len(runs) or min(map(len, sides)) < 4:
            continue
        key = (len(crossing), -(min(r.x0 for r in sides[1]) - max(r.x1 for r in sides[0])), x)
        if (best is not None and best <= key) or not _is_prose(sides[0]) or not _beside(*sides):
            continue
        if _is_prose(sides[1]) or _gutter(sides[1]) is not None:  # there may be more than two columns
            best = key
    return best[2] if best is not None else None


def prose_columns(runs: Sequence[WordRun]) -> list[tuple[float, float]]:
    """Return the left and right edges of the columns of prose, none where there is only one."""
    gutter = _gutter(list(runs))
    if gutter is None:
        return []
    sides = [r for r in runs if r.x1 <= gutter + 2], [r for r in runs if r.x0 >= gutter - 2]
    return [
        column
        for side in sides
        for column in prose_columns(side) or [(min(r.x0 for r in side), max(r.x1 for r in side))]
    ]


def is_prose_in(runs: Sequence[WordRun], columns: Sequence[tuple[float, float]]) -> bool:
    """Say whether runs that line up are prose all the same: most of them fill the page's columns."""
    by_column = [[run for run in runs if x0 <= (run.x0 + run.x1) / 2 <= x1] for x0, x1 in columns]
    full = sum(
        len(run.text)
        for inside, (x0, x1) in zip(by_column, columns, strict=True)
        for run in inside
        if _is_full(run, x1 - x0)
    )
    return full > _MIN_PROSE_SHARE * sum(len(run.text) for run in runs)


def _is_prose(side: list[WordRun]) -> bool:
    """Say whether most of the text is in runs that fill the side's width and hold several words."""
    width = max(r.x1 for r in side) - min(r.x0 for r in side)
    letters = sum(len(r.text) for r in side)
    return sum(len(r.text) for r in side if _is_full(r, width)) > _MIN_PROSE_SHARE * letters


def _is_full(run: WordRun, width: float) -> bool:
    return run.width > _FULL_SHARE * width and len(run.text) >= _FULL_CHARACTERS


def _beside(left: list[WordRun], right: list[WordRun]) -> bool:
    """Say whether the two sides stand next to each other for some lines, not above each other."""
    top, bottom = (
        max(min(r.y0 for r in s) for s in (left, right)),
        min(max(r.y1 for r in s) for s in (left, right)),
    )
    size = statistics.median(r.size for r in left)
    return bottom - top > 3 * size
