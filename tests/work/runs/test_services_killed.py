"""The Chroma server, the Dask worker and the scheduler die while files come in: nothing is lost, it is said,
and the work goes on when they are back."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.knowledge.stores.records import Job
from core.settings import LLMSettings, ScaleSettings, Settings, StoreSettings
from tests.ingest.ingestion_parts import inventory

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

FILES = ("DR-2025-041-defect-report.pdf", "meeting-notes-2025-03-18.md", "yield-2021-2025.xlsx")


class Service:
    """A server process on 127.0.0.1 that can be killed and started again at the same port."""

    def __init__(self, log: Path, *arguments: str, port: int | None = None) -> None:
        self._log, self._arguments, self._port = log, arguments, port
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([sys.executable, *self._arguments], stdout=log, stderr=log)
        until = time.monotonic() + 120
        while self._port is not None:
            try:
                socket.create_connection(("127.0.0.1", self._port), 1).close()
                return
            except OSError:
                assert time.monotonic() < until, self._log.read_text()
                time.sleep(0.2)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Service | str]]:
    folder = tmp_path_factory.mktemp("services")
    chroma_port, dask_port = free_port(), free_port()
    address = f"tcp://127.0.0.1:{dask_port}"
    chroma = "import sys; from chromadb.cli.cli import app; sys.exit(app())"
    dask = (
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(dask_port),
        "--no-dashboard",
    )
    with ExitStack() as stack:
        found: dict[str, Service | str] = {
            "chroma": Service(
                folder / "chroma.log",
                "-c",
                chroma,
                "run",
                "--path",
                str(folder / "chroma"),
                "--host",
                "127.0.0.1",
                "--port",
                str(chroma_port),
                port=chroma_port,
            ),
            "scheduler": Service(folder / "scheduler.log", *dask, port=dask_port),
            "worker": Service(
                folder / "worker.log",
                "-m",
                "distributed.cli.dask_worker",
                address,
                "--nworkers",
                "1",
                "--nthreads",
                "2",
                "--no-dashboard",
                "--no-nanny",
            ),
        }
        for each in found.values():
            assert isinstance(each, Service)
            stack.callback(each.kill)
        yield {**found, "chroma_url": f"http://127.0.0.1:{chroma_port}", "dask": address}


@contextmanager
def opened(folder: Path, services: dict[str, Service | str] | None = None) -> Iterator[Assistant]:
    served = services or {}
    assistant = build(
        Settings(
            store=StoreSettings.model_validate({"path": folder, "chroma_url": served.get("chroma_url")}),
            llm=LLMSettings(backend="built-in"),
            scale=ScaleSettings.model_validate({"dask": served.get("dask")}),
        ),
        warm=False,
    )
    try:
        yield assistant
    finally:
        assistant.close()


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
    which: str, services: dict[str, Service | str], tmp_path: Path, fab: Path
) -> None:
    files = [fab / name for name in FILES]
    with opened(tmp_path / "alone") as alone:
        alone.library.queue.wait(alone.library.ingest(files), timeout=200)
        expected = inventory(alone.library.knowledge)
    service = services[which]
    assert isinstance(service, Service)
    with opened(tmp_path / "served", services) as assistant:
        ids = assistant.library.ingest(files)
        stage = "chunk" if which == "chroma" else "parse"
        wait_until(assistant, lambda jobs: any(job.stage == stage for job in jobs))
        service.kill()
        waiting = wait_until(assistant, lambda jobs: any(job.reason.startswith("Waits: ") for job in jobs))
        assert [job.reason for job in waiting if job.status == "failed"] == []
        if which == "chroma":
            assert any("Chroma server" in job.reason for job in waiting)
        service.start()
        if which == "scheduler":  # its worker left with it; a container starts it again
            worker = services["worker"]
            assert isinstance(worker, Service)
            worker.kill()
            worker.start()
        jobs = assistant.library.queue.wait(ids, timeout=300)
        assert {(job.outcome, job.status) for job in jobs} == {("read", "done")}, jobs
        assert not any("Waits" in job.reason for job in jobs)
        assert inventory(assistant.library.knowledge) == expected
        for document in assistant.library.contents.documents():
            assistant.library.delete_permanently(document.id)
