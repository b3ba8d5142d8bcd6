"""The stages of ingesting one file: deduplicate, parse, chunk, embed, index, enrich."""

import json
import shutil
import time
from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from pathlib import Path

from core.domain import LEFT_OUT, Document, Entry, Parsed, Table, TableData
from core.errors import EmptyFile, NotFound
from core.i18n.messages import recorded
from core.ingest.authors import with_authors
from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunked_file import ChunkedFile
from core.ingest.chunker import Chunker
from core.ingest.document_enrichment import Added, DocumentEnricher, EnrichedDocument, with_enrichment
from core.ingest.embedding import Batch, embed
from core.ingest.file_metadata import with_about
from core.ingest.file_outcome import FileOutcome, Stage
from core.ingest.known_names import LibraryNames
from core.ingest.original_files import GONE, PUT_BACK, original_of
from core.ingest.reading_version import READ_EARLIER, is_earlier, reading_versions, version_of
from core.ingest.references import own_codes, references_of
from core.ingest.unchanged_chunks import StoredVectors, reused
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.documents.originals import digest_of
from core.ports import Embedder, Listener
from core.text.filenames import text_of

OnStage = Callable[[Stage], None]
Claim = Callable[[str], bool]

_MOST_NOTES = 100  # kept with a document
_LONG_DOCUMENT_CHUNKS = 512  # chunks; a longer document keeps its vectors on disk while they are made


class Ingestion:
    """Brings files into the library.

    `parse` reads a file (in a worker process); `scratch` is a folder for vectors of long documents until
    they are stored; `slice_tokens` is how much is embedded between two signs of life.
    """

    def __init__(
        self,
        knowledge: KnowledgeBase,
        embedder: Embedder,
        chunker: Chunker,
        enricher: ChunkEnricher,
        parse: Callable[[Path, str], Parsed],
        *,
        scratch: Path,
        slice_tokens: int = 16_384,
    ) -> None:
        self.knowledge = knowledge
        self._embedder = embedder
        self._chunker = chunker
        self._parse = parse
        self._scratch = scratch
        self._slice_tokens = slice_tokens
        self._vocabulary = LibraryNames(knowledge)
        self._stored_vectors = StoredVectors()
        self._enricher = DocumentEnricher(
            knowledge, embedder, chunker.counting(), enricher, self._vocabulary, self._stored_vectors
        )

    @cached_property
    def _versions(self) -> dict[str, str]:
        return reading_versions(self.knowledge.cache)

    # -- one file, all stages --------------------------------------------------------------

    def ingest(
        self, path: Path, name: str | None = None, collection: str = "default"
    ) -> Generator[Stage, None, FileOutcome]:
        """Yield the stages as they go; return the outcome. Raises StrataError."""
        stages: list[Stage] = []
        chunked = self.parse_and_chunk(path, name or text_of(path.name), collection, stages.append)
        yield from stages
        assert chunked is not None  # nothing else claims it
        if isinstance(chunked, FileOutcome):
            return chunked
        self.embed([chunked], lambda _, stage: stages.append(stage))
        yield from stages[-1:]
        outcome = self.store([chunked])[0]
        enriching = self.enrich(chunked.document.id)
        while True:
            try:
                yield next(enriching)
            except StopIteration as stop:
                return with_enrichment(outcome, stop.value)

    # -- the stages ------------------------------------------------------------------------

    def parse_and_chunk(
        self,
        path: Path,
        name: str,
        collection: str,
        on_stage: OnStage,
        shown: str = "",
        claim: Claim = lambda document_id: True,
    ) -> ChunkedFile | FileOutcome | None:
        """Parse and chunk a file, or say that its bytes are known already. Raises StrataError, OSError.

        `shown` is the path it is entered under where that is not `path` (an upload's own name). `claim` is
        asked whether bytes with this id may be worked on: None is returned where another file with the same
        ones is on its way in.
        """
        started = time.monotonic()
        on_stage(Stage("parse", 0, 1))
        document_id = digest_of(path)
        entry = Entry(path=shown or text_of(path), document_id=document_id, collection=collection)
        if known := self._known(path, entry):
            return known
        if not claim(document_id):
            return None
        return self._chunked(path, name, entry, started, on_stage)

    def reread(
        self, document_id: str, on_stage: OnStage, claim: Claim = lambda document_id: True
    ) -> ChunkedFile | None:
        """Parse and chunk the file of a document again, which stays as it is until that is stored; `claim` as
        in `parse_and_chunk`. Raises NotFound, also where its original is gone, StrataError, OSError."""
        started = time.monotonic()
        on_stage(Stage("parse", 0, 1))
        document = self.knowledge.document(document_id)
        entries = self.knowledge.entries(document_id)
        path = original_of(self.knowledge, document_id)
        if path is None or not entries:
            raise NotFound(GONE.format(title=document.title), hint=PUT_BACK)
        if not claim(document_id):
            return None
        chunked = self._chunked(path, document.name, entries[0], started, on_stage)
        chunked.again = True
        return chunked

    def _chunked(self, path: Path, name: str, entry: Entry, started: float, on_stage: OnStage) -> ChunkedFile:
        document_id = entry.document_id
        parsed = with_about(with_authors(self._parse(path, name)))
        on_stage(Stage("parse", 1, 1))
        document = Document(
            id=document_id,
            title=parsed.title.strip() or Path(name).stem,
            media_type=parsed.media_type,
            name=name,
            language=parsed.language,
            size=path.stat().st_size,
            pages=parsed.pages,
            date=parsed.date,
            metadata=parsed.metadata,
            reading=version_of(parsed.media_type, self._versions),
        )
        on_stage(Stage("chunk", 0, 1))
        cut = self._chunker.chunk(document, parsed)
        if not cut.chunks:
            raise EmptyFile(f"{name} holds nothing that can be read. {' '.join(parsed.skipped)}".strip())
        codes, _ = own_codes(document, cut.chunks)
        metadata = {f"identifier_{n}": code for n, code in enumerate(codes)}
        notes = (*parsed.skipped, *cut.notes)
        if notes:
            metadata[LEFT_OUT] = json.dumps(notes[:_MOST_NOTES], ensure_ascii=False)
        document = document.model_copy(update={"metadata": {**metadata, **document.metadata}})
        reusable = self.knowledge.reusable_vectors(entry.path, entry.collection)
        self._stored_vectors.keep(document_id, self._embedder.digest, reusable.others)
        chunked = ChunkedFile(
            path=path,
            entry=entry,
            document=document,
            cut=cut,
            references=references_of(document, cut.chunks, cut.links, codes),
            notes=notes,
            started=started,
            reused=reused(cut.chunks, reusable),
        )
        count = len(cut.chunks)
        fresh = [cut.chunks[place] for place in chunked.reused.fresh(count)]
        spool = (
            self._scratch / f"{document_id}-{self._embedder.digest}.spool"
            if len(fresh) > _LONG_DOCUMENT_CHUNKS
            else None
        )
        chunked.batch = Batch(
            [chunk.passage_text() for chunk in fresh], [chunk.tokens for chunk in fresh], spool
        )
        on_stage(Stage("chunk", count, count))
        return chunked

    def is_enriched(self, document_id: str) -> bool:
        """Say whether the document's distilled layer is there: its last part is the summary."""
        return bool(self.knowledge.document(document_id).summary)

    def is_removed(self, document_id: str) -> bool:
        """Say whether the document was deleted, or replaced by a newer version of its file."""
        try:
            self.knowledge.document(document_id)
        except NotFound:
            return True
        return False

    def _known(self, path: Path, entry: Entry) -> FileOutcome | None:
        """Link a path to bytes the library has; say so."""
        try:
            document = self.knowledge.document(entry.document_id)
        except NotFound:
            return None
        entries = self.knowledge.entries(entry.document_id)
        if self.knowledge.original(entry.document_id) is None:
            self.knowledge.keep_original(entry.document_id, path, document.name)
        if entry in entries:
            reason = f"already in the library as “{document.title}”"
        else:
            self.knowledge.link(entry)
            reason = _same_content(entry, entries)
        kinds = [chunk.kind for chunk in self.knowledge.chunks(document.id)]
        counts = {
            "sections": len(self.knowledge.sections(document.id)),
            "chunks": len(kinds),
            "tables": len(self.knowledge.tables(document.id)),
            "figures": kinds.count("figure"),
        }
        return FileOutcome(
            path=entry.path,
            outcome="known",
            reason=reason,
            hint=READ_EARLIER if is_earlier(document, self._versions) else "",
            document_id=entry.document_id,
            counts=counts,
        )

    def tables(self, path: Path, document: Document) -> Sequence[tuple[Table, TableData]]:
        """Read the tables of a document again from a file with its bytes. Raises StrataError."""
        return self._chunker.chunk(document, self._parse(path, document.name)).tables

    def embed(self, files: Sequence[ChunkedFile], on_stage: Callable[[ChunkedFile, Stage], None]) -> None:
        """Fill in the vectors of files, short ones in shared batches. What `on_stage` raises ends it."""

        def on_embedded(i: int) -> None:
            batch = files[i].batch
            on_stage(files[i], Stage("embed", batch.done, len(batch.texts)))

        embed([each.batch for each in files], self._embedder, self._slice_tokens, on_embedded)

    def store(self, files: Sequence[ChunkedFile]) -> list[FileOutcome]:
        """Make files searchable; an older version at the same path goes. Raises KnowledgeError."""
        if new := [(each.indexable(), each.entry) for each in files if not each.again]:
            self.knowledge.add_many(new)
        outcomes = []
        for each in files:
            each.differs = not each.again or self.knowledge.take_reading(each.indexable())
            if not each.again or self.knowledge.original(each.document.id) is None:
                self.knowledge.keep_original(each.document.id, each.path, each.document.name)
            each.batch.tokens = None
            if each.batch.spool is not None:
                each.batch.spool.unlink(missing_ok=True)
            self._vocabulary.learn(each.document, each.cut.sections, each.cut.chunks)
            outcomes.append(each.outcome())
        return outcomes

    def enrich(self, document_id: str, listener: Listener | None = None) -> Generator[Stage, None, Added]:
        """Yield progress; return what was distilled, in numbers. Raises NotFound, LLMError, Stopped."""
        done = yield from self.extract(document_id, listener)
        storing = self.store_enriched([done])
        while True:
            try:
                next(storing)
                yield Stage("enrich", done.chunks - 1, done.chunks)
            except StopIteration as stop:
                yield Stage("enrich", done.chunks, done.chunks)
                added: Added = stop.value[0]
                return added

    def extract(
        self, document_id: str, listener: Listener | None = None, enricher: ChunkEnricher | None = None
    ) -> Generator[Stage, None, EnrichedDocument]:
        """Yield progress; return the extracted facts, not stored yet; `enricher` replaces the usual one.

        Raises NotFound, LLMError, Stopped.
        """
        return self._enricher.enrich(document_id, listener, enricher)

    def store_enriched(
        self, done: Sequence[EnrichedDocument], *, anew: bool = False
    ) -> Generator[None, None, list[Added]]:
        """Embed and store what was distilled from documents; yield now and then. `anew`: what they had
        before is replaced. Raises NotFound."""
        return self._enricher.store(done, anew=anew)

    def tidy(self) -> None:
        """Delete the vectors of long documents that were given up half way."""
        shutil.rmtree(self._scratch, ignore_errors=True)


def _same_content(entry: Entry, entries: Sequence[Entry]) -> str:
    """Name the files with these bytes, but none of another collection: it may be closed to who reads this."""
    paths = {each.path for each in entries if each.collection == entry.collection}
    if others := ", ".join(sorted(paths - {entry.path})[:3]):
        return recorded(f"the same content as {others}")
    return recorded("the same content as a file of another collection")
