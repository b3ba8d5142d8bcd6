"""The library: files come in and go, and what is held can be read and searched."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import core
from core.answering.suggestions import Suggester
from core.domain import Box, Chunk, Entry, Margin, Scope
from core.errors import ModelMissing, NotAllowed, SettingsError
from core.evaluation.retrieval_tester import LEGS, LegName, RetrievalTest, RetrievalTester
from core.export.page_image import Illustrator
from core.ingest.cim_mappings import Mappings
from core.knowledge.base import KnowledgeBase
from core.knowledge.search.searcher import Searcher
from core.knowledge.stores.database import translated_errors
from core.knowledge.stores.records import Job, Removal
from core.knowledge.stores.vector_index.embeddings import EmbeddingModel
from core.retrieval.gatherer import Gatherer
from core.retrieval.search_port import Kind
from core.text.vocabulary import OWN_FILE, Vocabulary, packaged, vocabulary_of, write_own
from core.work.jobs.background_enrichment import BackgroundEnrichment
from core.work.jobs.folder_watch import FolderScan, watch
from core.work.jobs.job_queue import JobQueue, Pace
from core.work.runs.run_request import readable
from core.work.upkeep.chunk_editing import ChunkEditor
from core.work.upkeep.reembed import Reembedding
from core.work.upkeep.rereading import Rereading
from core.work.upkeep.trash import Trash

_DEMO = Path(core.__path__[0]).parent / "examples" / "fab"


@dataclass(frozen=True)
class Library:
    """Documents on their way in, documents held, and the single search looked at from outside."""

    knowledge: KnowledgeBase
    queue: JobQueue
    illustrator: Illustrator
    suggester: Suggester
    mappings: Mappings  # how machine files are read
    reembedding: Reembedding | None  # the library's change to another embedding model
    gatherer: Callable[[], Gatherer]  # the search of a question, outside of a run
    trash: Trash
    chunk_editor: ChunkEditor
    rereading: Rereading  # of documents that an earlier version read
    background_enrichment: BackgroundEnrichment | None = None  # None without a model
    hidden: frozenset[str] = frozenset()  # collections closed to whoever asks

    @property
    def contents(self) -> Searcher:
        """What can be read and searched; nothing is changed through it."""
        return self.knowledge

    @property
    def path(self) -> Path:
        """The library's folder."""
        return self.knowledge.path

    # -- words of the trade ----------------------------------------------------------------

    def vocabulary(self) -> Vocabulary:
        """Return the terms of one meaning; its own to who sees the whole library. Raises SettingsError."""
        try:
            return packaged() if self.hidden else vocabulary_of(self.path)
        except ValueError as error:
            raise SettingsError(str(error), hint=f"Mend {OWN_FILE} in the library's folder.") from error

    def own_words(self) -> str:
        """Return the library's own file of terms, "" where there is none."""
        path = self.path / OWN_FILE
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""

    def change_words(self, text: str) -> None:
        """Keep the library's own terms; the next question reads them. Raises SettingsError, DiskFull."""
        try:
            with translated_errors():
                write_own(self.path, text)
        except ValueError as error:
            raise SettingsError(str(error), hint="Nothing was changed. Mend the line it names.") from error

    # -- coming in -------------------------------------------------------------------------

    def ingest(
        self, paths: Sequence[Path], collection: str = "default", *, follow_links: bool = False
    ) -> list[str]:
        """Queue files and folders, with `follow_links` also what lies behind links; return the jobs' ids."""
        self._must_see(collection)
        return self.queue.submit(paths, collection, follow_links=follow_links)

    def has_demo(self) -> bool:
        """Say whether the package came with the demo documents."""
        return _DEMO.is_dir()

    def add_demo(self) -> list[str]:
        """Queue the demo documents; return the jobs' ids, none where the package came without them."""
        return self.ingest([_DEMO]) if self.has_demo() else []

    def takes_new_collections(self) -> bool:
        """Say whether files may be added to a collection that is not there yet."""
        return not self.hidden

    def upload(self, name: str, stream: BinaryIO, collection: str = "default") -> str:
        """Keep the bytes in the library's folder and queue them under `name`; return the job's id."""
        self._must_see(collection)
        return self.queue.upload(name, stream, collection)

    def watch(
        self, paths: Sequence[Path], collection: str, pause: Callable[[], bool], *, follow_links: bool = False
    ) -> Iterator[FolderScan]:
        """Keep the library in step with the folders, looking again after each `pause`, until it says no."""
        return watch(self.queue, self.knowledge, paths, collection, pause=pause, follow_links=follow_links)

    def jobs(self, limit: int = 100) -> list[Job]:
        """Return the latest jobs and all that are not over, newest first; before them a new embedder's."""
        change = [self.reembedding.job()] if self.reembedding is not None else []
        return [*change, *self.queue.list(limit, self.knowledge.jobs, self.hidden)]

    def wait(self, jobs: Sequence[str], timeout: float | None = None) -> Sequence[Job]:
        """Return the jobs once none of them waits or runs, or after `timeout` seconds."""
        return self.queue.wait(jobs, timeout)

    def coming(self) -> int:
        """Return how many files are on their way in and cannot be searched yet."""
        return self.queue.coming(self.hidden)

    def pace(self, job: str) -> Pace:
        """Return how fast the job goes, what its stage still takes, when it last moved. Raises NotFound."""
        self.knowledge.jobs.get(job)
        return self.queue.pace(job)

    def enrichment(self) -> BackgroundEnrichment:
        """Return the background enrichment by a model. Raises ModelMissing where no model is set."""
        if self.background_enrichment is None:
            raise ModelMissing(
                "Enriching at leisure needs a model, and none is set.",
                hint="Install Ollama, `ollama pull qwen3:4b-instruct`, and set OLLAMA_HOST.",
            )
        return self.background_enrichment

    def enrich_again(self, collection: str) -> None:
        """Let also those documents of the collection wait to be enriched that a model has enriched."""
        self.knowledge.enrichment.forget(collection)

    def cancel(self, job: str) -> None:
        """End the job; what it had added is removed."""
        self._worker(job).cancel(job)

    def cancel_all(self, jobs: Sequence[str]) -> None:
        """End these files' jobs together; those that are gone or not seen are passed over."""
        self.queue.cancel(*self.knowledge.jobs.known(jobs))

    def pause(self, job: str) -> None:
        """Hold the job until it is resumed."""
        self._worker(job).pause(job)

    def resume(self, job: str) -> None:
        """Resume a paused job."""
        self._worker(job).resume(job)

    def retry(self, job: str) -> None:
        """Run a failed job again."""
        self._worker(job).retry(job)

    def dismiss(self, job: str) -> None:
        """Take a job that is over off the list; what it added stays. Raises NotFound."""
        self._worker(job)
        self.queue.dismiss(job)

    def _worker(self, job: str) -> JobQueue | Reembedding:
        change = self.reembedding
        if change is not None and change.job().id == job:
            return change
        self.knowledge.jobs.get(job)
        return self.queue

    def _must_see(self, collection: str) -> None:
        """Refuse a closed collection, and alike one that is not there: no guess tells which are closed."""
        if self.hidden and collection not in {"default", *self.knowledge.collections()} - self.hidden:
            raise NotAllowed(f"You may not add to {collection}.")

    # -- held ------------------------------------------------------------------------------

    def removal(self, document_id: str) -> Removal:
        """Return what would be deleted with the document, counted by kind. Raises NotFound."""
        self.knowledge.document(document_id)
        return self.knowledge.removal(document_id)

    def delete_permanently(self, document_id: str) -> Removal:
        """Delete the document and everything made from it; it cannot be restored. Raises NotFound."""
        planned = self.removal(document_id)
        if not self.hidden:
            return self.knowledge.remove(document_id)
        for entry in self.knowledge.entries(document_id):  # it stays where it is also in a closed collection
            planned = self.knowledge.unlink(entry.path, entry.collection) or planned
        return planned

    def move_to_trash(self, document_ids: Sequence[str]) -> list[Removal]:
        """Remove documents so that they can be restored until the next removal; for good where a part of the
        library is closed. Raises NotFound."""
        if self.hidden:
            return [self.delete_permanently(document_id) for document_id in document_ids]
        return self.trash.put(document_ids)

    def in_trash(self) -> list[str]:
        """Return the titles of the documents that can be restored."""
        return [] if self.hidden else self.trash.titles()

    def restore_from_trash(self) -> list[str]:
        """Read the documents of the last removal in again; return the jobs."""
        return self.trash.restore()

    def revise(self, chunk: str, text: str) -> list[Chunk]:
        """Replace a chunk's text by another, split where a line is `---`; return the chunks there now.
        Raises NotFound, FeedbackError, LLMError."""
        return self.chunk_editor.revise(chunk, text)

    def margins(self, document_id: str) -> list[tuple[Margin, bool]]:
        """Return the lines left out at page margins, each with whether it was put back. Raises NotFound."""
        found = self.knowledge.document(document_id)
        return [(each, self.chunk_editor.is_back(document_id, each)) for each in found.margins()]

    def put_back(self, document_id: str, margin: Margin) -> int:
        """Put such a line back on its pages; return how many chunks it changed. Raises as `revise` does."""
        return self.chunk_editor.put_back(document_id, margin)

    def refile(self, entries: Sequence[Entry]) -> list[Entry]:
        """Give the documents of the entries these paths and no others; return the entries before."""
        documents = dict.fromkeys(entry.document_id for entry in entries)
        before = [entry for document_id in documents for entry in self.knowledge.entries(document_id)]
        for entry in entries:
            self.knowledge.link(entry)
        for entry in (each for each in before if each not in entries):
            self.knowledge.unlink(entry.path, entry.collection)
        return before

    def move(self, document_ids: Sequence[str], collection: str) -> list[Entry]:
        """Put documents into a collection, out of all others; return their entries before."""
        entries = [entry for document_id in document_ids for entry in self.knowledge.entries(document_id)]
        return self.refile([entry.model_copy(update={"collection": collection}) for entry in entries])

    def serving_model(self) -> EmbeddingModel | None:
        """Return the embedding model whose vectors are searched."""
        return self.knowledge.embeddings.serving()

    def old_models(self) -> list[EmbeddingModel]:
        """Return the embedding models whose vectors are kept and searched no more."""
        return list(self.knowledge.embeddings.old())

    def drop_model(self, digest: str) -> None:
        """Delete the vectors of an embedding model that serves no more."""
        self.knowledge.embeddings.drop(digest)

    def drop_old_vectors(self) -> int:
        """Delete the vectors of all embedding models that serve no more; return of how many models."""
        return self.knowledge.embeddings.drop_old()

    def suggestions(self, n: int = 4, documents: Sequence[str] = ()) -> list[str]:
        """Return questions the library can answer, only about some documents where they are named."""
        return self.suggester.about(documents, n) if documents else self.suggester.suggest(n)

    def verified_questions(self, question: str, n: int = 2) -> list[str]:
        """Return questions with a verified answer that may ask for the same as this one."""
        return self.suggester.verified(question, n)

    def page_image(
        self,
        document_id: str,
        page: int,
        boxes: Sequence[Box] = (),
        width: int = 900,
        phrases: Sequence[str] = (),
    ) -> bytes | None:
        """Return the page (0-based) as PNG with boxes and phrases marked, None if the format has no pages."""
        return self.illustrator.page(document_id, page, boxes, width, phrases)

    def search(
        self,
        question: str,
        limit: int = 10,
        scope: Scope | None = None,
        kind: Kind = "factual",
        without: Sequence[str] = (),
        legs: Sequence[LegName] = LEGS,
    ) -> RetrievalTest:
        """Return the passages each leg of retrieval finds, why, and in what time; no run is kept.

        `without` names parts to leave out (`core.evaluation.retrieval_tester.PARTS`), to see
        what they are worth.
        Raises QuestionError, KnowledgeError, LLMError.
        """
        asked = readable(question)
        return RetrievalTester(self.gatherer()).test(asked, limit, scope or Scope(), kind, without, legs)

    def close(self) -> None:
        """End the readers of files; what was removed is gone for good."""
        self.queue.close()
        self.trash.empty()
