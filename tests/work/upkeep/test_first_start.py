"""A first start that was broken off, by a full disk or a kill: the next one begins as if it had not been."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import DiskFull, KnowledgeError
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
        ingestion(disk.folder / "library")
    disk.free()
    into = ingestion(disk.folder / "library")
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
    into = ingestion(blank(tmp_path / "library"))
    assert into.knowledge.counts()["documents"] == 0
    into.knowledge.close()


@pytest.mark.parametrize("other", ["originals/ab/note.md", "chroma/chroma.sqlite3", "second_copy.sqlite"])
def test_a_catalog_that_was_emptied_is_not(tmp_path: Path, other: str) -> None:
    there = blank(tmp_path / "library") / other
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_text("What the library held.")
    with pytest.raises(KnowledgeError, match="is not the catalog of a library"):
        ingestion(tmp_path / "library")
    assert there.is_file()
