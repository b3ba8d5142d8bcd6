"""What pictures and scenes show, said by a model that sees; without one nothing is said of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Block, BlockKind, Parsed, Picture
from core.errors import LLMError
from core.ports import LLM
from core.tasks import Describe, Described

_BARE = re.compile(r"Picture \d+")  # a figure of which nothing is known


@dataclass(frozen=True)
class Describer:
    """Describes the pictures a parser hands on; equal ones are asked for once, through the port's cache."""

    llm: LLM

    def describe(self, parsed: Parsed) -> Parsed:
        """Return the document with what each picture shows, and a note where that is missing.

        The description of a figure goes into the figure's block, that of a page or scene into a new block.
        """
        if not parsed.pictures:
            return parsed
        blocks: list[Block | None] = list(parsed.blocks)
        apart: list[tuple[Picture, str]] = []
        missing: list[str] = []
        for picture in parsed.pictures:
            text, why = self._description(picture)
            figure = blocks[picture.block] if picture.block is not None else None
            if not text:
                missing.append(why)
                if picture.block is not None and figure is not None and _BARE.fullmatch(figure.text):
                    blocks[picture.block] = None
            elif picture.block is not None and figure is not None and figure.kind == "figure":
                described = f"{figure.text}\nWhat it shows: {text}"
                blocks[picture.block] = figure.model_copy(update={"text": described})
            else:
                apart.append((picture, text))
        remaining = [block for block in blocks if block is not None]
        for picture, text in apart:
            remaining = [block for block in remaining if not _only_names(block, picture)]
            _put(remaining, _block(picture, text))
        skipped = parsed.skipped
        if missing:
            counted = f"{len(missing)} of {len(parsed.pictures)}"
            skipped = (*skipped, f"Pictures not described: {counted} ({missing[0].rstrip('.')}).")
        return parsed.model_copy(update={"blocks": tuple(remaining), "skipped": skipped, "pictures": ()})

    def _description(self, picture: Picture) -> tuple[str, str]:
        """Return what a picture shows, or nothing and why."""
        try:
            reply = self.llm.run(Describe(image=picture.image, caption=picture.caption), Described)
        except LLMError as error:
            return "", str(error)
        return " ".join(reply.text.split()), "no model that sees answered"


def _block(picture: Picture, text: str) -> Block:
    kind: BlockKind = "media" if picture.location.seconds else "figure"
    lead = f"{picture.caption}. " if picture.caption else ""
    return Block(kind=kind, text=f"{lead}What it shows: {text}", location=picture.location)


def _only_names(block: Block, picture: Picture) -> bool:
    """Say whether a block only says that there is this picture."""
    alone = block.kind == "figure" and block.text == f"Picture {picture.caption}"
    return alone and block.location == picture.location


def _put(blocks: list[Block], block: Block) -> None:
    """Put a description where it belongs: a scene by its time, a picture after what is on its page."""
    blocks.insert(_place(blocks, block), block)


def _place(blocks: Sequence[Block], block: Block) -> int:
    own = block.location.seconds
    for index, other in enumerate(blocks):
        if own is not None and other.location.seconds is not None and other.location.seconds[0] > own[0]:
            return index
        if own is None and (other.location.page or 0) > (block.location.page or 0):
            return index
    return len(blocks)
