"""The file a parser reads, as text."""

from pathlib import Path

from core.errors import DamagedFile
from core.ingest.decoding import decode


def text_of(path: Path, name: str) -> str:
    """Return the whole file as text with line ends as "\\n". Raises DamagedFile where it is not text."""
    text = decode(path.read_bytes())
    if text is None:
        raise DamagedFile(f"{name} holds bytes that are not text in any encoding.")
    return text
