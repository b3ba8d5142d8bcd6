"""Every vector index gives the same answers."""

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromadb.api.rust import RustBindingsAPI
from chromadb.errors import InternalError

from core.errors import KnowledgeError
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.vector_index.vectors import ChromaStore
from core.ports import VectorIndex
from tests.knowledge.conftest import entry_of, make_document, vector
from tests.knowledge.stores.memory_index import MemoryIndex
from tests.making import nothing_left

CORNERS = np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 1, 0], [0, 0, 1]], np.float32)
IDS = ["a", "b", "c", "d"]
ABOUT = [{"document": name} for name in ("one", "one", "two", "two")]


@pytest.fixture(params=["memory", "chroma"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    if request.param == "memory":
        yield MemoryIndex()
        return
    store = ChromaStore(tmp_path / "chroma")
    yield store.index("chunks-test")
    store.close()


def test_the_nearest_come_first_with_their_cosine(index: VectorIndex) -> None:
    index.upsert(IDS, CORNERS * 3, ABOUT)
    hits = index.nearest(np.array([2, 0, 0], np.float32), 3)
    assert [hit[0] for hit in hits[:2]] == ["a", "b"]
    assert [hit[1] for hit in hits] == pytest.approx([1.0, 0.8, 0.0], abs=1e-5)


def test_upserting_twice_changes_nothing(index: VectorIndex) -> None:
    index.upsert(IDS, CORNERS, ABOUT)
    index.upsert(IDS, CORNERS, ABOUT)
    assert index.count() == 4 and index.ids() == set(IDS)


def test_upserting_again_replaces_the_vector(index: VectorIndex) -> None:
    index.upsert(IDS, CORNERS, ABOUT)
    index.upsert(["d"], CORNERS[:1], ABOUT[3:])
    assert [hit[0] for hit in index.nearest(CORNERS[0], 2)] == ["a", "d"]


def test_a_filter_keeps_other_documents_out(index: VectorIndex) -> None:
    index.upsert(IDS, CORNERS, ABOUT)
    assert [hit[0] for hit in index.nearest(CORNERS[0], 4, only=["two"])] == ["c", "d"]
    assert index.nearest(CORNERS[0], 4, only=["none"]) == []
    assert index.nearest(CORNERS[0], 4, only=[]) == []


def test_what_is_deleted_is_gone(index: VectorIndex) -> None:
    index.upsert(IDS, CORNERS, ABOUT)
    index.delete(["a", "unknown"])
    assert index.held(IDS) == {"b", "c", "d"}
    assert [hit[0] for hit in index.nearest(CORNERS[0], 1)] == ["b"]


def test_an_empty_index_finds_nothing(index: VectorIndex) -> None:
    assert index.nearest(CORNERS[0], 5) == [] and index.count() == 0 and index.ids() == set()


def test_equal_scores_are_ordered_by_id(index: VectorIndex) -> None:
    index.upsert(["z", "y", "x"], CORNERS[[0, 0, 0]], ABOUT[:3])
    assert [hit[0] for hit in index.nearest(CORNERS[0], 3)] == ["x", "y", "z"]


def test_chroma_keeps_its_vectors_on_disk(tmp_path: Path) -> None:
    store = ChromaStore(tmp_path / "chroma")
    store.index("chunks-test").upsert(IDS, CORNERS, ABOUT)
    store.close()
    again = ChromaStore(tmp_path / "chroma")
    assert again.index("chunks-test").nearest(CORNERS[2], 1)[0][0] == "c"
    assert again.index("chunks-other").count() == 0
    again.close()


@pytest.mark.parametrize("text", ["Nothing found on disk", "Internal error: Error finding id"])
def test_a_query_that_meets_a_write_of_another_thread_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    store = ChromaStore(tmp_path / "chroma")
    index = store.index("chunks-test")
    index.upsert(IDS, CORNERS, ABOUT)
    query, failures = RustBindingsAPI._query, [InternalError(text), InternalError(text)]

    def met(*arguments: Any, **named: Any) -> Any:
        if failures:
            raise failures.pop()
        return query(*arguments, **named)

    monkeypatch.setattr(RustBindingsAPI, "_query", met)
    assert index.nearest(CORNERS[2], 1)[0][0] == "c" and failures == []
    failures.extend([InternalError("another"), InternalError("another")])
    with pytest.raises(KnowledgeError, match="another"):
        index.nearest(CORNERS[2], 1)
    assert len(failures) == 1
    store.close()


@pytest.mark.slow
def test_a_chroma_server_holds_the_vectors_of_a_library(tmp_path: Path) -> None:
    chroma = Path(sys.executable).with_name("chroma")
    if not chroma.exists():
        pytest.skip("Chroma's command line is not installed beside this Python")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [chroma, "run", "--path", tmp_path / "server", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        prepared = make_document("Etch", ["The chamber is heated.", "The plasma starts."])
        with KnowledgeBase(tmp_path / "library", "test", chroma_url=f"http://127.0.0.1:{port}") as library:
            library.add(prepared, entry_of(prepared))
            near = library.nearest(vector("plasma starts"), "chunks", 1)
            assert near[0].id == prepared.chunks[1].id and library.check() == []
            assert nothing_left(library.remove(prepared.document.id))
        assert not (tmp_path / "library" / "chroma").exists()
    finally:
        server.kill()
        server.wait()


def wait_for(port: int) -> None:
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError("the server did not start")


def test_a_chroma_server_that_does_not_answer_raises_a_knowledge_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        KnowledgeBase(tmp_path / "library", "test", chroma_url="http://127.0.0.1:9")
    KnowledgeBase(tmp_path / "library", "test").close()
