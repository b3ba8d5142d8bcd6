"""The queue of files: stages, one bad file among good ones, uploads, what is missing and tried again."""

import errno
import inspect
import io
import json
import os
import shutil
import sys
import tarfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.domain import Parsed
from core.ingest.folders import LeftOut, files_under
from core.ingest.ingestion import digest_of
from core.ingest.parsers import read
from core.ingest.sandbox import parse_in_worker
from core.ports import Vectors
from core.text.filenames import path_of
from tests.ingest.ingestion_parts import WordEmbedder
from tests.work.queues import Make, counts, job, notes, until


def test_a_folder_goes_in_and_one_bad_file_takes_nobody_with_it(start: Make, tmp_path: Path) -> None:
    folder = notes(tmp_path / "in", 4)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (folder / "empty.txt").write_bytes(b"")
    (folder / ".secret").write_text("x")
    runner = start()
    jobs = runner.wait(runner.submit([folder]), timeout=60)
    assert sorted((j.name, j.status, j.outcome) for j in jobs if not j.name.startswith("note")) == [
        (".secret", "done", "refused"),
        ("broken.pdf", "failed", "refused"),
        ("empty.txt", "failed", "refused"),
    ]
    assert all(j.reason and j.hint for j in jobs if j.status == "failed")
    assert "hidden" in job(runner, ".secret").reason
    good = [j for j in jobs if j.name.startswith("note")]
    assert {(j.status, j.outcome, j.stage) for j in good} == {("done", "read", "enrich")}
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


def test_files_are_on_their_way_in_until_they_can_be_searched(start: Make, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.md").write_text(f"# Pump {name}\n\nThe pump {name} was replaced in June 2024.\n")
    may = threading.Event()

    def held(path: Path, name: str) -> Parsed:
        assert may.wait(20)
        return read(path, name)

    runner = start(parse=held)
    jobs = runner.submit([tmp_path / "a.md", tmp_path / "b.md"])
    assert runner.coming() == 2
    runner.pause(jobs[0])
    assert runner.coming() == 1
    may.set()
    runner.wait([jobs[1]], 20)
    assert runner.coming() == 0


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
        while self.meddle:
            self.meddle.pop()()
        return super().embed(texts)


@pytest.mark.parametrize(("number", "pause"), [(4, 0.0), (2, 0.08)])  # where storing one takes long, too
def test_a_document_deleted_while_it_is_distilled_takes_nobody_with_it(
    start: Make, tmp_path: Path, number: int, pause: float
) -> None:
    embedder = _Meddling()
    runner = start(embedder)
    knowledge = runner.knowledge  # type: ignore[attr-defined]
    folder = notes(tmp_path / "in", number)
    gone = digest_of(folder / "note1.md")
    embedder.meddle += [lambda: knowledge.remove(gone), lambda: setattr(embedder, "pause", pause)]
    jobs = runner.wait(runner.submit([folder]), timeout=30)
    assert {j.outcome for j in jobs} == {"read"}
    assert job(runner, "note1.md").reason.endswith("or it was deleted.")
    assert job(runner, "note1.md").document_id == ""
    assert all(knowledge.document(d.id).summary for d in knowledge.documents())
    assert counts(runner)["documents"] == number - 1
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


def test_an_upload_is_streamed_to_disk_read_and_its_copy_cleared_away(start: Make, home: Path) -> None:
    runner = start()
    job_id = runner.upload("../../evil/Notes.md", io.BytesIO(b"# Up\nloaded text."), "team")
    (done,) = runner.wait([job_id], timeout=30)
    assert (done.outcome, done.name, done.collection) == ("read", "Notes.md", "team")
    assert list((home / "uploads").glob("*")) == []
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


def test_any_bytes_are_a_name_through_every_stage(start: Make, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    names = [b"\xff\xfe.txt", b"new\nline\x1b[31m.md", b"\\xe9.md", "静电.md".encode(), b"-rf.txt"]
    for number, name in enumerate(names):
        (folder / os.fsdecode(name)).write_text(f"Pump {number} ran.\n")
    (folder / os.fsdecode(b"caf\xe9.csv")).write_text("pump,hours\nP-1,12\nP-2,7\n")
    with tarfile.open(folder / "box.tar", "w") as box:
        inside = tarfile.TarInfo(os.fsdecode(b"caf\xe9.txt"))
        inside.size = 10
        box.addfile(inside, io.BytesIO(b"Pump ran.\n"))
    runner = start(parse=parse_in_worker)
    for outcome in ("read", "known"):
        jobs = runner.wait(runner.submit([folder]), timeout=120)
        assert {each.outcome for each in jobs} == {outcome} and len(jobs) == len(names) + 2
        assert all(json.dumps(each.model_dump(), ensure_ascii=False).encode() for each in jobs)
    knowledge = runner.knowledge  # type: ignore[attr-defined]
    held = {entry.path for entry in knowledge.entries()}
    assert {path_of(path) for path in held} == set(folder.iterdir())
    for document in knowledge.documents():
        assert knowledge.original(document.id) is not None, document.name


def test_an_upload_may_be_called_anything(start: Make) -> None:
    runner = start()
    for name in (
        "../../etc/passwd",
        "x" * 5000 + ".md",
        "静" * 300,
        ".hidden.md",
        "a\0b.md",
        "",
        "..",
        "C:\\x\\y.md",
    ):
        job_id = runner.upload(name, io.BytesIO(f"Pump {name[:9]!r} ran.\n".encode()))
        done = runner.wait([job_id], timeout=60)[0]
        assert done.outcome == "read", (name, done.reason)
        assert "/" not in done.name and done.name


def test_links_out_of_a_folder_are_followed_only_when_asked(start: Make, tmp_path: Path) -> None:
    secret, folder = notes(tmp_path / "secret", 1) / "note0.md", notes(tmp_path / "in", 2)
    secret.write_text("# Wages\n\nThe director is paid 7 million.\n")
    (folder / "out.md").symlink_to(secret)
    (folder / "relative.md").symlink_to(Path("../secret/note0.md"))
    (folder / "chain.md").symlink_to(folder / "out.md")
    (folder / "within.md").symlink_to(folder / "note1.md")
    (folder / "dir").symlink_to(secret.parent)
    (folder / "round").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    (tmp_path / "same").symlink_to(folder)
    runner = start()
    for named in (folder, tmp_path / "same"):  # the folder itself may be named by a link
        found = {each.path.name: each.reason for each in files_under([named]) if isinstance(each, LeftOut)}
        assert set(found) == {"out.md", "relative.md", "chain.md", "dir", "round"}
        assert all("link" in reason for reason in found.values())
    jobs = runner.wait(runner.submit([folder]), timeout=60)
    assert {each.name for each in jobs if each.outcome == "refused"} == set(found)
    assert not any("secret" in entry.path for entry in runner.knowledge.entries())  # type: ignore[attr-defined]
    assert counts(runner)["documents"] == 2
    followed = [each for each in files_under([folder], follow_links=True) if isinstance(each, Path)]
    assert {each.name for each in followed} >= {"out.md", "relative.md", "chain.md", "within.md"}
    assert runner.wait(runner.submit([folder / "out.md"]), timeout=60)[0].outcome == "read", "named outright"
    assert [each.reason for each in files_under([folder / "pipe"]) if isinstance(each, LeftOut)]


def test_a_file_that_becomes_a_link_while_it_waits_is_not_read(start: Make, tmp_path: Path) -> None:
    secret, folder = notes(tmp_path / "secret", 1) / "note0.md", notes(tmp_path / "in", 24)
    secret.write_text("# Wages\n\nThe director is paid 7 million.\n")
    go = threading.Event()

    def parse(path: Path, name: str) -> Parsed:
        assert go.wait(30)
        return read(path, name)

    runner = start(parse=parse)
    ids = runner.submit([folder])
    last = folder / "note9.md"  # by name, so it waits for the others
    last.unlink()
    last.symlink_to(secret)
    go.set()
    runner.wait(ids, timeout=60)
    refused = job(runner, last.name)
    assert refused.outcome == "failed" and "leads to another file" in refused.reason and refused.hint
    assert counts(runner)["documents"] == 23
    last.unlink()
    shutil.copy(folder / "note8.md", last)
    assert runner.wait(runner.submit([last]), timeout=60)[0].outcome in ("read", "known")


def test_folders_may_nest_deeper_than_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # and back afterwards
    for _ in range(400):
        Path("d").mkdir()
        os.chdir("d")
    Path("x.md").write_text("deep")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    try:
        found = list(files_under([tmp_path]))
    finally:
        sys.setrecursionlimit(limit)
    Path("x.md").unlink()
    for _ in range(400):
        os.chdir("..")
        Path("d").rmdir()
    assert [each.name for each in found if isinstance(each, Path)] == ["x.md"]
