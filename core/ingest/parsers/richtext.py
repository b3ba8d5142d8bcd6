"""RTF: its words, without the drawing instructions."""

from dataclasses import dataclass
from pathlib import Path

from core.domain import Parsed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.text import read_prose


@dataclass(frozen=True)
class RichTextParser:
    """Reads .rtf as paragraphs and rows of cells."""

    media_types: tuple[str, ...] = ("application/rtf",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        from striprtf.striprtf import rtf_to_text

        draft = Draft(name, media_type)
        text = rtf_to_text(path.read_bytes().decode("latin-1"), errors="replace")  # type: ignore[no-untyped-call]
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
        return draft.parsed()
