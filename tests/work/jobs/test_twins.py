"""Files with the same bytes that are on their way in at the same time: worked on once, entered each."""

import time
from pathlib import Path

from core.domain import Parsed
from core.ingest.parsers import read
from tests.work.queues import Make, counts, notes


def test_the_same_bytes_at_several_paths_of_one_folder_are_read_once(start: Make, tmp_path: Path) -> None:
    read_files: list[str] = []

    def slowly(path: Path, name: str) -> Parsed:
        read_files.append(name)
        time.sleep(0.3)
        return read(path, name)

    folder = notes(tmp_path / "in", 1)
    first = next(folder.iterdir())
    for copy in ("second.md", "third.md"):
        (folder / copy).write_bytes(first.read_bytes())
    runner = start(parse=slowly)
    jobs = runner.wait(runner.submit([folder]), timeout=30)
    assert sorted(job.outcome for job in jobs) == ["known", "known", "read"]
    assert len(read_files) == 1
    assert counts(runner)["documents"] == 1
    assert len(runner.knowledge.entries()) == 3  # type: ignore[attr-defined]


def test_a_file_whose_twin_cannot_be_read_is_tried_itself(start: Make, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.json", "b.json"):
        (folder / name).write_text("[" * 100_000)
    runner = start()
    jobs = runner.wait(runner.submit([folder]), timeout=30)
    assert [job.status for job in jobs] == ["failed", "failed"]
    assert all(job.name in job.reason for job in jobs)
