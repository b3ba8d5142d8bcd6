"""The app stopped as people and services do it: nothing is said of its end, and its library is closed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from core.bootstrap import build
from core.knowledge.stores.folder_lock import claim, claimed
from core.settings import Settings, StoreSettings
from tests.forked import forked

RUN = "from core.cli import main; main()"
SLOW_END = "Strata ends when what it is at is done; Ctrl-C once more ends it at once."  # on a busy machine
FILES = 12
STATUS = {signal.SIGINT: 1, signal.SIGTERM: -signal.SIGTERM}


def stopped(
    library: Path, number: signal.Signals, when: Callable[[], bool], times: int = 1
) -> tuple[int, str]:
    """Start the app, stop it by a signal once it is so; return its status and what it said."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = library.with_suffix(".log")
    environment = {**os.environ, "STRATA_STORE__PATH": str(library)}
    with log.open("wb") as result:
        command = [sys.executable, "-c", RUN, "run", "--port", str(port)]
        app = subprocess.Popen(command, env=environment, stdout=result, stderr=result)
    try:
        until(lambda: app.poll() is not None or (answers(port) and when()), 120)
        for _ in range(times):
            app.send_signal(number)
            time.sleep(1.0)
        return app.wait(60), log.read_text()
    finally:
        app.kill()


def until(so: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
        return True
    return False


def queue(path: Path, library: Path) -> None:
    """Leave files in the library's queue, as a process that was killed does."""
    process = forked(_queue, path, library, os.environ.get("TMPDIR", ""))
    process.join(60)
    assert process.exitcode == 0


def _queue(path: Path, library: Path, place: str) -> None:
    if place:
        os.environ["TMPDIR"] = place
        tempfile.tempdir = None
    build(Settings(store=StoreSettings(path=library)), warm=False).library.ingest([path])
    os._exit(0)


@pytest.mark.parametrize("number", STATUS)
def test_a_stop_says_nothing_and_closes_the_library(tmp_path: Path, number: signal.Signals) -> None:
    library, notes = tmp_path / "library", tmp_path / "notes"
    notes.mkdir()
    for n in range(FILES):
        (notes / f"{n}.md").write_text(f"# Note {n}\n\nPump P-{n} leaks.")
    queue(notes, library)
    status, output = stopped(library, number, lambda: claimed(library) and reading(library))
    claim(library).release()  # the lock can be taken at once
    assert status == STATUS[number]
    assert {line for line in output.splitlines() if line.strip() and "URL" not in line} - {SLOW_END} == {
        "  You can now view your Streamlit app in your browser."
    }
    assert (library / "seal.json").is_file() and not (library / "catalog.sqlite-wal").exists()
    if number == signal.SIGINT:
        goes_on(library)


def goes_on(library: Path) -> None:
    """Open the library again: what was being read in is read to its end."""
    settings = Settings.load().model_copy(update={"store": StoreSettings(path=library)})
    assistant = build(settings, warm=False)
    try:
        jobs = assistant.library.wait([job.id for job in assistant.library.jobs()])
        assert {job.status for job in jobs} == {"done"}
        assert assistant.library.contents.counts()["documents"] == FILES
    finally:
        assistant.close()


def reading(library: Path) -> bool:
    """Say whether documents are being read in: an original is kept of some."""
    return any((library / "originals").glob("*"))


def test_ctrl_c_twice_does_not_wait_for_a_long_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / "long.jsonl"
    long.write_text('{"title": "t", "text": "words and words"}\n' * 400_000)
    library, place = tmp_path / "library", tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    queue(long, library)
    shutil.rmtree(place)  # what that process left
    place.mkdir()
    begun = time.monotonic()

    def begins() -> bool:
        nonlocal begun
        begun = time.monotonic()
        return len(list(place.glob("strata-worker-*/*"))) > 0  # a file is being read

    status, output = stopped(library, signal.SIGINT, begins, times=2)
    assert status == 1 and time.monotonic() - begun < 10
    assert list(place.glob("strata-worker-*")) == []
    assert "Traceback" not in output and "nanobind" not in output
    claim(library).release()
