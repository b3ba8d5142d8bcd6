"""Short paragraphs in bold or in large type that head what follows them, where the writer used no headings.

One alone in bold may be a word in bold; two or more, each over plain text, are how the document heads its
parts. One that is larger than the body heads what stands below it; of several of one size on end none does.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise

from core.domain import Block

LARGE_SIZE_RATIO = 1.15  # times the size of the body
_LONGEST = 110  # characters
_SEVERAL = 2
_MAX_LEVELS = 4
_SENTENCE = (".", ",", ";", "!", "?", "。", "，", "；", "！", "？")


def is_label(text: str) -> bool:
    """Say whether a text in bold may head others: one short line that is no sentence."""
    text = text.strip()
    begins = not text[:1].islower() or any(map(str.isdigit, text))  # "v0.57.0" may
    return begins and 1 < len(text) <= _LONGEST and "\n" not in text and not text.endswith(_SENTENCE)


def with_large_headings(blocks: Sequence[Block], large: Mapping[int, float]) -> Iterator[Block]:
    """Yield the blocks; those that head others by their size are headings, the larger above the smaller.

    `large` has by id the sizes (points) of those in large type.
    """
    sizes = {
        at: large[id(block)]
        for at, (block, after) in enumerate(pairwise(blocks))
        if id(block) in large and is_label(block.text) and large.get(id(after)) != large[id(block)]
    }
    styled = any(block.kind == "heading" for block in blocks)
    steps = sorted(set(sizes.values()), reverse=True)[:_MAX_LEVELS]
    named = 0
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            named = block.level
        if at in sizes:
            level = named + 1 if styled else sum(size > sizes[at] for size in steps) + 1
            yield block.model_copy(update={"kind": "heading", "level": level})
        else:
            yield block


def with_bold_headings(blocks: Sequence[Block], bold: Container[int]) -> Iterator[Block]:
    """Yield the blocks; those whose id is in `bold` are headings one below the last, where several head."""
    heads = {
        at
        for at, (block, after) in enumerate(pairwise(blocks))
        if id(block) in bold and is_label(block.text) and after.kind != "heading" and id(after) not in bold
    }
    level = 0
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            level = block.level
        if at in heads and len(heads) >= _SEVERAL:
            yield block.model_copy(update={"kind": "heading", "level": level + 1})
        else:
            yield block
