"""The queue of files: stages, one bad file among good ones, pause, cancel, retry, crash and restart."""

import errno
import io
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from core.domain import Parsed
from core.errors import NotFound
from core.ingest.ingestion import digest_of
from core.ingest.parsers import read
from core.knowledge.records import Job
from core.ports import Vectors
from core.work.jobs import JobRunner
from core.work.watching import watch
from tests.ingest.house import WordEmbedder, ingestion

Make = Callable[..., JobRunner]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def start(library: Path) -> Iterator[Make]:
    """Open the library and start a runner on it; everything is closed at the end."""
    opened: list[JobRunner] = []

    def make(
        embedder: WordEmbedder | None = None,
        parse: Callable[[Path, str], Parsed] = read,
        slice_tokens: int = 16_384,
    ) -> JobRunner:
        into = ingestion(library, embedder, parse=parse, slice_tokens=slice_tokens)
        opened.append(JobRunner(into.knowledge, into, batch=8))
        opened[-1].knowledge = into.knowledge  # type: ignore[attr-defined]
        return opened[-1]

    yield make
    for runner in opened:
        stop(runner)


def stop(runner: JobRunner) -> None:
    runner.close()
    runner.knowledge.close()  # type: ignore[attr-defined]


def counts(runner: JobRunner) -> dict[str, int]:
    found: dict[str, int] = runner.knowledge.counts()  # type: ignore[attr-defined]
    return found


def notes(folder: Path, number: int, sections: int = 3) -> Path:
    for n in range(number):
        more = ("", "It leaked oil.", "A bearing ran noisy and hot.", "Its filter was clogged since May.")
        body = "".join(f"## Part {s}\nPump {n} of tool ETCH-0{s} ran. {more[s]}\n" for s in range(sections))
        path = folder / f"note{n}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {n}\n{body}")
    return folder


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def job(runner: JobRunner, name: str) -> Job:
    return next(each for each in runner.list() if each.name == name)


def test_a_folder_goes_in_and_one_bad_file_takes_nobody_with_it(start: Make, tmp_path: Path) -> None:
    folder = notes(tmp_path / "in", 4)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (folder / "empty.txt").write_bytes(b"")
    (folder / ".secret").write_text("x")
    runner = start()
    jobs = runner.wait(runner.submit([folder]), timeout=60)
    assert sorted((j.name, j.status, j.outcome) for j in jobs if not j.name.startswith("note")) == [
        (".secret", "done", "refused"),
        ("broken.pdf", "failed", "failed"),
        ("empty.txt", "failed", "refused"),
    ]
    assert all(j.reason and j.hint for j in jobs if j.status == "failed")
    assert "hidden" in job(runner, ".secret").reason
    good = [j for j in jobs if j.name.startswith("note")]
    assert {(j.status, j.outcome, j.stage) for j in good} == {("done", "read", "distil")}
    assert all(j.counts["chunks"] == 3 and j.counts["atoms"] > 0 and j.finished for j in good)
    assert all(0 < j.seconds <= (j.finished or 0) - (j.started or 0) + 0.1 for j in good)
    assert counts(runner)["documents"] == 4


def test_every_file_is_searchable_before_the_first_is_distilled(start: Make, tmp_path: Path) -> None:
    runner = start(WordEmbedder(pause=0.02))
    runner.submit([notes(tmp_path / "in", 12)])
    knowledge = runner.knowledge  # type: ignore[attr-defined]
    until(lambda: counts(runner)["atoms"] > 0)
    assert counts(runner)["documents"] == 12
    assert len(knowledge.keyword("pump", 50)) == 36
    runner.wait(timeout=60)


def test_many_small_files_are_distilled_one_by_one_and_stored_together(start: Make, tmp_path: Path) -> None:
    runner = start()
    jobs = runner.wait(runner.submit([notes(tmp_path / "in", 14, sections=1)]), timeout=60)
    assert {(j.outcome, j.counts["atoms"] > 0, j.done) for j in jobs} == {("read", True, 1)}
    assert runner.knowledge.generation() < 14  # type: ignore[attr-defined]


class _Meddling(WordEmbedder):
    """Does something in the middle of the first embedding of what was distilled."""

    def __init__(self) -> None:
        super().__init__()
        self.meddle: list[Callable[[], object]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.meddle:
            self.meddle.pop()()
        return super().embed(texts)


def test_a_document_deleted_while_it_is_distilled_takes_nobody_with_it(start: Make, tmp_path: Path) -> None:
    embedder = _Meddling()
    runner = start(embedder)
    knowledge = runner.knowledge  # type: ignore[attr-defined]
    folder = notes(tmp_path / "in", 4)
    gone = digest_of(folder / "note2.md")
    embedder.meddle.append(lambda: knowledge.remove(gone))
    jobs = runner.wait(runner.submit([folder]), timeout=60)
    assert [(j.name, j.outcome) for j in jobs if j.outcome != "read"] == [("note2.md", "failed")]
    assert "there is no document" in job(runner, "note2.md").reason
    assert all(knowledge.document(d.id).summary for d in knowledge.documents())
    assert counts(runner)["documents"] == 3
    assert knowledge.check() == []


def test_a_file_that_is_missing_says_so_and_can_be_tried_again(start: Make, tmp_path: Path) -> None:
    runner = start()
    path = tmp_path / "later.md"
    ids = runner.submit([path])
    (failed,) = runner.wait(ids, timeout=30)
    assert (failed.status, failed.outcome) == ("failed", "failed")
    assert "there is no file" in failed.reason
    path.write_text("# Now\nIt is here.")
    runner.retry(ids[0])
    assert runner.wait(ids, timeout=30)[0].outcome == "read"


def test_a_full_disk_fails_the_job_with_a_hint_and_retry_works_once_there_is_room(
    start: Make, tmp_path: Path
) -> None:
    full = threading.Event()
    full.set()

    def parse(path: Path, name: str) -> Parsed:
        if full.is_set():
            raise OSError(errno.ENOSPC, "No space left on device")
        return read(path, name)

    runner = start(parse=parse)
    ids = runner.submit([notes(tmp_path / "in", 1)])
    (failed,) = runner.wait(ids, timeout=30)
    assert failed.status == "failed"
    assert "disk" in failed.reason and "Retry" in failed.hint
    full.clear()
    runner.retry(ids[0])
    assert runner.wait(ids, timeout=30)[0].outcome == "read"


def test_a_fault_of_our_own_is_reported_and_the_queue_goes_on(start: Make, tmp_path: Path) -> None:
    def parse(path: Path, name: str) -> Parsed:
        if name == "note1.md":
            raise ZeroDivisionError("division by zero")
        return read(path, name)

    runner = start(parse=parse)
    jobs = runner.wait(runner.submit([notes(tmp_path / "in", 3)]), timeout=60)
    assert [j.status for j in jobs] == ["done", "failed", "done"]
    assert "ZeroDivisionError" in jobs[1].reason
    assert "report it" in jobs[1].hint


def test_an_upload_is_streamed_to_disk_read_and_its_copy_cleared_away(start: Make, library: Path) -> None:
    runner = start()
    job_id = runner.upload("../../evil/Notes.md", io.BytesIO(b"# Up\nloaded text."), "team")
    (done,) = runner.wait([job_id], timeout=30)
    assert (done.outcome, done.name, done.collection) == ("read", "Notes.md", "team")
    assert list((library / "uploads").glob("*")) == []
    entry = runner.knowledge.entries()[0]  # type: ignore[attr-defined]
    assert (entry.path, entry.collection) == ("Notes.md", "team")
    again = runner.upload("Notes.md", io.BytesIO(b"# Up\nloaded other text."), "team")
    runner.wait([again], timeout=30)
    assert counts(runner)["documents"] == 1


def test_a_path_already_waiting_is_not_queued_twice(start: Make, tmp_path: Path) -> None:
    runner = start(WordEmbedder(pause=0.3))
    folder = notes(tmp_path / "in", 3)
    assert runner.submit([folder]) == runner.submit([folder])
    runner.wait(timeout=60)
    assert {j.outcome for j in runner.wait(runner.submit([folder]), timeout=60)} == {"known"}


def long_file(path: Path, passages: int = 700) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"# Passage {n}\nThe pump number {n} ran {n} hours.\n" for n in range(passages)))
    return path


def embedding(runner: JobRunner, job_id: str) -> bool:
    return runner.get(job_id).stage == "embed" and runner.get(job_id).done > 0


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
    start: Make, tmp_path: Path, library: Path
) -> None:
    runner = start(WordEmbedder(pause=0.2))
    ids = runner.submit([notes(tmp_path / "in", 10), long_file(tmp_path / "long.md", 2000)])
    until(lambda: any(j.stage == "embed" for j in runner.list()))
    stop(runner)
    again = start()
    assert again.interrupted
    assert {j.status for j in again.wait(ids, timeout=60)} == {"done"}
    assert counts(again)["documents"] == 11


def test_watching_a_folder_reads_what_appears_and_takes_out_what_goes(start: Make, tmp_path: Path) -> None:
    runner = start()
    folder = notes(tmp_path / "in", 2)
    steps: list[Callable[[], object]] = [
        lambda: (folder / "new.md").write_text("# New\nA new pump."),
        lambda: None,
        lambda: (folder / "note0.md").unlink(),
    ]

    def pause() -> bool:
        runner.wait(timeout=30)
        if not steps:
            return False
        steps.pop(0)()
        return True

    seen = list(watch(runner, runner.knowledge, [folder], pause=pause))  # type: ignore[attr-defined]
    assert [(len(look.queued), len(look.gone)) for look in seen] == [(2, 0), (0, 0), (1, 0), (0, 1)]
    assert sorted(d.title for d in runner.knowledge.documents()) == ["New", "Note 1"]  # type: ignore[attr-defined]
