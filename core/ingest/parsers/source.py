"""The file a parser reads, as text."""

from pathlib import Path

from core.errors import DamagedFile
from core.ingest.decoding import damaged_lines, decode
from core.ingest.parsers.draft import Draft

_MOST_NAMED = 5  # damaged lines


def text_of(path: Path, draft: Draft) -> str:
    """Return the whole file as text with line ends as "\\n", and say where it is damaged.

    Raises DamagedFile where it is not text.
    """
    data = path.read_bytes()
    text = decode(data)
    if text is None:
        raise DamagedFile(f"{draft.name} holds bytes that are not text in any encoding.")
    report_damage(draft, data, text)
    return text


def report_damage(draft: Draft, data: bytes, text: str) -> None:
    """Say which lines of a decoded text are damaged."""
    if lines := damaged_lines(data, text):
        named = ", ".join(str(line + 1) for line in lines[:_MOST_NAMED])
        more = " and more" if len(lines) > _MOST_NAMED else ""
        draft.skipped.append(
            f"The text is damaged in line {named}{more}: bytes there are no text; the rest was read."
        )
