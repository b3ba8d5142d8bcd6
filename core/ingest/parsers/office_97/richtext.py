"""RTF: its words, without the drawing instructions."""

import re
from dataclasses import dataclass
from pathlib import Path

from core.domain import Parsed
from core.ingest.decoding import without_rubble
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.source import report_damage
from core.ingest.parsers.text import read_prose

_BODY = re.compile(r"\\(?:sectd|pard)(?![a-z])")  # where the text begins, after fonts, colours and styles


@dataclass(frozen=True)
class RichTextParser:
    """Reads .rtf as paragraphs and rows of cells."""

    media_types: tuple[str, ...] = ("application/rtf",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        draft = Draft(name, media_type)
        read_rtf(draft, path.read_bytes())
        return draft.parsed()


def read_rtf(draft: Draft, data: bytes) -> None:
    """Put the paragraphs and rows of an RTF text into the draft."""
    from striprtf.striprtf import rtf_to_text

    source = without_rubble(data.decode("latin-1"))
    report_damage(draft, data, source)
    text = rtf_to_text(source, errors="replace")  # type: ignore[no-untyped-call]
    if not text.strip() and (body := _BODY.search(source)):
        draft.skipped.append("Its list of fonts and styles is damaged; the text was read without it.")
        text = rtf_to_text("{\\rtf1 " + source[body.start() :], errors="replace")  # type: ignore[no-untyped-call]
    lines = text.replace("\r", "\n").split("\n")
    table: list[list[object]] = []
    prose: list[str] = []
    for line in [*lines, ""]:
        if line.count("|") >= 1 and line.rstrip().endswith("|"):
            table.append([cell.strip() for cell in line.rstrip().rstrip("|").split("|")])
            continue
        if table:
            read_prose(draft, prose)
            draft.rows(f"Table {len(draft.tables) + 1}", table)
            table, prose = [], []
        prose += [line, ""]
    read_prose(draft, prose)
