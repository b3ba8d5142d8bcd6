"""Distils what is searchable already, a moment at a time; many small documents are stored together."""

import time
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from core.errors import Stopped
from core.ingest.gleaning import Added, Harvest, with_distilled
from core.ingest.ingestion import Ingestion
from core.ingest.outcome import Outcome, Stage
from core.work.job_ledger import Ledger

_TURN = 0.2  # seconds of distillation between two looks at the queue
_TOGETHER = 512  # atoms that are stored together


class _Waiting(NamedTuple):
    """A document that is searchable and not distilled yet."""

    job_id: str
    outcome: Outcome


class Distilling:
    """The last stage of every job. Its turns are taken from one thread, `put` may come from any.

    `hand` does a piece of work and returns what it raised; `check` raises Stopped for a job that is held or
    cancelled, or when the process goes down; `failed` closes a job that failed.
    """

    def __init__(
        self,
        ledger: Ledger,
        ingestion: Ingestion,
        *,
        hand: Callable[[Callable[[], object]], BaseException | None],
        check: Callable[[str], None],
        failed: Callable[[str, BaseException], None],
    ) -> None:
        self._ledger = ledger
        self._ingestion = ingestion
        self._hand = hand
        self._check = check
        self._failed = failed
        self._jobs: dict[str, _Waiting] = {}  # document id -> its job, until it is closed
        self._queue: dict[str, None] = {}  # documents to be gleaned, in order
        self._gleaning: tuple[str, Generator[Stage, None, Harvest]] | None = None
        self._harvests: dict[str, Harvest] = {}  # gleaned, not stored yet
        self._keeping: tuple[list[Harvest], Generator[None, None, list[Added]]] | None = None

    def put(self, job_id: str, outcome: Outcome) -> None:
        """Take up a document that has become searchable."""
        with self._ledger.changed:
            self._jobs[outcome.document_id] = _Waiting(job_id, outcome)
            self._queue[outcome.document_id] = None

    def holds(self, document_id: str) -> bool:
        """Say whether a job that runs will distil the document."""
        waiting = self._jobs.get(document_id)
        return waiting is not None and self._ledger.runs(waiting.job_id)

    def turn(self) -> bool:
        """Distil for a moment; say whether there was anything to distil."""
        document_id = self._next()
        atoms = sum(len(each.distilled.atoms) for each in self._harvests.values())
        if self._keeping is None and self._harvests and (atoms >= _TOGETHER or document_id is None):
            self._bring_in()
        if self._keeping is not None:
            self._keep(*self._keeping)
            return True
        if document_id is not None:
            self._glean(document_id)
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
        self._harvests.pop(document_id, None)
        if self._gleaning is not None and self._gleaning[0] == document_id:
            self._gleaning[1].close()
            self._gleaning = None

    # -- asking ----------------------------------------------------------------------------

    def _glean(self, document_id: str) -> None:
        job_id = self._jobs[document_id].job_id
        if self._gleaning is None or self._gleaning[0] != document_id:
            self._gleaning = (document_id, self._ingestion.glean(document_id, _Ear(self._check, job_id)))
        work = self._gleaning[1]
        found: list[Harvest] = []
        with self._ledger.spending({job_id: 1}):
            error = self._hand(lambda: found.extend(self._ask(job_id, work)))
        if isinstance(error, Stopped):
            self._gleaning = None
        elif error is not None:
            self._leave(document_id)
            self._failed(job_id, error)
        elif found:
            self._gleaning = None
            del self._queue[document_id]
            self._harvests[document_id] = found[0]

    def _ask(self, job_id: str, work: Generator[Stage, None, Harvest]) -> Sequence[Harvest]:
        """Go on asking about a document's chunks; return the harvest once it is through."""
        until = time.monotonic() + _TURN
        while time.monotonic() < until:
            try:
                self._ledger.reach(job_id, next(work))
            except StopIteration as stop:
                return [stop.value]
        return []

    # -- storing ---------------------------------------------------------------------------

    def _bring_in(self) -> None:
        """Begin to embed and store what was gleaned, but for jobs held or cancelled since."""
        for document_id in list(self._harvests):
            if not self._ledger.runs(self._jobs[document_id].job_id):
                self._leave(document_id)
        harvests = list(self._harvests.values())
        if harvests:
            self._keeping = (harvests, self._ingestion.keep(harvests))

    def _keep(self, harvests: list[Harvest], work: Generator[None, None, list[Added]]) -> None:
        added: list[Added] = []
        shares = {self._jobs[each.document_id].job_id: len(each.distilled.atoms) + 1 for each in harvests}
        with self._ledger.spending(shares):
            error = self._hand(lambda: added.extend(self._store(work)))
        if error is not None:
            self._keeping = None
            if len(harvests) > 1:  # one by one, so that none takes another with it
                for harvest in harvests:
                    self._keep([harvest], self._ingestion.keep([harvest]))
                return
            job_id = self._jobs[harvests[0].document_id].job_id
            self._leave(harvests[0].document_id)
            self._failed(job_id, error)
        elif added:
            self._keeping = None
            for harvest, each in zip(harvests, added, strict=True):
                job_id, outcome = self._jobs[harvest.document_id]
                self._ledger.reach(job_id, Stage("distil", harvest.chunks, harvest.chunks))
                self._leave(harvest.document_id)
                if self._ledger.runs(job_id):
                    self._ledger.finish(job_id, with_distilled(outcome, each))

    def _store(self, work: Generator[None, None, list[Added]]) -> Sequence[Added]:
        """Go on embedding; return what was stored once it is through."""
        until = time.monotonic() + _TURN
        while time.monotonic() < until:
            try:
                next(work)
            except StopIteration as stop:
                found: list[Added] = stop.value
                return found
        return []


class _Ear:
    """Lets a model's call be broken off when its job is."""

    def __init__(self, check: Callable[[str], None], job_id: str) -> None:
        self._check = check
        self._job_id = job_id

    def heard(self, text: str) -> None:
        """Nothing is read aloud here."""

    def check(self) -> None:
        self._check(self._job_id)
