"""The Chroma server, the Dask worker and the scheduler die while files come in: nothing is lost, it is said,
and the work continues when they are back."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.knowledge.stores.records import Job
from tests.ingest.ingestion_parts import inventory
from tests.work.services import Services, opened

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

FILES = ("DR-2025-041-defect-report.pdf", "meeting-notes-2025-03-18.md", "yield-2021-2025.xlsx")


def wait_until(assistant: Assistant, holds: Callable[[list[Job]], bool], seconds: float = 240) -> list[Job]:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        jobs = assistant.library.jobs()
        if holds(jobs):
            return jobs
        time.sleep(0.05)
    raise AssertionError([(job.name, job.status, job.stage, job.reason) for job in assistant.library.jobs()])


@pytest.mark.parametrize("which", ["chroma", "worker", "scheduler"])
def test_a_service_that_dies_holds_the_files_up_and_loses_none(
    which: str, services: Services, tmp_path: Path, fab: Path
) -> None:
    files = [fab / name for name in FILES]
    with opened(tmp_path / "alone") as alone:
        alone.library.wait(alone.library.ingest(files), timeout=200)
        expected = inventory(alone.library.knowledge)
    with opened(tmp_path / "served", services) as assistant:
        ids = assistant.library.ingest(files)
        stage = "chunk" if which == "chroma" else "parse"
        wait_until(assistant, lambda jobs: any(job.stage == stage for job in jobs))
        services.named(which).kill()
        waiting = wait_until(assistant, lambda jobs: any(job.reason.startswith("Waits: ") for job in jobs))
        assert [job.reason for job in waiting if job.status == "failed"] == []
        if which == "chroma":
            assert any("Chroma server" in job.reason for job in waiting)
        services.revive(which)
        jobs = assistant.library.wait(ids, timeout=300)
        assert {(job.outcome, job.status) for job in jobs} == {("read", "done")}, jobs
        assert not any("Waits" in job.reason for job in jobs)
        assert inventory(assistant.library.knowledge) == expected
        for document in assistant.library.contents.documents():
            assistant.library.delete_permanently(document.id)
