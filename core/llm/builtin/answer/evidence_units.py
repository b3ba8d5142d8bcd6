"""What may be quoted: the sentences, fields and rows of the evidence, each with what stands around it."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.domain import Cell, Evidence
from core.llm.builtin.answer.word_matching import Word, keys_of, words_of
from core.text.identifiers import file_words
from core.text.sentences import sentence_spans

WINDOW_CHARACTERS = 300  # characters of sentences that are quoted two by two as well
MAX_LABEL_CHARACTERS = 120  # characters of a line that announces what follows
MAX_UNIT_CHARACTERS = 400  # characters of what is quoted as one sentence
_FORMS = {  # how a reader calls what an answer is in, by its kind: "in the murders table"
    "row": "table sheet list file spreadsheet database data dataset record figure number 表 表格 数据",
    "figure": "picture image figure screenshot diagram chart 图 图片",
    "sentence": "document file text page 文件 文档",
}
_ITEM_OR_ROW = re.compile(r"\s*(?:[-*•·▪‣–—]\s|\d{1,3}[.)、]\s?|[a-zA-Z][.)]\s|#{1,6}\s|\|)")
_HAS_CONTENT = re.compile(r"(?:[^\W_][\W_]*){3}")  # three letters or figures
_LABEL = re.compile(r"^(?P<label>[^:：\n]{2,60})[:：]\s+(?P<value>\S.*)$")


@dataclass(frozen=True)
class Unit:
    """A piece that can be quoted: characters [start, end) of the evidence, or row `row` of its table."""

    evidence: Evidence
    kind: Literal["sentence", "row"]
    text: str
    start: int
    end: int
    near: str = ""  # the sentences beside it
    row: int = -1

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Return the words it says itself; of a row, with its columns' names."""
        return words_of(self.text)

    @cached_property
    def heading_words(self) -> tuple[Word, ...]:
        """Return the words of its headings and, of a row, the table's name."""
        return words_of(" ".join(self.evidence.heading))

    @cached_property
    def word_keys(self) -> frozenset[str]:
        """Return the keys of the words it says itself."""
        return keys_of(self.text)

    @cached_property
    def neighbour_keys(self) -> frozenset[str]:
        """Return the keys of the words right before and after it."""
        return keys_of(self.near)

    @cached_property
    def heading_keys(self) -> frozenset[str]:
        """Return the keys of the words of its headings."""
        return keys_of(" ".join(self.evidence.heading))

    @property
    def titles(self) -> str:
        """Return its headings and what its document, its file and its table are called."""
        return " ".join(
            (*self.evidence.heading, self.evidence.source, self.evidence.name, self.evidence.table)
        )

    @cached_property
    def title_keys(self) -> frozenset[str]:
        """Return the keys of what its document, its file and its table are called."""
        piece = self.evidence
        return keys_of(f"{file_words(piece.source)} {file_words(piece.name)} {piece.table}")

    @cached_property
    def passage_keys(self) -> frozenset[str]:
        """Return the keys of the words of its document's title and name, and of the rest of its passage."""
        return keys_of(self._passage_text)

    @cached_property
    def passage_words(self) -> tuple[Word, ...]:
        """Return the words of its document's title and name, and of the rest of its passage."""
        return words_of(self._passage_text)

    @property
    def _passage_text(self) -> str:
        piece = self.evidence
        form = _FORMS.get(piece.kind if piece.kind in _FORMS else self.kind, "")
        return f"{file_words(piece.source)} {file_words(piece.name)} {piece.date}\n{piece.text}\n{form}"

    @property
    def labelled(self) -> str:
        """Return its text with the heading and the column names it stands under."""
        return " ".join((self.text, *self.evidence.heading[-1:], *(name for name, _ in self.cells)))

    @cached_property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """Return (column, value) of a row, without its empty cells."""
        if self.kind != "row":
            return ()
        cells = zip(self.evidence.columns, map(shown, self.evidence.rows[self.row]), strict=False)
        return tuple((column.label(), value) for column, value in cells if value)


def units(evidence: Sequence[Evidence]) -> list[Unit]:
    """Return every piece of the evidence that can be quoted, in order."""
    found = (unit for piece in evidence for unit in (_rows(piece) if piece.rows else _sentences(piece)))
    return [unit for unit in found if _HAS_CONTENT.search(unit.text)]


def shown(cell: Cell) -> str:
    """Return a cell as a reader writes it."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else f"{cell:.10g}"
    return " ".join(str(cell).split())


def _rows(piece: Evidence) -> Iterator[Unit]:
    named = [column.label() for column in piece.columns]
    has_long_cell = False
    for at, row in enumerate(piece.rows):
        cells = [(name, value) for name, value in zip(named, map(shown, row), strict=False) if value]
        has_long_cell = has_long_cell or any(len(value) > MAX_UNIT_CHARACTERS for _, value in cells)
        if cells:
            yield Unit(piece, "row", _row_text(cells), 0, 0, row=at)
    if has_long_cell:  # a report in a cell of its own is quoted by its sentences
        yield from _sentences(piece)


def _row_text(cells: Sequence[tuple[str, str]]) -> str:
    """Return a row as text, "column: value; ..."; a cell that ends in a colon labels the next."""
    labelled = any(value.endswith((":", "：")) for _, value in cells)
    parts: list[str] = []
    for name, value in cells:
        if parts and parts[-1].endswith((":", "：")):
            parts[-1] += f" {value}"
        else:
            parts.append(f"{name}: {value}" if is_named(name) and not labelled else value)
    return "; ".join(parts)


def is_named(name: str) -> bool:
    """Say whether a column has a name of its own, not one that only counts."""
    return not re.fullmatch(r"(?:column|unnamed|col|spalte|列)?[\s_:]*\d*", name.strip().lower())


def _sentences(piece: Evidence) -> Iterator[Unit]:
    spans = _joined(piece.text, sentence_spans(piece.text))
    for at, (start, end) in enumerate(spans):
        before = piece.text[spans[at - 1][0] : start] if at else ""
        after = piece.text[end : spans[at + 1][1]] if at + 1 < len(spans) else ""
        yield Unit(piece, "sentence", piece.text[start:end], start, end, near=f"{before}\n{after}")
        other = closed(piece.text[start:end]) and _ITEM_OR_ROW.match(after)  # the next item of a list
        if after and not other and end - start < WINDOW_CHARACTERS and len(after) < WINDOW_CHARACTERS:
            last = spans[at + 1][1]
            behind = piece.text[last : spans[at + 2][1]] if at + 2 < len(spans) else ""
            yield Unit(piece, "sentence", piece.text[start:last], start, last, near=f"{before}\n{behind}")
        last = _announced(piece.text, spans[at:])
        if last > end:
            yield Unit(piece, "sentence", piece.text[start:last], start, last, near=before)


def _announced(text: str, spans: Sequence[tuple[int, int]]) -> int:
    """Return where that ends which the first of these lines announces, as "Return policy" does.

    It goes to the next empty line behind a line that says something, two lines at least.
    """
    start, end = spans[0]
    line = text[start:end].strip()
    if (
        len(line) > MAX_LABEL_CHARACTERS
        or (closed(line) and not line.endswith(")"))
        or not any(c.isalpha() for c in line)
    ):
        return end
    lines = 0
    for first, last in spans[1:]:
        if last - start > MAX_UNIT_CHARACTERS or (lines and "\n\n" in text[end:first]):
            break
        lines += any(sign.isalnum() for sign in text[first:last])
        end = last
    return end if lines > 1 else spans[0][1]


def _joined(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what is no sentence of its own: lines that wrap, a label with its value below."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined:
            first, last = joined[-1]
            gap = text[last:start]
            label = text[first:last].rstrip().endswith((":", "：")) and end - first < MAX_UNIT_CHARACTERS
            wraps = (
                gap.count("\n") == 1
                and not closed(text[first:last])
                and _wraps(text[first:last], text[start:end])
            )
            if (label or wraps) and end - first <= MAX_UNIT_CHARACTERS:
                joined[-1] = (first, end)
                continue
        joined.append((start, end))
    return joined


def closed(line: str) -> bool:
    """Say whether a line ends as a sentence does."""
    return line.rstrip().endswith((".", "!", "?", "。", "！", "？", ";", "；"))


def _wraps(line: str, following: str) -> bool:
    """Say whether a line end only wraps: the line is long and what follows is no item, label or row."""
    last = line.rsplit("\n", 1)[-1]
    return (
        len(last) > 60
        and _ITEM_OR_ROW.match(following) is None
        and _LABEL.match(following.split("\n")[0]) is None
    )
