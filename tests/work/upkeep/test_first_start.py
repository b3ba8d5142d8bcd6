"""A first start that was broken off, by a full disk or a kill: the next one begins as if it had not been."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.bootstrap import build
from core.cli.operations import offer_demo
from core.errors import DiskFull, KnowledgeError
from core.knowledge.maintenance.unused import never_used
from core.settings import Settings, StoreSettings
from tests.ingest.ingestion_parts import ingestion
from tests.work.upkeep.test_full_disk import SmallDisk, disk

__all__ = ["disk"]
ROOMS = (0, 8_192, 24_576, 65_536, 300_000, 450_000)  # bytes: not enough for a library that holds nothing


@pytest.mark.parametrize("room", ROOMS)
def test_a_first_start_on_a_full_disk_is_a_sentence_and_goes_on_when_there_is_room(
    disk: SmallDisk,
    room: int,
) -> None:
    disk.fill(room)
    with pytest.raises(DiskFull, match="disk is full"):
        ingestion(disk.folder / "library", first_start=True)
    disk.free()
    into = ingestion(disk.folder / "library", first_start=True)
    assert into.knowledge.counts()["documents"] == 0 and into.knowledge.check() == []
    into.knowledge.close()


def blank(folder: Path) -> Path:
    """Make the catalog of a library whose first start was killed before its tables were there."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert (folder / "catalog.sqlite").stat().st_size > 0
    return folder


def test_a_catalog_that_was_only_begun_is_that_of_a_new_library(tmp_path: Path) -> None:
    into = ingestion(blank(tmp_path / "library"), first_start=True)
    assert into.knowledge.counts()["documents"] == 0
    into.knowledge.close()


def offered(folder: Path) -> int:
    """Return how many files `strata run` queues before the app itself starts."""
    settings = Settings(store=StoreSettings(path=folder))
    offer_demo(settings)
    assistant = build(settings, warm=False)
    try:
        return len(assistant.library.jobs())
    finally:
        assistant.close()


@pytest.mark.parametrize("room", ROOMS)
def test_the_demo_comes_at_the_next_start(disk: SmallDisk, room: int) -> None:
    disk.fill(room)
    with pytest.raises(DiskFull):
        offer_demo(Settings(store=StoreSettings(path=disk.folder / "library")))
    disk.free()
    assert offered(disk.folder / "library") > 10


def test_a_library_that_was_opened_and_never_used_gets_the_demo(tmp_path: Path) -> None:
    assert offered(blank(tmp_path / "blank")) > 10
    build(Settings(store=StoreSettings(path=tmp_path / "opened")), warm=False).close()
    assert offered(tmp_path / "opened") > 10
    (tmp_path / "empty").mkdir()
    assert offered(tmp_path / "empty") > 10


def test_a_library_whose_documents_were_deleted_gets_no_demo(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Pump\n\nThe pump of ETCH-07 is old.\n")
    assistant = build(Settings(store=StoreSettings(path=tmp_path / "library")), warm=False)
    (job,) = assistant.library.wait(assistant.library.ingest([note]))
    assistant.library.delete_permanently(job.document_id)
    for listed in assistant.library.jobs():
        assistant.library.dismiss(listed.id)
    assistant.close()
    shutil.rmtree(tmp_path / "library" / "originals")
    assert offered(tmp_path / "library") == 0


def test_a_library_that_was_asked_or_cannot_be_read_gets_no_demo(tmp_path: Path) -> None:
    assistant = build(Settings(store=StoreSettings(path=tmp_path / "asked")), warm=False)
    assistant.questions.wait(assistant.questions.ask("Who made the pump?"))
    assistant.close()
    assert not never_used(tmp_path / "asked")
    for name, data in (("notes.txt", b"mine"), ("catalog.sqlite", b"damaged"), ("seal.json", b"{}")):
        (tmp_path / name.partition(".")[0]).mkdir()
        (tmp_path / name.partition(".")[0] / name).write_bytes(data)
        assert not never_used(tmp_path / name.partition(".")[0])


@pytest.mark.parametrize("other", ["originals/ab/note.md", "chroma/chroma.sqlite3", "second_copy.sqlite"])
def test_a_catalog_that_was_emptied_is_not(tmp_path: Path, other: str) -> None:
    there = blank(tmp_path / "library") / other
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_text("What the library held.")
    with pytest.raises(KnowledgeError, match="is not the catalog of a library"):
        ingestion(tmp_path / "library", first_start=True)
    assert there.is_file()
