"""Files that have their vectors are stored while others are embedded; what is said meanwhile is used."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.domain import Parsed
from core.errors import KnowledgeError
from core.ingest.chunked_file import ChunkedFile
from core.ingest.file_outcome import FileOutcome
from core.ingest.ingestion import Ingestion
from core.ingest.parsers import read
from core.ports import Encoded
from tests.ingest.ingestion_parts import WordEmbedder
from tests.work.queues import Make, counts, job, notes, stop, until


class _Held(Ingestion):
    """Stores only once it may, and nothing while a document has a bad name."""

    go = threading.Event()
    begun = threading.Event()
    bad = ""

    def store(self, files: Sequence[ChunkedFile]) -> list[FileOutcome]:
        self.begun.set()
        assert self.go.wait(20)
        if self.bad in [each.document.name for each in files]:
            raise KnowledgeError("the catalog could not be written")
        return super().store(files)


@pytest.fixture
def held() -> type[_Held]:
    return type("Held", (_Held,), {"go": threading.Event(), "begun": threading.Event(), "bad": ""})


def test_the_next_files_are_embedded_while_others_are_stored(
    start: Make, tmp_path: Path, held: type[_Held]
) -> None:
    class Embedder(WordEmbedder):
        def encode(self, texts: Sequence[str]) -> Encoded:
            if held.begun.is_set():
                held.go.set()
            return super().encode(texts)

    runner = start(Embedder(), kind=held)
    jobs = runner.wait(runner.submit([notes(tmp_path / "in", 12)]), timeout=60)
    assert {each.outcome for each in jobs} == {"read"}
    assert counts(runner)["documents"] == 12


def test_a_file_that_cannot_be_stored_takes_nobody_with_it(
    start: Make, tmp_path: Path, held: type[_Held]
) -> None:
    held.go.set()
    held.bad = "note1.md"
    runner = start(kind=held)
    runner.wait(runner.submit([notes(tmp_path / "in", 4)]), timeout=60)
    assert {each.name: each.status for each in runner.list()} == {
        "note0.md": "done",
        "note1.md": "failed",
        "note2.md": "done",
        "note3.md": "done",
    }
    assert "could not be written" in job(runner, "note1.md").reason
    held.bad = ""
    runner.retry(job(runner, "note1.md").id)
    assert {each.status for each in runner.wait(timeout=60)} == {"done"}


def test_a_job_paused_and_resumed_while_its_file_is_stored_is_not_read_again(
    start: Make, tmp_path: Path, held: type[_Held]
) -> None:
    begun: list[str] = []

    def parse(path: Path, name: str) -> Parsed:
        begun.append(name)
        return read(path, name)

    runner = start(parse=parse, kind=held)
    ids = runner.submit([notes(tmp_path / "in", 1)])
    assert held.begun.wait(20)
    runner.pause(ids[0])
    runner.resume(ids[0])
    (other,) = runner.submit([notes(tmp_path / "more", 3) / "note2.md"])
    until(lambda: runner.get(other).stage == "embed")
    held.go.set()
    assert {each.status for each in runner.wait(timeout=30)} == {"done"}
    assert begun == ["note0.md", "note2.md"]
    assert counts(runner)["documents"] == 2


def test_what_is_being_stored_is_there_after_closing_and_its_job_goes_on(
    start: Make, tmp_path: Path, held: type[_Held]
) -> None:
    runner = start(kind=held)
    ids = runner.submit([notes(tmp_path / "in", 1)])
    assert held.begun.wait(20)
    threading.Timer(0.2, held.go.set).start()
    stop(runner)
    again = start()
    assert counts(again)["documents"] == 1
    assert again.get(ids[0]).stage == "enrich"
    assert again.wait(ids, timeout=30)[0].status == "done"
