"""The order in which the shapes of a slide are read: that of the file, unless their places say otherwise.

A file holds shapes in the order they were made or brought forward, and readers of a screen hear them so.
Places say otherwise where one shape stands wholly over another one, or wholly left of one beside it.
"""

from collections import Counter
from collections.abc import Sequence

Edges = tuple[float | None, float | None, float | None, float | None]  # left, top, width, height
# Of the smaller one: so much may shapes overlap that stand over or beside each other
_MAX_OVERLAP_SHARE = 0.1
_MIN_LEVEL_OVERLAP = 0.5  # of the lower one's height
_MAX_SHAPES = 400  # shapes of a slide; more of them are a drawing


def in_reading_order(shapes: Sequence[Edges]) -> list[int]:
    """Return the indices of the n shapes as they are read; O(n²), a drawing stays as it is."""
    left = list(range(len(shapes)))
    if len(left) > _MAX_SHAPES:
        return left
    after = [[other for other in left if other != at and _before(shapes[at], shapes[other])] for at in left]
    waits = Counter(other for others in after for other in others)  # for how many others each does
    order: list[int] = []
    while left:
        # Where places contradict each other the file's order holds.
        first = next((at for at in left if not waits[at]), left[0])
        order.append(first)
        left.remove(first)
        waits.subtract(after[first])
    return order


def _before(one: Edges, other: Edges) -> bool:
    """Say whether a shape must be read before another one, by where they stand."""
    if None in one or None in other:
        return False
    x0, y0, wide, high = (float(edge or 0) for edge in one)
    other_x0, other_y0, other_wide, other_high = (float(edge or 0) for edge in other)
    across = min(x0 + wide, other_x0 + other_wide) - max(x0, other_x0)
    down = min(y0 + high, other_y0 + other_high) - max(y0, other_y0)
    if down <= _MAX_OVERLAP_SHARE * min(high, other_high) and across > _MAX_OVERLAP_SHARE * min(
        wide, other_wide
    ):
        return y0 < other_y0
    if across <= _MAX_OVERLAP_SHARE * min(wide, other_wide) and down > _MIN_LEVEL_OVERLAP * min(
        high, other_high
    ):
        return x0 < other_x0
    return False
