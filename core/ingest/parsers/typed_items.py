"""Items of lists whose marks were typed by hand, where the writer's program has no list."""

import re
from collections.abc import Iterator, Sequence

from core.domain import Block

_BULLET = re.compile(r"[•●○▪■□◦‣⁃➢➤✓✔☐☑☒]\s+\S")
_DASH = re.compile(r"([-–*])\s+\S")
_COUNT = re.compile(r"(\()?(\d{1,2}|[a-z])([.)])\s+\S")

_LONGEST_COUNTED = 300  # characters; longer ones are the numbered paragraphs of a text


def with_typed_items(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks; paragraphs that begin with a mark of a list are its items.

    A bullet is one by itself. A dash is where the paragraph beside it begins with one too, a number or a
    letter where the one before or after has the number or letter beside it.
    """
    for at, block in enumerate(blocks):
        beside = [blocks[other] for other in (at - 1, at + 1) if 0 <= other < len(blocks)]
        if block.kind == "paragraph" and _is_item(block.text, [each.text for each in beside if _plain(each)]):
            yield block.model_copy(update={"kind": "list_item"})
        else:
            yield block


def _plain(block: Block) -> bool:
    return block.kind in ("paragraph", "list_item")


def _is_item(text: str, beside: Sequence[str]) -> bool:
    if _BULLET.match(text):
        return True
    lines = text.split("\n")
    if dash := _DASH.match(text):
        own = len(lines) > 1 and all(_mark(line) == dash[1] for line in lines)
        return own or any(_mark(other) == dash[1] for other in beside)
    count = _COUNT.match(text)
    if count and len(text) <= _LONGEST_COUNTED:
        return any(_is_next(count, _COUNT.match(other)) for other in beside)
    return False


def _mark(text: str) -> str:
    found = _DASH.match(text)
    return found[1] if found else ""


def _is_next(one: re.Match[str], other: re.Match[str] | None) -> bool:
    """Say whether two marks count on from each other: "1." and "2.", "b)" and "a)"."""
    if other is None or (one[1], one[3]) != (other[1], other[3]) or one[2].isdigit() != other[2].isdigit():
        return False
    a, b = (int(each[2]) if each[2].isdigit() else ord(each[2]) for each in (one, other))
    return abs(a - b) == 1
