"""Damage to packed data (gzip, bzip2, xz): what stands before it is kept, and it is reported."""

import bz2
import gzip
import io
import lzma
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain import Parsed
from core.ingest.parsers.unpacked import Unpacked
from tests.ingest.parsers.test_damage import MARKS, outcome
from tests.ingest.parsers.test_damage_elsewhere import NOTE, noise, tar, words

ROWS = "".join(f"pump {n * 7919 % 10_007} ran {n * 1_729 % 9_973} hours\n" for n in range(20_000)).encode()


@pytest.mark.parametrize(
    ("kind", "packed_rows"),
    [
        ("application/gzip", gzip.compress(ROWS)),
        ("application/x-bzip2", bz2.compress(ROWS, 1)),
        ("application/x-xz", lzma.compress(ROWS, preset=0)),
    ],
)
def test_packed_data_is_read_up_to_its_damage(tmp_path: Path, kind: str, packed_rows: bytes) -> None:
    path, at = tmp_path / "a", len(packed_rows) * 3 // 4
    for torn in (packed_rows[:at], noise(packed_rows, at, 40, 0xFF)):
        path.write_bytes(torn)
        unpacked = Unpacked(path, kind)
        with io.BufferedReader(unpacked) as stream:
            assert stream.read().startswith(ROWS[: len(ROWS) // 2])
        assert unpacked.damaged
    path.write_bytes(packed_rows)
    with io.BufferedReader(unpacked := Unpacked(path, kind)) as stream:
        assert stream.read() == ROWS
    assert not unpacked.damaged


def test_a_damaged_gzip_gives_what_stands_before_the_damage_and_the_files_behind_it() -> None:
    parts = [gzip.compress((NOTE.format(mark) * 3).encode()) for mark in MARKS[:3]]
    found = outcome("a.txt.gz", parts[0] + noise(parts[1], 14, 20, 0xFF) + parts[2])
    assert all(str(mark) in words(found) for mark in (MARKS[0], MARKS[2]))
    assert isinstance(found, Parsed)
    assert any("damaged" in message for message in found.skipped)
    torn = outcome("a.tar.gz", gzip.compress(tar())[:-60])
    assert str(MARKS[0]) in words(torn)


@pytest.mark.parametrize(
    ("kind", "pack"), [("application/x-bzip2", bz2.compress), ("application/x-xz", lzma.compress)]
)
def test_a_small_file_that_unpacks_to_much_is_unpacked_a_piece_at_a_time(
    tmp_path: Path, kind: str, pack: Callable[[bytes], bytes]
) -> None:
    (path := tmp_path / "a").write_bytes(pack(bytes(1 << 26)))
    tracemalloc.start()
    try:
        with io.BufferedReader(Unpacked(path, kind)) as stream:
            assert stream.read(100_000) == bytes(100_000)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20  # xz looks back through 8 MiB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "written", [0, 2_590, 1_001_998]
)  # the time in the head, read as data by a false beginning
def test_thousands_of_damaged_members_are_passed_over(tmp_path: Path, written: int) -> None:
    (path := tmp_path / "a").write_bytes(
        b"\x1f\x8b\x08\x00\xff" * 5_000 + gzip.compress(b"sound", mtime=written)
    )
    with io.BufferedReader(unpacked := Unpacked(path, "application/gzip")) as stream:
        assert stream.read() == b"sound"
    assert unpacked.damaged
