"""Gives the library the vectors of another embedding model in the background, while the old ones serve.

What is done is what is in the new collections: after a crash the next process does what is missing. The
change itself waits for a moment in which no file is on its way in and no question is answered.
"""

import logging
import threading
import time
from collections.abc import Callable

from core.errors import StrataError
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.external_stores import VECTOR_LAYERS
from core.knowledge.stores.records import Job
from core.knowledge.stores.vector_index.embeddings import EmbeddingModel
from core.ports import Embedder
from core.work.upkeep.serving_embedder import ServingEmbedder, whole

_LOG = logging.getLogger(__name__)
JOB = "embeddings"  # the id of the job in the list of jobs
BATCH_TEXTS = 64  # texts embedded together
POLL_SECONDS = 0.5  # seconds between two looks whether the library is at rest
Change = Callable[[Callable[[], None]], bool]  # does something while all else is at rest; False if it is not


class Reembedding:
    """One change of the embedding model; every method may be called from any thread.

    `serving` is what everything else embeds with; `wanted` what it changes to. `at_rest` does the change
    itself while nothing is being read in or answered.
    """

    def __init__(
        self,
        library: KnowledgeBase,
        serving: ServingEmbedder,
        wanted: Embedder,
        model: EmbeddingModel,
        at_rest: Change,
        batch: int = BATCH_TEXTS,
    ) -> None:
        self._library = library
        self._serving = serving
        self._wanted = wanted
        self._model = model
        self._at_rest = at_rest
        self._batch = batch
        self._ending = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._thread: threading.Thread | None = None
        now = time.time()
        self._job = Job(
            id=JOB,
            kind="vectors",
            path="",
            name=f"Vectors of {model.name or model.model}",
            status="queued",
            stage="embed",
            created=now,
            updated=now,
        )

    # -- from outside ----------------------------------------------------------------------

    def job(self) -> Job:
        """Return how far it is, as a job among the others."""
        return self._job

    def start(self) -> None:
        """Begin, or resume where an earlier process ended."""
        if self._thread is None or not self._thread.is_alive():
            self._report_progress(
                status="running", started=self._job.started or time.time(), reason="", hint=""
            )
            self._thread = threading.Thread(target=self._work, name="re-embedding", daemon=True)
            self._thread.start()

    def retry(self, job: str = JOB) -> None:
        """Begin again after a failure; what is done is kept."""
        self.start()

    def pause(self, job: str = JOB) -> None:
        """Stop until `resume`; the old vectors serve on."""
        if self._job.status == "running":
            self._going.clear()
            self._report_progress(status="paused")

    def cancel(self, job: str = JOB) -> None:
        """Pause: what is done is not lost, and the settings still ask for the rest."""
        self.pause(job)

    def resume(self, job: str = JOB) -> None:
        """Go on."""
        if self._job.status == "paused":
            self._report_progress(status="running")
            self._going.set()

    def close(self) -> None:
        """Stop soon; what is done is kept. Closing twice does no harm."""
        self._ending.set()
        self._going.set()
        if self._thread is not None:
            self._thread.join()

    def wait(self, timeout: float | None = None) -> Job:
        """Return the job at its end, or after `timeout` seconds."""
        if self._thread is not None:
            self._thread.join(timeout)
        return self._job

    # -- the work --------------------------------------------------------------------------

    def _report_progress(self, **fields: object) -> None:
        self._job = self._job.model_copy(update={"updated": time.time(), **fields})

    def _may_continue(self) -> bool:
        """Wait while it is paused; say whether to continue after that."""
        self._going.wait()
        return not self._ending.is_set()

    def _work(self) -> None:
        try:
            if self._fill() and self._change() and self._fill_tokens():
                self._report_progress(status="done", outcome="read", reason="", finished=time.time())
        except StrataError as error:
            _LOG.warning("the vectors could not be made anew: %s", error)
            self._report_progress(status="failed", outcome="failed", reason=str(error), hint=error.hint)
        finally:
            if self._job.status == "running" and not self._ending.is_set():
                self._report_progress(status="failed", outcome="failed", reason="This is a fault in Strata.")

    def _fill(self) -> bool:
        """Make every vector that is missing; say whether none is."""
        embeddings, digest = self._library.embeddings, self._model.digest
        total = embeddings.size()
        self._report_progress(reason="The present vectors serve until all are made.")
        for place, layer in enumerate(VECTOR_LAYERS):
            later = sum(len(embeddings.missing(digest, each)) for each in VECTOR_LAYERS[place + 1 :])
            while waiting := embeddings.missing(digest, layer):
                for start in range(0, len(waiting), self._batch):
                    self._report_progress(done=max(0, total - later - len(waiting) + start), total=total)
                    if not self._may_continue():
                        return False
                    texts = embeddings.texts(layer, waiting[start : start + self._batch])
                    if texts:
                        vectors = whole(self._wanted, list(texts.values()), tokens=False).vectors
                        embeddings.put(digest, layer, list(texts), vectors)
        self._report_progress(
            done=total,
            total=total,
            reason="All are made. They take over as soon as no file comes in and no question is answered.",
        )
        return self._may_continue()

    def _change(self) -> bool:
        """Let the new vectors serve, as soon as all else is at rest; say whether they do."""
        if self._serves():
            return True
        while self._may_continue():
            done: list[bool] = []
            if self._at_rest(lambda done=done: done.append(self._take_over())):  # type: ignore[misc]
                if done[0]:
                    return True
                if not self._fill():  # documents came in meanwhile
                    return False
            self._ending.wait(POLL_SECONDS)
        return False

    def _serves(self) -> bool:
        serving = self._library.embeddings.serving()
        return serving is not None and serving.digest == self._model.digest

    def _take_over(self) -> bool:
        if not self._library.embeddings.switch(self._model):
            return False
        self._serving.take(self._wanted)
        return True

    def _fill_tokens(self) -> bool:
        """Make the token vectors of the late interaction; say whether every chunk has them."""
        embeddings = self._library.embeddings
        waiting = embeddings.without_tokens()
        self._report_progress(
            reason="They serve. The vectors of single words, for reranking, are being made."
        )
        for start in range(0, len(waiting), self._batch):
            if not self._may_continue():
                return False
            texts = embeddings.texts("chunks", waiting[start : start + self._batch])
            tokens = whole(self._wanted, list(texts.values())).tokens if texts else None
            if tokens is None:
                break
            embeddings.put_tokens(list(zip(texts, tokens, strict=True)))
            self._report_progress(stage="embed", done=start + len(texts), total=len(waiting))
        embeddings.tokens_done()
        return True
