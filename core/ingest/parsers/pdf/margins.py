"""Headers and footers: which lines stand at the margins of pages and are no part of the text."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Margin
from core.ingest.parsers.pdf.lines import PageLine
from core.ingest.parsers.pdf.page import Page

_MARGIN_SHARE = 0.1  # of the height, at the top and bottom
_SAME_TEXT_GAP_SIZES = 0.6  # sizes between the lines of one text
_NUMBER = re.compile(r"\d+")
_COUNT = re.compile(r"(?<=\s)(?:[ivxlc]{1,6}|\d+\s?(?:of|/|von|共)\s?\d+)$")
_PAGE_NUMBER = re.compile(
    r"^[-–—|\s]*(page|seite|p\.|第)?\s*([\divxlc]{1,5})\s*(页)?\s*((of|/|von|共)\s*\d+\s*页?)?[-–—|\s]*$",
    re.I,
)
_FEW_PAGES = 2
_EDGE_SHARE = 0.075  # of the height
_SMALL_PRINT_RATIO = 0.92  # of the text's size
_LONE_GAP_SIZES = 0.5  # sizes between a lone margin and the text
_CENTRED_SHARE = 0.02  # of the width, from the middle of the page
_NUMBER_GAP_SIZES = 0.8  # sizes between the number of a single page and its text
_HEADING_RATIO = 1.15  # of the text's size; running heads are set smaller
_MIN_TEXT_LINES = 4  # lines of a page that has a text
_FOOTNOTE = re.compile(r"^(?:\d{1,2}\)?|[*∗†‡§¶⁰¹²³⁴-⁹]|[a-z])\s?\w")


@dataclass(frozen=True)
class Margins:
    """What was taken off the pages' margins, page numbers apart, and the lines that are kept."""

    pages: list[list[PageLine]]
    left_out: list[Margin]


def without_margins(pages: Sequence[Page], lines: Sequence[list[PageLine]]) -> Margins:
    """Take off headers and footers: lines in the margins whose words, figures aside, come on most pages.

    A document of one or two pages cannot show what repeats: there it is what stands alone at the very edge of
    a page, in smaller type than the text.
    """
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    text_size = _text_size(lines)
    for page, each in zip(pages, lines, strict=True):
        for line in each:
            if _in_margin(line, page):
                seen[_key(line, text_size)].add(page.number)
    often = max(2, round(0.4 * len(pages)))
    repeating = {key for key, numbers in seen.items() if len(numbers) >= often and key[0]}
    lone = _lone(pages, lines) if len(pages) <= _FEW_PAGES else _counted(pages, lines)
    if len(pages) == 1:
        lone |= _numbered(pages[0], lines[0])
    left_out: dict[tuple[str, bool], dict[int, str]] = defaultdict(dict)
    body_lines: list[list[PageLine]] = []
    for page, each in zip(pages, lines, strict=True):
        stay: list[PageLine] = []
        outside = {
            id(line)
            for line in each
            if id(line) in lone
            or (
                _in_margin(line, page)
                and ((len(pages) > 1 and _PAGE_NUMBER.match(line.text)) or _key(line, text_size) in repeating)
            )
        }
        body = [line for line in each if id(line) not in outside]
        for line in each:
            if id(line) not in outside or _of_body(line, body):
                stay.append(line)
            elif not _PAGE_NUMBER.match(line.text):
                top = line.y0 < page.height / 2
                left_out[_key(line, text_size)[0], top][page.number] = line.text
        body_lines.append(stay)
    found = [
        Margin(text=next(iter(each.values())), lines=each, top=top) for (_, top), each in left_out.items()
    ]
    return Margins(body_lines, found)


def _counted(pages: Sequence[Page], lines: Sequence[list[PageLine]]) -> set[int]:
    """Return by id the first or last lines of pages that count the pages, wherever their margins begin."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for page, each in zip(pages, lines, strict=True):
        inwards = sorted((line for line in each if line.column >= 0), key=lambda line: line.y0)
        for line in {id(line): line for line in (*inwards[:1], *inwards[-1:])}.values():
            if _NUMBER.fullmatch(line.text.strip()) and line.table is None:
                found[int(line.text) - page.number, round(line.y0 / 6)].append(id(line))
    often = max(_FEW_PAGES + 1, round(0.4 * len(pages)))
    return {line for each in found.values() if len(each) >= often for line in each}


def _numbered(page: Page, lines: Sequence[PageLine]) -> set[int]:
    """Return by id the number of a single page: alone below its text, in the middle of the page."""
    inwards = sorted((line for line in lines if line.column >= 0), key=lambda line: -line.y1)
    if len(inwards) <= _MIN_TEXT_LINES:
        return set()
    last, above = inwards[:2]
    centred = abs((last.x0 + last.x1) / 2 - page.width / 2) < _CENTRED_SHARE * page.width
    apart = last.y0 - above.y1 >= _NUMBER_GAP_SIZES * last.size
    digits = _NUMBER.fullmatch(last.text.strip("-–— ")) is not None
    return {id(last)} if digits and centred and apart and _in_margin(last, page) else set()


def _lone(pages: Sequence[Page], lines: Sequence[list[PageLine]]) -> set[int]:
    """Return by id the lines that stand alone at an edge of their page, smaller than the text."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for word in page.words:
            if " " in word.text:
                return set()  # read from a picture: sizes tell little
            sizes[word.size] += len(word.text)
    most = _SMALL_PRINT_RATIO * sizes.most_common(1)[0][0] if sizes else 0.0
    return {
        id(line)
        for page, each in zip(pages, lines, strict=True)
        for upwards in (False, True)
        for line in _at_edge(
            page, [line for line in each if line.column >= 0 and not line.picture], most, upwards=upwards
        )
    }


def _at_edge(page: Page, lines: Sequence[PageLine], most: float, *, upwards: bool) -> list[PageLine]:
    """Return the lines from an edge of a page on that are small and stand apart from the text."""
    found: list[PageLine] = []
    inwards = sorted(lines, key=lambda line: -line.y1 if upwards else line.y0)
    for line in inwards:
        middle = (line.y0 + line.y1) / 2
        outside = (page.height - middle if upwards else middle) < _EDGE_SHARE * page.height
        noted = upwards and _FOOTNOTE.match(line.text) and "  " not in line.text
        if not outside or line.largest > most or line.table is not None or noted:
            break
        found.append(line)
    rest = inwards[len(found) :]
    if not found or len(rest) < _MIN_TEXT_LINES:
        return []
    gap = found[-1].y0 - rest[0].y1 if upwards else rest[0].y0 - found[-1].y1
    return found if gap >= _LONE_GAP_SIZES * found[-1].size else []


def _of_body(line: PageLine, body: Sequence[PageLine]) -> bool:
    """Say whether a line at the margin belongs to the text: something else stands beside or close by it."""
    for other in body:
        apart = max(line.y0, other.y0) - min(line.y1, other.y1)
        beside = line.x0 < other.x1 and other.x0 < line.x1
        alike = abs(line.size - other.size) < 0.1 * line.size
        if apart < -0.5 * line.size or (beside and alike and apart < _SAME_TEXT_GAP_SIZES * line.size):
            return True
    return False


def _in_margin(line: PageLine, page: Page) -> bool:
    middle = (line.y0 + line.y1) / 2
    return line.table is None and not _MARGIN_SHARE * page.height < middle < (1 - _MARGIN_SHARE) * page.height


def _key(line: PageLine, text_size: float) -> tuple[str, int]:
    """Return what a line says, figures aside, and where; in a heading, which is larger, they count."""
    wording = _COUNT.sub(
        "#", " ".join(line.text.lower().split())
    )  # front matter is counted "i, ii", the rest "1 / 9"
    is_heading = line.size >= _HEADING_RATIO * text_size
    return wording if is_heading else _NUMBER.sub("#", wording), round(line.y0 / 6)


def _text_size(lines: Sequence[Sequence[PageLine]]) -> float:
    """Return the size most of the text is set in."""
    sizes: Counter[float] = Counter()
    for each in lines:
        for line in each:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0
