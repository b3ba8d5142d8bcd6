"""Short paragraphs in bold that head what follows them, in documents whose writer used no headings for it.

One alone may be a word in bold; two or more, each over plain text, are how the document heads its parts.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from core.domain import Block

_LONGEST = 110  # characters
_SEVERAL = 2
_SENTENCE = (".", ",", ";", "!", "?", "。", "，", "；", "！", "？")


def is_label(text: str) -> bool:
    """Say whether a text in bold may head others: one short line that is no sentence."""
    text = text.strip()
    begins = not text[:1].islower() or any(map(str.isdigit, text))  # "v0.57.0" may
    return begins and 1 < len(text) <= _LONGEST and "\n" not in text and not text.endswith(_SENTENCE)


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
