"""From searchable documents to their distilled layer: asked chunk by chunk, embedded and stored together."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.domain import Distilled
from core.ingest.distiller import Distiller
from core.ingest.embedding import shortened
from core.ingest.known_names import Vocabulary
from core.ingest.outcome import Outcome, Stage
from core.ingest.pieces import CountMany
from core.ingest.reuse import Keepsakes, vectors_of
from core.knowledge.base import KnowledgeBase
from core.ports import Embedder, Listener, Vectors

_AT_ONCE = 512  # texts that are embedded between two signs of life


class Harvest(NamedTuple):
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
    """What distillation brought: how many of each kind, and what the reader should know."""

    counts: dict[str, int]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Gleaner:
    """Distils documents the library holds; `keepsakes` are vectors their older versions left."""

    knowledge: KnowledgeBase
    embedder: Embedder
    count_many: CountMany
    distiller: Distiller
    vocabulary: Vocabulary
    keepsakes: Keepsakes

    def glean(self, document_id: str, listener: Listener | None = None) -> Generator[Stage, None, Harvest]:
        """Yield progress; return what was distilled. Raises NotFound, LLMError, Stopped."""
        document = self.knowledge.document(document_id)
        chunks = self.knowledge.chunks(document_id)
        yield Stage("distil", 0, len(chunks))
        work = self.distiller.distil(
            document,
            self.knowledge.sections(document_id),
            chunks,
            names=self.vocabulary.names(),
            known=self.vocabulary.meant,
            listener=listener,
        )
        while True:
            try:
                yield Stage("distil", min(next(work), len(chunks) - 1), len(chunks))
            except StopIteration as stop:
                distilled, notes = stop.value
                break
        # So that it makes no difference to the next document whether this one is stored by then.
        self.vocabulary.explain(distilled.entities)
        return Harvest(document_id, len(chunks), distilled, notes)

    def keep(self, harvests: Sequence[Harvest]) -> Generator[None, None, list[Added]]:
        """Embed and store what was distilled, of many small documents at once; yield between two slices.

        Raises NotFound if one of the documents is gone.
        """
        texts = [harvest.texts() for harvest in harvests]
        kept: dict[str, Vectors] = {}
        for harvest in harvests:
            kept |= self.keepsakes.take(harvest.document_id, self.embedder.digest)
        vectors: list[dict[str, Vectors]] = [{} for _ in harvests]
        for kind in ("atoms", "sections", "document"):
            every = [text for each in texts for text in each[kind]]
            made = yield from vectors_of(every, kept, self._embed, self.embedder.dimension, _AT_ONCE)
            start = 0
            for each, into in zip(texts, vectors, strict=True):
                end = start + len(each[kind])
                if end > start:
                    into[kind] = made[start:end]
                start = end
        self.knowledge.distil_many(
            [
                (harvest.document_id, harvest.distilled, v)
                for harvest, v in zip(harvests, vectors, strict=True)
            ]
        )
        return [Added(_counts(harvest.distilled), harvest.notes) for harvest in harvests]

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


def with_distilled(outcome: Outcome, added: Added) -> Outcome:
    """Return the outcome of a file after its distillation."""
    notes = (*outcome.notes, *added.notes)
    return outcome.model_copy(
        update={"counts": {**outcome.counts, **added.counts}, "notes": notes, "reason": " ".join(notes)}
    )
