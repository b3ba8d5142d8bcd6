"""Plain text and logs: paragraphs with their lines, headings where a line can be nothing else."""

import re
from dataclasses import dataclass
from pathlib import Path

from core.domain import Location, Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.source import text_of

_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,3}){0,4})\.?\s+([^\W\d_].{0,80})$")
_CHAPTER = re.compile(r"^(第[一二三四五六七八九十百零〇\d]{1,5}[章节編编部篇])\s*(.{0,40})$")
_NAMED = re.compile(
    r"^(chapter|part|appendix|section|article)\s+([\dIVXLC]+|[A-Z])\b[.:]?\s*(.{0,60})$", re.I
)
_ITEM = re.compile(r"^\s*([-*•·–▪◦]|\(?[a-z\d]{1,3}[.)、])\s+\S")
_UNDERLINE = re.compile(r"^(=|-|~|\*|#)\1{2,}$")
_LOG_LINE = re.compile(
    r"^\[?\(?\d{4}[-/.]\d{2}[-/.]\d{2}|^\[?\d{2}:\d{2}:\d{2}|^<\d+>|^[A-Z][a-z]{2} [ \d]\d \d\d:"
)
_LOG_LINES = 12  # lines of a log that make one block


@dataclass(frozen=True)
class TextParser:
    """Reads .txt and .log in any encoding."""

    media_types: tuple[str, ...] = ("text/plain", "text/x-log")

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        lines = text_of(path, draft).split("\n")
        if media_type == "text/x-log" or _is_log(lines):
            read_log(draft, lines)
        else:
            read_prose(draft, lines)
        return draft.parsed()


def _is_log(lines: list[str]) -> bool:
    filled = [line for line in lines[:200] if line.strip()]
    return len(filled) >= 5 and sum(bool(_LOG_LINE.match(line)) for line in filled) > 0.7 * len(filled)


def read_log(draft: Draft, lines: list[str]) -> None:
    """Keep every line as it is, a dozen to a block."""
    for start in range(0, len(lines), _LOG_LINES):
        part = lines[start : start + _LOG_LINES]
        place = Location(lines=(start, start + len(part) - 1))
        draft.add("paragraph", "\n".join(line.rstrip() for line in part), place)


def read_prose(draft: Draft, lines: list[str]) -> None:
    """Blank lines part paragraphs; numbered, underlined and chapter lines are headings."""
    start = 0
    while start < len(lines):
        if not lines[start].strip():
            start += 1
            continue
        end = start
        while end < len(lines) and lines[end].strip():
            end += 1
        _block(draft, lines, start, end)
        start = end


def _block(draft: Draft, lines: list[str], start: int, end: int) -> None:
    """Add the run of filled lines [start, end): an underlined title, a heading, items or a paragraph."""
    if (
        end - start >= 2
        and _UNDERLINE.match(lines[start + 1].strip())
        and not _UNDERLINE.match(lines[start].strip())
    ):
        mark = lines[start + 1].strip()[0]
        draft.heading(lines[start], 1 if mark in "=#*" else 2, Location(lines=(start, start)))
        start += 2
    elif level := heading_level(lines[start].strip(), alone=end - start == 1):
        draft.heading(lines[start], level, Location(lines=(start, start)))
        start += 1
    first = start
    for index in range(start, end + 1):
        if index == end or (
            index > first and (_ITEM.match(lines[index]) or _UNDERLINE.match(lines[index].strip()))
        ):
            _lines(draft, lines, first, index)
            first = index


def _lines(draft: Draft, lines: list[str], start: int, end: int) -> None:
    if start >= end:
        return
    text = "\n".join(lines[start:end])
    if _UNDERLINE.match(text.strip()):
        return
    kind = "list_item" if _ITEM.match(lines[start]) else "paragraph"
    draft.add("list_item" if kind == "list_item" else "paragraph", text, Location(lines=(start, end - 1)))


def heading_level(line: str, *, alone: bool) -> int:
    """Return the depth of a heading by its words and numbering, 0 for a line that is none."""
    if match := _CHAPTER.match(line):
        return 2 if match[1][-1] in "节" else 1
    if _NAMED.match(line) and len(line) < 80 and not line.endswith((".", ",", ";")):
        return 1
    if alone and len(line) <= 90 and not line.endswith((".", ",", ";", ":", "。", "，", "；")):
        if match := _NUMBERED.match(line):
            return match[1].count(".") + 1
        letters = [char for char in line if char.isalpha()]
        if len(letters) >= 4 and line.isupper() and all(char < "\u0250" for char in letters):
            return 1
    return 0
