"""Documents that an earlier version read are read again from their originals, and lose nothing by it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain import Parsed
from core.errors import DamagedFile, NotFound
from core.ingest.parsers import read
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.records import Job
from core.work.jobs.job_queue import JobQueue
from core.work.upkeep.rereading import Rereading
from tests.ingest.ingestion_parts import WordEmbedder, ingestion, inventory
from tests.work.queues import Make, counts, stop

NOTE = "# Pumps\n\nPump 7 of ETCH-03 runs hot.\n\n# Valves\n\nValve 4 of ETCH-03 sticks since May.\n"
TABLE = "week,product,yield\n2025-W10,A77,91.8\n2025-W11,A77,84.1\n"
Open = Callable[..., tuple[KnowledgeBase, JobQueue, Rereading]]


def as_before(path: Path, name: str) -> Parsed:
    """Read a file as a poorer version did: without its last paragraph, or the last row of its table."""
    parsed = read(path, name)
    if parsed.tables:
        short = [table.model_copy(update={"rows": table.rows[:-1]}) for table in parsed.tables]
        return parsed.model_copy(update={"tables": tuple(short)})
    return parsed.model_copy(update={"blocks": parsed.blocks[:-1]})


def damaged(path: Path, name: str) -> Parsed:
    raise DamagedFile(f"{name} is damaged.")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "note.md").write_text(NOTE)
    (folder / "yield.csv").write_text(TABLE)
    return folder


@pytest.fixture
def reopened(start: Make) -> Open:
    """Open the library with another way of reading; what was open before is closed."""
    held: list[JobQueue] = []

    def open_(parse: Callable[[Path, str], Parsed] = read, embedder: WordEmbedder | None = None):
        for each in held:
            stop(each)
        queue = start(embedder, parse)
        held[:] = [queue]
        knowledge: KnowledgeBase = queue.knowledge  # type: ignore[attr-defined]
        return knowledge, queue, Rereading(knowledge, queue)

    return open_


def from_before(knowledge: KnowledgeBase, version: str = "earlier") -> None:
    """Let the documents be of an earlier version; "" is what a library from before versions has."""
    with knowledge.database.writing() as connection:
        connection.execute("UPDATE documents SET reading = ?", (version,))


def held_before(reopened: Open, files: Path) -> Open:
    knowledge, queue, _ = reopened(as_before)
    queue.wait(queue.submit([files]))
    from_before(knowledge)
    return reopened


def again(queue: JobQueue, rereading: Rereading, documents: list[str] | None = None) -> list[Job]:
    return list(queue.wait(rereading.start(documents)))


def text(knowledge: KnowledgeBase) -> str:
    return "\n".join(chunk.text for chunk in knowledge.chunks())


def test_what_is_read_again_is_what_would_be_read_at_first(reopened: Open, files: Path, start: Make) -> None:
    held_before(reopened, files)
    knowledge, queue, rereading = reopened()
    assert "sticks" not in text(knowledge) and "84.1" not in text(knowledge)
    arrived = [document.id for document in knowledge.documents()]
    assert [document.id for document in rereading.earlier().ready] == arrived
    jobs = again(queue, rereading)
    assert [(job.status, job.outcome) for job in jobs] == [("done", "reread")] * 2
    assert "sticks" in text(knowledge) and "84.1" in text(knowledge)
    assert [document.id for document in knowledge.documents()] == arrived, "the order of arrival"
    (table,) = knowledge.tables()
    assert len(knowledge.external.tables.values(table.sql_name, 0, 9)) == table.row_count == 2
    assert knowledge.external.tables.names() == {table.sql_name}
    assert not rereading.earlier().ready and rereading.start() == []
    found = inventory(knowledge)
    stop(queue)
    shutil.rmtree(knowledge.path)
    fresh, queue, _ = reopened()
    queue.wait(queue.submit([files]))
    assert found.pop("tables") and fresh.tables()  # their names say that they were replaced
    assert found == {each: value for each, value in inventory(fresh).items() if each != "tables"}


def test_a_document_from_before_versions_counts_as_an_earlier_one(reopened: Open, files: Path) -> None:
    knowledge, queue, rereading = reopened()
    queue.wait(queue.submit([files]))
    assert not rereading.earlier().ready
    from_before(knowledge, "")
    assert len(rereading.earlier().ready) == 2


def test_what_reads_as_before_is_only_noted(reopened: Open, files: Path) -> None:
    knowledge, queue, _ = reopened()
    queue.wait(queue.submit([files]))
    from_before(knowledge)
    before, generation = inventory(knowledge), knowledge.generation()
    embedder = WordEmbedder()
    knowledge, queue, rereading = reopened(read, embedder)
    embedder.seen.clear()
    assert {job.reason for job in again(queue, rereading)} == {"It reads as it did before."}
    assert inventory(knowledge) == before and knowledge.generation() == generation
    assert not embedder.seen and not rereading.earlier().ready


def test_a_reading_that_fails_leaves_the_earlier_one(reopened: Open, files: Path) -> None:
    held_before(reopened, files)
    knowledge, queue, rereading = reopened(damaged)
    before = inventory(knowledge)
    jobs = again(queue, rereading)
    assert {(job.status, job.reason) for job in jobs} == {
        ("failed", "note.md is damaged."),
        ("failed", "yield.csv is damaged."),
    }
    assert inventory(knowledge) == before
    assert len(rereading.earlier().ready) == 2, "it is not forgotten that they are of an earlier version"


def test_what_cannot_be_stored_leaves_the_earlier_reading(reopened: Open, files: Path) -> None:
    held_before(reopened, files)
    knowledge, queue, rereading = reopened()
    before = inventory(knowledge)
    with knowledge.database.writing() as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON links BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
        connection.execute(
            "CREATE TRIGGER full2 BEFORE INSERT ON answers_to BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    assert {job.status for job in again(queue, rereading)} == {"failed"}
    knowledge.external.sweep()
    assert inventory(knowledge) == before
    (table,) = knowledge.tables()
    assert len(knowledge.external.tables.values(table.sql_name, 0, 9)) == table.row_count == 1


def test_documents_without_an_original_are_named_and_left(reopened: Open, files: Path) -> None:
    held_before(reopened, files)
    knowledge, queue, rereading = reopened()
    ids = {document.name: document.id for document in knowledge.documents()}
    knowledge.external.originals.drop(ids["note.md"])
    (files / "note.md").unlink()
    knowledge.external.originals.drop(ids["yield.csv"])  # it lies where it was added from
    earlier = rereading.earlier()
    assert [each.name for each in earlier.gone] == ["note.md"]
    assert [each.name for each in earlier.ready] == ["yield.csv"]
    assert [job.status for job in again(queue, rereading)] == ["done"]
    assert "Pump 7" in text(knowledge)
    (job,) = again(queue, rereading, [ids["note.md"]])
    assert job.status == "failed" and "gone" in job.reason and "Pump 7" in text(knowledge)
    assert knowledge.original(ids["yield.csv"]) is not None, "a copy is kept now"


def test_a_file_that_changed_is_not_taken_for_the_original(reopened: Open, files: Path) -> None:
    held_before(reopened, files)
    knowledge, queue, rereading = reopened()
    document = next(each.id for each in knowledge.documents() if each.name == "note.md")
    knowledge.external.originals.drop(document)
    (files / "note.md").write_text("# Other\n\nThis is another text.\n")
    (job,) = again(queue, rereading, [document])
    assert job.status == "failed" and "gone" in job.reason
    assert "Pump 7" in text(knowledge) and "another" not in text(knowledge)


def test_what_was_begun_goes_on_after_the_process_ended(reopened: Open, files: Path) -> None:
    held_before(reopened, files)
    knowledge, queue, rereading = reopened()
    queue.close()
    assert len(rereading.start()) == 2
    assert len(rereading.start()) == 2, "they are not queued twice"
    assert not rereading.earlier().ready
    knowledge, queue, rereading = reopened()
    assert {job.status for job in queue.wait()} == {"done"}
    assert "sticks" in text(knowledge) and counts(queue)["documents"] == 2


def test_new_files_go_first_and_count_as_coming_alone(
    reopened: Open, files: Path, home: Path, tmp_path: Path
) -> None:
    held_before(reopened, files)
    order: list[str] = []

    def noted(path: Path, name: str) -> Parsed:
        order.append(name)
        return read(path, name)

    _, queue, rereading = reopened()
    queue.close()
    jobs = rereading.start()
    assert queue.coming() == 0 and queue.reading()
    new = tmp_path / "new.md"
    new.write_text("# New\n\nThis is new.\n")
    jobs += queue.submit([new])
    assert queue.coming() == 1
    stop(queue)
    into = ingestion(home, parse=noted)
    alone = JobQueue(into.knowledge, into, workers=1)  # one reader, so that their order shows
    alone.wait(jobs)
    alone.close()
    into.knowledge.close()
    assert order[0] == "new.md" and sorted(order[1:]) == ["note.md", "yield.csv"]


def test_a_document_that_is_not_there_is_not_found(reopened: Open, files: Path) -> None:
    _, _, rereading = reopened()
    with pytest.raises(NotFound):
        rereading.start(["0" * 20])
