"""Words become runs: what stands next to each other on one line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from core.ingest.parsers.pdf.glyphs import is_hangul
from core.ingest.parsers.pdf.page import Area, PageLink, PageWord

CJK = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]")
_MAX_PIECE_GAP_SIZES = 0.6  # sizes, of the smaller one, between two pieces of a line
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


@dataclass
class WordRun:
    """Words next to each other on one line, in reading order; `column` is set by `ordered`."""

    words: list[PageWord]
    column: int = 0
    table: int | None = None  # index of the table this run stands for
    picture: bool = False  # stands for what is written in a picture
    listing: bool = False  # stands for lines that are kept as typed
    links: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.x0 = min(word.x0 for word in self.words)
        self.y0 = min(word.y0 for word in self.words)
        self.x1 = max(word.x1 for word in self.words)
        self.y1 = max(word.y1 for word in self.words)
        longest = max(self.words, key=lambda word: len(word.text))
        self.size = longest.size
        letters = sum(len(word.text) for word in self.words)
        self.typed = all(word.typed for word in self.words)
        self.bold = sum(len(word.text) for word in self.words if word.bold) > 0.8 * letters

    @cached_property
    def text(self) -> str:
        return joined(self.words)

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


def joined(words: Sequence[PageWord]) -> str:
    """Return the words with spaces where the script or the gap asks for one."""
    parts = [words[0].text] if words else []
    for before, after in pairwise(words):
        tight = CJK.match(before.text[-1]) and CJK.match(after.text[0]) and after.x0 - before.x1 < before.size
        parts.append(after.text if tight or is_whole(before, after.text) else f" {after.text}")
    return "".join(parts)


def is_whole(before: PageWord, after: str) -> bool:
    """Say whether what stands on the next line is the rest of a word."""
    return before.cut and is_hangul(ord(after[:1] or " "))


def runs_of(words: Sequence[PageWord]) -> list[WordRun]:
    """Group upright words that stand on one line with ordinary gaps, in the order they were written."""
    runs: list[list[PageWord]] = []
    for word in words:
        if not word.upright:
            continue
        if runs and _continues(runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return _merged([WordRun(run) for run in runs])


def _continues(before: PageWord, after: PageWord) -> bool:
    if not _level(before.y0, before.y1, after.y0, after.y1):
        return False
    size = max(before.size, after.size)
    if _RTL.search(before.text) or _RTL.search(after.text):
        return before.x0 - after.x1 < 1.1 * size and after.x0 - before.x1 < 1.1 * size
    return -0.5 * size < after.x0 - before.x1 < _gap(before, after, 1.1)


def _gap(before: PageWord, after: PageWord, usual: float) -> float:
    """Return how far apart what stands on one line continues, `usual` in sizes.

    A picture is read in pieces of a line, parted where words are far apart: two of them are columns sooner.
    """
    if " " in before.text or " " in after.text:
        return _MAX_PIECE_GAP_SIZES * min(before.size, after.size)
    return usual * max(before.size, after.size)


def _level(a0: float, a1: float, b0: float, b1: float) -> bool:
    """Say whether two spans of height overlap enough to be one line."""
    return min(a1, b1) - max(a0, b0) > 0.4 * min(a1 - a0, b1 - b0)


def _merged(runs: list[WordRun]) -> list[WordRun]:
    """Join runs that touch on one line although other text was written between them."""
    runs = sorted(runs, key=lambda run: (round(run.middle / 3), run.x0))
    out: list[WordRun] = []
    for run in runs:
        last = next((r for r in reversed(out[-6:]) if _touch(r, run)), None)
        if last is None:
            out.append(run)
        else:
            out[out.index(last)] = WordRun(last.words + run.words)
    return out


def _touch(before: WordRun, after: WordRun) -> bool:
    size = max(before.size, after.size)
    most = _gap(before.words[-1], after.words[0], 0.9)
    return _level(before.y0, before.y1, after.y0, after.y1) and -0.3 * size < after.x0 - before.x1 < most


def linked(runs: Sequence[WordRun], links: Sequence[PageLink]) -> None:
    """Give each run the targets of the links that lie over it."""
    for link in links:
        area = Area(link.x0 - 1, link.y0 - 1, link.x1 + 1, link.y1 + 1)
        for run in runs:
            if any(area.contains(word) for word in run.words):
                run.links.append(link.target)
                break
