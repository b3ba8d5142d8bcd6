"""Crashes, a second process, a full disk, many threads."""

import random
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Set
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path

import pytest

from core.domain import Atom, Distilled, Entity, Mention, identify
from core.errors import DiskFull, KnowledgeError, LibraryBusy, ServerAway
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.knowledge.maintenance.diagnosis import LibraryDiagnosis
from core.knowledge.stores.database import translated_errors
from core.knowledge.stores.vector_index.embeddings import EmbeddingModel
from core.knowledge.stores.vector_index.library_collections import MadeIndexes
from tests.forked import telling
from tests.knowledge.conftest import YIELD, entry_of, make_document, vector
from tests.knowledge.stores.adding_process import add_documents
from tests.knowledge.stores.memory_index import MemoryIndex
from tests.making import nothing_left

Add = Callable[..., IndexableDocument]


@pytest.mark.parametrize("seed", range(3))
def test_a_process_killed_while_adding_leaves_whole_documents_only(folder: Path, seed: int) -> None:
    process, output = telling(add_documents, folder)
    assert output.recv() == "open"
    acknowledged = [output.recv()]
    time.sleep(random.Random(seed).uniform(0, 0.4))
    process.kill()
    process.join()
    with suppress(EOFError, OSError):  # the last of them may be cut off
        while True:
            acknowledged.append(output.recv())
    with KnowledgeBase(folder, "test") as library:
        library.repair()  # a file copied just before the end may lie there without its document
        assert library.check() == []
        there = {document.id for document in library.documents()}
        assert there >= set(acknowledged) and len(there) <= len(acknowledged) + 1
        for document_id in there:
            assert len(library.chunks(document_id)) == 40
            table = library.tables(document_id)[0]
            assert len(library.rows(table.id)) == 4
            rows = library.tokens.read([chunk.id for chunk in library.chunks(document_id)])
            assert all(len(part) == 6 for part in rows)
        assert len(library.keyword("chamber", 10_000)) == 40 * len(there)
        more = make_document("After the crash", ["The chamber is whole."])
        library.add(more, entry_of(more))
        assert library.check() == []


def test_what_was_announced_and_never_became_visible_is_taken_back_on_opening(
    folder: Path, library: KnowledgeBase, add: Add
) -> None:
    there = add("Etch", "The chamber is heated.")
    chunk, document = there.chunks[0].id, there.document.id
    library.external.announce({"chunks": ["half", chunk], "files": ["halfdone", document]})
    library.external.put_vectors("chunks", [("half", vector("chamber"), "halfdone")])
    library.external.originals.write("halfdone", "x.txt", b"x")
    assert len(library.check()) == 2
    library.close()
    with KnowledgeBase(folder, "test") as again:
        assert again.check() == [] and again.repair() == []
        assert [hit.id for hit in again.nearest(vector("chamber"), "chunks", 5)] == [chunk]


def test_a_second_process_is_told_that_the_library_is_busy(folder: Path) -> None:
    process, output = telling(add_documents, folder)
    try:
        assert output.recv() == "open"
        with pytest.raises(LibraryBusy) as busy:
            KnowledgeBase(folder, "test")
        assert "STRATA_STORE__PATH" in busy.value.hint and busy.value.retryable
    finally:
        process.kill()
        process.join()


def test_a_second_opening_in_the_same_process_is_busy_too_until_the_first_is_closed(folder: Path) -> None:
    first = KnowledgeBase(folder, "test")
    with pytest.raises(LibraryBusy):
        KnowledgeBase(folder, "test")
    first.close()
    first.close()
    KnowledgeBase(folder, "test").close()
    with pytest.raises(KnowledgeError, match="closed"):
        first.documents()


class FullIndex(MemoryIndex):
    """An index on a disk that fills up after some rows."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def upsert(self, ids, vectors, metadata) -> None:
        super().upsert(ids[: self.room], vectors[: self.room], metadata[: self.room])
        if len(ids) > self.room:
            with translated_errors():
                raise sqlite3.OperationalError("database or disk is full")


def test_a_full_disk_is_said_plainly_and_leaves_nothing_half_seen(folder: Path) -> None:
    full = FullIndex(1)

    def indexes(name: str) -> MemoryIndex:
        return full if name.startswith("chunks") else MemoryIndex()

    with KnowledgeBase(folder, "test", indexes=indexes) as library:
        prepared = make_document("Etch", ["One about chambers.", "Two about chambers."], tables=[YIELD])
        with pytest.raises(DiskFull) as result:
            library.add(prepared, entry_of(prepared))
        assert result.value.retryable
        assert library.documents() == [] and library.keyword("chambers", 5) == []
        assert library.nearest(vector("chambers"), "chunks", 5) == []
        assert library.check() != []
        full.room = 100
        library.repair()
        assert library.check() == [] and full.count() == 0
        library.add(prepared, entry_of(prepared))
        assert len(library.keyword("chambers", 5)) == 2 and library.check() == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_file_that_cannot_be_written_for_lack_of_room_is_a_full_disk() -> None:
    with pytest.raises(DiskFull), translated_errors(), Path("/dev/full").open("w") as file:
        file.write("x" * 10)
        file.flush()


def test_a_library_of_a_newer_strata_is_left_alone(folder: Path) -> None:
    KnowledgeBase(folder, "test").close()
    (folder / "seal.json").unlink()
    with sqlite3.connect(folder / "catalog.sqlite") as connection:
        connection.execute("PRAGMA user_version = 9999")
    connection.close()
    with pytest.raises(KnowledgeError, match="newer"):
        KnowledgeBase(folder, "test")


def read_until(stop: threading.Event, library: KnowledgeBase) -> int:
    times = 0
    while not stop.is_set():
        hits = library.keyword("chamber", 20)
        near = library.nearest(vector("chamber"), "chunks", 20)
        found = library.chunks(ids=[hit.id for hit in [*hits, *near]])
        assert all("chamber" in chunk.text for chunk in found)
        library.link_entities("Which chamber is Chamber 3?")
        library.propagate({hit.id: 1.0 for hit in hits}, 0.5)
        library.counts()
        times += 1
    return times


def write(library: KnowledgeBase, name: int) -> None:
    for number in range(8):
        prepared = make_document(f"Report {name} {number}", [f"The chamber {name} {number} is heated."])
        chunk, document = prepared.chunks[0].id, prepared.document.id
        library.add(prepared, entry_of(prepared))
        entity = Entity(id=identify("chamber 3"), name="Chamber 3")
        atom = Atom(id=identify(chunk, "atom"), chunk_id=chunk, kind="statement", text="It is heated.")
        mention = Mention(chunk_id=chunk, entity_id=entity.id)
        items = Distilled(atoms=(atom,), entities=(entity,), mentions=(mention,))
        library.enrich(document, items, {"atoms": vector(atom.text).reshape(1, -1)})
        if number % 2 == 0:
            assert nothing_left(library.remove(document))


def test_many_threads_read_while_others_add_distil_and_remove(library: KnowledgeBase) -> None:
    stop = threading.Event()
    with ThreadPoolExecutor(6) as pool:
        readers = [pool.submit(read_until, stop, library) for _ in range(3)]
        writers = [pool.submit(write, library, name) for name in range(3)]
        wait(writers)
        stop.set()
        for future in (*writers, *readers):
            future.result()
    assert all(reader.result() > 0 for reader in readers)
    assert library.counts()["documents"] == 12 and len(library.keyword("chamber", 100)) == 12
    assert library.check() == []


def test_repair_takes_away_what_belongs_to_nothing_and_says_what_it_cannot_mend(
    folder: Path, library: KnowledgeBase, add: Add
) -> None:
    prepared = add("Etch", "The chamber is heated.", "The plasma starts.")
    library.external.indexes["chunks"].upsert(["stray"], vector("x").reshape(1, -1), [{"document": "gone"}])
    library.external.originals.write("strayfolder", "x.txt", b"x")
    library.external.indexes["chunks"].delete([prepared.chunks[0].id])
    wrong = library.check()
    assert len(wrong) == 3 and any("missing" in sentence for sentence in wrong)
    done = library.repair()
    assert any("Etch" in sentence for sentence in done)
    assert library.external.missing("chunks") == [prepared.chunks[0].id]
    library.external.give_vectors("chunks", [prepared.chunks[0].id], prepared.vectors[:1])
    assert library.check() == [] and library.external.missing("chunks") == []


def test_caches_may_be_deleted(folder: Path, library: KnowledgeBase, add: Add) -> None:
    prepared = add("Etch", "The chamber is heated.", "The plasma starts.")
    before = library.keyword("plasma chamber", 5), library.propagate({prepared.chunks[0].id: 1.0}, 0.5)
    library.close()
    for cache in ("keywords", "graph"):
        shutil.rmtree(folder / cache)
    (folder / "cache.sqlite").unlink()
    with KnowledgeBase(folder, "test") as again:
        assert (
            again.keyword("plasma chamber", 5),
            again.propagate({prepared.chunks[0].id: 1.0}, 0.5),
        ) == before


def test_bytes_that_sqlite_quotes_from_a_damaged_catalog_are_a_sentence(folder: Path) -> None:
    KnowledgeBase(folder, "test").close()
    path = folder / "catalog.sqlite"
    data = path.read_bytes()
    path.write_bytes(
        data.replace(b"documentsdocuments", b"\x8aocumentsdocuments").replace(b"ABLE doc", b"ABLO doc")
    )
    with pytest.raises(KnowledgeError, match="cannot be read"):
        KnowledgeBase(folder, "test")


def test_vectors_that_a_server_lost_are_missed_by_the_doctor_and_at_opening(folder: Path) -> None:
    indexes: dict[str, MemoryIndex] = {}

    def index(name: str) -> MemoryIndex:
        return indexes.setdefault(name, MemoryIndex())

    with KnowledgeBase(folder, "test", indexes=index) as library:
        library.embeddings.serve(EmbeddingModel(digest="test", backend="packaged", name="test"))
        prepared = make_document("Etch", ["One about chambers.", "Two about chambers."])
        library.add(prepared, entry_of(prepared))
    KnowledgeBase(folder, "test", indexes=index).close()
    indexes.clear()
    with pytest.raises(
        KnowledgeError, match="Vectors of 2 chunks are missing on the Chroma server"
    ) as result:
        KnowledgeBase(folder, "test", indexes=index)
    assert "strata doctor --repair" in result.value.hint

    class Away(MadeIndexes):
        def missing(self, name: str, library: str, ids: Set[str], *, exact: bool) -> int:
            raise ServerAway("the Chroma server does not answer.")

    (fault,) = LibraryDiagnosis(folder, Away(index)).faults()
    assert fault.store == "server" and "STRATA_STORE__CHROMA_URL" in fault.message
