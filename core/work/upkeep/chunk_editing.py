"""A reader changes the text of a chunk, splits it, or puts a line back that was left out at the margin of
pages: it is embedded and enriched anew, where it stands.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Chunk, Margin, identify
from core.errors import FeedbackError, NotFound
from core.ingest.ingestion import Ingestion
from core.knowledge.base import KnowledgeBase
from core.ports import Embedder
from core.work.upkeep.serving_embedder import whole

CUT = "---"  # a line of its own: here the chunk is split
_CUT = re.compile(r"(?m)^[ \t]*-{3,}[ \t]*$")
MAX_PIECES = 20  # that a chunk is split into


@dataclass(frozen=True)
class ChunkEditor:
    """Replaces a chunk by what a reader wrote, until its document is read in again."""

    knowledge: KnowledgeBase
    ingestion: Ingestion
    embedder: Embedder

    def revise(self, chunk_id: str, text: str) -> list[Chunk]:
        """Return the chunks that stand there now. Raises NotFound, FeedbackError, LLMError."""
        chunks = self.knowledge.chunks(ids=[chunk_id])
        if not chunks:
            raise NotFound("There is no such chunk in the library.")
        old = chunks[0]
        if old.table_id is not None:
            raise FeedbackError(
                "Rows of a table are not changed here.", hint="Change the file and add it again."
            )
        pieces = [piece.strip() for piece in _CUT.split(text) if piece.strip()]
        if not pieces:
            raise FeedbackError("The chunk would be empty.", hint="Write something, or delete the document.")
        if len(pieces) > MAX_PIECES:
            raise FeedbackError(
                f"That makes {len(pieces)} chunks.", hint=f"Split it into {MAX_PIECES} at most."
            )
        if pieces == [old.text.strip()]:
            return [old]
        made = self._replace(old, pieces)
        self._enrich(old.document_id)
        return made

    def put_back(self, document_id: str, margin: Margin) -> int:
        """Put a line that was left out at the margins back on its pages; return how many chunks changed.

        Raises NotFound, FeedbackError, LLMError.
        """
        chunks = [chunk for chunk in self.knowledge.chunks(document_id) if chunk.table_id is None]
        if not chunks:
            raise FeedbackError("The document has no text that the line could stand beside.")
        texts: dict[str, str] = {}
        for page, line in sorted(margin.lines.items()):
            chunk = _at_margin(chunks, page, margin.top)
            text = texts.get(chunk.id, chunk.text)
            if line not in text:
                texts[chunk.id] = f"{line}\n{text}" if margin.top else f"{text}\n{line}"
        for chunk in chunks:
            if chunk.id in texts:
                self._replace(chunk, [texts[chunk.id]])
        if texts:
            self._enrich(document_id)
        return len(texts)

    def is_back(self, document_id: str, margin: Margin) -> bool:
        """Say whether the line stands on all pages that it was left out on."""
        chunks = [chunk for chunk in self.knowledge.chunks(document_id) if chunk.table_id is None]
        return bool(chunks) and all(
            line in _at_margin(chunks, page, margin.top).text for page, line in margin.lines.items()
        )

    def _replace(self, old: Chunk, pieces: Sequence[str]) -> list[Chunk]:
        counts = self.embedder.count_many(pieces)
        made = [
            old.model_copy(
                update={
                    "id": identify(old.document_id, *old.heading_path, piece, "revised", old.id, str(n)),
                    "text": piece,
                    "tokens": count,
                    "summary": "",
                    "edited": old.edited or not _contains(old.text, piece),
                }
            )
            for n, (piece, count) in enumerate(zip(pieces, counts, strict=True))
        ]
        encoded = whole(self.embedder, [chunk.passage_text() for chunk in made])
        self.knowledge.revise(old.id, made, encoded.vectors, encoded.tokens)
        return made

    def _enrich(self, document_id: str) -> None:
        for _ in self.ingestion.enrich(document_id):
            pass


def _contains(text: str, piece: str) -> bool:
    """Say whether the words of a piece are in the text as they are, as those of a split are."""
    return " ".join(piece.split()) in " ".join(text.split())


def _at_margin(chunks: Sequence[Chunk], page: int, top: bool) -> Chunk:
    """Return the chunk at the head or the foot of a page, the nearest one where the page has none."""
    here = [chunk for chunk in chunks if page in _pages(chunk)]
    if not here:
        before = [chunk for chunk in chunks if min(_pages(chunk), default=0) < page]
        return before[-1] if before else chunks[0]
    begins = [chunk for chunk in here if chunk.location.page == page]
    return (begins or here)[0] if top else here[-1]


def _pages(chunk: Chunk) -> set[int]:
    pages = {box.page for box in chunk.location.boxes}
    return pages if chunk.location.page is None else pages | {chunk.location.page}
