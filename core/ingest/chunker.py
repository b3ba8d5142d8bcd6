"""Chunks along the structure of a document, measured in tokens of the embedder."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core.domain import Block, Chunk, Document, Location, Parsed, Section, Table, TableData, identify
from core.ingest.captions import attach
from core.ingest.chunk_packing import CountMany, Meter, PieceUnit, pack, place_of, split, text_of, units
from core.ingest.outline import OutlinePart, outline
from core.ingest.table_chunks import TableWriter, card_of
from core.text.tokens import detect_language

ChunkKind = Literal["text", "table", "figure", "code", "media"]


class ChunkedDocument(NamedTuple):
    """The sections, chunks and tables that a parsed file is cut into."""

    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    tables: tuple[tuple[Table, TableData], ...]
    links: dict[str, tuple[str, ...]]  # chunk id -> addresses its blocks link to
    notes: tuple[str, ...]  # what is not searchable as text and why, one sentence each


class _Draft(NamedTuple):
    """A chunk before it has an id."""

    order: int  # of its first block
    text: str
    cost: int
    kind: ChunkKind
    location: Location
    table_id: str | None = None
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chunker:
    """Cuts a document into sections and chunks (PIKE-RAG 5.2.1, split along structure).

    `count` returns the tokens of a text with special ones included; `count_many`, where the embedder
    offers it, those of many texts at once. No chunk, its heading path included, is longer than the
    smaller of `window` and `maximum`. Raises ValueError for a maximum below 32.
    """

    count: Callable[[str], int]
    window: int
    target: int = 160
    maximum: int = 250
    count_many: CountMany | None = None

    def __post_init__(self) -> None:
        if min(self.window, self.maximum) < 32 or self.target < 1:
            raise ValueError("a chunk needs room for 32 tokens at least")

    def counting(self) -> CountMany:
        """Return what counts the tokens of many texts."""
        return self.count_many or (lambda texts: [self.count(text) for text in texts])

    def chunk(self, document: Document, parsed: Parsed) -> ChunkedDocument:
        """Return the sections, chunks and tables of the parsed file, in reading order."""
        work = _Work(self, document, parsed)
        for part in work.parts:
            work.take(part)
        return work.cut()


class _Work:
    """One document while it is cut."""

    def __init__(self, chunker: Chunker, document: Document, parsed: Parsed) -> None:
        count_many = chunker.counting()
        self._special = count_many([""])[0]
        self._meter = Meter(count_many, self._special)
        self._most = min(chunker.window, chunker.maximum)
        self._target = chunker.target
        self._document = document
        self._language = parsed.language
        blocks, tables = attach(parsed)
        self._tables = tuple((card_of(document, data, index), data) for index, data in enumerate(tables))
        self.parts = outline(document, blocks)
        texts = [block for part in self.parts for block in part.blocks if block.kind != "table"]
        costs = self._meter.costs([block.text for block in texts])
        self._costs = dict(zip(map(id, texts), costs, strict=True))
        headings = list(dict.fromkeys(heading for part in self.parts for heading in part.section.path))
        self._heading_costs = dict(zip(headings, self._meter.costs(headings), strict=True))
        self._chunks: list[Chunk] = []
        self._links: dict[str, tuple[str, ...]] = {}
        self._notes: list[str] = []
        self._seen: Counter[tuple[str, ...]] = Counter()

    def cut(self) -> ChunkedDocument:
        sections = tuple(part.section for part in self.parts)
        return ChunkedDocument(sections, tuple(self._chunks), self._tables, self._links, tuple(self._notes))

    def take(self, part: OutlinePart) -> None:
        """Cut one section. A heading with nothing under it is itself the text."""
        path, cost = self._path(part.section.path)
        drafts = self._drafts(part.blocks, self._most - self._special - cost)
        if not drafts and not part.children and part.section.level:
            path, cost = self._path(part.section.path[:-1])
            heading = part.section.path[-1]
            block = Block(kind="paragraph", text=heading, location=part.section.location)
            self._costs[id(block)] = self._heading_costs[heading]
            drafts = self._drafts([block], self._most - self._special - cost)
        for draft in sorted(drafts, key=lambda each: each.order):
            for fitting in self._fitting(draft, path, cost):
                self._add(fitting, part.section, path)

    def _drafts(self, blocks: list[Block], limit: int) -> list[_Draft]:
        drafts: list[_Draft] = []
        text: list[tuple[int, Block]] = []
        media: list[tuple[int, Block]] = []
        for order, block in enumerate(blocks):
            if block.kind in ("table", "figure") and _parts_text(blocks, order):
                drafts += self._runs(text, "text", limit)
                text = []
            if block.kind == "table" and block.table is not None:
                drafts += self._table(order, block, limit)
            elif block.kind == "figure":
                drafts += self._runs([(order, block)], "figure", limit)
            else:
                (media if block.kind == "media" else text).append((order, block))
        return drafts + self._runs(text, "text", limit) + self._runs(media, "media", limit)

    def _path(self, path: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
        """Return the heading path a chunk carries and its tokens: at most a third of the room."""
        room = self._most // 3
        headings: list[str] = []
        cost = 0
        for heading in reversed(path):
            own = self._heading_costs[heading] + (1 if headings else 0)
            if cost + own > room:
                if not headings:
                    block = Block(kind="paragraph", text=heading)
                    first = split(block, own, room - 1, self._meter)[0]
                    headings, cost = [heading[: first.end].rstrip() + "…"], first.cost + 1
                break
            headings.insert(0, heading)
            cost += own
        return tuple(headings), cost

    def _runs(self, found: list[tuple[int, Block]], kind: ChunkKind, limit: int) -> list[_Draft]:
        """Pack blocks of one kind."""
        orders = {id(block): order for order, block in found}
        measured = [(block, self._costs[id(block)]) for _, block in found if block.text.strip()]
        drafts = []
        for run in pack(units(measured, limit, self._meter), self._target, limit):
            blocks = list({id(piece.block): piece.block for piece in run}.values())
            only_code = kind == "text" and all(block.kind == "code" for block in blocks)
            drafts.append(
                _Draft(
                    order=orders[id(blocks[0])],
                    text=text_of(run),
                    cost=sum(piece.cost for piece in run),
                    kind="code" if only_code else kind,
                    location=place_of(run),
                    links=tuple(dict.fromkeys(link for block in blocks for link in block.links)),
                )
            )
        return drafts

    def _table(self, order: int, block: Block, limit: int) -> list[_Draft]:
        table, data = self._tables[block.table or 0]
        texts, shown_rows = TableWriter(self._meter, limit).write(table, data)
        if shown_rows < table.row_count:
            shown, rows = f"{shown_rows:,}", f"{table.row_count:,}"
            self._notes.append(
                f"{table.name}: rows 1 to {shown} of {rows} are searched as text, all of them can be queried."
            )
        return [
            _Draft(order, each.text, each.cost, "table", _placed(each.location, block), table.id, block.links)
            for each in texts
        ]

    def _fitting(
        self, draft: _Draft, path: tuple[str, ...], overhead: int, doubted: bool = False
    ) -> list[_Draft]:
        """Return the draft with its tokens; where the whole is longer than its parts' sum said, halved."""
        tokens = draft.cost + overhead + self._special
        if tokens + draft.text.count("\n") + len(path) <= self._most * 0.95 and not doubted:
            return [draft._replace(cost=tokens)]
        whole = "\n".join((" > ".join(path), draft.text)) if path else draft.text
        tokens = self._meter.count_many([whole])[0]
        if tokens <= self._most:
            return [draft._replace(cost=tokens)]
        half = max(1, draft.cost // 2)
        if half == draft.cost:
            return [draft._replace(cost=tokens)]
        block = Block(kind="paragraph", text=draft.text, location=draft.location)
        pieces = split(block, draft.cost, half, self._meter)
        runs = pack([PieceUnit((piece,), piece.cost) for piece in pieces], half, half)
        parts = [draft._replace(text=text_of(run), cost=sum(piece.cost for piece in run)) for run in runs]
        return [fitting for part in parts for fitting in self._fitting(part, path, overhead, True)]

    def _add(self, draft: _Draft, section: Section, path: tuple[str, ...]) -> None:
        key = (*path, draft.text)
        self._seen[key] += 1
        ascii_english = self._language == "en" and draft.text.isascii()
        chunk = Chunk(
            id=identify(self._document.id, *key, str(self._seen[key])),
            document_id=self._document.id,
            section_id=section.id,
            text=draft.text,
            heading_path=path,
            order=len(self._chunks),
            tokens=draft.cost,
            kind=draft.kind,
            location=draft.location,
            language="en" if ascii_english else detect_language(draft.text),
            table_id=draft.table_id,
        )
        self._chunks.append(chunk)
        if draft.links:
            self._links[chunk.id] = draft.links


def _parts_text(blocks: Sequence[Block], at: int) -> bool:
    """Say whether the text before a table or a figure and the text after it are chunks apart.

    Where a document flows, what stands between two paragraphs was put there. On a page with places it may
    stand anywhere, unless a paragraph beside it announces what follows.
    """
    if not blocks[at].location.boxes:
        return True
    beside = [block.text.rstrip() for block in blocks[max(0, at - 1) : at + 2 : 2]]
    return any(text.endswith((":", "：")) for text in beside)


def _placed(location: Location, block: Block) -> Location:
    """Fill in page and boxes from the block where the table itself does not know them."""
    if location.page is not None or block.location.page is None:
        return location
    return location.model_copy(update={"page": block.location.page, "boxes": block.location.boxes})
