"""Long files in the queue: their stages and pace, cancelled, paused, overtaken, closed and resumed."""

import threading
import time
from pathlib import Path

import pytest

from core.domain import Parsed
from core.errors import NotFound
from core.ingest.parsers import read
from tests.ingest.ingestion_parts import WordEmbedder
from tests.work.queues import Make, counts, embedding, long_file, notes, stop, until


def test_a_job_shows_its_stage_its_pace_and_can_be_cancelled(start: Make, tmp_path: Path) -> None:
    runner = start(WordEmbedder(pause=0.5))
    (job_id,) = runner.submit([long_file(tmp_path / "long.md", 3000)])
    until(lambda: embedding(runner, job_id))
    shown = runner.get(job_id)
    assert 0 < shown.done <= shown.total == 3000
    until(lambda: runner.pace(job_id).rate > 0)
    pace = runner.pace(job_id)
    assert pace.idle < 5 and pace.left is not None and pace.left > 0
    runner.cancel(job_id)
    assert runner.get(job_id).status == "cancelled"
    (other,) = runner.submit([notes(tmp_path / "in", 1) / "note0.md"])
    assert runner.wait([other], timeout=30)[0].outcome == "read"
    assert counts(runner)["documents"] == 1
    with pytest.raises(NotFound):
        runner.cancel("nothing")


def test_a_paused_job_waits_until_it_is_resumed_and_keeps_its_vectors(start: Make, tmp_path: Path) -> None:
    embedder = WordEmbedder(pause=0.4)
    runner = start(embedder)
    (job_id,) = runner.submit([long_file(tmp_path / "long.md", 1500)])
    until(lambda: embedding(runner, job_id))
    runner.pause(job_id)
    until(lambda: not embedder.pause or runner.get(job_id).status == "paused")
    time.sleep(0.6)
    calls, before = len(embedder.sizes), sum(embedder.sizes)
    time.sleep(0.6)
    assert len(embedder.sizes) == calls
    assert counts(runner)["documents"] == 0
    embedder.pause = 0.0
    runner.resume(job_id)
    assert runner.wait([job_id], timeout=60)[0].outcome == "read"
    atoms = counts(runner)["atoms"] + 1
    assert sum(embedder.sizes) - before < 1500 + atoms - before + 50


def test_a_short_file_does_not_wait_for_the_vectors_of_a_long_one(start: Make, tmp_path: Path) -> None:
    runner = start(WordEmbedder(pause=0.15), slice_tokens=1200)
    (long,) = runner.submit([long_file(tmp_path / "long.md", 560)])
    until(lambda: embedding(runner, long))
    runner.submit([notes(tmp_path / "in", 2)])
    until(lambda: counts(runner)["documents"] == 2)
    assert runner.get(long).stage == "embed"
    assert 0 < runner.get(long).done < 560
    assert runner.wait([long], timeout=60)[0].outcome == "read"
    assert counts(runner)["documents"] == 3


def test_files_that_are_read_are_embedded_while_another_is_still_being_read(
    start: Make, tmp_path: Path
) -> None:
    embedder = WordEmbedder()
    embedded = threading.Event()

    def parse(path: Path, name: str) -> Parsed:
        if name == "note0.md":
            assert embedded.wait(20)
        return read(path, name)

    runner = start(embedder, parse)
    ids = runner.submit([notes(tmp_path / "in", 6)])
    until(lambda: bool(embedder.sizes))
    embedded.set()
    assert {j.outcome for j in runner.wait(ids, timeout=60)} == {"read"}


def test_a_closed_library_goes_on_with_its_jobs_when_it_is_opened_again(
    start: Make, tmp_path: Path, home: Path
) -> None:
    runner = start(WordEmbedder(pause=0.2))
    ids = runner.submit([notes(tmp_path / "in", 10), long_file(tmp_path / "long.md", 2000)])
    until(lambda: any(j.stage == "embed" for j in runner.list()))
    stop(runner)
    again = start()
    assert again.interrupted
    assert {j.status for j in again.wait(ids, timeout=60)} == {"done"}
    assert counts(again)["documents"] == 11


def test_files_at_work_are_listed_and_ended_however_many_came_after_them(start: Make, tmp_path: Path) -> None:
    runner = start(WordEmbedder(pause=0.5))
    (first,) = runner.submit([long_file(tmp_path / "long.md", 3000)])
    until(lambda: embedding(runner, first))
    runner.submit([notes(tmp_path / "in", 6)])
    listed = [job.id for job in runner.list(2)]
    assert len(listed) == 7 and listed[-1] == first
    runner.cancel(*listed)
    assert {job.status for job in runner.list(2)} == {"cancelled"} and not runner.coming()
