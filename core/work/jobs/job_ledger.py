"""The state of every unfinished job, in memory and in the store, changed in one place only."""

import logging
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.errors import KnowledgeError
from core.ingest.file_outcome import FileOutcome, Stage
from core.knowledge.stores.activity.jobs import JobStore
from core.knowledge.stores.records import OPEN, Job

_LOG = logging.getLogger(__name__)
ALL_JOBS = 1_000_000  # a limit that no list of jobs reaches
_SAVED_EVERY = 0.3  # seconds between two writes of a job's progress


class Pace(NamedTuple):
    """How fast a stage goes: pieces a second, seconds left (None while unknown), seconds without a sign."""

    rate: float
    left: float | None
    idle: float


@dataclass
class _Clock:
    """When a job's stage began, what was done by then, when the job last gave a sign and was written down: on
    a clock that is never set."""

    stage: str
    began: float
    already: int
    saved: float
    moved: float


class Ledger:
    """Jobs by id, oldest first. Safe to use from many threads; `changed` is notified at every change."""

    def __init__(self, store: JobStore) -> None:
        self._store = store
        self.changed = threading.Condition(threading.RLock())
        self._clocks: dict[str, _Clock] = {}
        self._open = {job.id: job for job in reversed(store.list(ALL_JOBS)) if job.status in OPEN}
        self._unsaved: dict[str, Job] = {}

    def put(self, jobs: Sequence[Job]) -> None:
        """Add new jobs."""
        with self.changed:
            self._store.put(*jobs)
            self._open.update({job.id: job for job in jobs if job.status in OPEN})
            self.changed.notify_all()

    def get(self, job_id: str) -> Job:
        """Return a job as it stands. Raises NotFound."""
        with self.changed:
            return self._open.get(job_id) or self._unsaved.get(job_id) or self._store.get(job_id)

    def latest(self, limit: int, seen: JobStore | None = None, hidden: Collection[str] = ()) -> Sequence[Job]:
        """Return the latest jobs, newest first, then those that are not over, however many came later.

        `seen` is the store as somebody sees it to whom the collections in `hidden` are closed.
        """
        with self.changed:
            newer = {**self._unsaved, **self._open}
            listed = {job.id: newer.get(job.id, job) for job in (seen or self._store).list(limit)}
            earlier = (job for job in reversed(self._open.values()) if job.collection not in hidden)
            return list({**listed, **{job.id: job for job in earlier}}.values())

    def unfinished(self, status: str | None = None) -> list[Job]:
        """Return the unfinished jobs, oldest first."""
        with self.changed:
            return [job for job in self._open.values() if status is None or job.status == status]

    def update(self, job_id: str, **fields: Any) -> Job:
        """Change a job and write it down. Raises NotFound."""
        with self.changed:
            job = self.get(job_id).model_copy(update={"updated": time.time(), **fields})
            if job.status in OPEN:
                self._open[job_id] = job
            else:
                self._open.pop(job_id, None)
                self._clocks.pop(job_id, None)
            self._save(job)
            self.changed.notify_all()
            return job

    def forget(self, job_id: str) -> None:
        """Forget a job that is over."""
        with self.changed:
            self._unsaved.pop(job_id, None)
            self._store.delete(job_id)
            self.changed.notify_all()

    def _save(self, job: Job) -> None:
        """Write a job down; where the disk is full, remember it until there is room again."""
        self._unsaved[job.id] = job
        try:
            self._store.put(*self._unsaved.values())
        except KnowledgeError as error:
            _LOG.warning("the queue could not be written: %s", error)
        else:
            self._unsaved.clear()

    def reach(self, job_id: str, stage: Stage) -> None:
        """Note how far a running job has come; it is written down now and then."""
        now = time.monotonic()
        with self.changed:
            job = self._open.get(job_id)
            if job is None or job.status != "running":
                return
            clock = self._clocks.get(job_id)
            if clock is None or clock.stage != stage.name:
                saved = clock.saved if clock else now
                clock = self._clocks[job_id] = _Clock(stage.name, now, stage.done, saved, now)
            clock.moved = now
            fields = {"stage": stage.name, "done": stage.done, "total": stage.total, "updated": time.time()}
            self._open[job_id] = job.model_copy(update=fields)
            if now - clock.saved >= _SAVED_EVERY:
                clock.saved = now
                self._save(self._open[job_id])

    @contextmanager
    def spending(self, shares: Mapping[str, float]) -> Iterator[None]:
        """Count the seconds of the block as spent on jobs, in these shares; the next change saves them."""
        start, total = time.monotonic(), sum(shares.values())
        try:
            yield
        finally:
            seconds = time.monotonic() - start
            with self.changed:
                for job_id, share in shares.items():
                    if (job := self._open.get(job_id)) is not None and total:
                        spent = job.seconds + seconds * share / total
                        self._open[job_id] = job.model_copy(update={"seconds": spent})

    def finish(self, job_id: str, outcome: FileOutcome) -> None:
        """Close a job with what became of its file."""
        well = outcome.outcome in ("read", "reread", "known")
        self.update(
            job_id,
            status="done" if well else "failed",
            outcome=outcome.outcome,
            reason=outcome.reason,
            hint=outcome.hint,
            document_id=outcome.document_id,
            counts=outcome.counts,
            finished=time.time(),
        )

    def requeue(self, job_id: str, **fields: Any) -> None:
        """Put a job back into the queue as it came."""
        self.update(job_id, status="queued", reason="", hint="", done=0, total=0, finished=None, **fields)

    def runs(self, job_id: str) -> bool:
        """Say whether a job is being worked on and neither paused nor cancelled."""
        with self.changed:
            job = self._open.get(job_id)
            return job is not None and job.status == "running"

    def pace(self, job_id: str) -> Pace:
        """Return how fast the job goes. Raises NotFound."""
        with self.changed:
            job, clock = self.get(job_id), self._clocks.get(job_id)
        idle = max(0.0, time.time() - job.updated if clock is None else time.monotonic() - clock.moved)
        if clock is None or clock.stage != job.stage or job.done <= clock.already:
            return Pace(0.0, None, idle)
        rate = (job.done - clock.already) / max(clock.moved - clock.began, 1e-3)
        return Pace(rate, (job.total - job.done) / rate, idle)
