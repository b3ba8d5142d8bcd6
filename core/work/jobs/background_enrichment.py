"""Lets a model enrich documents while nobody asks anything: estimated first, paused by a question, resumed.

Reading a file in asks no model, so its documents are searchable and enriched by rules at once. What a model
adds takes seconds a chunk on a laptop; so it happens here, for the collections it is switched on for. Every
reply is kept by what was asked: a document that was broken off asks only for the rest.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.domain import BUILT_IN, Chunk, Document, Section, Value
from core.errors import NotFound, Stopped, StrataError
from core.ingest.chunk_enrichment import ChunkEnricher, ChunkRun, chunk_runs_of
from core.ingest.ingestion import Ingestion
from core.knowledge.base import KnowledgeBase

_LOG = logging.getLogger(__name__)
_POLL_SECONDS = 0.5  # seconds between two looks whether anybody asks something
_AWAY_SECONDS = 30.0  # seconds a server that is away is left alone
_ESTIMATE_CALLS = 2  # calls that are really made for an estimate; their replies are kept


class Estimate(Value):
    """What enriching a collection would take. `seconds` by the calls that were made for it, `measured`."""

    collection: str
    documents: int
    chunks: int
    calls: int
    seconds: float
    measured: int
    model: str = ""


class Progress(Value):
    """Progress of the enrichment in the background."""

    state: str = "off"  # off, working, waiting (somebody asks, files come in), away (no server), done
    document: str = ""  # title
    chunks: int = 0  # done of this document
    of: int = 0
    left: int = 0  # documents that wait, this one included
    reason: str = ""


@dataclass(frozen=True, eq=False)
class PlannedCall:
    """One call that enriching a document takes, with the chunks it is about."""

    document: Document
    stretch: ChunkRun
    chunks: int


class BackgroundEnrichment:
    """Enriches in its own thread; every method may be called from any thread.

    `enricher` asks the model; `busy` says that something else goes first; `everywhere`: all collections are
    switched on.
    """

    def __init__(
        self,
        knowledge: KnowledgeBase,
        ingestion: Ingestion,
        enricher: ChunkEnricher,
        *,
        busy: Callable[[], bool],
        everywhere: bool = False,
    ) -> None:
        self._knowledge = knowledge
        self._ingestion = ingestion
        self._enricher = enricher
        self._busy = busy
        self._everywhere = everywhere
        self._ending = threading.Event()
        self._woken = threading.Event()
        self._looked = 0.0
        self._thread: threading.Thread | None = None
        self._progress = Progress()
        self._asked: dict[str, None] = {}  # documents the reader asked for, wherever they are

    # -- from outside ----------------------------------------------------------------------

    def progress(self) -> Progress:
        """Return how far it is."""
        return self._progress

    def start(self) -> None:
        """Begin to work in the background."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="enrichment", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop soon; what is unfinished resumes at the next start. Closing twice does no harm."""
        self._ending.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join()

    def switch(self, collection: str, on: bool) -> None:
        """Let the model enrich a collection from now on, or no longer."""
        self._knowledge.enrichment.switch(collection, on)
        self._woken.set()

    def request(self, document_ids: Sequence[str]) -> None:
        """Enrich these documents before all others, also where their collection is not switched on."""
        self._asked.update(dict.fromkeys(document_ids))
        self._woken.set()

    def switched_on(self) -> tuple[str, ...] | None:
        """Return the collections that are switched on, None for all of them."""
        return None if self._everywhere else self._knowledge.enrichment.switched_on()

    def waiting(self, collections: Sequence[str] | None) -> tuple[str, ...]:
        """Return the documents of collections (None: of all) that no model has enriched yet."""
        return self._knowledge.enrichment.waiting(collections)

    def estimate(self, collection: str) -> Estimate:
        """Estimate calls and time for the rest of a collection; two calls are made to measure the model.

        Raises LLMError where no model answers.
        """
        documents = self.waiting([collection])
        calls = [call for document_id in documents for call in self._calls(document_id)]
        seconds: list[float] = []
        model = ""
        extractor = self._enricher.fact_extractor()
        spread = calls[:: max(1, len(calls) // _ESTIMATE_CALLS)]
        for call in [*spread, *(call for call in calls if call not in spread)]:
            made = next(extractor.extract(call.document, call.stretch)).call
            if made is not None and not made.cached:
                model = made.engine
                seconds.append(made.seconds)
            if len(seconds) == _ESTIMATE_CALLS:
                break
        mean = sum(seconds) / len(seconds) if seconds else 0.0
        return Estimate(
            collection=collection,
            documents=len(documents),
            chunks=sum(call.chunks for call in calls),
            calls=len(calls),
            seconds=mean * len(calls) / self._enricher.parallel,
            measured=len(seconds),
            model=model,
        )

    def _calls(self, document_id: str) -> Iterator[PlannedCall]:
        """Yield the calls a document takes; rows of tables and code take none."""
        try:
            document = self._knowledge.document(document_id)
        except NotFound:  # deleted meanwhile
            return
        sections: Sequence[Section] = self._knowledge.sections(document_id)
        chunks: Sequence[Chunk] = self._knowledge.chunks(document_id)
        extractor = self._enricher.fact_extractor()
        for stretch in chunk_runs_of(document, sections, chunks):
            end = 0
            for batch in extractor.batches(stretch):
                begin, end = end, end + len(batch)
                if batch[0].prose:
                    continues = (False, *stretch.continues[begin + 1 : end])
                    yield PlannedCall(document, ChunkRun(stretch.chunks[begin:end], continues), len(batch))

    # -- the work --------------------------------------------------------------------------

    def enrich(self, document_id: str) -> None:
        """Enrich one document now, whatever else runs. Raises NotFound, LLMError, Stopped."""
        title = self._knowledge.document(document_id).title
        work = self._ingestion.extract(document_id, self, self._enricher)
        while True:
            try:
                stage = next(work)
                self._report(state="working", document=title, chunks=stage.done, of=stage.total)
            except StopIteration as stop:
                done = stop.value
                break
        for _ in self._ingestion.store_enriched([done], anew=True):
            pass
        engines = {atom.by for atom in done.distilled.atoms} - {BUILT_IN, "built-in rules"}
        self._knowledge.enrichment.done(document_id, ", ".join(sorted(engines)) or BUILT_IN)

    def _work(self) -> None:
        while not self._ending.is_set():
            self._woken.clear()
            waiting = (*self._asked, *self.waiting(self.switched_on()))
            if not waiting:
                on = self.switched_on()
                self._progress = Progress(state="done" if on is None or on else "off")
                self._woken.wait()
            elif self._busy():
                self._report(state="waiting", left=len(waiting), reason="Questions and files go first.")
                self._woken.wait(_POLL_SECONDS)
            else:
                self._report(left=len(waiting))
                self._try(waiting[0])

    def _try(self, document_id: str) -> None:
        try:
            self.enrich(document_id)
            self._asked.pop(document_id, None)
        except Stopped:
            self._report(state="waiting", reason="Questions and files go first.")
        except NotFound:
            self._asked.pop(document_id, None)
            _LOG.info("document %s was deleted before it was enriched", document_id)
        except StrataError as error:
            _LOG.warning("the model could not enrich: %s", error)
            self._report(state="away", reason=f"{error} {error.hint}".strip())
            self._woken.wait(_AWAY_SECONDS)

    def _report(self, **fields: object) -> None:
        self._progress = self._progress.model_copy(update=fields)

    # -- as a listener of the model's calls ------------------------------------------------

    def received(self, text: str) -> None:
        """Ignore the words of a reply: nobody is shown them."""

    def check(self) -> None:
        """Raise Stopped when the process goes down, or in the background when something else goes first."""
        if self._ending.is_set():
            raise Stopped("the enrichment was stopped")
        now = time.monotonic()
        if self._thread is not None and now - self._looked > _POLL_SECONDS:
            self._looked = now
            if self._busy():
                raise Stopped("something else goes first")
