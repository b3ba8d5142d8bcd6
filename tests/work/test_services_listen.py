"""Who can reach the servers beside the app: nobody beyond this machine in the tests, and in compose.yaml
nothing but what the other containers need."""

import http.client
import time
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
import yaml

from tests.work.services import Service, all_services, free_port, listening, opened

ROOT = Path(__file__).parents[2]
LOOPBACK = {"127.0.0.1", "::1"}


def answers_http(port: int) -> bool:
    """Say whether an HTTP server listens on the port."""
    with (
        suppress(OSError, http.client.HTTPException),
        closing(http.client.HTTPConnection("127.0.0.1", port, 5)) as web,
    ):
        web.request("GET", "/")
        return web.getresponse().status > 0
    return False


def composed(service: str, **instead: str) -> list[str]:
    """Return the command that compose.yaml starts a service with, some words of it replaced."""
    text = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"][service]["command"]
    return [instead.get(word, word) for word in text]


def settled(service: Service, at_least: int) -> set[tuple[str, int]]:
    """Return where a service listens, once it listens on so many ports and for a moment on no other."""
    until, before = time.monotonic() + 60, set[tuple[str, int]]()
    while time.monotonic() < until:
        now = listening(service.process)
        if len({port for _, port in now}) >= at_least and now == before:
            return now
        before = now
        time.sleep(1.0)
    raise AssertionError(before)


@pytest.mark.slow
def test_the_servers_of_the_tests_are_reached_from_this_machine_alone(tmp_path: Path) -> None:
    with all_services(tmp_path) as services, opened(tmp_path / "library", services) as assistant:
        until = time.monotonic() + 60  # a worker comes when it has loaded what it needs
        while "1 workers" not in (messages := str(assistant.admin.health().findings)):
            assert time.monotonic() < until, messages
            time.sleep(0.5)
        for service in (services.chroma, services.scheduler, services.worker):
            places = settled(service, 1)
            assert {address for address, _ in places} <= LOOPBACK, (service.process.cmdline(), places)
        assert {address for address, _ in listening(psutil.Process())} <= LOOPBACK


@pytest.mark.slow
def test_composed_dask_shows_no_page_beyond_its_container(tmp_path: Path) -> None:
    port = str(free_port())
    started = []
    try:
        _, *scheduler = composed("scheduler")
        command = ("-m", "dask", *scheduler, "--port", port)
        started.append(Service(tmp_path / "scheduler.log", *command, port=int(port)))
        address = {"tcp://scheduler:8786": f"tcp://127.0.0.1:{port}", "/tmp": str(tmp_path)}
        _, *worker = composed("worker", **address)
        started.append(Service(tmp_path / "worker.log", "-m", "dask", *worker))
        for service, ports in zip(
            started, (2, 3), strict=True
        ):  # each with its page; a worker with its nanny
            beyond = {port for host, port in settled(service, ports) if host not in LOOPBACK}
            assert [port for port in beyond if answers_http(port)] == []
    finally:
        for service in started:
            for process in service.process.children(recursive=True):
                process.kill()
            service.kill()


def test_compose_opens_the_app_alone_and_that_to_this_machine() -> None:
    held = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    published = {name: each["ports"] for name, each in held.items() if "ports" in each}
    assert published == {"app": ["127.0.0.1:8501:8501"]}
    assert not any("network_mode" in each for each in held.values())
