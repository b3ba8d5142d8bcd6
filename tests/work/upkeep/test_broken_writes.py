"""A write to Chroma's own catalog that is in progress, or that a kill broke off, is no damage."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.knowledge.maintenance.diagnosis import LibraryDiagnosis
from tests.work import damage

# Deletes vectors and writes so much that SQLite writes to the file before the end of the change.
WRITES = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
connection.execute("DELETE FROM embeddings")
connection.execute("CREATE TABLE filler (x)")
connection.executemany("INSERT INTO filler VALUES (?)", ((os.urandom(3000),) for _ in range(400)))
print("written", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = damage.make(tmp_path)
    (folder / "seal.json").unlink()
    return folder


@pytest.fixture
def writer(library: Path) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of a write."""
    command = [sys.executable, "-c", WRITES, str(library / "chroma" / "chroma.sqlite3")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == "written\n"
        yield process
        process.kill()


def test_a_write_that_was_broken_off_is_taken_back(library: Path, writer: subprocess.Popen[str]) -> None:
    was = LibraryDiagnosis(library)
    writer.kill()
    writer.wait()
    files = {name: (library / name).read_bytes() for name in damage.files(library)}
    assert "chroma/chroma.sqlite3-journal" in files
    assert was.faults(deep=True) == []
    assert {name: (library / name).read_bytes() for name in damage.files(library)} == files, "it only reads"
    with damage.opened(library) as knowledge:
        assert len(knowledge.nearest(damage.WordEmbedder().embed(["pump"])[0], "chunks", 9)) == 4
        assert knowledge.check() == []


def test_a_write_that_goes_on_is_not_called_damage(library: Path, writer: subprocess.Popen[str]) -> None:
    assert LibraryDiagnosis(library).faults(deep=True) == []
    assert writer.poll() is None
