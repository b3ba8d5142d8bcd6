"""Pieces of blocks: measured once in tokens, split only where they are too long, packed into chunks."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from core.domain import Block, Box, Location
from core.text.sentences import sentence_spans

CountMany = Callable[[Sequence[str]], list[int]]

_LETTERS_A_TOKEN = 10  # a tokenizer may call a word of any length one unknown token
_SLICE_CHARACTERS = 200  # characters of a word that is longer than a chunk
_LINES = re.compile(r"[^\n]*(?:\n+|$)")
_CLAUSES = re.compile(r"[^,;:，；：、]*(?:[,;:，；：、]+|$)")
_WORDS = re.compile(r"(?:\S+\s*){1,16}")
_CLAUSE_NUMBER = re.compile(
    r"\s*(?:\d{1,3}(?:\.\d{1,3})+\.?\s|\d{1,3}[.)、]\s?|第.{1,9}[条步节款]|[（(]\d+[)）])"
)


@dataclass(frozen=True)
class Meter:
    """Counts tokens without the special ones, never less than the length of the text allows."""

    count_many: CountMany
    special: int

    def costs(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text, at least one for every ten letters."""
        if not texts:
            return []
        counts = self.count_many(texts)
        return [
            max(count - self.special, -(-len(text) // _LETTERS_A_TOKEN))
            for count, text in zip(counts, texts, strict=True)
        ]


class Piece(NamedTuple):
    """Characters [start, end) of a block."""

    block: Block
    start: int
    end: int
    cost: int  # tokens


class PieceUnit(NamedTuple):
    """Pieces that stay together."""

    pieces: tuple[Piece, ...]
    cost: int


def _by(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text) if match.end() > match.start()]


def _slices(text: str) -> list[tuple[int, int]]:
    width = min(_SLICE_CHARACTERS, max(1, len(text) // 2))
    return [(at, min(at + width, len(text))) for at in range(0, len(text), width)]


_PROSE: tuple[Callable[[str], list[tuple[int, int]]], ...] = (
    sentence_spans,
    lambda text: _by(_LINES, text),
    lambda text: _by(_CLAUSES, text),
    lambda text: _by(_WORDS, text),
)
_CODE = (_PROSE[1], _PROSE[3])


def split(block: Block, cost: int, limit: int, meter: Meter) -> list[Piece]:
    """Cut a block into pieces of at most `limit` tokens: by sentences, else lines, clauses, words, letters.

    Every character that is not white space is kept. Each level counts the text at most once, so the
    work grows with the length of the block.
    """
    pieces = [Piece(block, 0, len(block.text), cost)]
    for spans in _CODE if block.kind == "code" else _PROSE:
        pieces = _finer(pieces, limit, meter, spans)
    while any(piece.cost > limit and piece.end - piece.start > 1 for piece in pieces):
        pieces = _finer(pieces, limit, meter, _slices)
    return pieces


def _finer(
    pieces: list[Piece], limit: int, meter: Meter, spans: Callable[[str], list[tuple[int, int]]]
) -> list[Piece]:
    """Replace every piece over the limit by the spans of its text."""
    result: list[Piece | list[tuple[int, int]]] = []
    texts: list[str] = []
    block = pieces[0].block
    for piece in pieces:
        if piece.cost <= limit:
            result.append(piece)
            continue
        text = block.text[piece.start : piece.end]
        found = [(piece.start + start, piece.start + end) for start, end in spans(text)]
        result.append(found)
        texts.extend(block.text[start:end] for start, end in found)
    costs = iter(meter.costs(texts))
    finer: list[Piece] = []
    for each in result:
        if isinstance(each, Piece):
            finer.append(each)
        else:
            finer.extend(Piece(block, start, end, next(costs)) for start, end in each)
    return finer


def units(blocks: Sequence[tuple[Block, int]], limit: int, meter: Meter) -> Iterator[PieceUnit]:
    """Group blocks (with their costs) into what must not be cut.

    A clause or step keeps the paragraphs under its number, a line that ends with a colon keeps what
    it announces, as long as the whole fits the limit; a block over the limit comes in pieces.
    """
    for group in _groups(blocks):
        cost = sum(each for _, each in group)
        if cost <= limit:
            yield PieceUnit(tuple(Piece(block, 0, len(block.text), own) for block, own in group), cost)
            continue
        for block, own in group:
            for piece in (
                [Piece(block, 0, len(block.text), own)] if own <= limit else split(block, own, limit, meter)
            ):
                yield PieceUnit((piece,), piece.cost)


def _groups(blocks: Sequence[tuple[Block, int]]) -> Iterator[list[tuple[Block, int]]]:
    group: list[tuple[Block, int]] = []
    clause = announced = False
    for block, cost in blocks:
        numbered = block.kind != "code" and _CLAUSE_NUMBER.match(block.text) is not None
        under = clause and not numbered and block.kind != "list_item"
        if group and not announced and not under:
            yield group
            group = []
        clause = numbered or under
        announced = block.text.rstrip().endswith((":", "：")) and len(block.text) < 300
        group.append((block, cost))
    if group:
        yield group


def pack(found: Iterable[PieceUnit], target: int, limit: int) -> list[list[Piece]]:
    """Join units in order to runs of about `target` tokens, never over `limit`.

    What fits the limit as a whole stays whole; otherwise the runs are made about equally long, so that
    no scrap is left at the end.
    """
    ready = list(found)
    total = sum(unit.cost for unit in ready)
    goal = float(limit) if total <= limit else total / max(2, round(total / min(target, limit)))
    runs: list[list[Piece]] = []
    run: list[Piece] = []
    cost = 0
    for unit in ready:
        if run and (cost + unit.cost > limit or cost + unit.cost / 2 > goal):
            runs.append(run)
            run, cost = [], 0
        run.extend(unit.pieces)
        cost += unit.cost
    if run:
        runs.append(run)
    return runs


def text_of(run: Sequence[Piece]) -> str:
    """Return the text of pieces in order; neighbours from one block keep what stood between them."""
    parts: list[str] = []
    before: Block | None = None
    for _, group in groupby(run, key=lambda piece: id(piece.block)):
        pieces = list(group)
        block = pieces[0].block
        if before is not None:
            close = block.kind == before.kind and block.kind in ("list_item", "code")
            parts.append("\n" if close else "\n\n")
        parts.append(block.text[pieces[0].start : pieces[-1].end].strip("\n"))
        before = block
    return "".join(parts).strip()


def place_of(run: Sequence[Piece]) -> Location:
    """Return where the pieces stand: first page, a box per page and column, rows, lines and seconds."""
    places = [_narrowed(piece) for piece in run]
    if len(places) == 1 and len(places[0].boxes) < 2:
        return places[0]
    rows = [place.rows for place in places if place.rows is not None]
    lines = [place.lines for place in places if place.lines is not None]
    seconds = [place.seconds for place in places if place.seconds is not None]
    return Location(
        page=next((place.page for place in places if place.page is not None), None),
        boxes=_joined([box for place in places for box in place.boxes]),
        sheet=next((place.sheet for place in places if place.sheet), None),
        rows=(min(r[0] for r in rows), max(r[1] for r in rows)) if rows else None,
        lines=(min(r[0] for r in lines), max(r[1] for r in lines)) if lines else None,
        seconds=(min(s[0] for s in seconds), max(s[1] for s in seconds)) if seconds else None,
    )


def _narrowed(piece: Piece) -> Location:
    """Return the block's place, its lines narrowed to those of the piece where these are known."""
    place = piece.block.location
    text = piece.block.text
    if piece.end - piece.start >= len(text) or place.lines is None:
        return place
    ends = _line_ends(text)
    if len(ends) != place.lines[1] - place.lines[0]:
        return place
    end = piece.start + len(text[piece.start : piece.end].rstrip("\n"))
    first = place.lines[0] + bisect_left(ends, piece.start)
    return place.model_copy(update={"lines": (first, place.lines[0] + bisect_left(ends, end))})


@lru_cache(maxsize=4)  # a block's pieces come one after the other
def _line_ends(text: str) -> tuple[int, ...]:
    """Return where the lines of a text end."""
    return tuple(found.start() for found in re.finditer("\n", text))


def _joined(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Unite boxes of a page that are in one column (their widths overlap by half)."""
    joined: list[Box] = []
    for box in boxes:
        for at, other in enumerate(joined):
            shared = min(box.x1, other.x1) - max(box.x0, other.x0)
            if box.page == other.page and shared > 0.5 * min(box.x1 - box.x0, other.x1 - other.x0):
                joined[at] = Box(
                    page=box.page,
                    x0=min(box.x0, other.x0),
                    y0=min(box.y0, other.y0),
                    x1=max(box.x1, other.x1),
                    y1=max(box.y1, other.y1),
                )
                break
        else:
            joined.append(box)
    return tuple(joined)
