"""What the queue holds in memory: few files ahead, few token vectors at once, nothing once it is over."""

import gc
import platform
import weakref
from pathlib import Path

import pytest

from core.domain import Parsed
from core.ingest.parsers import read
from core.runtime import memory
from tests.ingest.ingestion_parts import WordEmbedder
from tests.work.queues import Make, long_file, notes, until


def test_no_more_large_files_are_begun_while_many_chunks_wait_for_their_vectors(
    start: Make, tmp_path: Path
) -> None:
    begun: list[str] = []

    def parse(path: Path, name: str) -> Parsed:
        begun.append(name)
        return read(path, name)

    embedder = WordEmbedder(pause=0.5)
    runner = start(embedder, parse)  # 8 chunks are a batch, so 128 are plenty
    for n in range(12):
        with long_file(tmp_path / "in" / f"{n}.md", 60 + n).open("a") as file:
            file.write("\n<!--" + "x" * 300_000 + "-->\n")
    ids = runner.submit([tmp_path / "in"])
    until(lambda: len(embedder.sizes) > 2)
    assert 4 <= len(begun) <= 8
    runner.submit([notes(tmp_path / "small", 2)])
    until(lambda: "note1.md" in begun)
    assert len(begun) < 12
    embedder.pause = 0.0
    assert {job.outcome for job in runner.wait(ids, timeout=60)} == {"read"}


def test_short_files_are_embedded_a_batch_at_a_time(start: Make, tmp_path: Path) -> None:
    embedder = WordEmbedder(pause=0.2)
    runner = start(embedder)
    runner.wait(runner.submit([notes(tmp_path / "in", 20)]), timeout=60)
    of_chunks = embedder.sizes[: len(embedder.sizes) // 2]
    assert max(of_chunks) <= 8 + 2


def test_what_is_left_of_the_work_goes_once_the_queue_is_empty(
    start: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_full_due", 0.0)  # the last full collection of this process was long ago

    class Knot:
        """Refers to itself, so that only a full collection frees it."""

        def __init__(self) -> None:
            self.itself = self

    knot = Knot()
    gone = weakref.ref(knot)
    gc.freeze()  # as caches do that are read meanwhile
    del knot
    runner = start()
    runner.wait(runner.submit([notes(tmp_path / "in", 1)]), timeout=60)
    until(lambda: gone() is None and gc.get_freeze_count() > 10_000, seconds=40)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other systems do it by themselves")
def test_freed_memory_is_given_back_to_the_system() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

    blocks = [bytes(4000) for _ in range(30_000)]
    del blocks[:-1]  # the last one keeps the heap from shrinking by itself
    before = resident()
    memory.release_memory()
    assert resident() < before - 60
