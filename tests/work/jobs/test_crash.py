"""kill -9 in the middle of ingestion: nothing lost, nothing doubled, the queue goes on."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.ingest.ingestion_parts import ingestion, inventory
from tests.work.queues import long_file, notes


def run(library: Path, folder: Path, kill_after: float | None) -> None:
    """Run the process; kill it that many seconds after it opened the library, or let it finish."""
    command = [sys.executable, "-m", "tests.work.ingest_process", str(library), str(folder)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        if kill_after is None:
            assert process.wait(120) == 0
            return
        time.sleep(kill_after)
        process.kill()


def content(library: Path) -> dict[str, object]:
    into = ingestion(library)
    try:
        return inventory(into.knowledge)
    finally:
        into.knowledge.close()


def killed(tmp_path: Path, times: int, seed: int) -> None:
    """Assert that a library killed again and again at random moments is the same as an undisturbed one."""
    chance = random.Random(seed)
    folder = notes(tmp_path / "in", 12, sections=4)
    long_file(folder / "long.md", 800)
    run(tmp_path / "calm", folder, None)
    for _ in range(times):
        run(tmp_path / "shaken", folder, chance.uniform(0.0, 2.0))
    run(tmp_path / "shaken", folder, None)
    calm, shaken = content(tmp_path / "calm"), content(tmp_path / "shaken")
    assert calm["problems"] == shaken["problems"] == []
    for kind, value in calm.items():
        assert shaken[kind] == value, kind


def test_a_library_killed_a_few_times_is_the_same_as_one_left_in_peace(tmp_path: Path) -> None:
    killed(tmp_path, 3, seed=1)


@pytest.mark.slow
def test_a_library_killed_twenty_times_is_the_same_as_one_left_in_peace(tmp_path: Path) -> None:
    killed(tmp_path, 20, seed=2)
