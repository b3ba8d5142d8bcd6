"""Limits count what a file's reader has worked, not how long others kept it from working."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
from PIL import Image

from core.ingest.limits import Limits
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.sandbox import Sandbox
from core.runtime.work_clock import WorkClock
from tests.ingest.parsers.illustrated import picture


def test_waiting_counts_a_part_and_work_counts_whole() -> None:
    code = "import sys\nfor line in sys.stdin:\n    sum(range(30_000_000))\n    print(flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        begun = time.monotonic()
        clock = WorkClock(psutil.Process(process.pid), patience=10)
        time.sleep(0.5)
        elapsed = time.monotonic() - begun
        assert clock.seconds() <= 0.5 * elapsed
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        assert clock.seconds() > 0.2
        times = psutil.Process(process.pid).cpu_times()
        assert clock.seconds() <= max(times.user + times.system, (time.monotonic() - begun) / 10) + 0.05
        process.stdin.close()


def _workers() -> set[int]:
    found = set()
    for one in psutil.Process().children():
        with contextlib.suppress(psutil.Error):  # it has just ended
            found |= {one.pid} if "parser_worker" in " ".join(one.cmdline()) else set()
    return found


def test_a_file_is_read_though_its_worker_did_not_get_a_processor(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"title": "t", "text": "words and words"}\n' * 8_000)
    before = _workers()
    sandbox = Sandbox()
    sandbox.parse(path, path.name)
    begun = time.monotonic()
    sandbox.parse(path, path.name)
    seconds = 2 * (time.monotonic() - begun)  # enough, for one that works all the time
    (worker,) = _workers() - before

    def hold_up() -> None:
        time.sleep(seconds / 8)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(2 * seconds)
        os.kill(worker, signal.SIGCONT)

    thread = threading.Thread(target=hold_up)
    thread.start()
    assert sandbox.parse(path, path.name, Limits(seconds=seconds)).blocks
    thread.join()
    sandbox.close()


def test_pictures_are_read_though_the_machine_was_busy() -> None:
    reader = PictureOcr(most=2, pixels=4_000_000, seconds=0.3)
    time.sleep(0.4)
    with Image.open(io.BytesIO(picture("Valve 17 is closed"))) as page:
        assert [line.text for line in reader.lines_of(page)] == ["Valve 17 is closed"]
