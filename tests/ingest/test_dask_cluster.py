"""Parsing and distillation on a real Dask cluster: the same library as alone, plain words when it is away."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from core.bootstrap import build
from core.errors import ClusterError, ParseError
from core.ingest.dask_cluster import Cluster
from core.ingest.limits import USUAL
from core.llm.builtin import BuiltinLLM
from core.settings import LLMSettings, ScaleSettings, Settings, StoreSettings
from tests.ingest.ingestion_parts import inventory

FILES = ("DR-2025-041-defect-report.pdf", "meeting-notes-2025-03-18.md", "spare-parts.html")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A cluster with one worker in this process, its scheduler reached over TCP."""
    with LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def library(folder: Path, files: list[Path], dask: str | None) -> tuple[dict[str, object], list[str]]:
    """Bring the files in; return what the library holds and what the doctor says."""
    settings = Settings(
        store=StoreSettings(path=folder), llm=LLMSettings(backend="built-in"), scale=ScaleSettings(dask=dask)
    )
    assistant = build(settings, warm=False)
    try:
        jobs = assistant.library.wait(assistant.library.ingest(files), timeout=60)
        assert {job.outcome for job in jobs} == {"read"}, jobs
        messages = [
            finding.message for finding in assistant.admin.health().findings if finding.severity == "ok"
        ]
        return inventory(assistant.library.knowledge), messages
    finally:
        assistant.close()


def test_a_library_made_on_a_cluster_is_the_same_as_one_made_alone(
    scheduler: str, tmp_path: Path, fab: Path
) -> None:
    files = [fab / name for name in FILES]
    alone, nothing = library(tmp_path / "alone", files, None)
    scaled, result = library(tmp_path / "scaled", files, scheduler)
    for what, value in alone.items():
        assert scaled[what] == value, what
    assert alone["atoms"] and alone["tables"]
    assert not any("Dask" in message for message in nothing)
    assert any(scheduler in message and "2 threads" in message for message in result)


def test_a_file_that_cannot_be_read_says_the_same_from_a_cluster(scheduler: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 broken")
    cluster = Cluster(scheduler, BuiltinLLM())
    with pytest.raises(ParseError) as caught:
        cluster.parse(broken, "broken.pdf", USUAL)
    assert "broken.pdf" in str(caught.value)
    assert caught.value.hint
    cluster.close()


def test_a_cluster_that_does_not_answer_is_told_with_what_to_do(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Note\nText.")
    cluster = Cluster("tcp://127.0.0.1:9", BuiltinLLM(), patience=0.5)
    with pytest.raises(ClusterError) as caught:
        cluster.parse(note, "note.md", USUAL)
    assert "127.0.0.1:9" in str(caught.value)
    assert "dask scheduler" in caught.value.hint
    assert caught.value.retryable


def test_nothing_of_dask_is_loaded_where_no_cluster_is_named() -> None:
    code = "import core.bootstrap, sys; sys.exit(any(m in sys.modules for m in ('dask', 'distributed')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
