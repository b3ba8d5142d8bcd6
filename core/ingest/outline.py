"""Builds the tree of sections from headings, and assigns each block to its heading."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePath

from core.domain import Block, Document, Location, Section, identify

_SPACE = re.compile(r"\s+")
_CHAPTER = re.compile(r"[一二三四五六七八九十]{1,3}、[^\s。；，、：:][^。；：:]{0,28}")
_LEAST_CHAPTERS = 2
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass
class OutlinePart:
    """A section while it is being filled: its blocks in reading order."""

    section: Section
    blocks: list[Block] = field(default_factory=list)
    children: int = 0


def _plain(text: str) -> str:
    return _NOT_WORD.sub(" ", text).strip().casefold()


def _with_chapters(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Make headings of the lines "一、...", "二、..." of a document that has no other headings."""
    heads = [block.text.split("\n", 1)[0].strip() for block in blocks]
    found = [
        block.kind == "paragraph" and _CHAPTER.fullmatch(head)
        for block, head in zip(blocks, heads, strict=True)
    ]
    if sum(map(bool, found)) < _LEAST_CHAPTERS or any(block.kind == "heading" for block in blocks):
        return blocks
    parted: list[Block] = []
    for block, head, chapter in zip(blocks, heads, found, strict=True):
        rest = block.text.split("\n", 1)[1:] if chapter else [block.text]
        if chapter:
            parted.append(Block(kind="heading", text=head, level=1, location=block.location))
        parted += [block.model_copy(update={"text": text}) for text in rest if text.strip()]
    return tuple(parted)


def outline(document: Document, blocks: tuple[Block, ...]) -> list[OutlinePart]:
    """Return the sections in reading order, each with the blocks under its heading.

    A document whose title is neither its file name nor its first heading stands above all its
    headings; text before the first heading, or without any, goes to a section named by the title.
    Headings without text are passed over, a level may be skipped.
    """
    original, blocks = blocks, _with_chapters(blocks)
    maker = _Maker(document)
    first = next((b for b in blocks if b.kind == "heading" and b.text.strip()), None)
    stem = PurePath(document.name).stem
    title = _plain(document.title)
    own_title = title not in ("", _plain(stem), _plain(document.name))
    if first is None or blocks is not original or (own_title and _plain(first.text) != title):
        maker.root()
    for block in blocks:
        if block.kind != "heading":
            (maker.parts[-1] if maker.parts else maker.root()).blocks.append(block)
        elif text := _SPACE.sub(" ", block.text).strip():
            maker.open(text, max(block.level, 1), block.location)
    return maker.parts


class _Maker:
    """Keeps the stack of open sections."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._open: list[OutlinePart] = []
        self._seen: Counter[tuple[str, ...]] = Counter()
        self.parts: list[OutlinePart] = []

    def root(self) -> OutlinePart:
        title = _SPACE.sub(" ", self._document.title or self._document.name).strip()
        return self.open(title, 0, Location())

    def open(self, heading: str, level: int, location: Location) -> OutlinePart:
        while self._open and self._open[-1].section.level >= level:
            self._open.pop()
        above = self._open[-1] if self._open else None
        path = (*(above.section.path if above else ()), heading)
        self._seen[path] += 1
        section = Section(
            id=identify(self._document.id, "section", *path, str(self._seen[path])),
            document_id=self._document.id,
            parent_id=above.section.id if above else None,
            path=path,
            level=level,
            order=len(self.parts),
            location=location,
        )
        part = OutlinePart(section)
        if above:
            above.children += 1
        self._open.append(part)
        self.parts.append(part)
        return part
