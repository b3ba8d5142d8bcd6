"""Reading files and applying the built-in rules on a Dask cluster instead of this machine (extra `scale`).

The workers need Strata installed and nothing else: a file travels as its bytes and is read there as it would
be here, in a sandbox with the same limits.
"""

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.domain import Document, Parsed
from core.errors import ClusterError, StrataError
from core.ingest.chunk_enrichment import ChunkRun, FactExtractor
from core.ingest.distilled_assembly import ChunkFacts
from core.ingest.limits import Limits
from core.ingest.parsers.fab import Mapping
from core.ingest.sandbox import parse_in_worker
from core.ports import LLM, Listener

_ALIVE_CHECK_SECONDS = 2.0  # seconds between two questions whether the cluster still has workers
_STOP_CHECK_SECONDS = 0.2  # seconds between two questions whether to continue


class Cluster:
    """A Dask cluster by its scheduler's address; connected at first use. Safe to use from many threads.

    `rules` is the engine that travels to the workers; `patience` in seconds until the scheduler answers.
    """

    def __init__(self, address: str, rules: LLM, patience: float = 10.0) -> None:
        self.address = address
        self._rules = rules
        self._patience = patience
        self._lock = threading.Lock()
        self._connected: Any = None  # distributed.Client, which has no types

    def parse(self, path: Path, name: str, limits: Limits, mappings: Sequence[Mapping] = ()) -> Parsed:
        """Return the document in the file at `path`. Raises ParseError, ClusterError, OSError."""
        content = path.read_bytes()
        client = self._client()
        try:
            data = client.scatter(content, hash=False)
        except (OSError, TimeoutError) as error:  # of the network: the file is read already
            raise ClusterError(f"the Dask cluster at {self.address} gave up: {error}") from error
        parsed: Parsed = self._result(client.submit(_read, data, name, limits, tuple(mappings), pure=False))
        return parsed

    def facts(
        self,
        extractor: FactExtractor,
        document: Document,
        stretches: Sequence[ChunkRun],
        listener: Listener | None = None,
    ) -> Iterator[ChunkFacts]:
        """Yield what the rules say about each chunk, in order. Raises ClusterError, Stopped."""
        client = self._client()
        there = FactExtractor(self._rules, self._rules, extractor.classes)
        futures = [client.submit(_extract, there, document, each, pure=False) for each in stretches]
        try:
            for future in futures:
                yield from self._result(future, listener)
        finally:
            for future in futures:
                future.release()

    def check(self) -> str:
        """Say how large the cluster is. Raises ClusterError."""
        threads = self._client().nthreads()
        return (
            f"Parsing and enrichment run on the Dask cluster at {self.address}: "
            f"{len(threads)} workers with {sum(threads.values())} threads."
        )

    def close(self) -> None:
        """Release the cluster; it continues without us."""
        with self._lock:
            if self._connected is not None:
                self._connected.close(timeout=2)
                self._connected = None

    def _client(self) -> Any:
        """Connect, or return the connection there is."""
        try:
            from distributed import Client
        except ImportError as error:
            raise ClusterError(
                "STRATA_SCALE__DASK is set, but Dask is not installed.", hint="pip install 'strata[scale]'"
            ) from error
        with self._lock:
            if self._connected is None or self._connected.status != "running":
                try:
                    connect: Any = Client
                    self._connected = connect(self.address, timeout=self._patience, set_as_default=False)
                except (OSError, ValueError, TypeError) as error:
                    raise ClusterError(f"no Dask scheduler answers at {self.address}.") from error
            return self._connected

    def _has_workers(self) -> bool:
        """Say whether a worker is registered; False too where the scheduler does not say."""
        try:
            return bool(self._client().nthreads())
        except (ClusterError, OSError, TimeoutError, RuntimeError):  # CommClosedError is an OSError
            return False

    def _result(self, future: Any, listener: Listener | None = None) -> Any:
        from distributed.client import FutureCancelledError
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker, NoValidWorkerError

        # `result(timeout=…)` is not asked again and again: a look that is given up may cancel the future's
        # own coroutine, and then raises UnboundLocalError (distributed 2026.8).
        settled = threading.Event()
        future.add_done_callback(lambda _: settled.set())
        answered = asked = time.monotonic()
        while not settled.wait(_STOP_CHECK_SECONDS):
            if listener is not None:
                listener.check()
            now = time.monotonic()
            if now - asked < _ALIVE_CHECK_SECONDS:
                continue
            asked = now
            if self._has_workers():
                answered = now
            elif now - answered > self._patience:
                raise ClusterError(f"the Dask cluster at {self.address} has no worker that answers.")
        try:
            return future.result()
        except StrataError:
            raise
        except (FutureCancelledError, CommClosedError, KilledWorker, NoValidWorkerError) as error:
            raise ClusterError(f"the Dask cluster at {self.address} gave up: {error}") from error


def _read(data: bytes, name: str, limits: Limits, mappings: tuple[Mapping, ...]) -> Parsed:
    """Runs on the cluster: read a file's bytes in a worker process there."""
    with tempfile.TemporaryDirectory(prefix="strata-") as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        return parse_in_worker(path, name, limits, mappings)


def _extract(extractor: FactExtractor, document: Document, stretch: ChunkRun) -> list[ChunkFacts]:
    """Runs on the cluster: apply the rules to some chunks."""
    return list(extractor.extract(document, stretch))
