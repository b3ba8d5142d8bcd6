"""Reads a library's databases from outside: nothing is written, locked for long, or made."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

import duckdb

from core.errors import DiskFull, KnowledgeError, Unlockable
from core.knowledge.stores.database import is_disk_full, is_without_locks, translated_errors
from core.knowledge.stores.external_stores import VECTOR_LAYERS, VISIBLE, VectorLayer
from core.text.sql_quoting import quoted

SQLITE = b"SQLite format 3\0"
BROKEN = (sqlite3.Error, UnicodeDecodeError)  # what SQLite says quotes the bytes of a damaged file
DUCKDB = b"DUCK"  # from byte 8 on
COUNT_CHUNKS = "SELECT count(*) FROM chunks"


@contextmanager
def reading_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Lend a connection that only reads. Raises KnowledgeError where the file is no whole database,
    BlockingIOError while a process writes to it and lets nobody read.

    A file with a journal is read together with it; without one it is read as it lies there, so that not even
    a lock is left behind. A folder that cannot be written to can only be read the second way.
    """
    if left_of_write(path):
        with _as_before_write(path) as connection:
            yield connection
        return
    journal = path.with_name(f"{path.name}-wal")
    busy = journal.exists() and journal.stat().st_size > 0
    try:
        connection = _connected(path, "mode=ro" if busy else "immutable=1")
    except BROKEN as error:
        if is_without_locks(error):  # without its journal it would be an older one, or none
            raise Unlockable(f"{path.name} could not be locked to be read.") from error
        connection = _connected(path, "immutable=1")
    with _lent(path, connection):
        yield connection


def left_of_write(path: Path) -> Path | None:
    """Return the rollback journal of an unfinished write, or None."""
    journal = path.with_name(f"{path.name}-journal")
    return journal if journal.exists() and journal.stat().st_size > 0 else None


@contextmanager
def _as_before_write(path: Path) -> Iterator[sqlite3.Connection]:
    """Lend a connection to what a file held before a write that is in progress or was broken off: then a
    copy is read, in which SQLite takes the write back."""
    try:
        connection = _connected(path, "mode=ro")
    except BROKEN as error:
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
            raise BlockingIOError(str(error)) from error
        with TemporaryDirectory() as folder:
            copy = Path(folder) / path.name
            with translated_errors():
                for each in filter(None, (path, left_of_write(path))):
                    shutil.copyfile(each, copy.with_name(each.name))
            with _lent(path, sqlite3.connect(copy)) as connection:
                yield connection
        return
    with _lent(path, connection):
        yield connection


@contextmanager
def _lent(path: Path, connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    connection.row_factory = sqlite3.Row
    try:
        yield connection
    except BROKEN as error:
        if is_disk_full(error):  # of a copy that is made meanwhile
            raise DiskFull("the disk is full") from error
        raise KnowledgeError(f"{path.name} cannot be read: {error}") from error
    finally:
        connection.close()


def _connected(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True, timeout=5.0)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BROKEN:
        connection.close()
        if how != "immutable=1":
            raise
        return sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True)
    return connection


def is_blank(path: Path) -> bool:
    """Say whether a SQLite file holds no table and never did. Raises KnowledgeError."""
    with reading_only(path) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not version and not tables


class CatalogContents(NamedTuple):
    """The contents of the other stores according to a catalog."""

    documents: dict[str, int]  # id -> bytes
    going: frozenset[str]  # documents whose removal or adding is not finished
    chunks: int
    tables: dict[str, int]  # sql_name -> rows
    serving: str  # digest of the embedding model, "" where none is written down
    filling: bool  # its vectors are still being made
    tokens: tuple[int, int, int]  # number of the file, rows, bytes of a row
    projected: bool  # they cannot be read without their projection
    version: int
    library: str  # what tells its collections on a Chroma server from those of others, "" for none


def catalog_contents(path: Path) -> CatalogContents:
    """Return the contents of the catalog in a file. Raises KnowledgeError."""
    with reading_only(path) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"documents", "chunks", "tables"} <= tables:
            raise KnowledgeError(f"{path.name} is not the catalog of a library")
        serving = None
        if "embedders" in tables:
            serving = connection.execute(
                "SELECT digest, tokens FROM embedders WHERE state = 'serving'"
            ).fetchone()
        counters = dict(connection.execute("SELECT name, value FROM counters").fetchall())
        end = None
        if "token_spans" in tables:
            end = connection.execute(
                "SELECT start + rows FROM token_spans ORDER BY start DESC, rows DESC LIMIT 1"
            ).fetchone()
        notes = connection.execute(
            "SELECT value FROM unfinished, json_each(unfinished.parts, '$.files')"
        ).fetchall()
        named = None
        if "library_id" in tables:
            named = connection.execute("SELECT id FROM library_id").fetchone()
        counts = [connection.execute(each).fetchone()[0] for each in (COUNT_CHUNKS, "PRAGMA user_version")]
        return CatalogContents(
            documents=dict(connection.execute("SELECT id, size FROM documents ORDER BY n").fetchall()),
            going=frozenset(row[0] for row in notes),
            chunks=int(counts[0]),
            tables=dict(connection.execute("SELECT sql_name, row_count FROM tables").fetchall()),
            serving="" if serving is None else str(serving[0]),
            filling=serving is not None and not serving[1],
            tokens=(
                counters.get("tokens file", 0),
                int(end[0]) if end else 0,
                counters.get("tokens width", 0),
            ),
            projected=bool(counters.get("tokens projected", 0)),
            version=int(counts[1]),
            library="" if named is None else str(named[0]),
        )


def version(path: Path) -> int:
    """Return the number of the schema of a catalog. Raises KnowledgeError."""
    with reading_only(path) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def integrity(path: Path) -> str:
    """Return the first fault of SQLite's integrity check, "" for none. Raises KnowledgeError."""
    with reading_only(path) as connection:
        messages = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
    return "" if messages == ["ok"] else "; ".join(messages)


def begins_with(path: Path, mark: bytes, at: int = 0) -> bool:
    """Say whether a file holds the mark of its format; a folder in its place does not."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        file.seek(at)
        return file.read(len(mark)) == mark


def rows_of_tables(path: Path) -> dict[str, int]:
    """Read every cell of every table; return sql_name -> rows. Raises KnowledgeError; BlockingIOError while
    something has the file open for writing."""
    try:
        with duckdb.connect(str(path), read_only=True, config={"threads": "2"}) as connection:
            names = connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
            found = {}
            for (name,) in names:
                row = connection.execute(
                    f"SELECT count(*), bit_xor(hash(t)) FROM {quoted(name)} t"
                ).fetchone()
                found[str(name)] = int(row[0]) if row else 0
            return found
    except duckdb.Error as error:
        if isinstance(error, duckdb.ConnectionException) or "set lock on file" in str(error):
            raise BlockingIOError(str(error)) from error
        raise KnowledgeError(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from error


def vectors_by_layer(path: Path, digest: str) -> dict[str, set[str]]:
    """Return layer -> ids that Chroma's own catalog says it has vectors of. Raises KnowledgeError."""
    with reading_only(path) as connection:
        return {
            layer: {
                row[0]
                for row in connection.execute(
                    "SELECT e.embedding_id FROM embeddings e JOIN segments s ON s.id = e.segment_id"
                    " JOIN collections c ON c.id = s.collection WHERE c.name = ?",
                    (f"{layer}-{digest[:32]}",),
                )
            }
            for layer in VECTOR_LAYERS
        }


def count_of_vectors(path: Path, digest: str) -> int:
    """Return how many chunks Chroma's own catalog has vectors of. Raises KnowledgeError."""
    with reading_only(path) as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM embeddings e JOIN segments s ON s.id = e.segment_id"
            " JOIN collections c ON c.id = s.collection WHERE c.name = ?",
            (f"chunks-{digest[:32]}",),
        ).fetchone()
        return int(count)


def written_segments(path: Path) -> list[str]:
    """Return the vector segments that Chroma has written to folders of their own. Raises KnowledgeError."""
    with reading_only(path) as connection:
        rows = connection.execute(
            "SELECT s.id FROM segments s JOIN max_seq_id m ON m.segment_id = s.id WHERE s.scope = 'VECTOR'"
        )
        return [str(row[0]) for row in rows]


def visible_ids(path: Path, layers: Sequence[VectorLayer] = VECTOR_LAYERS) -> dict[VectorLayer, set[str]]:
    """Return layer -> ids whose vectors may be there, as the catalog says. Raises KnowledgeError."""
    with reading_only(path) as connection:
        return {layer: {row[0] for row in connection.execute(VISIBLE[layer])} for layer in layers}
