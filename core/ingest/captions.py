"""Captions go to what they name: a figure's into its text, a table's onto its card."""

import re
from collections.abc import Sequence

from core.domain import Block, Location, Parsed, TableData
from core.text.tokens import is_cjk

_TABLE = re.compile(r"\s*[\[<〈【(]?(?:table|tab\.|表|표)", re.IGNORECASE)
_FIGURE = re.compile(r"\s*[\[<〈【(]?(?:fig|[图圖図]|그림|plate|chart|diagram|photo)", re.IGNORECASE)
_CAPTION = re.compile(
    r"[\[<〈【(]?(?:(?:table|tab\.|fig(?:ure|\.)?|chart|diagram|photo|plate)\s*|[图圖図表]\s*|(?:표|그림)\s*)"
    r"(?P<number>\d{1,3}(?:[.-]\d{1,3})*)\s*[\]>〉】)]?\s*(?:[:：.—–-]\s*|\s)\S",
    re.IGNORECASE,
)
_MAX_CAPTION_CHARACTERS = 250  # characters of a paragraph that may be a caption
_MAX_LABEL_CHARACTERS = 120  # characters of a line that announces what stands below it
_SENTENCE = (".", "!", "?", ";", ",", "。", "！", "？", "；", "，")
_VALUE = re.compile(r"[:：]\s*\S")  # "Reference: the title" says what it says, not what stands below
_UNNAMED = re.compile(r"Table \d+(?:, pages? \d+(?: to \d+)?)?")


def attach(parsed: Parsed) -> tuple[tuple[Block, ...], tuple[TableData, ...]]:
    """Return blocks and tables with every caption joined to the table or figure beside it.

    A caption that says what it names ("Table 2") goes only to a neighbour of that kind; one without
    such a neighbour stays a block of its own. A short paragraph that begins "Table 2:" or "Fig. 3." beside
    one is a caption too, whether the format has captions or not; so is a line that is no sentence where a
    document flows and a table without caption or a figure follows. A table no block shows gets one at the
    end.
    """
    blocks = list(parsed.blocks)
    tables = list(parsed.tables)
    order = [at for at, block in enumerate(blocks) if block.kind == "table"]
    numbers = {at: number + 1 for number, at in enumerate(order)}
    below = _are_below(blocks)
    used: set[int] = set()
    owners = {
        at: _owner(blocks, at, numbers, below=below) for at, block in enumerate(blocks) if _is_caption(block)
    }
    owned = set(owners.values())
    labels = {
        at: at + 1 for at in range(len(blocks)) if at + 1 not in owned and _announces(blocks, at, tables)
    }
    for at, owner in [*owners.items(), *labels.items()]:
        if owner is None:
            continue
        used.add(at)
        block = blocks[owner]
        if block.kind == "figure":
            blocks[owner] = _figure(block, blocks[at])
        elif block.table is not None:
            caption = blocks[at].text.strip()
            tables[block.table] = _captioned(
                tables[block.table], caption.rstrip(":：") if at in labels else caption
            )
    remaining = [block for at, block in enumerate(blocks) if at not in used]
    named = {block.table for block in remaining if block.kind == "table"}
    remaining += [
        Block(kind="table", text=data.name, table=index, location=data.location)
        for index, data in enumerate(tables)
        if index not in named
    ]
    return tuple(remaining), tuple(tables)


def _is_caption(block: Block) -> bool:
    text = block.text.strip()
    if block.kind == "caption":
        return bool(text)
    return block.kind == "paragraph" and len(text) <= _MAX_CAPTION_CHARACTERS and bool(_CAPTION.match(text))


def _announces(blocks: Sequence[Block], at: int, tables: Sequence[TableData]) -> bool:
    """Say whether a line stands over a table or a figure as its label does."""
    line, text = blocks[at], blocks[at].text.strip()
    if line.kind != "paragraph" or line.location.boxes or line.location.sheet or line.links:
        return False
    if (
        len(text) > _MAX_LABEL_CHARACTERS
        or "\n" in text
        or not (" " in text or is_cjk(text))
        or text.endswith(_SENTENCE)
    ):
        return False
    if _VALUE.search(text):
        return False
    if _kind(blocks, at + 1) not in ("table", "figure"):
        return False
    below = blocks[at + 1]
    return below.table is None or not tables[below.table].caption


def _are_below(blocks: Sequence[Block]) -> bool:
    """Say whether this document writes the captions of its tables under them: most of those that could
    belong to one table only."""
    votes = 0
    for at, block in enumerate(blocks):
        if _is_caption(block) and _TABLE.match(block.text):
            above, under = (_kind(blocks, at + 1) == "table"), (_kind(blocks, at - 1) == "table")
            votes += under - above
    return votes > 0


def _kind(blocks: Sequence[Block], at: int) -> str:
    return blocks[at].kind if 0 <= at < len(blocks) else ""


def _owner(blocks: Sequence[Block], at: int, numbers: dict[int, int], *, below: bool) -> int | None:
    """Return the index of the table or figure the caption belongs to; between two tables the one whose
    place in the document it numbers, else the one on the side where this document's captions stand."""
    text = blocks[at].text
    before_after = (at - 1, at + 1)
    if _TABLE.match(text):
        tables = [b for b in before_after if _kind(blocks, b) == "table"]
        match = _CAPTION.match(text.strip())
        number = int(re.split(r"[.-]", match["number"])[-1]) if match else 0
        meant = [b for b in tables if numbers[b] == number]
        if len(tables) == 2 and meant:
            return meant[0]
        return next(iter(tables if below else reversed(tables)), None)
    kinds = ("figure",) if _FIGURE.match(text) else ("table", "figure")
    return next((b for b in before_after if _kind(blocks, b) in kinds), None)


def _captioned(data: TableData, text: str) -> TableData:
    """Return the table with the caption; one that is only numbered is called by it."""
    caption = data.caption if text in data.caption else f"{data.caption} {text}".strip()
    name = caption[:80] if _UNNAMED.fullmatch(data.name) else data.name
    return data.model_copy(update={"caption": caption, "name": name})


def _figure(block: Block, caption: Block) -> Block:
    caption_text = caption.text.strip()
    if caption_text in block.text:
        return block
    text = f"{caption_text}\n{block.text}".strip()
    place: Location = block.location
    if caption.location.page == place.page:
        place = place.model_copy(update={"boxes": (*place.boxes, *caption.location.boxes)})
    links = tuple(dict.fromkeys((*block.links, *caption.links)))
    return block.model_copy(update={"text": text, "location": place, "links": links})
