"""Bold labels of forms and reports: what they ask for stands below them, so they head it.

One label alone may be a word in bold. Where several lines of one size are bold, end with a colon and stand
over plain text, that is how the document heads its parts, and all that stand like them are headings: over two
or three lines, with a remark in brackets behind them, or with the text beginning on their own line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from core.ingest.parsers.pdf.lines import PageLine

_COLON = (":", "：")
_END = (".", "!", "?", ":", ";", ")", "。", "！", "？", "：", "；", "）")
_MAX_LABEL_LINES, _MAX_LABEL_CHARACTERS = 3, 300  # lines and characters of a label
_MIN_LABEL_LETTERS = 8  # letters
_MIN_LABELS = 2  # labels alike are the document's way
_MIN_TEXT_CHARACTERS = 40  # characters of a text that begins on the line of its label
_MIN_GAP_SIZES, _MAX_GAP_SIZES = 0.35, 0.9  # sizes between lines
_ENUMERATED = re.compile(r"^\(?(?:[A-Za-z]|\d{1,2}|[IVX]{1,5})[.)]\s")
_REMARK = re.compile(r"^[(（][^\W\d_]")


def styles_of(pages: Iterable[Sequence[PageLine]]) -> set[float]:
    """Return the sizes in which several labels of a document are set."""
    often: Counter[float] = Counter()
    for lines in pages:
        for at, line in enumerate(lines):
            group = _group(lines, at)
            if group and group[-1].text.rstrip().endswith(_COLON) and _over_text(lines, at + len(group)):
                often[line.size] += 1
    return {size for size, labels in often.items() if labels >= _MIN_LABELS}


def with_labels(pages: Iterable[Sequence[PageLine]], styles: set[float]) -> list[list[PageLine]]:
    """Return the lines of the pages with every label marked and separated from the text beside it."""
    marked: list[list[PageLine]] = []
    opener: PageLine | None = None
    for lines in pages:
        out: list[PageLine] = []
        at = 0
        while at < len(lines):
            label = _label(lines, at, styles)
            if not label:
                out.append(lines[at])
                at += 1
                continue
            opener = _opener(opener, label[0])
            out.extend(replace(line, label=2 if opener not in (None, label[0]) else 1) for line in label)
            at += len(label)
            if label[-1].text != lines[at - 1].text:
                out.append(_rest(lines[at - 1]))
        marked.append(out)
    return marked


def _opener(opener: PageLine | None, first: PageLine) -> PageLine | None:
    """Return the enumerated label that others stand further in below, None where they do no longer."""
    if _ENUMERATED.match(first.text):
        return first
    below = opener is not None and opener.column == first.column and first.x0 > opener.x0 + first.size
    return opener if below else None


def _label(lines: Sequence[PageLine], at: int, styles: set[float]) -> list[PageLine]:
    """Return the lines of the label that begins here, none where there is none."""
    first = lines[at]
    if first.size not in styles or not _starts_block(lines[at - 1] if at else None, first):
        return []
    group = _group(lines, at)
    end = at + len(group)
    if group and group[-1].text.rstrip().endswith(_COLON):
        return group if _over_text(lines, end) or len(group) < 2 else []
    last = lines[end] if end < len(lines) and (not group or _close(group[-1], lines[end])) else None
    if last is None or not last.lead or last.size != first.size or len(group) == _MAX_LABEL_LINES:
        return []
    if len(last.lead) < _MIN_LABEL_LETTERS and not group:
        return []
    remainder = last.text[len(last.lead) :].strip()
    after = lines[end + 1] if end + 1 < len(lines) else None
    runs_on = (
        len(remainder) >= _MIN_TEXT_CHARACTERS
        and after is not None
        and _close(last, after)
        and last.wrapped(after)
    )
    headed = last.lead.endswith(_COLON) and runs_on and remainder[0].isalpha()
    remark = _REMARK.match(remainder) and _closes(lines, end, remainder)
    return [*group, _lead(last)] if headed or remark else []


def _group(lines: Sequence[PageLine], at: int) -> list[PageLine]:
    """Return the bold lines from here on that make one label: close to each other, the last with a colon."""
    group: list[PageLine] = []
    for line in lines[at : at + _MAX_LABEL_LINES]:
        if not line.bold or line.lead or line.table is not None or line.picture or line.column < 0:
            break
        if group and not _close(group[-1], line):
            break
        group.append(line)
        if line.text.rstrip().endswith(_COLON):
            break
    short = sum(len(line.text) for line in group) <= _MAX_LABEL_CHARACTERS
    return group if short and not any("  " in line.text for line in group) else []


def _close(above: PageLine, line: PageLine) -> bool:
    near = abs(above.size - line.size) < 0.3 and line.y0 - above.y1 < _MAX_GAP_SIZES * line.size
    return near and above.column == line.column and abs(above.x0 - line.x0) < 3 * line.size


def _over_text(lines: Sequence[PageLine], at: int) -> bool:
    """Say whether what stands here is no label: labels over each other ask for nothing below them."""
    return at < len(lines) and not lines[at].bold and lines[at].table is None


def _starts_block(before: PageLine | None, line: PageLine) -> bool:
    """Say whether a line begins anew: parted by space, or under plain text that has come to its end."""
    if before is None or before.column != line.column or line.y0 - before.y1 > _MIN_GAP_SIZES * line.size:
        return True
    ended = before.text.rstrip().endswith(_END) or not before.wrapped(line)
    return not before.bold and not before.lead and ended


def _closes(lines: Sequence[PageLine], at: int, beginning: str) -> bool:
    """Say whether the bracket that begins with `beginning` ends where a line does."""
    texts = [
        beginning,
        *(line.text for line in takewhile(lambda line: not line.bold, lines[at + 1 : at + _MAX_LABEL_LINES])),
    ]
    for text in texts:
        close = max(text.find(")"), text.find("）"))
        if close >= 0:
            return len(text.rstrip(" .:：。")) <= close + 1
    return False


def _lead(line: PageLine) -> PageLine:
    """Return the bold beginning of a line."""
    return replace(line, text=line.lead, x1=line.lead_ends, bold=True, lead="")


def _rest(line: PageLine) -> PageLine:
    """Return what stands behind the bold beginning of a line."""
    remainder = line.text[len(line.lead) :].strip()
    return replace(line, text=remainder, x0=line.lead_ends, bold=False, lead="")
