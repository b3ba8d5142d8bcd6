"""The queue of files on their way into the library: it outlives the page, the process and a power cut.

Every file passes parse, chunk and embed, and is searchable then; enrichment runs when no file waits for
that. A file that fails does not fail others.
"""

import errno
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from core.errors import DiskFull
from core.ingest.folders import LeftOut, files_under
from core.ingest.ingestion import Ingestion
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.activity.jobs import JobStore
from core.knowledge.stores.records import AT_WORK, OPEN, Job
from core.runtime.memory import release_memory, settle
from core.text.filenames import path_of, real_path, storable, text_of
from core.work.jobs.job_ledger import ALL_JOBS, Ledger, Pace
from core.work.jobs.pipeline import Pipeline

__all__ = ["JobQueue", "Pace"]

_TIDY_SECONDS = 3.0  # seconds of work after which freed memory is handed back


class JobQueue:
    """Works the queue in its own thread; every method may be called from any thread.

    `workers` files are read at once; about `batch` chunks of short files are embedded together. Starting
    resumes what an earlier process left unfinished: `interrupted` names those jobs. `teach_again` makes what
    readers taught of documents anew once they were read again.
    """

    def __init__(
        self,
        knowledge: KnowledgeBase,
        ingestion: Ingestion,
        *,
        workers: int = 2,
        batch: int = 128,
        teach_again: Callable[[], object] = lambda: None,
    ) -> None:
        self._uploads = knowledge.path / "uploads"
        self._ending = threading.Event()
        self._ledger = Ledger(knowledge.jobs)
        self._pipeline = Pipeline(
            self._ledger,
            ingestion,
            self._uploads,
            workers=workers,
            batch=batch,
            ended=self._ending.is_set,
            teach_again=teach_again,
        )
        self.interrupted: tuple[str, ...] = tuple(self._pipeline.recover())
        self._sweep()
        if not self._ledger.unfinished():
            ingestion.tidy()
        self._thread = threading.Thread(target=self._work, name="jobs", daemon=True)
        self._thread.start()

    def _sweep(self) -> None:
        """Delete uploads that no job will read: they broke off, or their job is done."""
        jobs = self._ledger.latest(ALL_JOBS)
        wanted = {path_of(job.path).parent for job in jobs if job.status != "done"}
        for home in self._uploads.glob("*"):
            if home not in wanted:
                shutil.rmtree(home, ignore_errors=True)

    def _work(self) -> None:
        tidied: float | None = None  # None: nothing was done since everything was settled
        while not self._ending.is_set():
            now = time.monotonic()
            if self._pipeline.round():
                if tidied is None or now - tidied > _TIDY_SECONDS:
                    release_memory()
                    tidied = now
            else:
                if tidied is not None and settle():
                    tidied = None
                with self._ledger.changed:
                    if not self._ledger.unfinished("queued") and not self._ending.is_set():
                        self._ledger.changed.wait(1.0)

    def close(self) -> None:
        """Stop soon; what is unfinished resumes at the next start. Closing twice does no harm."""
        self._ending.set()
        with self._ledger.changed:
            self._ledger.changed.notify_all()
        self._thread.join()
        self._pipeline.close()

    def submit(
        self, paths: Iterable[Path], collection: str = "default", *, follow_links: bool = False
    ) -> list[str]:
        """Queue files and the files in folders; return a job id for each, also for those left out."""
        with self._ledger.changed:
            waiting = {(job.path, job.collection): job.id for job in self._ledger.unfinished()}
            ids: list[str] = []
            jobs: list[Job] = []
            for found in files_under(paths, follow_links=follow_links):
                path = (found.path if isinstance(found, LeftOut) else found).absolute()
                before = waiting.get((text_of(path), collection))
                if before is None:
                    jobs.append(_new(path, text_of(path.name), collection, found))
                ids.append(before or jobs[-1].id)
            self._ledger.put(jobs)
        return ids

    def upload(self, name: str, stream: BinaryIO, collection: str = "default") -> str:
        """Stream a file to disk and queue it; return the job's id. Raises DiskFull, OSError."""
        plain = storable(name)
        home = self._uploads / uuid.uuid4().hex
        try:
            home.mkdir(parents=True)
            with (home / plain).open("wb") as file:
                shutil.copyfileobj(stream, file, 1 << 20)
        except OSError as error:
            shutil.rmtree(home, ignore_errors=True)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(f"there is no room left for {plain}") from error
            raise
        job = _new(home / plain, plain, collection)
        self._ledger.put([job])
        return job.id

    def put(self, jobs: Sequence[Job]) -> None:
        """Queue jobs that others made, as for documents that are read again."""
        self._ledger.put(jobs)

    def unfinished(self) -> Sequence[Job]:
        """Return the jobs that are not over, oldest first."""
        return self._ledger.unfinished()

    def get(self, job_id: str) -> Job:
        """Return a job. Raises NotFound."""
        return self._ledger.get(job_id)

    def list(
        self, limit: int = 100, seen: JobStore | None = None, hidden: Collection[str] = ()
    ) -> Sequence[Job]:
        """Return the latest jobs and all that are not over, newest first; of the store as somebody sees it to
        whom the collections in `hidden` are closed."""
        return self._ledger.latest(limit, seen, hidden)

    def coming(self, hidden: Collection[str] = ()) -> int:
        """Return how many files are on their way in and cannot be searched yet, outside of `hidden`."""
        going = (job for job in self._ledger.unfinished() if job.status in AT_WORK and job.kind == "file")
        return sum(job.stage != "enrich" and job.collection not in hidden for job in going)

    def reading(self) -> bool:
        """Say whether files, new ones or those of documents, are being read and not stored yet."""
        going = (job for job in self._ledger.unfinished() if job.status in AT_WORK)
        return any(job.stage != "enrich" for job in going)

    def pace(self, job_id: str) -> Pace:
        """Return pieces a second, seconds left and seconds since the last sign of life. Raises NotFound."""
        return self._ledger.pace(job_id)

    def cancel(self, *job_ids: str) -> None:
        """Stop jobs for good, before others continue; what is searchable already stays. Raises NotFound."""
        with self._ledger.changed:
            for job_id in job_ids:
                if self.get(job_id).status in OPEN:
                    self._ledger.update(job_id, status="cancelled", reason="Cancelled.", finished=time.time())

    def pause(self, job_id: str) -> None:
        """Stop a job until `resume`. Raises NotFound."""
        with self._ledger.changed:
            if self.get(job_id).status in AT_WORK:
                self._ledger.update(job_id, status="paused")

    def resume(self, job_id: str) -> None:
        """Go on with a paused job. Raises NotFound."""
        with self._ledger.changed:
            if (job := self.get(job_id)).status == "paused":
                self._pipeline.resume(job)

    def retry(self, job_id: str) -> None:
        """Try a failed or cancelled job again. Raises NotFound."""
        with self._ledger.changed:
            if (job := self.get(job_id)).status in ("failed", "cancelled"):
                self._pipeline.resume(job)

    def dismiss(self, job_id: str) -> None:
        """Forget a job that is over; what it added stays. Raises NotFound."""
        with self._ledger.changed:
            if self.get(job_id).status not in OPEN:
                self._ledger.forget(job_id)

    def forget(self, document_ids: Collection[str]) -> None:
        """Forget the jobs that added these documents: what they report is not held any more."""
        with self._ledger.changed:
            for job in self._ledger.latest(ALL_JOBS):
                if job.status == "done" and job.document_id in document_ids:
                    self._ledger.forget(job.id)

    def when_idle(self, act: Callable[[], None]) -> bool:
        """Do something while no file is on its way in and none can be added; say whether it was done."""
        with self._ledger.changed:
            if any(job.status in AT_WORK for job in self._ledger.unfinished()):
                return False
            act()
            return True

    def wait(self, job_ids: Sequence[str] | None = None, timeout: float | None = None) -> Sequence[Job]:
        """Return the jobs (all, if none are named) once none waits or runs, or after `timeout` seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        with self._ledger.changed:
            while True:
                named = None if job_ids is None else [self.get(job_id) for job_id in job_ids]
                busy = any(j.status in AT_WORK for j in named or self._ledger.unfinished())
                left = 1.0 if until is None else until - time.monotonic()
                if not busy or left <= 0 or self._ending.is_set():
                    return self.list() if named is None else named
                self._ledger.changed.wait(min(left, 1.0))


def _new(path: Path, name: str, collection: str, found: Path | LeftOut | None = None) -> Job:
    now = time.time()
    job = Job(
        id=uuid.uuid4().hex, path=text_of(path), name=name, collection=collection, created=now, updated=now
    )
    if found is None:
        return job
    if isinstance(found, Path):
        return job.model_copy(update={"real_path": real_path(path)})
    left_out = {
        "status": "done",
        "outcome": "refused",
        "reason": f"Not read: {found.reason}.",
        "finished": now,
    }
    return job.model_copy(update=left_out)
