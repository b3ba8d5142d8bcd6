"""Which lines of a PDF are headings: by size, weight, number and bookmarks."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from core.ingest.parsers.pdf.lines import PageLine
from core.ingest.parsers.pdf.page import Page
from core.ingest.parsers.text import heading_level

NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){1,3}|[IVX]{1,5})[.)]?\s+[^\W\d_]")
_CAPTION = re.compile(
    r"^[\[<〈【(]?(fig(ure|\.)?|table|tab\.|chart|[图圖表図]|표|그림)"
    r"(\s*\.?\s*\d|[\s.]+(?-i:[A-Z])(?![a-z]))[\d.\-]*\s*[\]>〉】)]?[:.：|—–-]?\s",
    re.I,
)
SECTION = re.compile(r"^§\s?\d+(\.\d+)*\.?\s+[^\W\d_]")
_MAX_HEADING_CHARACTERS = 160  # characters of a line that heads
_RUNNING_LINE_CHARACTERS = 60  # characters of a line of running text
_SENTENCE = 5  # words of a line that is no label
_HEADING_SIZE_RATIO = 1.12  # times the body's size: a heading
_SCANNED_SIZE_RATIO = 1.4  # where sizes are those of boxes around the words
_SMALLER, _SCANNED_SMALLER = 0.92, 0.75  # a note


class Outline:
    """What the document's own fonts and bookmarks say about its headings."""

    def __init__(
        self,
        pages: Sequence[Page],
        bookmarks: dict[tuple[int, str], int],
        lines: Sequence[Sequence[PageLine]] = (),
        *,
        pictured: bool = False,
    ) -> None:
        sizes: Counter[float] = Counter()
        for page in pages:  # of all words, those in tables too: they show what is ordinary
            for word in page.words:
                if word.upright:
                    sizes[word.size] += len(word.text)
        self.body = sizes.most_common(1)[0][0] if sizes else 10.0
        self.bookmarks = bookmarks
        self.running = _running(line for each in lines for line in each)
        self.scanned = _is_scanned(pages)
        self.wordless = (pictured or self.scanned) and not any(
            len(line.text.split()) >= _SENTENCE for each in lines for line in each
        )  # a picture with labels: nothing they could head
        self.step = step = _SCANNED_SIZE_RATIO if self.scanned else _HEADING_SIZE_RATIO
        self.small = self.body * (_SCANNED_SMALLER if self.scanned else _SMALLER)
        larger = {size for size, letters in sizes.items() if size > step * self.body and letters >= 3}
        self.sizes = _steps(sorted(larger, reverse=True))
        bold = sum(len(word.text) for page in pages for word in page.words if word.bold)
        self.bolds = bold > 0.5 * max(1, sizes.total())

    def level(self, line: PageLine, before: PageLine | None, after: PageLine | None) -> int:
        """Return the heading depth of a line, 0 for one that is none."""
        text = line.text.strip()
        if line.entry:
            return 0
        if marked := self.bookmarks.get((line.page, folded(text))):
            return marked
        if (
            not 2 <= len(text) <= _MAX_HEADING_CHARACTERS
            or line.table is not None
            or not any(char.isalpha() for char in text)
        ):
            return 0
        if (
            line.column < 0
            or line.picture
            or line.drawn
            or self.wordless
            or is_caption(line)
            or "  " in text
            or text.startswith(("•", "-", "–"))
        ):
            return 0
        if line.label and not self.bolds:
            return len(self.sizes) + line.label
        numbered = NUMBERED.match(text)
        if line.size > self.step * self.body and (line.bold or line.size not in self.running):
            depth = next(
                (i + 1 for i, size in enumerate(self.sizes) if line.size >= size - 0.3), len(self.sizes)
            )
            return max(depth, numbered[1].count(".") + 1) if numbered else depth
        return self._by_weight(line, before, after, numbered) if line.size >= 0.9 * self.body else 0

    def _by_weight(
        self, line: PageLine, before: PageLine | None, after: PageLine | None, numbered: re.Match[str] | None
    ) -> int:
        """A line as large as the body is a heading if bold or in capitals, short, and standing apart."""
        text = line.text.strip()
        ends = text.endswith((".", ",", ";", "。", "，")) and not numbered
        apart = before is None or before.column != line.column or line.y0 - before.y1 > 0.35 * line.size
        base = len(self.sizes)
        emphatic = line.bold and not self.bolds
        if apart and len(text) <= 110 and SECTION.match(text):
            return base + 1
        if ends or len(text) > 110 or not apart:
            return 0
        if emphatic and not (after is not None and after.bold and after.size == line.size and len(text) > 90):
            return base + (numbered[1].count(".") + 1 if numbered else 1)
        plain = heading_level(
            text, alone=apart and after is not None and after.y0 - line.y1 > 0.3 * line.size
        )
        return base + plain if plain and (text.isupper() or text.startswith("第")) and len(text) < 80 else 0


def _is_scanned(pages: Sequence[Page]) -> bool:
    """Say whether most of the text was read from pictures: in pieces of lines, not in words."""
    letters: Counter[bool] = Counter()
    for page in pages:
        for word in page.words:
            letters[" " in word.text] += len(word.text)
    return letters[True] > letters[False]


def _running(lines: Iterable[PageLine]) -> set[float]:
    """Return the sizes running text is set in: what was filled into a form may be larger than the form."""
    every: Counter[float] = Counter()
    long: Counter[float] = Counter()
    often: Counter[float] = Counter()
    for line in lines:
        if line.table is None and not line.bold:
            every[line.size] += len(line.text)
            if len(line.text) >= _RUNNING_LINE_CHARACTERS:
                long[line.size] += len(line.text)
                often[line.size] += 1
    return {size for size, letters in every.items() if often[size] >= 4 and long[size] > 0.5 * letters}


def _steps(sizes: Sequence[float]) -> list[float]:
    """Sizes closer than 6 % are one step; at most four are kept."""
    steps: list[float] = []
    for size in sizes:
        if not steps or size < 0.94 * steps[-1]:
            steps.append(size)
    return steps[:4]


def folded(text: str) -> str:
    """Return the letters and digits of a title, so that spacing does not matter."""
    return "".join(char for char in text.lower() if char.isalnum())


def is_caption(line: PageLine) -> bool:
    """Say whether a line begins as the caption of a figure or a table does."""
    return bool(_CAPTION.match(line.text))
