"""Enriches searchable documents in time slices; many small documents are stored together."""

import time
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from core.errors import Stopped
from core.ingest.document_enrichment import Added, EnrichedDocument, with_enrichment
from core.ingest.file_outcome import FileOutcome, Stage
from core.ingest.ingestion import Ingestion
from core.work.jobs.job_ledger import Ledger

_TIME_SLICE_SECONDS = 0.2  # seconds of enrichment between two looks at the queue
_ATOMS_STORED_TOGETHER = 512  # atoms that are stored together


class _Waiting(NamedTuple):
    """A document that is searchable and not enriched yet."""

    job_id: str
    outcome: FileOutcome


class EnrichmentStage:
    """The last stage of every job. Its time slices run in one thread, `put` may come from any.

    `attempt` does a piece of work and returns what it raised; `check` raises Stopped for a job that is paused
    or cancelled, or when the process goes down; `failed` closes a job that failed. `teach_again` makes what
    readers changed of documents anew, once those are enriched that were read again.
    """

    def __init__(
        self,
        ledger: Ledger,
        ingestion: Ingestion,
        *,
        attempt: Callable[[Callable[[], object]], BaseException | None],
        check: Callable[[str], None],
        failed: Callable[[str, BaseException], None],
        teach_again: Callable[[], object],
    ) -> None:
        self._ledger = ledger
        self._ingestion = ingestion
        self._attempt = attempt
        self._check = check
        self._failed = failed
        self._teach_again = teach_again
        self._jobs: dict[str, _Waiting] = {}  # document id -> its job, until it is closed
        self._queue: dict[str, None] = {}  # documents to be asked about, in order
        self._asking: tuple[str, Generator[Stage, None, EnrichedDocument]] | None = None
        self._asked: dict[str, EnrichedDocument] = {}  # asked about, not stored yet
        self._alone: dict[str, None] = {}  # of those, which are stored one by one
        self._storing: tuple[list[EnrichedDocument], Generator[None, None, list[Added]]] | None = None

    def put(self, job_id: str, outcome: FileOutcome) -> None:
        """Add a document that has become searchable."""
        with self._ledger.changed:
            self._jobs[outcome.document_id] = _Waiting(job_id, outcome)
            self._queue[outcome.document_id] = None

    def holds(self, document_id: str) -> bool:
        """Say whether a job that runs will enrich the document."""
        waiting = self._jobs.get(document_id)
        return waiting is not None and self._ledger.runs(waiting.job_id)

    def run_time_slice(self) -> bool:
        """Enrich for a moment; say whether there was anything to enrich."""
        document_id = self._next()
        atoms = sum(len(each.distilled.atoms) for each in self._asked.values())
        enough = self._alone or atoms >= _ATOMS_STORED_TOGETHER or document_id is None
        if self._storing is None and self._asked and enough:
            self._begin_storing()
        if self._storing is not None:
            self._store(*self._storing)
            return True
        if document_id is not None:
            self._ask_about(document_id)
        return document_id is not None

    def _next(self) -> str | None:
        with self._ledger.changed:
            while self._queue:
                document_id = next(iter(self._queue))
                if self._ledger.runs(self._jobs[document_id].job_id):
                    return document_id
                self._leave(document_id)
        return None

    def _leave(self, document_id: str) -> None:
        """Forget a document, whether it is done, failed, or its job is held."""
        self._jobs.pop(document_id, None)
        self._queue.pop(document_id, None)
        self._asked.pop(document_id, None)
        self._alone.pop(document_id, None)
        if self._asking is not None and self._asking[0] == document_id:
            self._asking[1].close()
            self._asking = None

    # -- asking ----------------------------------------------------------------------------

    def _ask_about(self, document_id: str) -> None:
        job_id = self._jobs[document_id].job_id
        if self._asking is None or self._asking[0] != document_id:
            self._asking = (
                document_id,
                self._ingestion.extract(document_id, _JobListener(self._check, job_id)),
            )
        work = self._asking[1]
        found: list[EnrichedDocument] = []
        with self._ledger.spending({job_id: 1}):
            error = self._attempt(lambda: found.extend(self._ask(job_id, work)))
        if isinstance(error, Stopped):
            self._asking = None
        elif error is not None:
            self._leave(document_id)
            self._failed(job_id, error)
        elif found:
            self._asking = None
            del self._queue[document_id]
            self._asked[document_id] = found[0]

    def _ask(self, job_id: str, work: Generator[Stage, None, EnrichedDocument]) -> Sequence[EnrichedDocument]:
        """Go on asking about a document's chunks; return what was distilled once it is through."""
        until = time.monotonic() + _TIME_SLICE_SECONDS
        while time.monotonic() < until:
            try:
                self._ledger.reach(job_id, next(work))
            except StopIteration as stop:
                return [stop.value]
        return []

    # -- storing ---------------------------------------------------------------------------

    def _begin_storing(self) -> None:
        """Begin to embed and store what was distilled, but for jobs held or cancelled since."""
        for document_id in list(self._asked):
            if not self._ledger.runs(self._jobs[document_id].job_id):
                self._leave(document_id)
        alone = next(iter(self._alone), None)
        done = list(self._asked.values()) if alone is None else [self._asked[alone]]
        if done:
            self._storing = (done, self._ingestion.store_enriched(done))

    def _store(self, done: list[EnrichedDocument], work: Generator[None, None, list[Added]]) -> None:
        added: list[Added] = []
        shares = {self._jobs[each.document_id].job_id: len(each.distilled.atoms) + 1 for each in done}
        with self._ledger.spending(shares):
            error = self._attempt(lambda: added.extend(self._store_for_a_time_slice(work)))
        if error is not None:
            self._storing = None
            if len(done) > 1:  # one by one, so that none takes another with it
                self._alone = dict.fromkeys(one.document_id for one in done)
                return
            job_id = self._jobs[done[0].document_id].job_id
            self._leave(done[0].document_id)
            self._failed(job_id, error)
        elif added:
            self._storing = None
            if any(self._jobs[each.document_id].outcome.outcome == "reread" for each in done):
                self._attempt(self._teach_again)
            for one, each in zip(done, added, strict=True):
                job_id, outcome = self._jobs[one.document_id]
                self._ledger.reach(job_id, Stage("enrich", one.chunks, one.chunks))
                self._leave(one.document_id)
                if self._ledger.runs(job_id):
                    self._ledger.finish(job_id, with_enrichment(outcome, each))

    def _store_for_a_time_slice(self, work: Generator[None, None, list[Added]]) -> Sequence[Added]:
        """Continue embedding for one time slice; return what was stored once all of it is."""
        until = time.monotonic() + _TIME_SLICE_SECONDS
        while time.monotonic() < until:
            try:
                next(work)
            except StopIteration as stop:
                found: list[Added] = stop.value
                return found
        return []


class _JobListener:
    """Interrupts a model's call when its job is cancelled."""

    def __init__(self, check: Callable[[str], None], job_id: str) -> None:
        self._check = check
        self._job_id = job_id

    def received(self, text: str) -> None:
        """Ignore the words of a reply: nobody is shown them."""

    def check(self) -> None:
        self._check(self._job_id)
