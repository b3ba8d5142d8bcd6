"""A reader changes the text of a chunk, or splits it: it is embedded and distilled anew, where it stands."""

import re
from dataclasses import dataclass

from core.domain import Chunk, identify
from core.errors import FeedbackError, NotFound
from core.ingest.ingestion import Ingestion
from core.knowledge.base import KnowledgeBase
from core.ports import Embedder
from core.work.active_embedder import whole

CUT = "---"  # a line of its own: here the chunk is split
_CUT = re.compile(r"(?m)^[ \t]*-{3,}[ \t]*$")
MOST = 20  # pieces


@dataclass(frozen=True)
class ChunkReviser:
    """Puts what a reader wrote in the place of a chunk, until its document is read in again."""

    knowledge: KnowledgeBase
    ingestion: Ingestion
    embedder: Embedder

    def revise(self, chunk_id: str, text: str) -> list[Chunk]:
        """Return the chunks that stand there now. Raises NotFound, FeedbackError, LLMError."""
        held = self.knowledge.chunks(ids=[chunk_id])
        if not held:
            raise NotFound("There is no such chunk in the library.")
        old = held[0]
        if old.table_id is not None:
            raise FeedbackError(
                "Rows of a table are not changed here.", hint="Change the file and add it again."
            )
        pieces = [piece.strip() for piece in _CUT.split(text) if piece.strip()]
        if not pieces:
            raise FeedbackError("The chunk would be empty.", hint="Write something, or delete the document.")
        if len(pieces) > MOST:
            raise FeedbackError(f"That makes {len(pieces)} chunks.", hint=f"Split it into {MOST} at most.")
        if pieces == [old.text.strip()]:
            return [old]
        counts = self.embedder.count_many(pieces)
        made = [
            old.model_copy(
                update={
                    "id": identify(old.document_id, *old.heading_path, piece, "revised", old.id, str(n)),
                    "text": piece,
                    "tokens": count,
                    "summary": "",
                }
            )
            for n, (piece, count) in enumerate(zip(pieces, counts, strict=True))
        ]
        encoded = whole(self.embedder, [chunk.passage_text() for chunk in made])
        self.knowledge.revise(old.id, made, encoded.vectors, encoded.tokens)
        for _ in self.ingestion.enrich(old.document_id):
            pass
        return made
