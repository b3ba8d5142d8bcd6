"""What a conversion by a real LibreOffice leaves behind when it, or who asked for it, is ended: nothing."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil
import pytest

from core.errors import LimitExceeded, ParseError
from core.ingest.limits import Limits
from core.ingest.parsers.office_97.office_sockets import remove_sockets
from core.ingest.sandbox import Sandbox
from core.runtime.worker_folders import sweep

pytestmark = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
DAY = 86_400.0


def word_97(folder: Path, *paragraphs: str) -> Path:
    """Return an old Word file of these paragraphs."""
    page = folder / "long.html"
    page.write_text("".join(f"<p>{text}</p>" for text in paragraphs))
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", "--headless", profile, "--infilter=HTML (StarWriter)", "--convert-to"]
    command += ["doc:MS Word 97", "--outdir", str(folder), str(page)]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    return folder / "long.doc"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An old Word file over which LibreOffice takes seconds."""
    return word_97(tmp_path_factory.mktemp("long"), *(f"Read me {n}" for n in range(40_000)))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An old Word file of which LibreOffice makes more than a megabyte, packed."""
    noise = Random(97)
    return word_97(tmp_path_factory.mktemp("large"), *(noise.randbytes(300).hex() for _ in range(4_000)))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files, which is empty in the end, as are the places of sockets."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = sockets()
    yield tmp_path
    assert working_in(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
    end = time.monotonic() + 20  # another test's conversion may just have been ended, and be tidied up
    while not sockets() <= before:
        assert time.monotonic() < end
        time.sleep(0.1)


def sockets() -> set[Path]:
    """Return the sockets of LibreOffice in /tmp that nobody holds: others' tests may just be converting."""
    held = Path("/proc/net/unix").read_text()
    found = (path for path in Path("/tmp").glob("OSL_PIPE_*") if stat.S_ISSOCK(path.lstat().st_mode))
    return {path for path in found if str(path) not in held}


def working_in(folder: Path, *names: str) -> list[psutil.Process]:
    """Return the living processes (of these names) whose temporary files lie below the folder."""
    found = []
    for process in psutil.process_iter(["name", "status", "environ"]):
        at = (process.info["environ"] or {}).get("TMPDIR", "")
        named = not names or process.info["name"] in names
        if named and at.startswith(f"{folder}/") and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def until_working(folder: Path, *names: str) -> list[psutil.Process]:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if found := working_in(folder, *names):
            return found
        time.sleep(0.02)
    raise AssertionError("LibreOffice was not started")


def parse_and_kill(long: Path, place: Path, *names: str) -> str:
    """Read the file while processes of these names are killed; return what is said of it."""
    sandbox = Sandbox()

    def kill() -> None:
        until_working(place, "soffice.bin")
        for process in until_working(place, *names):
            process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        return str(sandbox.parse(long, long.name, Limits(seconds=60)).skipped)
    except ParseError as error:
        return str(error)
    finally:
        killer.join()
        assert working_in(place, "soffice.bin", "oosplash") == []  # before the worker itself is ended
        sandbox.close()


def test_a_conversion_that_needs_too_much_memory(long: Path, place: Path) -> None:
    sandbox = Sandbox()
    with pytest.raises(LimitExceeded, match=r"long\.doc needs more than 150 MB"):
        sandbox.parse(long, long.name, Limits(memory_mb=150))
    sandbox.close()


def test_a_conversion_that_takes_too_long(long: Path, place: Path) -> None:
    """LibreOffice has half of the worker's time: what is left must do for ending it and reading the words."""
    (ready := place.parent / "ready.txt").write_text("A worker that is ready spends no time on its start.")
    sandbox = Sandbox()
    sandbox.parse(ready, ready.name)
    parsed = sandbox.parse(long, long.name, Limits(seconds=4))
    assert "LibreOffice took longer than 2 seconds over long.doc" in str(parsed.skipped)
    sandbox.close()


def test_a_conversion_that_writes_too_much(large: Path, place: Path) -> None:
    sandbox, largest = Sandbox(), [0]
    most, done = 1024 * 1024, threading.Event()

    def look() -> None:
        while not done.wait(0.01):
            for folder, _, names in os.walk(place):
                for path in (Path(folder, name) for name in names if name != "source"):
                    with suppress(OSError):
                        largest.append(path.stat().st_size)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        parsed = sandbox.parse(large, large.name, Limits(unpacked_mb=1))
    finally:
        done.set()
        looking.join()
        sandbox.close()
    assert "LibreOffice wrote more than 1 MB over long.doc" in str(parsed.skipped)
    assert max(largest) <= most < large.stat().st_size


def test_libreoffice_that_loses_the_program_which_started_it(long: Path, place: Path) -> None:
    assert "LibreOffice could not open long.doc" in parse_and_kill(long, place, "oosplash")


def test_a_worker_that_is_killed_while_it_converts(long: Path, place: Path) -> None:
    result = parse_and_kill(long, place, "python", "python3", Path(sys.executable).resolve().name)
    assert "long.doc made its parser crash (SIGKILL)" in result


def asking(path: Path) -> subprocess.Popen[bytes]:
    """Start a process that has the file converted."""
    code = "import sys; from pathlib import Path; from core.ingest.sandbox import Sandbox as S\n"
    code += "S().parse(Path(sys.argv[1]), 'long.doc')"
    return subprocess.Popen([sys.executable, "-c", code, str(path)])


def test_who_asked_is_killed_and_the_conversion_ends_at_once(long: Path, place: Path) -> None:
    owner = asking(long)
    try:
        until_working(place, "soffice.bin")
    finally:
        owner.kill()
        owner.wait()
    end = time.monotonic() + 10
    while working_in(place) or [*place.iterdir()]:
        assert time.monotonic() < end
        time.sleep(0.1)


def test_who_asked_and_its_worker_are_killed_and_the_next_start_tidies(long: Path, place: Path) -> None:
    owner = asking(long)
    try:
        until_working(place, "soffice.bin")
        sweep(place)
        assert len(list(place.iterdir())) == 1  # that of a living process stays
        owner.send_signal(signal.SIGSTOP)
        workers = psutil.Process(owner.pid).children()
        for worker in workers:
            worker.kill()
    finally:
        owner.kill()
        owner.wait()
    (left,) = place.iterdir()
    os.utime(left, (time.time() - DAY, time.time() - DAY))
    sweep(place, remove_sockets)
