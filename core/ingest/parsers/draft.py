"""A document in the making: parsers put blocks in, and get a checked `Parsed` out."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from core.domain import MARGINS, Block, BlockKind, Location, Margin, Parsed, Picture, TableData
from core.errors import DamagedFile, EmptyFile
from core.ingest.decoding import clean
from core.ingest.parsers.raw_tables import NO_LOCATION, rendered, rows_of_text
from core.ingest.parsers.type_headings import with_bold_headings, with_large_headings
from core.ingest.parsers.typed_items import with_typed_items
from core.text.languages import language_of

_SPACES = re.compile(r"[ \t\u00a0\u2000-\u200b\u3000\ufeff]+")
_LINES = re.compile(r"\n{3,}")
_PART = re.compile(r"(\d{1,2})((?:\.\d{1,3})*)[.)]?\s+\S")  # how the heading of a numbered part begins
_LETTERED = re.compile(r"(?:I|A)[.)]\s+\S")
LONGEST_TITLE = 160  # characters; a longer heading is a row or a paragraph set in large type
_INDENT = "  "  # of an item, for each list it lies in
_MAX_LIST_LEVEL = 6
_MOST_PICTURES = 200  # held for a model that sees, over all files within a file
_NOTE_MARKS = re.compile(r"(?:[∗†‡]|(?<=[a-z])\*)+$")  # "Report*", but "Search with A*"
_COUNTED = re.compile(r"Slide \d+")  # what a slide without a title is called
_MAX_BLOCKS_ABOVE_TITLE = 20  # blocks that may stand above a title


class Draft:
    """Collects blocks, tables and what was skipped. `name` is the file's name as its owner calls it."""

    def __init__(self, name: str, media_type: str) -> None:
        self.name = name
        self.media_type = media_type
        self.title = ""
        self.date = ""
        self.pages = 0
        self.metadata: dict[str, str] = {}
        self.blocks: list[Block] = []
        self.tables: list[TableData] = []
        self.skipped: list[str] = []
        self.pictures: list[Picture] = []
        self._lost: list[str] = []
        self.margins: list[Margin] = []  # what was left out there
        self._bold: dict[int, Block] = {}  # by id: paragraphs that are bold all over
        self._large: list[tuple[Block, float]] = []  # paragraphs larger than the body, their sizes

    def heading(
        self, text: str, level: int, location: Location = NO_LOCATION, links: Iterable[str] = ()
    ) -> None:
        """Append a heading; 1 is the top level."""
        self.add("heading", " ".join(text.split()), location, level=max(1, level), links=links)

    def paragraph(
        self,
        text: str,
        location: Location = NO_LOCATION,
        links: Iterable[str] = (),
        *,
        bold: bool = False,
        large: float = 0.0,
    ) -> None:
        """Append a paragraph with the targets of its links; one in bold, or `large` (its size in points
        where that is more than the body's), may head what follows it."""
        count = len(self.blocks)
        self.add("paragraph", text, location, links=links)
        if bold and len(self.blocks) > count:
            self._bold[id(self.blocks[-1])] = self.blocks[-1]
        if large and len(self.blocks) > count:
            self._large.append((self.blocks[-1], large))

    def item(
        self, text: str, location: Location = NO_LOCATION, links: Iterable[str] = (), depth: int = 0
    ) -> None:
        """Append an item of a list that lies in `depth` others."""
        self.add("list_item", text, location, level=depth, links=links)

    def add(
        self,
        kind: BlockKind,
        text: str,
        location: Location = NO_LOCATION,
        *,
        level: int = 0,
        links: Iterable[str] = (),
    ) -> None:
        """Append a block, tidied; one without text is left out."""
        tidy = tidied(text, keep_lines=kind == "code")
        if tidy:
            targets = tuple(dict.fromkeys(link for link in map(clean, links) if link))
            if kind == "list_item":
                tidy = _INDENT * min(level, _MAX_LIST_LEVEL) + tidy
            self.blocks.append(Block(kind=kind, text=tidy, level=level, location=location, links=targets))

    def table(self, table: TableData | None, text: str = "", links: Iterable[str] = ()) -> None:
        """Append a table and the block that reads it out; None (nothing to show) is left out."""
        if table is None:
            return
        if not text:
            text = rendered(table)
        self.tables.append(table)
        self.blocks.append(
            Block(
                kind="table",
                text=clean(text),
                location=table.location,
                table=len(self.tables) - 1,
                links=tuple(dict.fromkeys(links)),
            )
        )

    def rows(
        self,
        name: str,
        rows: Sequence[Sequence[object]],
        *,
        caption: str = "",
        location: Location = NO_LOCATION,
        header: int | None = None,
        links: Iterable[str] = (),
    ) -> None:
        """Append the table that raw rows make, or a paragraph where they are too few to be one."""
        made = rows_of_text(name, rows, caption=caption, location=location, header=header)
        if made is None:
            text = " | ".join(str(c) for row in rows for c in row if c not in (None, ""))
            self.paragraph(text, location, links)
        else:
            self.table(made.table, made.text, links)

    def lost(self, sentence: str) -> None:
        """Record that a damaged part was left out; a document with nothing else is refused."""
        self._lost.append(sentence)
        self.skipped.append(sentence)

    def leave_out_object(self, name: str, program: str = "", where: str = "") -> None:
        """Say which object of another program was left out, and where it stands if that is known."""
        label = ", ".join(filter(None, [name, program])) or "?"
        if where:
            self.skipped.append(f"{where}: the embedded object “{label}” was left out.")
        else:
            self.skipped.append(f"The embedded object “{label}” was left out.")

    def leave_out_margin(self, lines: Sequence[str], *, top: bool) -> None:
        """Say which lines of a header or footer were left out; each can be put back at the first page."""
        for line in lines:
            self.margins.append(Margin(text=line, lines={0: line}, top=top))
            excerpt = line[:80]
            self.skipped.append(f"The line “{excerpt}” at the page margin was left out.")

    def describe(self, image: str, caption: str = "") -> None:
        """Hand the picture the last block stands for to a model that sees; an empty one is left out."""
        if image:
            place = self.blocks[-1].location
            last = len(self.blocks) - 1
            self.pictures.append(Picture(image=image, caption=caption, location=place, block=last))

    def take(self, other: Parsed, under: str, level: int = 1) -> None:
        """Append a document found inside this one (an attachment, a member) as its own section."""
        self.heading(under, level)
        before = len(self.blocks)
        for block in other.blocks:
            moved: dict[str, object] = {}
            if block.kind == "heading":
                moved["level"] = block.level + level
            if block.table is not None:
                moved["table"] = block.table + len(self.tables)
            self.blocks.append(block.model_copy(update=moved))
        self.tables.extend(other.tables)
        for picture in other.pictures[: _MOST_PICTURES - len(self.pictures)]:
            at = len(other.blocks) - 1 if picture.block is None else picture.block
            self.pictures.append(picture.model_copy(update={"block": before + at}))
        self.skipped.extend(f"{under}: {sentence}" for sentence in other.skipped)

    def parsed(self) -> Parsed:
        """Return the document. Raises EmptyFile where it has neither text nor a word on what was left out.

        Raises DamagedFile where it is so damaged that nothing is left of it.
        """
        if self._lost and not self.blocks:
            raise DamagedFile(f"{self.name} is damaged, and nothing in it can be read. {self._lost[0]}")
        if not self.blocks and not self.skipped:
            raise EmptyFile(f"{self.name} holds no text.")
        large = {id(block): size for block, size in self._large}
        self.blocks = [*with_large_headings(self.blocks, large)]
        return Parsed(
            title=clean(self.title.strip()) or self._first_heading() or PurePath(self.name).stem or self.name,
            media_type=self.media_type,
            blocks=tuple(with_typed_items([*with_bold_headings(self.blocks, self._bold)])),
            tables=tuple(self.tables),
            language=language_of(" ".join(block.text[:300] for block in self.blocks[:200])),
            pages=self.pages,
            date=self.date,
            metadata={key: clean(value) for key, value in self._metadata().items() if value},
            skipped=tuple(dict.fromkeys(map(clean, self.skipped))),
            pictures=tuple(self.pictures),
        )

    def _metadata(self) -> dict[str, str]:
        margins = [margin.model_dump() for margin in self.margins]
        return {**self.metadata, MARGINS: json.dumps(margins, ensure_ascii=False) if margins else ""}

    def _lone_heading(self) -> Block | None:
        """Return the one heading above all others, where short lines only stand before it: an imprint."""
        highest = [at for at, block in enumerate(self.blocks) if block.kind == "heading" and block.level == 1]
        if (
            len(highest) != 1
            or highest[0] >= _MAX_BLOCKS_ABOVE_TITLE
            or self.blocks[highest[0]].location.page
        ):
            return None
        before = self.blocks[: highest[0]]
        short = all(block.kind == "paragraph" and len(block.text) < LONGEST_TITLE for block in before)
        return self.blocks[highest[0]] if short else None

    def _first_heading(self) -> str:
        """Return the heading the file begins with, unless it is that of a part ("1 Scope", "5.1 Yield")
        or a paragraph's worth of text."""
        first = next((block for block in self.blocks[:5] if block.kind == "heading"), self._lone_heading())
        if first is None or first.level > 2 or len(first.text) > LONGEST_TITLE:
            return ""
        if _COUNTED.fullmatch(first.text) or _LETTERED.match(first.text):
            return ""
        part = _PART.match(first.text)
        following = f"{int(part[1]) + 1}" if part else ""
        others = [block.text for block in self.blocks if block.kind == "heading"]
        numbered = part and (part[2] or any(_number(text) == following for text in others))
        return "" if numbered else _NOTE_MARKS.sub("", first.text)


def _number(heading: str) -> str:
    found = _PART.match(heading)
    return found[1] if found else ""


def tidied(text: str, *, keep_lines: bool = False) -> str:
    """Return the text without control characters and without needless white space."""
    text = clean(text.replace("\x0b", "\n").replace("\x0c", "\n"))
    if keep_lines:
        return text.strip("\n").rstrip()
    return _LINES.sub("\n\n", "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n"))).strip()
