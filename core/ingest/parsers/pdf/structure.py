"""From lines to blocks: headings, items, captions, notes; paragraphs joined, hyphens undone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.domain import BlockKind, Location
from core.ingest.parsers.pdf.headings import NUMBERED, SECTION, Outline, is_caption
from core.ingest.parsers.pdf.hyphens import HANGUL, KnownWords
from core.ingest.parsers.pdf.layout import CJK
from core.ingest.parsers.pdf.lines import PageLine
from core.ingest.parsers.pdf.page import Page
from core.text.person_names import is_names

_ITEM = re.compile(
    r"^\s*([•·▪◦●○■□☐☒☑➢✓–*-]|\(?(\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\.\d{1,2}|\[\d{1,3}\])\s+\S"
)
_NOTE = re.compile(r"^(\d{1,2}\)?|[*∗†‡§¶]|[a-z])\s?([A-Z“\"(\u0400-\uffef]|http)")
_COUNTED = re.compile(r"^(\d{1,3})\)?\s")
END = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "”", '."', ")")
_COLON = (":", "：")
_LONGEST_HEADING = 140  # characters on three lines or more
_RUNNING_LINES_SHARE = 0.65  # of the lines of running text end where the column does
_FULL_LINE_SIZES = 1.1  # sizes: no further syllable had room
_CODE, _LONG_CODE = 4, 90  # lines of code at least, and characters of one at most
_CONTENTS = re.compile(r"(\S.*?)\s*(?:[.·…]\s?){4,}\s*(\d{1,4}|[ivxlc]{1,6})$")
OPEN_END = re.compile(r"\b(?:and|or|of|the|for|in|to|with|on|by|und|der|die|et|de|la)$", re.I)
LOWER = re.compile(r"^[a-zà-ÿ(,]")


@dataclass
class PageBlock:
    """Lines that make one block."""

    kind: BlockKind
    lines: list[PageLine] = field(default_factory=list)
    level: int = 0


def pieces_of(lines: Sequence[PageLine], outline: Outline, page: Page) -> list[PageBlock]:
    """Group the lines of a page to headings, items, captions, notes, tables and paragraphs."""
    pieces: list[PageBlock] = []
    spacing = _spacing(lines)
    lines = [_entry(line) for line in lines]
    for index, line in enumerate(lines):
        before = lines[index - 1] if index else None
        after = lines[index + 1] if index + 1 < len(lines) else None
        level = outline.level(line, before, after)
        if level > 1 and page.number == 0 and is_names(line.text) and _is_title(pieces):
            level = 0
        last = pieces[-1] if pieces else None
        if (
            level
            and last is not None
            and before is not None
            and _is_mid_sentence(line, last, before, spacing)
        ):
            level = 0
        if last is not None and before is not None and _is_rest_of_heading(line, last, before):
            last.lines.append(line)
            continue
        kind = _kind(line, level, outline, page)
        if kind == "list_item" and last is not None and _is_next_note(line, last):
            kind = "footnote"
        new = PageBlock(kind, [line], level)
        if last is not None and before is not None and _continues(last, new, before, spacing):
            last.lines.append(line)
        else:
            pieces.append(new)
    for piece in pieces:
        if piece.kind == "heading" and _is_text(piece):
            piece.kind, piece.level = "paragraph", 0
    return pieces


def _entry(line: PageLine) -> PageLine:
    """Return an entry of a list of contents without the dots that lead to its page."""
    entry = _CONTENTS.match(line.text) if line.table is None and not line.listing else None
    return replace(line, text=f"{entry[1]} {entry[2]}", entry=True) if entry else line


def _is_title(pieces: Sequence[PageBlock]) -> bool:
    """Say whether a document has begun with its title and nothing else but names."""
    return any(piece.kind == "heading" for piece in pieces) and all(
        piece.kind == "heading" or is_names(" ".join(line.text for line in piece.lines)) for piece in pieces
    )


def _is_mid_sentence(line: PageLine, last: PageBlock, before: PageLine, spacing: float) -> bool:
    """Say whether a line in larger type continues the text right above it."""
    close = (line.y0 - before.y1) / max(1.0, line.size) <= spacing + 0.45
    return (
        last.kind in ("paragraph", "caption", "list_item")
        and before.column == line.column
        and close
        and not before.text.rstrip().endswith(END)
        and bool(LOWER.match(line.text))
    )


def _is_rest_of_heading(line: PageLine, last: PageBlock, before: PageLine) -> bool:
    """Say whether a line continues, centred, a heading above it that is numbered or ends in mid-phrase."""
    text = before.text.strip()
    unfinished = NUMBERED.match(text) or SECTION.match(text) or OPEN_END.search(text)
    return (
        bool(unfinished)
        and (last.kind, len(last.lines)) == ("heading", 1)
        and (line.page, line.column, line.table) == (before.page, before.column, None)
        and not text.endswith(END)
        and not NUMBERED.match(line.text)
        and line.y0 - before.y1 < 0.5 * line.size
        and min(line.x0 - before.x0, before.x1 - line.x1) > 0.8 * line.size
        and abs(before.x0 + before.x1 - line.x0 - line.x1) / 2 < 0.6 * line.size
    )


def _is_text(piece: PageBlock) -> bool:
    """Say whether lines as large as a heading are too many for one: an abstract in a box."""
    return (
        len(piece.lines) > 2
        and not piece.lines[0].label
        and sum(len(line.text) for line in piece.lines) > _LONGEST_HEADING
    )


def _kind(line: PageLine, level: int, outline: Outline, page: Page) -> BlockKind:
    if line.table is not None:
        return "table"
    if line.picture:
        return "figure"
    if line.listing:
        return "code"
    if level:
        return "heading"
    if is_caption(line):
        return "caption"
    low = line.y0 > 0.6 * page.height and line.size < outline.small
    if low and _NOTE.match(line.text) and "  " not in line.text:
        return "footnote"
    return "list_item" if line.entry or _ITEM.match(line.text) else "paragraph"


def _is_next_note(line: PageLine, last: PageBlock) -> bool:
    """Say whether a line has the number after that of the note above it, in the same type."""
    mark, above = _COUNTED.match(line.text), _COUNTED.match(last.lines[0].text)
    if last.kind != "footnote" or mark is None or above is None:
        return False
    alike = last.lines[0].column == line.column and abs(last.lines[0].size - line.size) < 0.3
    return alike and int(mark[1]) == int(above[1]) + 1


def _spacing(lines: Sequence[PageLine]) -> float:
    """Return the usual distance between two lines of a column, in sizes."""
    gaps = sorted(
        (b.y0 - a.y1) / max(1.0, a.size)
        for a, b in pairwise(lines)
        if a.column == b.column and 0 <= b.y0 - a.y1 < 2 * a.size
    )
    return gaps[len(gaps) // 3] if gaps else 0.3


def _continues(last: PageBlock, new: PageBlock, before: PageLine, spacing: float) -> bool:
    """Say whether a line, as its own piece, belongs to the piece before it."""
    line, kind, level = new.lines[0], new.kind, new.level
    if (
        kind in ("table", "figure", "code")
        or last.kind in ("table", "figure", "code")
        or before.column != line.column
        or before.page != line.page
    ):
        return False
    gap = (line.y0 - before.y1) / max(1.0, line.size)
    if last.kind == "heading" or kind == "heading":
        aligned = min(abs(before.x0 - line.x0), abs(before.x0 + before.x1 - line.x0 - line.x1) / 2)
        same = last.kind == kind and last.level == level and abs(before.size - line.size) < 0.3
        close = min(0.9, max(0.6, spacing + 0.45))  # sizes; further apart stand two headings
        begins = before.text.endswith(_COLON) if line.label else NUMBERED.match(line.text)
        return same and aligned < 2 * line.size and gap < close and len(last.lines) < 4 and not begins
    if kind in ("list_item", "caption", "footnote") or gap > max(spacing + 0.45, 0.5) or gap < -1.5:
        return False
    if abs(before.size - line.size) > 0.25 * line.size:
        return False
    if last.kind == "list_item" and not before.wrapped(line):
        return False
    if last.kind == "paragraph":
        if line.bold and not before.bold and not before.wrapped(line):
            return False
        width = max(each.x1 for each in last.lines) - min(each.x0 for each in last.lines)
        short = before.x1 < max(each.x1 for each in [*last.lines, line]) - 0.25 * max(width, 1.0)
        indented = line.x0 > min(each.x0 for each in last.lines) + 0.9 * line.size and len(last.lines) > 1
        if (short or indented) and before.text.rstrip().endswith(END):
            return False
        if "  " in line.text or "  " in before.text:  # cells next to each other: keep lines apart
            return False
    return True


def is_code(lines: Sequence[PageLine]) -> bool:
    """Say whether lines stand as they were typed: they end early, go in and out, and begin small."""
    if len(lines) < _CODE or any(len(line.text) > _LONG_CODE for line in lines):
        return False
    free = sum(not before.wrapped(line) for before, line in pairwise(lines))
    small = sum(LOWER.match(line.text.strip()) is not None for line in lines)
    return (
        free >= 0.8 * (len(lines) - 1)
        and small >= 0.5 * len(lines)
        and len(set(_indents(lines))) > 1
        and not any(line.text.rstrip().endswith((".", ",")) for line in lines)
    )


def typed_text(lines: Sequence[PageLine]) -> str:
    """Return the lines as they were typed, each as far in as it stands."""
    return "\n".join(
        " " * indent + line.text.strip() for indent, line in zip(_indents(lines), lines, strict=True)
    )


def _indents(lines: Sequence[PageLine]) -> list[int]:
    """Return how many letters each line stands further in than the leftmost."""
    left = min(line.x0 for line in lines)
    return [round((line.x0 - left) / max(1.0, 0.6 * line.size)) for line in lines]


def joined_text(lines: Sequence[PageLine], vocabulary: KnownWords) -> str:
    """Return the lines as one paragraph, hyphenation undone where the whole word is the likelier one."""
    text = lines[0].text.strip()
    breaks = [before.wrapped(line) for before, line in pairwise(lines)]
    running = sum(breaks) >= _RUNNING_LINES_SHARE * len(breaks)
    for before, wrapped, line in zip(lines, breaks, lines[1:], strict=False):
        after = line.text.strip()
        if before.cut and HANGUL.match(after) and _is_full(before, lines):
            text += after
        elif (wrapped and running) or LOWER.match(after) or text.endswith("-"):
            text = glue(text, after, vocabulary)
        else:
            text = f"{text}\n{after}"  # a line that ends early was meant to: an address, a list of facts
    return text


def _is_full(line: PageLine, lines: Sequence[PageLine]) -> bool:
    """Say whether no further syllable had room on a line of a paragraph."""
    beside = [each for each in lines if (each.page, each.column) == (line.page, line.column)]
    room = max(each.x1 for each in beside) - line.x1 if len(beside) > 1 else line.room
    return room < _FULL_LINE_SIZES * line.size


def glue(text: str, after: str, vocabulary: KnownWords) -> str:
    """Append a line to a text."""
    if text.endswith("-") and len(text) > 1 and text[-2].isalpha() and after[:1].islower():
        head = re.split(r"[\s(“\"]", text[:-1])[-1].lower()
        tail = re.split(r"[^\w-]", after.lower(), maxsplit=1)[0]
        return (text if vocabulary.keeps_hyphen(head, tail) else text[:-1]) + after
    if text.endswith("-") and text[-2:-1].isalnum() and after[:1].isalnum():
        return text + after
    if CJK.match(text[-1:]) and CJK.match(after[:1]):
        return text + after
    if vocabulary.is_cut(text, after):
        return text + after
    return f"{text} {after}"


def place_of(lines: Sequence[PageLine], pages: Sequence[Page]) -> Location:
    """Return page and boxes of the lines, one box for each column and page they are in."""
    groups: dict[tuple[int, int], list[PageLine]] = {}
    for line in lines:
        groups.setdefault((line.page, line.column), []).append(line)
    boxes = []
    for (number, _), group in groups.items():
        whole = PageLine(
            "",
            number,
            min(g.x0 for g in group),
            min(g.y0 for g in group),
            max(g.x1 for g in group),
            max(g.y1 for g in group),
            0,
            False,
            0,
        )
        boxes.append(whole.box(pages[number].width, pages[number].height))
    return Location(page=lines[0].page, boxes=tuple(boxes))
