"""The first stage of every job: files are parsed and chunked ahead of the embedder, several at once."""

import os
import time
from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from core.errors import ParseError
from core.ingest.chunked_file import ChunkedFile
from core.ingest.file_outcome import FileOutcome
from core.ingest.ingestion import Ingestion
from core.knowledge.stores.records import Job
from core.text.filenames import path_of, real_path, text_of
from core.work.jobs.document_claims import DocumentClaims
from core.work.jobs.job_ledger import Ledger

ParseFuture = Future[ChunkedFile | FileOutcome | None]

_FILES_AHEAD = 8  # files that are read, for each reader, before the first of them is embedded
_LARGE_FILE_BYTES = 1 << 18  # bytes of a file that is not begun while very much is read and not stored yet:
_MAX_WAITING_BATCHES = 16  # batches of chunks
_LOOKED_AT = 1000  # waiting jobs among which the next to be read are looked for


class ParsingStage:
    """Reads queued files ahead. Its methods are called from one thread.

    `workers` files are read at once; `batch` is how many chunks are embedded together, and measures how
    much may be read and not stored yet.
    """

    def __init__(
        self,
        ledger: Ledger,
        ingestion: Ingestion,
        uploads: Path,
        claims: DocumentClaims,
        *,
        workers: int,
        batch: int,
    ) -> None:
        self._ledger = ledger
        self._ingestion = ingestion
        self._uploads = uploads
        self._uploaded = text_of(uploads) + os.sep  # what the path of an upload begins with
        self._claims = claims
        self._workers = workers
        self._batch = batch
        self._reading: dict[ParseFuture, str] = {}
        self._large: set[str] = set()  # jobs with large files
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="read")

    def close(self) -> None:
        """End the readers; a file that is being read is finished first."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def jobs(self) -> set[str]:
        """Return the jobs whose files are being read."""
        return set(self._reading.values())

    def prune(self, busy: Collection[str]) -> None:
        """Drop what was noted of jobs that are not busy any more."""
        self._large &= set(busy)

    def begin(self, chunks: int, stored: Collection[str]) -> None:
        """Start to read what may be read now; `chunks` are read but not indexed, `stored` jobs are in it."""
        for job in self.next(chunks, stored):
            if is_large(path_of(job.path)):
                self._large.add(job.id)
            with self._ledger.changed:
                if self._ledger.get(job.id).status != "queued":  # it was held or cancelled this moment
                    continue
                job = self._ledger.update(job.id, status="running", started=job.started or time.time())
            self._reading[self._executor.submit(self._parse, job)] = job.id

    def _parse(self, job: Job) -> ChunkedFile | FileOutcome | None:
        if job.kind == "reread":
            with self._ledger.spending({job.id: 1}):
                return self._ingestion.reread(
                    job.document_id,
                    lambda stage: self._ledger.reach(job.id, stage),
                    lambda document_id: self._claims.claim(document_id, job.id),
                )
        path = path_of(job.path)
        if job.real_path and real_path(path) != job.real_path:
            raise ParseError(
                f"{job.path} leads to another file than when it was listed",
                hint="A link was put in its place or changed; add it again if that is meant.",
            )
        shown = job.name if self._uploads in path.parents else ""
        with self._ledger.spending({job.id: 1}):
            return self._ingestion.parse_and_chunk(
                path,
                job.name,
                job.collection,
                lambda stage: self._ledger.reach(job.id, stage),
                shown,
                lambda document_id: self._claims.claim(document_id, job.id),
            )

    def next(self, chunks: int, stored: Collection[str]) -> list[Job]:
        """Return the jobs whose files may be begun now.

        So many that the readers have enough to do, and large ones so that what is read fits the memory. Of
        several files for one place each is begun once the one before it can be searched: the last one stays.
        What is only read again goes after what is new.
        """
        busy = {self._place(job) for job in self._ledger.unfinished("running") if job.stage != "enrich"}
        most = _FILES_AHEAD * self._workers - len(self._reading)
        large = 0
        if chunks < _MAX_WAITING_BATCHES * self._batch:
            large = 2 * self._workers - sum(job_id in self._large for job_id in self._reading.values())
        found: list[Job] = []
        queued = sorted(self._ledger.unfinished("queued"), key=lambda job: job.kind == "reread")
        for job in queued[:_LOOKED_AT]:
            if len(found) >= most:
                break
            place = self._place(job)
            if job.id in stored or place in busy:  # resumed meanwhile, or a version before it is on its way
                continue
            busy.add(place)
            if is_large(path_of(job.path)):
                if large <= 0:
                    continue
                large -= 1
            found.append(job)
        return found

    def _place(self, job: Job) -> tuple[str, str]:
        """Return what a file is entered under: a later one takes the place of an earlier one."""
        return job.name if job.path.startswith(self._uploaded) else job.path, job.collection

    def done(self, seconds: float) -> list[tuple[str, ParseFuture]]:
        """Wait at most so long for files that were read; return those, each with its job."""
        done, _ = wait(self._reading, timeout=seconds, return_when=FIRST_COMPLETED)
        return [(self._reading.pop(each), each) for each in done]

    def any_done(self) -> bool:
        """Say whether a file was read that is not taken yet."""
        return any(each.done() for each in self._reading)


def is_large(path: Path) -> bool:
    """Say whether the file is one of those of which few are read at once."""
    try:
        return path.stat().st_size >= _LARGE_FILE_BYTES
    except OSError:  # it is missing: reading it says so
        return False
