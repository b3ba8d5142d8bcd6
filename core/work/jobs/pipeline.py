"""The stages of ingestion, round by round: files are parsed and chunked ahead, embedded while others are
still parsed, indexed together while the next are embedded, and enriched last."""

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from core.errors import Stopped, StrataError
from core.i18n.messages import recorded
from core.ingest.chunked_file import ChunkedFile
from core.ingest.file_outcome import FileOutcome, Stage
from core.ingest.ingestion import Ingestion
from core.knowledge.stores.records import Job
from core.runtime.memory import release_memory
from core.text.filenames import path_of
from core.work.jobs.document_claims import DocumentClaims
from core.work.jobs.enrichment_stage import EnrichmentStage
from core.work.jobs.file_errors import outcome_of
from core.work.jobs.indexing_stage import IndexingStage
from core.work.jobs.job_ledger import Ledger
from core.work.jobs.parsing_stage import ParseFuture, ParsingStage

_GONE = recorded("It was read; then a newer file of this name took its place, or it was deleted.")
_GATHER_SECONDS = 0.1  # seconds files that have their vectors wait for others to be indexed with
_REST_SECONDS = 5.0  # seconds without new work after a service did not answer
_TIDY_SECONDS = 3.0  # seconds of one piece of work after which freed memory is handed back


class Pipeline:
    """Does the work of one queue. Its rounds are called from one thread.

    `workers` files are parsed at once; about `batch` chunks of short files are embedded and indexed
    together; `ended` says that the process is going down: then Stopped leaves a round, and the jobs stay;
    `teach_again` makes what readers taught of documents anew once they were read again.
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
        teach_again: Callable[[], object],
    ) -> None:
        self._ledger = ledger
        self._ingestion = ingestion
        self._uploads = uploads
        self._batch = batch
        self._ended = ended
        self._chunked: dict[str, ChunkedFile] = {}  # by job: parsed, not handed to the index yet
        self._claims = DocumentClaims()
        self._parsing = ParsingStage(ledger, ingestion, uploads, self._claims, workers=workers, batch=batch)
        self._indexing = IndexingStage(ledger, ingestion, stored=self._searchable, failed=self._fail)
        self._enriching = EnrichmentStage(
            ledger,
            ingestion,
            attempt=self._try,
            check=self._check,
            failed=self._fail,
            teach_again=teach_again,
        )
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="ingest")
        self._rests_until = 0.0

    def close(self) -> None:
        """End the threads; a file that is being parsed or indexed is finished first."""
        self._parsing.close()
        self._worker.shutdown(wait=True)
        self._indexing.close()

    def recover(self) -> list[str]:
        """Resume what an earlier process left unfinished; return the ids of those jobs."""
        jobs = self._ledger.unfinished("running")
        for job in jobs:
            self.resume(job)
        return [job.id for job in jobs]

    def resume(self, job: Job) -> None:
        """Put a job where it continues: in the queue, or among the documents to enrich."""
        if job.stage == "enrich" and job.document_id:
            outcome = FileOutcome(
                path=job.path,
                outcome=job.outcome or "read",
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
        self._indexing.settle()
        self._release()
        if time.monotonic() < self._rests_until:
            time.sleep(_GATHER_SECONDS)
            return False
        self._parsing.begin(self._unstored(), self._indexing.jobs())
        for job_id in [each for each in self._chunked if not self._ledger.runs(each)]:
            del self._chunked[job_id]
        if not self._parsing.jobs() and not self._chunked:
            return self._indexing.settle(_GATHER_SECONDS) or self._enriching.run_time_slice()
        pending = [each for each in self._chunked.values() if not each.embedded()]
        # A pass through the model takes few texts as fast, each, as many: it never waits for more.
        done = self._parsing.done(0 if pending else _GATHER_SECONDS)
        for job_id, parsed in done:
            self._sort(job_id, parsed)
        if done:
            return True
        if pending:
            self._embed(pending)
        self._index(pending)
        return True

    def _release(self) -> None:
        """Drop what no job works on any more; the files that waited for it continue."""
        busy = {*self._parsing.jobs(), *self._chunked, *self._indexing.jobs()}
        self._parsing.prune(busy)
        for job_id in self._claims.release(busy):
            if self._ledger.runs(job_id):
                self._ledger.requeue(job_id)

    def _unstored(self) -> int:
        """Return how many chunks were read and are not indexed yet."""
        return sum(len(each.cut.chunks) for each in self._chunked.values()) + self._indexing.chunks()

    def _sort(self, job_id: str, parsed: ParseFuture) -> None:
        """Sort a file that was parsed: to be embedded, known, the same as one on its way in, or failed."""
        if not self._ledger.runs(job_id):
            return
        if error := parsed.exception():
            self._fail(job_id, error)
            return
        found = parsed.result()
        if isinstance(found, ChunkedFile):
            self._chunked[job_id] = found
        elif found is not None:
            self._searchable(job_id, found)
        else:
            self._claims.wait(job_id)

    # -- embedding and indexing ------------------------------------------------------------

    def _embed(self, pending: Sequence[ChunkedFile]) -> None:
        """Embed short files together, else one long one. A job that is held or cancelled meanwhile breaks it
        off, and a long file lets those go first that came after it; the next round resumes where it was."""
        files = self._together(pending) or pending[:1]
        ids = {id(chunked): job_id for job_id, chunked in self._chunked.items()}

        def on_stage(chunked: ChunkedFile, stage: Stage) -> None:
            self._check(ids[id(chunked)])
            self._ledger.reach(ids[id(chunked)], stage)
            if chunked.batch.spool is not None and self._others_wait():
                raise Stopped("other files go first")

        shares = {ids[id(each)]: len(each.batch.texts) - each.batch.done for each in files}
        with self._ledger.spending(shares):
            error = self._try(lambda: self._ingestion.embed(files, on_stage))
        if error is not None and not isinstance(error, Stopped):
            for chunked in files:
                self._fail(ids[id(chunked)], error)

    def _together(self, pending: Sequence[ChunkedFile]) -> Sequence[ChunkedFile]:
        """Return short files, the first of them up to a batch: their token vectors stay in memory until they
        are indexed."""
        files: list[ChunkedFile] = []
        chunks = 0
        for each in pending:
            if each.batch.spool is None:
                chunks += len(each.batch.texts)
                if files and chunks > self._batch:
                    break
                files.append(each)
        return files

    def _others_wait(self) -> bool:
        return self._parsing.any_done() or bool(self._parsing.next(self._unstored(), self._indexing.jobs()))

    def _index(self, pending: Sequence[ChunkedFile]) -> None:
        """Hand files that have their vectors to the index, once it is worth a load."""
        files = {job_id: each for job_id, each in self._chunked.items() if each.embedded()}
        chunks = sum(len(each.cut.chunks) for each in files.values())
        waits = pending and self._parsing.jobs() and chunks < self._batch
        if files and not waits and not self._ended():
            self._chunked = {job_id: each for job_id, each in self._chunked.items() if job_id not in files}
            self._indexing.put({job_id: each for job_id, each in files.items() if self._ledger.runs(job_id)})

    def _searchable(self, job_id: str, outcome: FileOutcome) -> None:
        """Note that a document can be searched; it is enriched when nothing else waits."""
        job = self._ledger.get(job_id)
        path = path_of(job.path)
        if self._uploads in path.parents:
            shutil.rmtree(path.parent, ignore_errors=True)
        document_id = outcome.document_id
        if self._enriching.holds(document_id) or self._ingestion.is_enriched(document_id):
            self._ledger.finish(job_id, outcome)
            return
        chunks = outcome.counts.get("chunks", 0)
        self._ledger.update(
            job_id,
            stage="enrich",
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
        work = self._worker.submit(piece)
        while not wait([work], timeout=_TIDY_SECONDS).done:
            release_memory()
        return work.exception()

    def _fail(self, job_id: str, error: BaseException) -> None:
        """Close a job that failed; one that met a service which is away waits for it."""
        job = self._ledger.get(job_id)
        if isinstance(error, StrataError) and error.passing:
            self._rests_until = time.monotonic() + _REST_SECONDS
            self.resume(job)
            self._ledger.update(job_id, reason=f"Waits: {error}", hint=error.hint)
            return
        if job.stage == "enrich" and self._ingestion.is_removed(job.document_id):
            self._ledger.finish(job_id, FileOutcome(path=job.path, outcome="read", reason=_GONE))
            return
        outcome = outcome_of(path_of(job.path), error)
        self._ledger.finish(job_id, outcome.model_copy(update={"document_id": job.document_id}))
