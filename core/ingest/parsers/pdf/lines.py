"""The lines of a document in reading order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.domain import Box
from core.ingest.parsers.pdf.layout import CJK, WordRun, joined
from core.ingest.parsers.pdf.page import Area, Page

_MARKED = re.compile(r"^([•·▪●–-]|\(?[\dA-Za-z]{1,3}[.)]|\.\d{1,2}|\d{1,2}(?:\.\d{1,2})*\.?)  ")
_CONTEXT_LINES = 6  # lines above and below
_EARLY_END_SIZES = 1.0  # sizes a line may end early, as justified and hyphenated ones do


@dataclass
class PageLine:
    """One line of one column. `table` is the index of the table the line stands for."""

    text: str
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    column: int
    links: tuple[str, ...] = ()
    table: int | None = None
    picture: bool = False  # what is written in a picture
    listing: bool = False  # lines kept as typed
    room: float = 0.0  # points from its end to where the lines around it end
    largest: float = 0.0  # size of its largest part
    lead: str = ""  # the bold words it begins with, where others follow
    lead_ends: float = 0.0
    drawn: bool = False  # written on a drawing: a label of its axes or boxes, no heading
    entry: bool = False  # of a list of contents
    cut: bool = False  # it ends within a word
    label: int = 0  # depth of a label that heads what stands below it

    def wrapped(self, after: "PageLine") -> bool:
        """Say whether the line had to end here: the first word of the line after it would not have fitted."""
        text = after.text.strip()
        first = text[:1] if CJK.match(text) else text.split(" ", 1)[0]
        letter = (self.x1 - self.x0) / max(1, len(self.text))
        return self.room < letter * (len(first) + 1) + _EARLY_END_SIZES * self.size

    def box(self, width: float, height: float) -> Box:
        """Return the line's place as fractions of the page."""
        x0, x1 = (min(1.0, max(0.0, round(x / width, 4))) for x in (self.x0, self.x1))
        y0, y1 = (min(1.0, max(0.0, round(y / height, 4))) for y in (self.y0, self.y1))
        return Box(page=self.page, x0=x0, y0=y0, x1=x1, y1=y1)


def box_of(area: Area, page: Page) -> Box:
    """Return an area of a page as fractions of it."""
    return PageLine("", page.number, *area, 0, False, 0).box(page.width, page.height)


def lines_of(page: Page, runs: Sequence[WordRun]) -> list[PageLine]:
    """Join the runs of one column that stand on one line; two spaces mark the wide gap between them."""
    groups: list[list[WordRun]] = []
    for run in runs:
        last = groups[-1][-1] if groups else None
        same = last is not None and last.column == run.column and not (_alone(last) or _alone(run))
        if same and last is not None and abs(last.middle - run.middle) < 0.45 * max(last.size, run.size):
            groups[-1].append(run)
        else:
            groups.append([run])
    lines = [_line(page.number, sorted(group, key=lambda run: run.x0)) for group in groups]
    for at, line in enumerate(lines):
        around = lines[max(0, at - _CONTEXT_LINES) : at + _CONTEXT_LINES + 1]
        line.room = max(other.x1 for other in around if other.column == line.column) - line.x1
    return lines


def _alone(run: WordRun) -> bool:
    return run.table is not None or run.picture or run.listing


def _line(page: int, runs: Sequence[WordRun]) -> PageLine:
    text = _MARKED.sub(r"\1 ", "  ".join(run.text for run in runs))
    lead, lead_ends = _lead(runs)
    lead = _MARKED.sub(r"\1 ", lead)
    return PageLine(
        text=text,
        page=page,
        x0=min(run.x0 for run in runs),
        y0=min(run.y0 for run in runs),
        x1=max(run.x1 for run in runs),
        y1=max(run.y1 for run in runs),
        size=max(runs, key=lambda run: len(run.text)).size,
        bold=all(run.bold for run in runs),
        column=runs[0].column,
        links=tuple(dict.fromkeys(link for run in runs for link in run.links)),
        table=runs[0].table,
        picture=runs[0].picture,
        listing=runs[0].listing,
        largest=max(run.size for run in runs),
        lead=lead if text.startswith(lead) else "",
        lead_ends=lead_ends,
        cut=runs[-1].words[-1].cut,
    )


def _lead(runs: Sequence[WordRun]) -> tuple[str, float]:
    """Return the bold words a line begins with and where they end; nothing where all or none are bold."""
    texts: list[str] = []
    ends = 0.0
    for run in runs:
        bold = list(takewhile(lambda word: word.bold, run.words))
        if bold:
            texts.append(joined(bold))
            ends = bold[-1].x1
        if len(bold) < len(run.words):
            return "  ".join(texts), ends
    return "", 0.0
