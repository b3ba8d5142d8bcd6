"""Works the queue round by round: files are read ahead, embedded together, stored, and distilled last."""

import errno
import logging
import shutil
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple, TypeVar

from core.errors import DiskFull, ParseError, Stopped, StrataError
from core.ingest.ingestion import Added, Ingestion, Ready, with_distilled
from core.ingest.outcome import Outcome, Stage, refusal
from core.knowledge.records import Job
from core.work.ledger import Ledger

_LOG = logging.getLogger(__name__)
_BUG = "This is a fault in Strata, not in your file: please report it with the message above."
_PATIENCE = 0.25  # seconds files that are read wait for others to fill a batch
_TURN = 0.2  # seconds of distillation between two looks at the queue
T = TypeVar("T")


class _Waiting(NamedTuple):
    """A document that is searchable and not distilled yet."""

    job_id: str
    outcome: Outcome


class Intake:
    """Does the work of one queue. Its rounds are called from one thread.

    `workers` files are read at once; about `batch` chunks of short files are embedded together; `ended`
    says that the process is going down: then Stopped leaves a round, and the jobs stay as they are.
    """

    def __init__(
        self,
        ledger: Ledger,
        ingestion: Ingestion,
        uploads: Path,
        *,
        workers: int,
        batch: int,
        ended: Callable[[], bool],
    ) -> None:
        self._ledger = ledger
        self._ingestion = ingestion
        self._uploads = uploads
        self._workers = workers
        self._batch = batch
        self._ended = ended
        self._reading: dict[Future[Ready | Outcome], str] = {}
        self._ready: dict[str, Ready] = {}
        self._waiting: dict[str, _Waiting] = {}  # document id -> what is to be distilled
        self._distilling: tuple[str, Generator[Stage, None, Added]] | None = None
        self._readers = ThreadPoolExecutor(workers, thread_name_prefix="read")
        self._hands = ThreadPoolExecutor(1, thread_name_prefix="ingest")

    def close(self) -> None:
        """Let go of the threads; a file that is being read is finished first."""
        self._readers.shutdown(wait=True, cancel_futures=True)
        self._hands.shutdown(wait=True)

    def recover(self) -> list[str]:
        """Take up what an earlier process left unfinished; return the ids of those jobs."""
        jobs = self._ledger.unfinished("running")
        for job in jobs:
            self.take_up(job)
        return [job.id for job in jobs]

    def take_up(self, job: Job) -> None:
        """Put a job where it goes on: in the queue, or among the documents to distil."""
        if job.stage == "distil" and job.document_id:
            outcome = Outcome(
                path=job.path,
                outcome="read",
                document_id=job.document_id,
                counts=job.counts,
                reason=job.reason,
            )
            self._ledger.update(job.id, status="running", hint="", finished=None)
            self._waiting[job.document_id] = _Waiting(job.id, outcome)
        else:
            self._ledger.requeue(job.id, stage="")

    def round(self) -> bool:
        """Do the next piece of work; say whether there was any."""
        self._read_ahead()
        chunks = sum(len(ready.cut.chunks) for ready in self._ready.values())
        if self._reading and chunks < self._batch:
            done, _ = wait(self._reading, timeout=_PATIENCE, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(future)
            if done:
                return True
        if self._ready:
            self._embed_and_store()
            return True
        if self._reading:
            return True
        return self._distil()

    # -- reading ---------------------------------------------------------------------------

    def _read_ahead(self) -> None:
        for job in self._ledger.unfinished("queued")[: max(0, 2 * self._workers - len(self._reading))]:
            job = self._ledger.update(job.id, status="running", started=job.started or time.time())
            shown = job.name if self._is_upload(job) else ""

            def prepare(job: Job = job, shown: str = shown) -> Ready | Outcome:
                return self._ingestion.prepare(
                    Path(job.path),
                    job.name,
                    job.collection,
                    lambda stage: self._ledger.reach(job.id, stage),
                    shown,
                )

            self._reading[self._readers.submit(prepare)] = job.id

    def _take(self, future: Future[Ready | Outcome]) -> None:
        """Sort a file that was read: to be embedded, known, or failed."""
        job_id = self._reading.pop(future)
        if not self._ledger.runs(job_id):
            return
        if error := future.exception():
            self._fail(job_id, error)
            return
        found = future.result()
        if isinstance(found, Ready):
            self._ready[job_id] = found
        else:
            self._searchable(job_id, found)

    # -- embedding and storing -------------------------------------------------------------

    def _embed_and_store(self) -> None:
        """Embed what is ready; a job held or cancelled meanwhile leaves, the others go on where they were."""
        ids = {id(ready): job_id for job_id, ready in self._ready.items()}

        def tell(ready: Ready, stage: Stage) -> None:
            self._check(ids[id(ready)])
            self._ledger.reach(ids[id(ready)], stage)

        while self._ready:
            files = list(self._ready.values())
            error = self._try(lambda files=files: self._ingestion.embed(files, tell))  # type: ignore[misc]
            held = [job_id for job_id in self._ready if not self._ledger.runs(job_id)]
            for job_id in held:
                del self._ready[job_id]
            if isinstance(error, Stopped) and not self._ended():
                continue
            if isinstance(error, Stopped):
                return
            ready, self._ready = self._ready, {}
            if error is None:
                self._store(ready)
                return
            for job_id in ready:
                self._fail(job_id, error)

    def _store(self, files: dict[str, Ready]) -> None:
        """Store files together; if that fails, one by one, so that none takes another with it."""
        outcomes: list[Outcome] = []
        error = self._try(lambda: outcomes.extend(self._ingestion.store(list(files.values()))))
        if error is None:
            for job_id, outcome in zip(files, outcomes, strict=True):
                self._searchable(job_id, outcome)
        elif len(files) == 1:
            self._fail(next(iter(files)), error)
        else:
            for job_id, ready in files.items():
                self._store({job_id: ready})

    def _searchable(self, job_id: str, outcome: Outcome) -> None:
        """Note that a document can be searched; it is distilled when nothing else waits."""
        job = self._ledger.get(job_id)
        if self._is_upload(job):
            shutil.rmtree(Path(job.path).parent, ignore_errors=True)
        document_id = outcome.document_id
        if document_id in self._waiting or self._ingestion.is_distilled(document_id):
            self._ledger.finish(job_id, outcome)
            return
        chunks = outcome.counts.get("chunks", 0)
        self._ledger.update(
            job_id,
            stage="distil",
            done=0,
            total=chunks,
            outcome=outcome.outcome,
            reason=outcome.reason,
            document_id=document_id,
            counts=outcome.counts,
        )
        self._waiting[document_id] = _Waiting(job_id, outcome)

    # -- distilling ------------------------------------------------------------------------

    def _distil(self) -> bool:
        """Distil for a moment; say whether there was anything to distil."""
        for document_id, waiting in list(self._waiting.items()):
            if not self._ledger.runs(waiting.job_id):
                self._leave(document_id)
        if not self._waiting:
            return False
        document_id, (job_id, outcome) = next(iter(self._waiting.items()))
        if self._distilling is None or self._distilling[0] != document_id:
            self._distilling = (document_id, self._ingestion.distil(document_id, _Ear(self, job_id)))
        work = self._distilling[1]
        added: list[Added] = []
        error = self._try(lambda: added.extend(self._turn(job_id, work)))
        if isinstance(error, Stopped):
            self._distilling = None
        elif error is not None:
            self._leave(document_id)
            self._fail(job_id, error)
        elif added:
            self._leave(document_id)
            self._ledger.finish(job_id, with_distilled(outcome, added[0]))
        return True

    def _turn(self, job_id: str, work: Generator[Stage, None, Added]) -> Sequence[Added]:
        """Go on with a distillation; return what it added once it is through."""
        until = time.monotonic() + _TURN
        while time.monotonic() < until:
            try:
                self._ledger.reach(job_id, next(work))
            except StopIteration as stop:
                return [stop.value]
        return []

    def _leave(self, document_id: str) -> None:
        del self._waiting[document_id]
        if self._distilling is not None and self._distilling[0] == document_id:
            self._distilling[1].close()
            self._distilling = None

    # -- what all share --------------------------------------------------------------------

    def _check(self, job_id: str) -> None:
        """Raise Stopped if the job was paused or cancelled, or the process is going down."""
        if self._ended() or not self._ledger.runs(job_id):
            raise Stopped("the job was stopped")

    def _try(self, piece: Callable[[], T]) -> BaseException | None:
        """Do a piece of work; return what it raised."""
        return self._hands.submit(piece).exception()

    def _is_upload(self, job: Job) -> bool:
        return self._uploads in Path(job.path).parents

    def _fail(self, job_id: str, error: BaseException) -> None:
        job = self._ledger.get(job_id)
        if isinstance(error, OSError):
            error = _told(error, Path(job.path))
        if not isinstance(error, StrataError):
            _LOG.error("job %s failed", job_id, exc_info=error)
            error = StrataError(f"{type(error).__name__}: {error}", hint=_BUG)
        self._ledger.finish(
            job_id, refusal(Path(job.path), error).model_copy(update={"document_id": job.document_id})
        )


class _Ear:
    """Lets a model's call be broken off when its job is."""

    def __init__(self, intake: Intake, job_id: str) -> None:
        self._intake = intake
        self._job_id = job_id

    def heard(self, text: str) -> None:
        """Nothing is read aloud here."""

    def check(self) -> None:
        self._intake._check(self._job_id)


def _told(error: OSError, path: Path) -> StrataError:
    """Say what a fault of the file system means."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull("the disk is full")
    if isinstance(error, FileNotFoundError):
        return ParseError(
            f"there is no file {path}", hint="It was moved or deleted; add it from where it is now."
        )
    if isinstance(error, PermissionError):
        return ParseError(
            f"{path} may not be read", hint="Give yourself the right to read it, then press Retry."
        )
    return ParseError(f"{path} could not be read: {error.strerror or error}")
