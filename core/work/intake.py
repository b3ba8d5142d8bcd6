"""Works the queue round by round: files are read ahead, embedded while others are still read, stored
together while the next are embedded, and enriched last."""

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Lock

from core.errors import Stopped
from core.ingest.chunked_file import Ready
from core.ingest.ingestion import Ingestion
from core.ingest.outcome import Outcome, Stage
from core.knowledge.stores.records import Job
from core.memory import give_back
from core.text.filenames import path_of
from core.work.enriching import Enriching
from core.work.file_errors import outcome_of
from core.work.indexing import Storing
from core.work.job_ledger import Ledger

_PATIENCE = 0.1  # seconds files that have their vectors wait for others to be stored with
_AHEAD = 8  # files that are read, for each reader, before the first of them is embedded
_LARGE = 1 << 18  # bytes of a file that is not begun while very much is read and not stored yet:
_PLENTY = 16  # batches of chunks
_TIDY = 3.0  # seconds of one piece of work after which freed memory is handed back
_LOOKED_AT = 1000  # waiting jobs among which the next to be read are looked for


class Intake:
    """Does the work of one queue. Its rounds are called from one thread.

    `workers` files are read at once; about `batch` chunks of short files are stored together; `ended`
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
        self._reading: dict[Future[Ready | Outcome | None], str] = {}
        self._ready: dict[str, Ready] = {}
        self._claims: dict[str, str] = {}  # document id -> the job that works on it
        self._twins: dict[str, str] = {}  # job -> the document id another job works on
        self._refused: dict[str, str] = {}  # the same, as long as its future is not looked at
        self._large: set[str] = set()  # jobs with large files
        self._claiming = Lock()
        self._enriching = Enriching(ledger, ingestion, hand=self._try, check=self._check, failed=self._fail)
        self._storing = Storing(ledger, ingestion, stored=self._searchable, failed=self._fail)
        self._readers = ThreadPoolExecutor(workers, thread_name_prefix="read")
        self._hands = ThreadPoolExecutor(1, thread_name_prefix="ingest")

    def close(self) -> None:
        """Let go of the threads; a file that is being read or stored is finished first."""
        self._readers.shutdown(wait=True, cancel_futures=True)
        self._hands.shutdown(wait=True)
        self._storing.close()

    def recover(self) -> list[str]:
        """Take up what an earlier process left unfinished; return the ids of those jobs."""
        jobs = self._ledger.unfinished("running")
        for job in jobs:
            self.take_up(job)
        return [job.id for job in jobs]

    def take_up(self, job: Job) -> None:
        """Put a job where it goes on: in the queue, or among the documents to enrich."""
        if job.stage == "distil" and job.document_id:
            outcome = Outcome(
                path=job.path,
                outcome="read",
                document_id=job.document_id,
                counts=job.counts,
                reason=job.reason,
            )
            self._ledger.update(job.id, status="running", hint="", finished=None)
            self._enriching.put(job.id, outcome)
        else:
            self._ledger.requeue(job.id, stage="")

    def round(self) -> bool:
        """Do the next piece of work; say whether there was any."""
        self._storing.settle()
        self._release()
        self._read_ahead()
        for job_id in [each for each in self._ready if not self._ledger.runs(each)]:
            del self._ready[job_id]
        if not self._reading and not self._ready:
            return self._storing.settle(_PATIENCE) or self._enriching.turn()
        pending = [each for each in self._ready.values() if not each.embedded()]
        # A pass through the model takes few texts as fast, each, as many: it never waits for more.
        done, _ = wait(self._reading, timeout=0 if pending else _PATIENCE, return_when=FIRST_COMPLETED)
        for future in done:
            self._take(future)
        if done:
            return True
        if pending:
            self._embed(pending)
        files = {job_id: ready for job_id, ready in self._ready.items() if ready.embedded()}
        chunks = sum(len(each.cut.chunks) for each in files.values())
        if files and not self._ended() and (not pending or not self._reading or chunks >= self._batch):
            self._ready = {job_id: each for job_id, each in self._ready.items() if job_id not in files}
            self._storing.put({job_id: each for job_id, each in files.items() if self._ledger.runs(job_id)})
        return True

    # -- reading ---------------------------------------------------------------------------

    def _release(self) -> None:
        """Let go of what no job works on any more, and take up the files that waited for it."""
        busy = {*self._reading.values(), *self._ready, *self._storing.jobs()}
        self._large &= busy
        with self._claiming:
            self._claims = {each: job_id for each, job_id in self._claims.items() if job_id in busy}
            free = [job_id for job_id, each in self._twins.items() if each not in self._claims]
        for job_id in free:
            del self._twins[job_id]
            if self._ledger.runs(job_id):
                self._ledger.requeue(job_id)

    def _claim(self, document_id: str, job_id: str) -> bool:
        """Say whether no other job works on these bytes; from now on this one does."""
        with self._claiming:
            if self._claims.setdefault(document_id, job_id) == job_id:
                return True
            self._refused[job_id] = document_id
            return False

    def _next(self) -> list[Job]:
        """Return the jobs whose files may be begun now: so many that the readers have enough to do, and large
        ones so that what is read does not fill the memory."""
        most = _AHEAD * self._workers - len(self._reading)
        waiting = sum(len(each.cut.chunks) for each in self._ready.values()) + self._storing.chunks()
        stored = self._storing.jobs()
        large = 0
        if waiting < _PLENTY * self._batch:
            large = 2 * self._workers - sum(job_id in self._large for job_id in self._reading.values())
        found: list[Job] = []
        for job in self._ledger.unfinished("queued")[:_LOOKED_AT]:
            if len(found) >= most:
                break
            if job.id in stored:  # it was taken up again meanwhile
                continue
            if _is_large(path_of(job.path)):
                if large <= 0:
                    continue
                large -= 1
            found.append(job)
        return found

    def _read_ahead(self) -> None:
        for job in self._next():
            if _is_large(path_of(job.path)):
                self._large.add(job.id)
            with self._ledger.changed:
                if self._ledger.get(job.id).status != "queued":  # it was held or cancelled this moment
                    continue
                job = self._ledger.update(job.id, status="running", started=job.started or time.time())
            shown = job.name if self._is_upload(job) else ""

            def prepare(job: Job = job, shown: str = shown) -> Ready | Outcome | None:
                with self._ledger.spending({job.id: 1}):
                    return self._ingestion.prepare(
                        path_of(job.path),
                        job.name,
                        job.collection,
                        lambda stage: self._ledger.reach(job.id, stage),
                        shown,
                        lambda document_id: self._claim(document_id, job.id),
                    )

            self._reading[self._readers.submit(prepare)] = job.id

    def _take(self, future: Future[Ready | Outcome | None]) -> None:
        """Sort a file that was read: to be embedded, known, the same as one on its way in, or failed."""
        job_id = self._reading.pop(future)
        if not self._ledger.runs(job_id):
            return
        if error := future.exception():
            self._fail(job_id, error)
            return
        found = future.result()
        if isinstance(found, Ready):
            self._ready[job_id] = found
        elif found is not None:
            self._searchable(job_id, found)
        else:
            self._twins[job_id] = self._refused.pop(job_id)

    # -- embedding and storing -------------------------------------------------------------

    def _embed(self, pending: Sequence[Ready]) -> None:
        """Embed short files together, else one long one. A job that is held or cancelled meanwhile breaks it
        off, and a long file lets those go first that came after it; the next round goes on where it was."""
        files = self._together(pending) or pending[:1]
        ids = {id(ready): job_id for job_id, ready in self._ready.items()}

        def tell(ready: Ready, stage: Stage) -> None:
            self._check(ids[id(ready)])
            self._ledger.reach(ids[id(ready)], stage)
            if ready.batch.spool is not None and self._others_wait():
                raise Stopped("other files go first")

        shares = {ids[id(each)]: len(each.batch.texts) - each.batch.done for each in files}
        with self._ledger.spending(shares):
            error = self._try(lambda: self._ingestion.embed(files, tell))
        if error is not None and not isinstance(error, Stopped):
            for ready in files:
                self._fail(ids[id(ready)], error)

    def _together(self, pending: Sequence[Ready]) -> Sequence[Ready]:
        """Return short files, the first of them up to a batch: their token vectors stay in memory until they
        are stored."""
        files: list[Ready] = []
        chunks = 0
        for each in pending:
            if each.batch.spool is None:
                chunks += len(each.batch.texts)
                if files and chunks > self._batch:
                    break
                files.append(each)
        return files

    def _others_wait(self) -> bool:
        if any(future.done() for future in self._reading):
            return True
        return bool(self._next())

    def _searchable(self, job_id: str, outcome: Outcome) -> None:
        """Note that a document can be searched; it is enriched when nothing else waits."""
        job = self._ledger.get(job_id)
        if self._is_upload(job):
            shutil.rmtree(path_of(job.path).parent, ignore_errors=True)
        document_id = outcome.document_id
        if self._enriching.holds(document_id) or self._ingestion.is_enriched(document_id):
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
        self._enriching.put(job_id, outcome)

    # -- what all share --------------------------------------------------------------------

    def _check(self, job_id: str) -> None:
        """Raise Stopped if the job was paused or cancelled, or the process is going down."""
        if self._ended() or not self._ledger.runs(job_id):
            raise Stopped("the job was stopped")

    def _try(self, piece: Callable[[], object]) -> BaseException | None:
        """Do a piece of work; return what it raised. A long one leaves no freed memory lying about."""
        work = self._hands.submit(piece)
        while not wait([work], timeout=_TIDY).done:
            give_back()
        return work.exception()

    def _is_upload(self, job: Job) -> bool:
        return self._uploads in path_of(job.path).parents

    def _fail(self, job_id: str, error: BaseException) -> None:
        job = self._ledger.get(job_id)
        outcome = outcome_of(path_of(job.path), error)
        self._ledger.finish(job_id, outcome.model_copy(update={"document_id": job.document_id}))


def _is_large(path: Path) -> bool:
    try:
        return path.stat().st_size >= _LARGE
    except OSError:  # it is missing: reading it says so
        return False
