"""The vector index behind `core.ports.VectorIndex`: Chroma, in a folder or on a server."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from core.errors import DiskFull, KnowledgeError, ServerAway, Unlockable
from core.knowledge.stores.database import is_disk_full, is_without_locks, no_room
from core.ports import Vectors

DELETED_AT_ONCE = 2000
WRITTEN_AT_ONCE = 250  # vectors written at once: Chroma lets no other thread of Python run meanwhile
MAX_ATTEMPTS = 8
# What Chroma 1.5 says of a query that meets a write of another thread; asked again, it answers.
WRITE_CONFLICTS = (
    "Nothing found on disk",  # the first write of the index is not finished
    "Error finding id",  # a vector was found near and deleted before its id was looked up
)
SILENT_SECONDS = 60.0  # without a byte from a Chroma server that is there, until it counts as away
CONNECT_SECONDS = 10.0
DOCUMENT = "document"  # the metadata key that holds the document's id


def _ordered(ids: Sequence[str], scores: Sequence[float]) -> list[tuple[str, float]]:
    return sorted(zip(ids, scores, strict=True), key=lambda hit: (-hit[1], hit[0]))


@contextmanager
def _translated_errors(folder: Path | None) -> Iterator[None]:
    """Translate what Chroma says; of a full disk it often says only which of its steps failed."""
    import httpx
    from chromadb.errors import ChromaError

    try:
        yield
    except httpx.TransportError as error:
        raise ServerAway("the Chroma server that keeps the vectors does not answer.") from error
    except (ChromaError, OSError, ValueError, RuntimeError) as error:
        if is_disk_full(error) or _is_full(folder):
            raise DiskFull("the disk is full") from error
        if is_without_locks(error):
            raise Unlockable(
                "the vector index could not be locked; nothing that was stored is lost."
            ) from error
        if "could not connect to a chroma server" in str(error).lower():
            raise ServerAway(f"no Chroma server answers: {error}") from error
        raise KnowledgeError(f"the vector index could not be read or written: {error}") from error


def _is_full(folder: Path | None) -> bool:
    return folder is not None and no_room(folder)


def _require_room(folder: Path | None) -> None:
    """Refuse a write where hardly any room is left.

    Chroma, whose disk fills up in a write, leaves its database locked: the next stands still, also when there
    is room again, and with it every thread of Python.
    """
    if _is_full(folder):
        raise DiskFull("the disk is full")


def _connected(url: str, settings: Any) -> Any:
    """Return a client of the server at the address; Chroma's own waits for ever for one that hangs."""
    import chromadb
    import httpx

    patience = httpx.Timeout(SILENT_SECONDS, connect=CONNECT_SECONDS)
    at = urlsplit(url)
    host, port, safe = at.hostname or "127.0.0.1", at.port or 8000, at.scheme == "https"
    named = f"[{host}]" if ":" in host else host
    httpx.get(f"{'https' if safe else 'http'}://{named}:{port}/api/v2/heartbeat", timeout=patience)
    client: Any = chromadb.HttpClient(host, port, ssl=safe, settings=settings)
    for session in _sessions(client):
        session.timeout = patience
    return client


def _sessions(client: Any) -> Iterator[Any]:
    """Yield the HTTP sessions that a client holds; one over a folder holds none."""
    for owner in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(owner, "_server", None), "_session", None)
        if session is not None:
            yield session


class ChromaStore:
    """One Chroma client; makes an index per layer. Telemetry is off."""

    def __init__(self, path: Path, url: str | None = None) -> None:
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        self._folder = path if url is None else None
        with _translated_errors(self._folder):
            if url is None:
                path.mkdir(parents=True, exist_ok=True)
                try:
                    self._client = chromadb.PersistentClient(str(path), settings=settings)
                except AttributeError as error:  # Chroma's cleanup raises if opening failed
                    raise KnowledgeError(f"the vector index in {path} could not be opened.") from error
            else:
                self._client = _connected(url if "//" in url else f"http://{url}", settings)

    def index(self, name: str) -> "ChromaIndex":
        """Return the index of that name, made if it is not there."""
        return ChromaIndex(self._client, name, self._folder)

    def has(self, name: str) -> bool:
        """Say whether there is an index of that name."""
        from chromadb.errors import NotFoundError

        with _translated_errors(self._folder):
            try:
                self._client.get_collection(name, embedding_function=None)
            except NotFoundError:
                return False
            return True

    def drop(self, name: str) -> None:
        """Delete the index of that name, if there is one."""
        if self.has(name):
            with _translated_errors(self._folder):
                _require_room(self._folder)
                self._client.delete_collection(name)

    def rename(self, name: str, new: str) -> None:
        """Give an index a name that none has yet."""
        with _translated_errors(self._folder):
            _require_room(self._folder)
            self._client.get_collection(name, embedding_function=None).modify(name=new)

    def close(self) -> None:
        """Release the folder, so that another process may open it."""
        client: Any = self._client
        client.close()
        for session in _sessions(client):
            session.close()  # Chroma leaves the connections to its server open


class ChromaIndex:
    """One Chroma collection. Vectors are handed over, never made here."""

    def __init__(self, client: Any, name: str, folder: Path | None) -> None:
        self._folder = folder  # None: a server keeps them
        with _translated_errors(self._folder):
            # No embedding function: vectors are ours, and Chroma's default would download a model.
            if _is_full(folder):  # one that is there can be read
                self._collection = client.get_collection(name, embedding_function=None)
                return
            self._collection = client.get_or_create_collection(
                name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )

    def upsert(self, ids: Sequence[str], vectors: Vectors, metadata: Sequence[dict[str, str]]) -> None:
        with _translated_errors(self._folder):
            for start in range(0, len(ids), WRITTEN_AT_ONCE):
                part = slice(start, start + WRITTEN_AT_ONCE)
                _require_room(self._folder)
                self._collection.upsert(
                    ids=list(ids[part]),
                    embeddings=np.asarray(vectors[part], np.float32),
                    metadatas=list(metadata[part]),
                )

    def delete(self, ids: Sequence[str]) -> None:
        with _translated_errors(self._folder):
            for start in range(0, len(ids), DELETED_AT_ONCE):
                _require_room(self._folder)
                self._collection.delete(ids=list(ids[start : start + DELETED_AT_ONCE]))

    def count(self) -> int:
        with _translated_errors(self._folder):
            return int(self._collection.count())

    def ids(self) -> set[str]:
        found: set[str] = set()
        with _translated_errors(self._folder):
            while page := self._collection.get(include=[], limit=10_000, offset=len(found))["ids"]:
                found.update(page)
        return found

    def held(self, ids: Sequence[str]) -> set[str]:
        found: set[str] = set()
        with _translated_errors(self._folder):
            for start in range(0, len(ids), DELETED_AT_ONCE):
                found.update(
                    self._collection.get(ids=list(ids[start : start + DELETED_AT_ONCE]), include=[])["ids"]
                )
        return found

    def fetch(self, ids: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        with _translated_errors(self._folder):
            for start in range(0, len(ids), DELETED_AT_ONCE):
                reply = self._collection.get(
                    ids=list(ids[start : start + DELETED_AT_ONCE]), include=["embeddings"]
                )
                found |= zip(reply["ids"], np.asarray(reply["embeddings"], np.float32), strict=True)
        return found

    def nearest(
        self, vector: Vectors, limit: int, only: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        if limit <= 0 or (only is not None and not only):
            return []
        where = None if only is None else {DOCUMENT: {"$in": list(only)}}
        with _translated_errors(self._folder):
            reply = self._query(np.asarray(vector, np.float32).reshape(1, -1), limit, where)
        return _ordered(reply["ids"][0], [1.0 - distance for distance in reply["distances"][0]])

    def _query(self, vectors: Vectors, limit: int, where: Any) -> Any:
        """Query, again where a write of another thread came in between."""
        from chromadb.errors import InternalError

        for attempt in range(MAX_ATTEMPTS):
            try:
                return self._collection.query(
                    query_embeddings=vectors, n_results=limit, where=where, include=["distances"]
                )
            except InternalError as error:
                conflicts = any(phrase in str(error) for phrase in WRITE_CONFLICTS)
                if not conflicts or attempt == MAX_ATTEMPTS - 1:
                    raise
                time.sleep(0.05 * (attempt + 1))
        raise AssertionError("the last attempt returns or raises")
