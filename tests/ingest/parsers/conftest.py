"""Small files made on the spot, and a way to read them as ingestion does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain import Parsed
from core.ingest.limits import Limits
from core.ingest.parsers import read

Reads = Callable[..., Parsed]


@pytest.fixture
def reads(tmp_path: Path) -> Reads:
    """Write text or bytes under a name and read it back as a document."""

    def put(name: str, content: str | bytes, **limits: float) -> Parsed:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read(path, name, Limits(**limits))

    return put


def texts(parsed: Parsed, kind: str) -> list[str]:
    """Return the texts of all blocks of a kind."""
    return [block.text for block in parsed.blocks if block.kind == kind]
