"""A parser in another process: what hangs, explodes or crashes becomes one clear error."""

import contextlib
import os
import platform
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.errors import EmptyFile, LimitExceeded, MappingError, ParseError
from core.ingest.limits import Limits
from core.ingest.parsers.fab import load_mapping
from core.ingest.sandbox import Sandbox, parse_in_worker


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    held = Sandbox()
    yield held
    held.close()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("Chamber 3 was cleaned.\n")
    return path


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A file that takes a parser seconds: hundreds of thousands of records."""
    path = tmp_path / "slow.jsonl"
    path.write_text('{"title": "t", "text": "words and words"}\n' * 100_000)
    return path


def workers() -> list[int]:
    """Return the living workers of this process; children of other tests may just be ending."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "core.ingest.parser_worker" in child.cmdline():
                found.append(child.pid)
    return found


def test_a_document_comes_back_whole_and_the_second_file_costs_little(sandbox: Sandbox, note: Path) -> None:
    begun = time.monotonic()
    assert sandbox.parse(note, "note.txt").blocks[0].text == "Chamber 3 was cleaned."
    first, begun = time.monotonic() - begun, time.monotonic()
    sandbox.parse(note, "note.txt")
    assert time.monotonic() - begun < first / 2


def test_an_error_keeps_its_kind_its_words_and_its_hint(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.touch()
    with pytest.raises(EmptyFile, match=r"report\.pdf is empty") as caught:
        sandbox.parse(path, "report.pdf")
    assert caught.value.hint == EmptyFile.hint


def test_a_file_that_takes_too_long_is_given_up_and_its_worker_ended(
    sandbox: Sandbox, slow: Path, note: Path
) -> None:
    begun = time.monotonic()
    with pytest.raises(LimitExceeded, match=r"slow\.jsonl took longer than 0\.3 seconds"):
        sandbox.parse(slow, "slow.jsonl", Limits(seconds=0.3))
    assert time.monotonic() - begun < 30
    assert sandbox.parse(note, "note.txt").blocks


def test_a_file_that_needs_too_much_memory_is_given_up(sandbox: Sandbox, slow: Path) -> None:
    with pytest.raises(LimitExceeded, match=r"slow\.jsonl needs more than 150 MB"):
        sandbox.parse(slow, "slow.jsonl", Limits(memory_mb=150))


def test_too_large_a_result_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_text("many words\n\n" * 20_000)
    with pytest.raises(LimitExceeded, match="unfolds to"):
        sandbox.parse(path, "wide.txt", Limits(output_mb=1))


def test_a_worker_that_is_killed_while_it_reads_is_one_parse_error(slow: Path) -> None:
    sandbox = Sandbox()
    before = set(workers())

    def kill() -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for pid in set(workers()) - before:
                if psutil.Process(pid).memory_info().rss > 120 * 2**20:  # it is in the middle of the file
                    os.kill(pid, signal.SIGSEGV)
                    return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(ParseError, match=r"slow\.jsonl made its parser crash \(SIGSEGV\)"):
        sandbox.parse(slow, "slow.jsonl")
    killer.join()
    sandbox.close()


def test_an_idle_worker_that_is_gone_is_replaced_without_a_word(note: Path) -> None:
    sandbox = Sandbox()
    before = set(workers())
    sandbox.parse(note, "note.txt")
    for pid in set(workers()) - before:
        os.kill(pid, signal.SIGKILL)
    assert sandbox.parse(note, "note.txt").blocks
    sandbox.close()


def test_threads_may_parse_at_once(sandbox: Sandbox, note: Path) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(sandbox.parse(note, "n").title)) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6


def test_a_decompression_bomb_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.txt", b"0" * (60 * 2**20))
    with pytest.raises(LimitExceeded, match="bomb"):
        sandbox.parse(path, "bomb.zip", Limits(unpacked_mb=20))


def test_a_mapping_travels_to_the_worker(sandbox: Sandbox, tmp_path: Path) -> None:
    mapping = load_mapping(
        "name: Log\nmatch: 'x.log'\ndelimiter: ';'\ncolumns: [{source: 2, name: T, type: real}]", "m"
    )
    path = tmp_path / "x.log"
    path.write_text("a;1.5\nb;2.5\n")
    assert sandbox.parse(path, "x.log", mappings=[mapping]).tables[0].rows == ((1.5,), (2.5,))
    with pytest.raises(ParseError):
        load_mapping("name: 3", "m")
    assert issubclass(MappingError, ParseError)


def test_workers_load_no_model_and_reach_no_network() -> None:
    code = (
        "import sys, socket, core.ingest.parser_worker as w; assert 'torch' not in sys.modules;"
        "sys.addaudithook(w._offline)\n"
        "try: socket.create_connection(('127.0.0.1', 9))\n"
        "except PermissionError: print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "refused"


@pytest.mark.skipif(sys.platform != "linux", reason="a filter of Linux")
def test_what_a_worker_starts_has_no_network_either() -> None:
    inner = "import socket; socket.socketpair(); socket.socket()"
    code = (
        "import subprocess, sys\nfrom core.runtime.network_ban import forbid_network\n"
        "assert forbid_network()\n"
        f"print(subprocess.run([sys.executable, '-c', {inner!r}], capture_output=True, text=True).stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("PermissionError: [Errno 13] Permission denied")


def test_it_works_where_main_cannot_be_imported_again(note: Path) -> None:
    code = f"""
import threading, sys
from pathlib import Path
from core.ingest.sandbox import parse_in_worker
found = []
thread = threading.Thread(target=lambda: found.append(parse_in_worker(Path({str(note)!r}), "note.txt").title))
thread.start(); thread.join(); print(found[0])
"""
    done = subprocess.run(
        [sys.executable, "-"], input=code, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "note"


def test_the_shared_sandbox_reads_too(note: Path) -> None:
    assert parse_in_worker(note, "note.txt").media_type == "text/plain"


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other systems do it by themselves")
def test_what_reading_a_picture_took_is_given_back(tmp_path: Path) -> None:
    page = Image.new("RGB", (1240, 1754), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(24)
    for line in range(40):
        draw.text((80, 60 + 42 * line), f"Line {line + 1} of the log: within limits", fill="black", font=font)
    page.save(tmp_path / "page.png")
    with contextlib.closing(Sandbox(1)) as held:
        assert "Line 40 of the log" in held.parse(tmp_path / "page.png", "page.png").blocks[-1].text
        (worker,) = held._pool._idle

        def memory(kind: str) -> int:
            text = Path(f"/proc/{worker.process.pid}/status").read_text()
            return int(text.partition(f"{kind}:")[2].split()[0])

        until = time.monotonic() + 5
        while memory("VmRSS") > 0.88 * memory("VmHWM") and time.monotonic() < until:
            time.sleep(0.05)
        assert memory("VmRSS") <= 0.88 * memory("VmHWM")
