"""The interface to the library: whatever is stored, found or removed goes through `KnowledgeBase`."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from core.domain import Chunk, Distilled, Entry
from core.errors import DiskFull, KnowledgeError
from core.knowledge.learned.feedback_log import FeedbackStore
from core.knowledge.learned.learned_store import LearnedStore
from core.knowledge.learned.tag_pairs import LearntPair, PairStore, Teacher
from core.knowledge.maintenance.backups import back_up_before
from core.knowledge.maintenance.compaction import Compacted, Compactor
from core.knowledge.maintenance.opening import make_ready
from core.knowledge.maintenance.provenance import ProvenanceRecords
from core.knowledge.maintenance.quarantine import Quarantine
from core.knowledge.maintenance.seal import Seal
from core.knowledge.maintenance.second_copy import keep_second_copy
from core.knowledge.maintenance.store_consistency import StoreConsistency
from core.knowledge.search.entity_linking import EntityLinker
from core.knowledge.search.graph_index import PersistentGraph
from core.knowledge.search.keyword_refresh import PersistentKeywordIndex
from core.knowledge.search.searcher import Hit, Searcher
from core.knowledge.search.titles import TitleFinder
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.activity.jobs import JobStore
from core.knowledge.stores.activity.runs import RunStore
from core.knowledge.stores.database import Database, translated_errors
from core.knowledge.stores.documents.chunk_replacement import ChunkReplacement
from core.knowledge.stores.documents.document_writer import DocumentWriter
from core.knowledge.stores.documents.enrichment_state import EnrichmentStore
from core.knowledge.stores.documents.indexable import DistilledDocument, IndexableDocument
from core.knowledge.stores.documents.originals import FileStore
from core.knowledge.stores.documents.reading_replacement import ReadingReplacement
from core.knowledge.stores.documents.removal import Removals
from core.knowledge.stores.external_stores import VECTOR_LAYERS, ExternalStores, MakeIndex
from core.knowledge.stores.folder_lock import claim
from core.knowledge.stores.migrations import migrate
from core.knowledge.stores.records import Removal
from core.knowledge.stores.typed_tables.tables import TableStore
from core.knowledge.stores.value_cache import CacheStore
from core.knowledge.stores.vector_index.embeddings import Embeddings, serving_digest
from core.knowledge.stores.vector_index.library_collections import LibraryCollections, MadeIndexes, server_at
from core.knowledge.stores.vector_index.vectors import ChromaStore
from core.ports import Vectors

__all__ = ["Hit", "IndexableDocument", "KnowledgeBase"]

_LOG = logging.getLogger(__name__)


class KnowledgeBase(Searcher):
    """A library in a folder, open from construction until `close`; one process at a time.

    `digest` names the embedding model: each has vectors of its own. A library that knows which model serves
    it (`embeddings`) opens with that one's. Vectors go to Chroma, in the folder or in the library's own
    collections on the server at `chroma_url`, or to what `indexes` makes. Safe to use from many threads. A
    library with damaged or missing stores does not open; with `repairing` it does, those made anew and empty.
    Raises LibraryBusy, DiskFull, KnowledgeError.
    """

    def __init__(
        self,
        path: Path,
        digest: str,
        chroma_url: str | None = None,
        indexes: MakeIndex | None = None,
        cache_bytes: int = 1 << 30,
        repairing: bool = False,
    ) -> None:
        self.path = path
        self._file_lock = claim(path)
        self._chroma: ChromaStore | None = None
        self._changing = threading.RLock()
        self._seal = Seal(path)
        try:
            make_ready(path, MadeIndexes(indexes) if indexes else server_at(chroma_url), repairing=repairing)
            self._seal.open()
            self._open(digest, chroma_url, indexes, cache_bytes)
        except BaseException:
            self._file_lock.release()
            raise

    def _open(self, digest: str, chroma_url: str | None, indexes: MakeIndex | None, cache_bytes: int) -> None:
        path = self.path
        back_up_before(path)
        self.database = Database(path / "catalog.sqlite")
        with self.database.writing() as connection:
            try:
                migrate(connection)
            except ValueError as error:
                raise KnowledgeError(str(error), hint="Use the Strata that made this library.") from error
        drop: Callable[[str], None] = lambda name: None  # noqa: E731
        if indexes is None:
            self._chroma = ChromaStore(path / "chroma", chroma_url)
            collections = (
                LibraryCollections.of(self._chroma, self.database) if chroma_url is not None else self._chroma
            )
            indexes, drop = collections.index, collections.drop
        digest = serving_digest(self.database) or digest
        self.external = ExternalStores(
            database=self.database,
            indexes={layer: indexes(f"{layer}-{digest[:32]}") for layer in VECTOR_LAYERS},
            tables=TableStore(path / "tables.duckdb"),
            originals=FileStore(path / "originals"),
            images=FileStore(path / "images"),
        )
        self.tokens = TokenFile(path / "tokens", self.database)
        self.words = PersistentKeywordIndex(self.database, path / "keywords")
        self.runs = RunStore(self.database)
        self.jobs = JobStore(self.database)
        self.enrichment = EnrichmentStore(self.database)
        self.feedback = FeedbackStore(self.database)
        self.pairs = PairStore(self.database)
        self.learned = LearnedStore(self.database)
        self.cache = CacheStore(path / "cache.sqlite", cache_bytes)
        self.graph = PersistentGraph(self.database, path / "graph")
        titles = TitleFinder(self.database, self.words)
        self.linker = EntityLinker(self.database, self.words)
        self.provenance = ProvenanceRecords(self.database, self.external.originals)
        self._removals = Removals(self.external)
        self._writer = DocumentWriter(self.external, self.tokens, titles, self._removals)
        self.embeddings = Embeddings(
            self.database,
            self.external,
            self.tokens,
            indexes,
            drop,
            self._changing,
            {digest: self.external.indexes.copy()},
        )
        self._consistency = StoreConsistency(self.external, self.words, self.graph, self.tokens)
        self.external.sweep()
        self.provenance.begin()

    def close(self) -> None:
        """Save the caches and release the folder; closing twice does no harm."""
        if not self._file_lock.is_locked:
            return
        with self._changing:
            try:
                with translated_errors(), ExitStack() as last:  # whatever fails, all is released
                    last.callback(self._file_lock.release)
                    last.callback(self._seal.close)
                    if self._chroma is not None:
                        last.callback(self._chroma.close)
                    for store in (self.external.tables, self.cache, self.database):
                        last.callback(store.close)
                    self.words.save()
                    self.graph.save()
                    keep_second_copy(self.path)
            except DiskFull:
                _LOG.warning("The disk is full: the second copy and the seal wait for the next closing.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- changing -------------------------------------------------------------------------

    @contextmanager
    def atomically(self) -> Iterator[None]:
        """Let all that is changed in the block become visible at once, or, if it fails or the process dies,
        nothing of it. Vectors are written as it goes: those of nothing are found by none."""
        with self._changing, self.database.writing():
            yield

    def add(self, indexable: IndexableDocument, entry: Entry) -> None:
        """Add a document under a path: all of it becomes visible at once, or none of it.

        Adding twice changes nothing. A document that no path points to any more, because the path now holds
        this one, is removed. Raises ValueError if the parts do not belong together.
        """
        self.add_many([(indexable, entry)])

    def add_many(self, items: Sequence[tuple[IndexableDocument, Entry]]) -> None:
        """Add many small documents in one transaction."""
        with self._changing:
            entries = [entry for _, entry in items]
            before = self.provenance.at(entries)
            for document_id in self._writer.add_many(items):
                self._removals.remove(document_id)
            self.provenance.write([*before, *(entry.document_id for entry in entries)])

    def revise(
        self, old: str, chunks: Sequence[Chunk], vectors: Vectors, tokens: Sequence[Vectors] | None
    ) -> None:
        """Replace a chunk by others; its document is to be enriched anew. Raises NotFound."""
        with self._changing:
            ChunkReplacement(self.external, self.tokens).replace(old, chunks, vectors, tokens)

    def take_reading(self, read: IndexableDocument) -> bool:
        """Let another reading take a document's place; say whether it differs. Raises NotFound."""
        with self._changing:
            differs = ReadingReplacement(self.external, self.tokens, self._writer.titles).take(read)
            self.provenance.write([read.document.id])
            return differs

    def link(self, entry: Entry) -> None:
        """Add another path to a document that is there; raises NotFound."""
        with self._changing:
            before = self.provenance.at([entry])
            for document_id in self._writer.link(entry):
                self._removals.remove(document_id)
            self.provenance.write([*before, entry.document_id])

    def enrich(self, document_id: str, distilled: Distilled, vectors: dict[str, Vectors]) -> None:
        """Add what was distilled from a document, in pieces or at once; what is there already stays.

        `vectors` holds "atoms" (atoms, d), "sections" (summaries, d) in the order of `section_summaries`, and
        "document" (1, d). Raises NotFound if the document is gone.
        """
        self.enrich_many([(document_id, distilled, vectors)])

    def enrich_many(
        self, items: Sequence[tuple[str, Distilled, dict[str, Vectors]]], *, anew: bool = False
    ) -> None:
        """Add what was distilled from many small documents in one transaction.

        Each is (document id, what was distilled, its vectors as `enrich` takes them). `anew`: it takes the
        place of what was distilled before; verified answers stay.
        """
        with self._changing:
            self._writer.enrich_many([DistilledDocument(*item) for item in items], anew=anew)

    def remove_enrichment(self, document_id: str) -> None:
        """Take away what was distilled from a document, before it is enriched anew."""
        with self._changing:
            self._removals.remove_enrichment(document_id)

    def forget_atoms(self, ids: Sequence[str]) -> None:
        """Take single atoms away, as when a verified answer no longer holds."""
        with self._changing:
            self._removals.forget_atoms(ids)

    def removal(self, document_id: str) -> Removal:
        """Return what `remove` would delete, counted by kind. Raises NotFound."""
        return self._removals.removal(document_id)

    def remove(self, document_id: str) -> Removal:
        """Remove a document from every store and count what is left of it: nothing. Raises NotFound."""
        with self._changing:
            chunks = {chunk.id for chunk in self.chunks(document_id)}
            removal = self._removals.remove(document_id)
            left = {**removal.left, "keywords": len(self.words.fresh().ids() & chunks)}
        return removal.model_copy(update={"left": left})

    def unlink(self, path: str, collection: str = "default") -> Removal | None:
        """Take a path away; the document goes with its last path. Raises NotFound."""
        with self._changing:
            removal, document_id = self._removals.unlink(path, collection)
            self.provenance.write([document_id])
            return removal

    def check(self) -> list[str]:
        """Compare the stores with the catalog; return what is wrong, one sentence each."""
        with self._changing:
            return self._consistency.check()

    def repair(self, quarantine: Quarantine | None = None) -> list[str]:
        """Tidy what `check` finds; return what was done and what is to be made anew. Nothing is deleted that
        could not be made again: that goes into quarantine. Raises KnowledgeError."""
        with self._changing:
            return self._consistency.repair(quarantine or Quarantine.today(self.path))

    def compact(self) -> list[Compacted]:
        """Give back the room that deleted documents left; return each store's size before and after."""
        stores = Compactor(self.path, self.database, self.cache, self.external.tables, self.tokens)
        with self._changing:
            return stores.compact()

    def tag_pairs(self) -> list[LearntPair]:
        """Return the learnt pairs of what people say and the library's term for it, the surest first."""
        return self.pairs.list()

    def learn_tag_pair(
        self, text: str, meant: str, teacher: Teacher = "feedback", evidence: str = ""
    ) -> None:
        """Learn that questions which say `text` mean `meant`. Raises ValueError for terms that are one."""
        self.pairs.learn(text, meant, teacher, evidence)

    def unlearn_tag_pair(self, text: str, meant: str) -> None:
        """Take a learnt pair away. Raises NotFound."""
        self.pairs.unlearn(text, meant)

    def keep_original(self, document_id: str, source: Path, name: str = "") -> Path:
        """Keep a copy of the document's file; return where."""
        stored = self.external.originals.keep(document_id, name or source.name, source)
        self.provenance.write([document_id])
        return stored
