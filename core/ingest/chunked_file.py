"""A parsed and chunked file that is waiting for its embeddings and for the index."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from core.domain import Document, Entry, Reference
from core.i18n.messages import mark
from core.ingest.chunker import ChunkedDocument
from core.ingest.embedding import Batch
from core.ingest.file_outcome import FileOutcome
from core.ingest.unchanged_chunks import ReusedParts
from core.knowledge.base import IndexableDocument

SAME = mark("It reads as it did before.")


@dataclass
class ChunkedFile:
    """A parsed and chunked file that is waiting for its embeddings."""

    path: Path
    entry: Entry
    document: Document
    cut: ChunkedDocument
    references: tuple[Reference, ...]
    notes: tuple[str, ...]
    started: float
    reused: ReusedParts
    batch: Batch = field(init=False)
    again: bool = False  # the library has the document, as an earlier version read it
    differs: bool = True  # from what was held, once it is stored

    def embedded(self) -> bool:
        """Say whether every chunk has its vector."""
        return self.batch.vectors is not None and self.batch.done == len(self.batch.texts)

    def indexable(self) -> IndexableDocument:
        """Return the document as the library takes it. Raises ValueError before it is embedded."""
        if not self.embedded():
            raise ValueError(f"{self.path} is not embedded yet")
        chunks = self.cut.chunks
        vectors, tokens = self.reused.joined(self.batch, len(chunks))
        return IndexableDocument(
            document=self.document,
            sections=self.cut.sections,
            chunks=chunks,
            tables=self.cut.tables,
            references=self.references,
            vectors=vectors,
            tokens=tokens,
            same=self.reused.same(chunks),
        )

    def outcome(self) -> FileOutcome:
        """Say what was read, in numbers."""
        kinds = [chunk.kind for chunk in self.cut.chunks]
        counts = {
            "sections": len(self.cut.sections),
            "chunks": len(kinds),
            "tables": len(self.cut.tables),
            "figures": kinds.count("figure"),
            "references": len(self.references),
        }
        if self.reused.places:
            counts["chunks reused"] = len(self.reused.places)
        return FileOutcome(
            path=self.entry.path,
            outcome="reread" if self.again else "read",
            reason=" ".join(self.notes) if self.differs else SAME,
            document_id=self.document.id,
            counts=counts,
            notes=self.notes,
            seconds=time.monotonic() - self.started,
        )
