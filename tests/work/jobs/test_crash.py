"""kill -9 in the middle of ingestion: nothing lost, nothing doubled, the queue resumes."""

import random
import time
from pathlib import Path

import pytest

from tests.forked import telling
from tests.ingest.ingestion_parts import ingestion, inventory
from tests.work.ingest_process import ingest
from tests.work.queues import long_file, notes


def run_and_kill(library: Path, folder: Path, seconds: float) -> None:
    """Run in its own process, killed that long after it opened the library."""
    process, output = telling(ingest, library, folder)
    assert output.poll(120) and output.recv() == "open"
    time.sleep(seconds)
    process.kill()
    process.join()


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
    ingest(tmp_path / "calm", folder)
    for _ in range(times):
        run_and_kill(tmp_path / "shaken", folder, chance.uniform(0.0, 2.0))
    ingest(tmp_path / "shaken", folder)
    calm, shaken = content(tmp_path / "calm"), content(tmp_path / "shaken")
    assert calm["problems"] == shaken["problems"] == []
    for kind, value in calm.items():
        assert shaken[kind] == value, kind


def test_a_library_killed_a_few_times_is_the_same_as_one_left_in_peace(tmp_path: Path) -> None:
    killed(tmp_path, 3, seed=1)


@pytest.mark.slow
def test_a_library_killed_twenty_times_is_the_same_as_one_left_in_peace(tmp_path: Path) -> None:
    killed(tmp_path, 20, seed=2)
