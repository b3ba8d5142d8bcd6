"""Captions go to what they name: a figure's into its text, a table's onto its card."""

import re

from core.domain import Block, Location, Parsed, TableData

_TABLE = re.compile(r"\s*(?:table|tab\.|表)", re.IGNORECASE)
_FIGURE = re.compile(r"\s*(?:fig|图|图片|plate|chart|diagram|photo)", re.IGNORECASE)


def attach(parsed: Parsed) -> tuple[tuple[Block, ...], tuple[TableData, ...]]:
    """Return blocks and tables with every caption joined to the table or figure beside it.

    A caption that says what it names ("Table 2") goes only to a neighbour of that kind; one without
    such a neighbour stays a block of its own. A table no block shows gets one at the end.
    """
    blocks = list(parsed.blocks)
    tables = list(parsed.tables)
    taken: set[int] = set()
    for at, caption in enumerate(blocks):
        if caption.kind != "caption" or not caption.text.strip():
            continue
        owner = _owner(blocks, at)
        if owner is None:
            continue
        taken.add(at)
        block = blocks[owner]
        if block.kind == "figure":
            blocks[owner] = _figure(block, caption)
        elif block.table is not None and caption.text.strip() not in tables[block.table].caption:
            both = f"{tables[block.table].caption} {caption.text.strip()}".strip()
            tables[block.table] = tables[block.table].model_copy(update={"caption": both})
    kept = [block for at, block in enumerate(blocks) if at not in taken]
    named = {block.table for block in kept if block.kind == "table"}
    kept += [
        Block(kind="table", text=data.name, table=index, location=data.location)
        for index, data in enumerate(tables)
        if index not in named
    ]
    return tuple(kept), tuple(tables)


def _owner(blocks: list[Block], at: int) -> int | None:
    """Return the index of the table or figure the caption belongs to."""
    text = blocks[at].text
    kinds: tuple[str, ...] = ("table", "figure")
    if _TABLE.match(text):
        kinds = ("table",)
    elif _FIGURE.match(text):
        kinds = ("figure",)
    beside = (at + 1, at - 1) if kinds == ("table",) else (at - 1, at + 1)
    return next((b for b in beside if 0 <= b < len(blocks) and blocks[b].kind in kinds), None)


def _figure(block: Block, caption: Block) -> Block:
    said = caption.text.strip()
    if said in block.text:
        return block
    text = f"{said}\n{block.text}".strip()
    place: Location = block.location
    if caption.location.page == place.page:
        place = place.model_copy(update={"boxes": (*place.boxes, *caption.location.boxes)})
    links = tuple(dict.fromkeys((*block.links, *caption.links)))
    return block.model_copy(update={"text": text, "location": place, "links": links})
