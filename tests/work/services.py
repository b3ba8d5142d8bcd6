"""The servers a library can lean on, as processes on 127.0.0.1 that can be killed and started again."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.assistant import Assistant
from core.bootstrap import build
from core.settings import LLMSettings, ScaleSettings, Settings, StoreSettings

CHROMA = "import sys; from chromadb.cli.cli import app; sys.exit(app())"
HOME = ("--host", "127.0.0.1")
# Dask's workers and schedulers open a page of their own on every address, whatever `--no-dashboard` says.
QUIET = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")


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

    @property
    def process(self) -> psutil.Process:
        assert self._process is not None
        return psutil.Process(self._process.pid)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()


@dataclass(frozen=True)
class Services:
    """A Chroma server, a Dask scheduler and its worker, with their addresses."""

    chroma: Service
    scheduler: Service
    worker: Service
    chroma_url: str
    dask: str

    def named(self, name: str) -> Service:
        service: Service = getattr(self, name)
        return service

    def revive(self, name: str) -> None:
        """Start a service again that was killed; a scheduler's worker left with it."""
        self.named(name).start()
        if name == "scheduler":
            self.worker.kill()
            self.worker.start()


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def chroma_server(folder: Path) -> tuple[Service, str]:
    """Start a Chroma server that keeps its vectors in the folder; return it with its address."""
    port = free_port()
    command = ("-c", CHROMA, "run", "--path", str(folder / "chroma"), *HOME, "--port", str(port))
    return Service(folder / "chroma.log", *command, port=port), f"http://127.0.0.1:{port}"


@contextmanager
def all_services(folder: Path) -> Iterator[Services]:
    """Start every service; kill what is left of them at the end."""
    port = free_port()
    dask = f"tcp://127.0.0.1:{port}"
    scheduler = ("-m", "distributed.cli.dask_scheduler", *HOME, *QUIET, "--port", str(port))
    worker = ("-m", "distributed.cli.dask_worker", dask, *HOME, *QUIET, "--nworkers", "1", "--nthreads", "2")
    with ExitStack() as stack:

        def ended(service: Service) -> Service:
            stack.callback(service.kill)
            return service

        chroma, url = chroma_server(folder)
        yield Services(
            chroma=ended(chroma),
            scheduler=ended(Service(folder / "scheduler.log", *scheduler, port=port)),
            worker=ended(Service(folder / "worker.log", *worker, "--no-nanny")),
            chroma_url=url,
            dask=dask,
        )


@contextmanager
def opened(folder: Path, services: Services | None = None) -> Iterator[Assistant]:
    """Open the library in a folder, over the services where they are given."""
    served = (services.chroma_url, services.dask) if services else (None, None)
    assistant = build(
        Settings(
            store=StoreSettings(path=folder, chroma_url=served[0]),
            llm=LLMSettings(backend="built-in"),
            scale=ScaleSettings(dask=served[1]),
        ),
        warm=False,
    )
    try:
        yield assistant
    finally:
        assistant.close()


def listening(process: psutil.Process) -> set[tuple[str, int]]:
    """Return the addresses on which a process and all it started listen."""
    return {
        (each.laddr.ip, each.laddr.port)
        for member in (process, *process.children(recursive=True))
        for each in member.net_connections("inet")
        if each.status == psutil.CONN_LISTEN
    }
