"""What ingestion hands to the library: a parsed document, and what was distilled from one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.domain import Chunk, Distilled, Document, Reference, Section, Table, TableData
from core.ports import Vectors


@dataclass(frozen=True)
class IndexableDocument:
    """All of a document that becomes visible in one transaction.

    `vectors` is (chunks, d), of `Chunk.passage_text`; `tokens` holds per chunk its token vectors (t, d);
    `same` names chunks of another document that have the same text, whose token vectors are shared.
    """

    document: Document
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    tables: tuple[tuple[Table, TableData], ...]
    references: tuple[Reference, ...]
    vectors: Vectors
    tokens: tuple[Vectors, ...] | None = None
    same: Mapping[str, str] = field(default_factory=dict)  # chunk id -> chunk id there

    def check(self) -> None:
        """Raise ValueError if the parts do not belong together."""
        if len(self.vectors) != len(self.chunks):
            raise ValueError(f"{len(self.chunks)} chunks with {len(self.vectors)} vectors")
        if self.tokens is not None and len(self.tokens) != len(self.chunks):
            raise ValueError(f"{len(self.chunks)} chunks with {len(self.tokens)} token arrays")
        owners = {c.document_id for c in self.chunks} | {s.document_id for s in self.sections}
        owners |= {t.document_id for t, _ in self.tables} | {r.document_id for r in self.references}
        if owners - {self.document.id}:
            raise ValueError(f"parts of {sorted(owners)} in the document {self.document.id}")
        if len({c.id for c in self.chunks}) != len(self.chunks):
            raise ValueError("two chunks have the same id")


@dataclass(frozen=True)
class DistilledDocument:
    """What was distilled from a document, with vectors: "atoms" (those that are searched, d), "sections"
    (summaries, d) in the order of `section_summaries`, "document" (1, d). A kind without vectors is not
    searched by vector."""

    document_id: str
    distilled: Distilled
    vectors: dict[str, Vectors]

    def _ids(self, kind: str) -> list[str]:
        if kind == "atoms":
            return [atom.id for atom in self.distilled.atoms if atom.searched]
        if kind == "sections":
            return list(self.distilled.section_summaries)
        return [self.document_id] if self.distilled.document_summary else []

    def check(self) -> None:
        """Raise ValueError if there are vectors, but not one for each."""
        for kind, vectors in self.vectors.items():
            if kind not in ("atoms", "sections", "document"):
                raise ValueError(f"no vectors are kept of {kind}")
            if len(vectors) not in (0, len(self._ids(kind))):
                raise ValueError(f"{len(self._ids(kind))} {kind} with {len(vectors)} vectors")

    def rows(self, kind: str) -> Iterator[tuple[str, Vectors, str]]:
        """Yield (id, vector, document id)."""
        vectors = self.vectors.get(kind, ())
        if len(vectors):
            for row_id, vector in zip(self._ids(kind), vectors, strict=True):
                yield row_id, vector, self.document_id

    def only(self, chunks: set[str]) -> "DistilledDocument":
        """Return it with what was distilled from these chunks only."""
        if all(atom.chunk_id in chunks for atom in self.distilled.atoms):
            vectors = self.vectors
        else:
            searched = (atom for atom in self.distilled.atoms if atom.searched)
            rows = [n for n, atom in enumerate(searched) if atom.chunk_id in chunks]
            vectors = {k: v[rows] if k == "atoms" and len(v) else v for k, v in self.vectors.items()}
        fewer = {
            name: tuple(item for item in getattr(self.distilled, name) if item.chunk_id in chunks)
            for name in ("atoms", "mentions", "relations", "tags")
        }
        return DistilledDocument(self.document_id, self.distilled.model_copy(update=fewer), vectors)
