"""Stores embedded files in the library while others are being embedded."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from core.ingest.chunked_file import ChunkedFile
from core.ingest.file_outcome import FileOutcome
from core.ingest.ingestion import Ingestion
from core.runtime.memory import release_memory
from core.work.jobs.job_ledger import Ledger

_TIDY_SECONDS = 3.0  # seconds of storing after which freed memory is handed back


class IndexingStage:
    """The last step before files can be searched, one load at a time. Its methods are called from one thread.

    `stored` is called in the storing thread once a job's file can be searched, `failed` in the calling thread
    if it could not be stored.
    """

    def __init__(
        self,
        ledger: Ledger,
        ingestion: Ingestion,
        *,
        stored: Callable[[str, FileOutcome], None],
        failed: Callable[[str, BaseException], None],
    ) -> None:
        self._ledger = ledger
        self._ingestion = ingestion
        self._stored = stored
        self._failed = failed
        self._load: dict[str, ChunkedFile] = {}  # job -> its file
        self._work: Future[None] | None = None
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="store")

    def close(self) -> None:
        """Finish the load that is being stored, then end the thread."""
        self._finish()
        self._executor.shutdown(wait=True)

    def jobs(self) -> frozenset[str]:
        """Return the jobs whose files are being stored."""
        return frozenset(self._load)

    def chunks(self) -> int:
        """Return how many chunks are being stored."""
        return sum(len(each.cut.chunks) for each in self._load.values())

    def put(self, files: dict[str, ChunkedFile]) -> None:
        """Begin to store files together, by their jobs, once the load before them is through."""
        self._finish()
        if files:
            self._load = files
            self._work = self._executor.submit(self._store, files)

    def settle(self, seconds: float = 0.0) -> bool:
        """Wait at most `seconds` for the load that is being stored; say whether there was one.

        Files that could not be stored together are stored one by one, so that one failure fails one file.
        """
        if self._work is None:
            return False
        if wait([self._work], timeout=seconds).done:
            error, files = self._work.exception(), self._load
            self._work, self._load = None, {}
            if error is not None and len(files) == 1:
                self._failed(next(iter(files)), error)
            elif error is not None:
                for job_id, chunked in files.items():
                    self.put({job_id: chunked})
        return True

    def _finish(self) -> None:
        while self.settle(_TIDY_SECONDS):
            if self._work is not None:
                release_memory()

    def _store(self, files: dict[str, ChunkedFile]) -> None:
        with self._ledger.spending({job_id: len(chunked.cut.chunks) for job_id, chunked in files.items()}):
            outcomes = self._ingestion.store(list(files.values()))
        for job_id, outcome in zip(files, outcomes, strict=True):
            self._stored(job_id, outcome)
