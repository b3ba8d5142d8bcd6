"""The demo library, read once for every file here."""

from pathlib import Path

import pytest

from core.bootstrap import build
from core.settings import Settings, StoreSettings


@pytest.fixture(scope="session")
def demo_library(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Path:
    """The folder of a library with the demo documents, closed, to be copied."""
    folder = tmp_path_factory.mktemp("demo") / "library"
    built = build(Settings(store=StoreSettings(path=folder)), warm=False)
    jobs = built.library.queue.wait(built.library.ingest([fab]))
    assert all(job.outcome == "read" for job in jobs)
    built.close()
    return folder
