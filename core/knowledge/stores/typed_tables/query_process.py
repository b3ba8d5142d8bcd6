"""Runs table queries in worker processes, under limits of memory and time that hold."""

import atexit
import json
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from core.domain import Cell
from core.errors import QueryError
from core.knowledge.stores.database import translated_errors
from core.knowledge.stores.documents.originals import make_private
from core.runtime.worker_processes import DONE, Bounds, WorkerCrashed, WorkerLost, WorkerOverrun, WorkerPool

QUERY_SECONDS = 10.0
QUERY_MEMORY_BYTES = 1_000_000_000  # bytes a query may take beside what its worker takes at rest
_MAX_ANSWER_BYTES = 64_000_000  # bytes of rows
_AT_ONCE = 4  # queries; others wait their turn
_IN_MEMORY = ("out of memory", "bad_alloc", "could not allocate", "cannot allocate", "malloc of size")
_WORKER_REST_BYTES = 400_000_000  # bytes a worker takes at rest, at most

_pool = WorkerPool("core.knowledge.stores.typed_tables.query_worker")
_turns = threading.BoundedSemaphore(_AT_ONCE)
atexit.register(_pool.close)


class QueryProcess:
    """Runs queries over copies of tables in `folder`, which is its own.

    A copy is made when a query first reads a table and holds until `forget`; the tables themselves stay with
    the process that owns the library. Safe for threads.
    """

    def __init__(self, folder: Path, batches: Callable[[str], pa.RecordBatchReader]) -> None:
        self._folder = folder
        self._batches = batches
        self._lock = threading.Lock()
        self._copies: dict[str, Path] = {}
        self._made = 0
        shutil.rmtree(folder, ignore_errors=True)  # of a process that was killed

    def run(
        self,
        sql: str,
        tables: frozenset[str],
        limit: int,
        seconds: float = QUERY_SECONDS,
        parameters: Sequence[Cell] = (),
    ) -> pa.Table:
        """Return the first `limit` rows of a query over these tables. Raises QueryError."""
        bounds = Bounds(seconds, _WORKER_REST_BYTES + QUERY_MEMORY_BYTES, _MAX_ANSWER_BYTES)
        while True:
            copies = {name: self._copy(name) for name in sorted(tables)}
            request = {
                "sql": sql,
                "tables": {name: str(path) for name, path in copies.items()},
                "folder": str(self._folder.resolve()),
                "limit": limit,
                "parameters": list(parameters),
                "seconds": seconds,
                "memory": QUERY_MEMORY_BYTES,
            }
            with _turns:
                status, payload = _ask(json.dumps(request).encode(), bounds)
            if status == DONE:
                return pa.ipc.open_stream(payload).read_all()
            if all(path.exists() for path in copies.values()):
                break  # else a table changed meanwhile
        message = payload.decode("utf-8", "replace").splitlines()[0]
        if any(words in message.lower() for words in _IN_MEMORY):
            raise QueryError(f"the query needs more than {QUERY_MEMORY_BYTES // 1_000_000_000} GB of memory")
        raise QueryError(f"the query failed: {message}")

    def warm(self) -> None:
        """Start a worker ahead of the first query, without waiting for it."""
        _pool.warm()

    def forget(self, names: set[str]) -> None:
        """Delete the copies of tables that changed or went."""
        with self._lock:
            paths = [self._copies.pop(name) for name in list(self._copies) if name in names]
        for path in paths:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Delete all copies."""
        with self._lock:
            self._copies.clear()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _copy(self, name: str) -> Path:
        with self._lock:
            if (existing := self._copies.get(name)) is not None:
                return existing
            make_private(self._folder)
            self._made += 1
            path = self._folder.resolve() / f"{self._made}.parquet"
            part = path.with_suffix(".part")
            try:
                reader = self._batches(name)
                with translated_errors(), pq.ParquetWriter(part, reader.schema) as writer:
                    for batch in reader:
                        writer.write_batch(batch)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
            self._copies[name] = path
            return path


def _ask(request: bytes, bounds: Bounds) -> tuple[bytes, bytes]:
    for _ in range(3):
        try:
            with _pool.lent(keep_below=_WORKER_REST_BYTES + QUERY_MEMORY_BYTES // 2) as worker:
                return worker.ask(request, bounds)
        except WorkerLost:
            continue  # it had gone to rest, or was ended from outside
        except WorkerOverrun as error:
            messages = {
                "time": f"the query took longer than {bounds.seconds:g} seconds",
                "memory": f"the query needs more than {QUERY_MEMORY_BYTES // 1_000_000_000} GB of memory",
                "answer": f"the query's rows are larger than {_MAX_ANSWER_BYTES // 1_000_000} MB",
            }
            raise QueryError(messages[error.what]) from error
        except WorkerCrashed as error:
            raise QueryError(f"the query made its process crash ({error})") from error
    raise QueryError("the query was not run: no worker process could be started")
