"""Paragraphs that continue in the next column or on the next page, past the notes and figures between."""

from collections.abc import Iterator, Sequence

from core.ingest.parsers.pdf.structure import END, LOWER, OPEN_END, PageBlock
from core.text.tokens import IS_CJK

_APART = ("footnote", "table", "figure", "caption")  # may stand between the two parts of a paragraph
_MOST_APART = 12  # blocks between them
_MIN_CHARACTERS = 20  # of the last line of the first part; half as many where signs are as wide as high
_SAME_SIZE_POINTS = 0.6


def stitched(pieces: Sequence[PageBlock]) -> Iterator[PageBlock]:
    """Join a paragraph to the rest of it in the next column or on the next page.

    What stands sideways, and notes, tables and figures at the foot of the one or the head of the other,
    follow the whole paragraph; where nothing continues it they stay where they are.
    """
    open_block: PageBlock | None = None
    aside: list[PageBlock] = []
    for piece in _with_whole_notes(pieces):
        if open_block is not None and _continues(open_block, piece):
            open_block.lines.extend(piece.lines)
            continue
        if open_block is not None and len(aside) < _MOST_APART and _is_apart(piece, open_block, aside):
            aside.append(piece)
            continue
        if open_block is not None:
            yield open_block
        yield from aside
        open_block, aside = piece, []
    if open_block is not None:
        yield open_block
    yield from aside


def _with_whole_notes(pieces: Sequence[PageBlock]) -> list[PageBlock]:
    """Return the pieces; the rest of a note at the foot of the next column continues the note."""
    merged: list[PageBlock] = []
    note: PageBlock | None = None
    for piece in pieces:
        if note is not None and _continues_note(note, piece):
            note.lines.extend(piece.lines)
            continue
        if piece.kind == "footnote":
            note = piece
        merged.append(piece)
    return merged


def _continues_note(note: PageBlock, piece: PageBlock) -> bool:
    before, after = note.lines[-1], piece.lines[0]
    return (
        piece.kind == "paragraph"
        and _is_open(note)
        and before.page == after.page
        and 0 <= before.column < after.column
        and after.y0 > note.lines[0].y0 - 2 * note.lines[0].size
        and abs(before.size - after.size) < _SAME_SIZE_POINTS / 2
    )


def _is_apart(piece: PageBlock, block: PageBlock, aside: Sequence[PageBlock]) -> bool:
    """Say whether a block may stand between a paragraph and the rest of it: all of a note, for one."""
    if piece.lines[0].column < 0:
        return True
    if block.kind not in ("paragraph", "list_item") or not _is_open(block):
        return False
    if piece.kind in _APART:
        return True
    last = aside[-1] if aside else None
    of_note = last is not None and (last.kind == "footnote" or last.kind == piece.kind == "paragraph")
    return (
        last is not None
        and of_note
        and piece.kind == "paragraph"
        and piece.lines[0].page == last.lines[-1].page
        and abs(piece.lines[0].size - last.lines[-1].size) < _SAME_SIZE_POINTS / 2
    )


def _is_open(block: PageBlock) -> bool:
    return not block.lines[-1].text.rstrip().endswith(END)


def _continues(block: PageBlock, piece: PageBlock) -> bool:
    if block.kind not in ("paragraph", "list_item") or piece.kind != "paragraph":
        return False
    before, after = block.lines[-1], piece.lines[0]
    if (before.column, before.page) == (after.column, after.page) or after.column < 0 or not _is_open(block):
        return False
    line_text, text = before.text.rstrip(), after.text
    unparted = "  " not in before.text and "  " not in text
    same = abs(before.size - after.size) < _SAME_SIZE_POINTS and unparted
    wide = IS_CJK.match(line_text[-1:]) is not None
    begins = LOWER.match(text) is not None or _needs_more(line_text) or (wide and _is_full(block))
    return same and len(line_text) > (_MIN_CHARACTERS // 2 if wide else _MIN_CHARACTERS) and begins


def _needs_more(line_text: str) -> bool:
    """Say whether a line ends in mid-phrase, so that a name or a number may continue it."""
    return line_text.endswith((",", "，", "、")) or OPEN_END.search(line_text) is not None


def _is_full(block: PageBlock) -> bool:
    """Say whether the last line is as long as those above it; in text without lower case this decides."""
    last = block.lines[-1]
    return len(block.lines) > 1 and last.x1 > max(line.x1 for line in block.lines) - 1.5 * last.size
