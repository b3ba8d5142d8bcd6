"""From searchable documents to their distilled layer: asked, embedded and stored, many documents together."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.domain import Distilled, Table
from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunk_packing import CountMany
from core.ingest.embedding import shortened
from core.ingest.file_outcome import FileOutcome, Stage
from core.ingest.known_names import LibraryNames
from core.ingest.table_relations import Rows
from core.ingest.tag_names import TagNames
from core.ingest.unchanged_chunks import StoredVectors, vectors_of
from core.knowledge.base import KnowledgeBase
from core.ports import Embedder, Listener, Vectors

_MOST_ROWS = 500  # of a table whose rows are read for relations
_AT_ONCE = 512  # texts that are embedded between two signs of life


class EnrichedDocument(NamedTuple):
    """What was distilled from a document and is not stored yet."""

    document_id: str
    chunks: int
    distilled: Distilled
    notes: tuple[str, ...]

    def texts(self) -> dict[str, list[str]]:
        """Return what gets vectors, by the kinds the library knows."""
        summary = self.distilled.document_summary
        return {
            "atoms": [atom.text for atom in self.distilled.atoms if atom.searched],
            "sections": list(self.distilled.section_summaries.values()),
            "document": [summary] if summary else [],
        }


class Added(NamedTuple):
    """What enrichment added: how many of each kind, and what the reader should know."""

    counts: dict[str, int]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class DocumentEnricher:
    """Enriches documents the library holds; `stored` are vectors their older versions left."""

    knowledge: KnowledgeBase
    embedder: Embedder
    count_many: CountMany
    enricher: ChunkEnricher
    vocabulary: LibraryNames
    stored: StoredVectors

    def enrich(
        self, document_id: str, listener: Listener | None = None, enricher: ChunkEnricher | None = None
    ) -> Generator[Stage, None, EnrichedDocument]:
        """Yield progress; return what was distilled, by another `enricher` where one is given.

        Raises NotFound, LLMError, Stopped.
        """
        document = self.knowledge.document(document_id)
        chunks = self.knowledge.chunks(document_id)
        yield Stage("enrich", 0, len(chunks))
        tables = self.knowledge.tables(document_id)
        headers = [column.name for table in tables for column in table.columns]
        work = (enricher or self.enricher).enrich(
            document,
            self.knowledge.sections(document_id),
            chunks,
            tables=[(table, self._rows(table)) for table in tables],
            names=self.vocabulary.names(),
            known=self.vocabulary.meant,
            tags=TagNames(headers),
            listener=listener,
        )
        while True:
            try:
                yield Stage("enrich", min(next(work), len(chunks) - 1), len(chunks))
            except StopIteration as stop:
                distilled, notes = stop.value
                break
        # So that it makes no difference to the next document whether this one is stored by then.
        self.vocabulary.explain(distilled.entities)
        return EnrichedDocument(document_id, len(chunks), distilled, notes)

    def _rows(self, table: Table) -> Rows:
        """Return the first rows of a table."""
        frame = self.knowledge.rows(table.id, 0, _MOST_ROWS)
        return [tuple(cell if isinstance(cell, str) else None for cell in row) for row in frame.to_numpy()]

    def store(
        self, done: Sequence[EnrichedDocument], *, anew: bool = False
    ) -> Generator[None, None, list[Added]]:
        """Embed and store what was distilled, of many small documents at once; yield between two slices.

        `anew`: what the documents had before goes.         Raises NotFound if one of the documents is gone.
        """
        texts = [one.texts() for one in done]
        reused: dict[str, Vectors] = {}
        for one in done:
            reused |= self.stored.take(one.document_id, self.embedder.digest)
        vectors: list[dict[str, Vectors]] = [{} for _ in done]
        for kind in ("atoms", "sections", "document"):
            every = [text for each in texts for text in each[kind]]
            made = yield from vectors_of(every, reused, self._embed, self.embedder.dimension, _AT_ONCE)
            start = 0
            for each, into in zip(texts, vectors, strict=True):
                end = start + len(each[kind])
                if end > start:
                    into[kind] = made[start:end]
                start = end
        self.knowledge.enrich_many(
            [(one.document_id, one.distilled, v) for one, v in zip(done, vectors, strict=True)], anew=anew
        )
        return [Added(_counts(one.distilled), one.notes) for one in done]

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, of those over the window the beginning."""
        return self.embedder.embed(shortened(texts, self.count_many, self.embedder.window))


def _counts(distilled: Distilled) -> dict[str, int]:
    return {
        "atoms": len(distilled.atoms),
        "entities": len(distilled.entities),
        "relations": len(distilled.relations),
        "tags": len(distilled.tags),
    }


def with_enrichment(outcome: FileOutcome, added: Added) -> FileOutcome:
    """Return the outcome of a file after it was enriched."""
    notes = (*outcome.notes, *added.notes)
    return outcome.model_copy(
        update={"counts": {**outcome.counts, **added.counts}, "notes": notes, "reason": " ".join(notes)}
    )
