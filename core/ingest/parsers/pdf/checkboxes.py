"""Check boxes that are drawn: small squares beside words, crossed, filled or empty."""

from collections.abc import Sequence

from core.ingest.parsers.pdf.drawings import Drawn
from core.ingest.parsers.pdf.page import Area, PageWord

TICKED, EMPTY = "☒", "☐"
_MIN_SIDE_POINTS, _MAX_SIDE_POINTS = 5.0, 20.0  # points a side
_MAX_SIDE_DIFFERENCE = 0.25  # of the longer side: how much shorter the other may be
_SAME_BOX_POINTS = 1.5  # points by which paths of one box differ
_MAX_LABEL_DISTANCE = 36.0  # points from a box to the word it belongs to
_MIN_FILLED_SHARE = 0.4  # of a box: a smaller shape inside it is a stain
_MAX_BOXES = 400  # of a page; more squares are a pattern
_LETTERS = frozenset("xX×✓✔✗✘☓■●•")


def with_check_boxes(
    words: Sequence[PageWord], paths: Sequence[Drawn], areas: Sequence[Area]
) -> list[PageWord]:
    """Return the words of a page with a mark for every check box: ☒ where it is ticked, ☐ where it is not.

    `areas` are those of the paths. A letter inside a box is its tick.
    """
    boxes = _boxes(paths, areas)
    if not boxes or len(boxes) > _MAX_BOXES:
        return list(words)
    inside = {
        id(word): box for box in boxes for word in words if set(word.text) <= _LETTERS and box.contains(word)
    }
    marked_words = [word for word in words if id(word) not in inside]
    ticked = {*inside.values()}
    for box in boxes:
        beside = _beside(box, marked_words)
        if beside is not None:
            done = box in ticked or _is_ticked(box, paths, areas)
            text = TICKED if done else EMPTY
            right = max(box.x1, beside.x0 - 0.2 * beside.size)  # as if it stood close to its word
            marked_words.append(PageWord(text, box.x0, beside.y0, right, beside.y1, beside.size, False))
    return marked_words


def _boxes(paths: Sequence[Drawn], areas: Sequence[Area]) -> list[Area]:
    """Return the outlined squares that touch no other one, as the cells of a table would."""
    found: list[Area] = []
    for path, area in zip(paths, areas, strict=True):
        new = _is_square(area) and path.is_outline() and not any(_same(area, other) for other in found)
        if new and sum(1 for _ in path.segments()) >= 4:
            found.append(area)
    return [box for box in found if not any(box is not other and box.is_near(other, 0.3) for other in found)]


def _is_square(area: Area) -> bool:
    wide, high = area.x1 - area.x0, area.y1 - area.y0
    return (
        min(wide, high) >= _MIN_SIDE_POINTS
        and max(wide, high) <= _MAX_SIDE_POINTS
        and abs(wide - high) <= _MAX_SIDE_DIFFERENCE * max(wide, high)
    )


def _same(one: Area, other: Area) -> bool:
    return all(abs(a - b) <= _SAME_BOX_POINTS for a, b in zip(one, other, strict=True))


def _is_ticked(box: Area, paths: Sequence[Drawn], areas: Sequence[Area]) -> bool:
    """Say whether something is drawn in a box: slanting lines, or a shape that fills a good part of it."""
    for path, area in zip(paths, areas, strict=True):
        if not _within(area, box):
            continue
        if path.leans():
            return True
        if not path.is_outline() and not _same(area, box) and area.size >= _MIN_FILLED_SHARE * box.size:
            return True
    return False


def _within(area: Area, box: Area) -> bool:
    return (
        area.x0 >= box.x0 - _SAME_BOX_POINTS
        and area.y0 >= box.y0 - _SAME_BOX_POINTS
        and area.x1 <= box.x1 + _SAME_BOX_POINTS
        and area.y1 <= box.y1 + _SAME_BOX_POINTS
    )


def _beside(box: Area, words: Sequence[PageWord]) -> PageWord | None:
    """Return the word a box stands before or after, the nearest to its right first."""
    middle = (box.y0 + box.y1) / 2
    level = [
        word
        for word in words
        if word.y0 - _SAME_BOX_POINTS <= middle <= word.y1 + _SAME_BOX_POINTS and word.upright
    ]
    right = [word for word in level if -_SAME_BOX_POINTS <= word.x0 - box.x1 <= _MAX_LABEL_DISTANCE]
    left = [word for word in level if -_SAME_BOX_POINTS <= box.x0 - word.x1 <= _MAX_LABEL_DISTANCE]
    if right:
        return min(right, key=lambda word: word.x0)
    return max(left, key=lambda word: word.x1) if left else None
