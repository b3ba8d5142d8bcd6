"""What a document says as a whole: the beginning of each of its sections, and more of short ones.

A search by the words of "What is this report about?" finds whatever says "report".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Chunk, Document, Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.retrieval.reasons import OF_SECTION
from core.text.library_questions import means_document, points_at_document, requested_name


@dataclass(frozen=True)
class WholeDocument:
    """Finds the one document a question means, and reads it from section to section."""

    knowledge: KnowledgeBase
    most: int = 10

    def read(self, question: str, scope: Scope) -> list[Passage]:
        """Return the first passage of each section, then others, at most `most`, in the document's order.

        Empty where the question means no document, or may mean several.
        """
        document = self._meant(question, scope)
        if document is None:
            return []
        chunks = [
            each for each in self.knowledge.chunks(document_id=document.id) if each.id not in scope.without
        ]
        chunks.sort(key=lambda chunk: chunk.order)
        first = {chunk.section_id: chunk for chunk in reversed(chunks)}
        begun = {chunk.id for chunk in first.values()}
        kept = _spread([chunk for chunk in chunks if chunk.id in begun], self.most)
        kept += _spread([chunk for chunk in chunks if chunk.id not in begun], self.most - len(kept))
        return [
            Passage(
                chunk=chunk,
                document_title=document.title,
                query=question,
                score=1.0,
                scores={"section": 1.0},
                why=(OF_SECTION,),
                rank_before=rank,
                rank_after=rank,
            )
            for rank, chunk in enumerate(sorted(kept, key=lambda chunk: chunk.order), 1)
        ]

    def _meant(self, question: str, scope: Scope) -> Document | None:
        """Return the only document whose title and file name say all that names one in the question.

        Where nothing does, the question must point at one, and the scope hold no other.
        """
        documents = self.knowledge.documents(scope)
        named = [each for each in documents if means_document(question, each.title, each.name)]
        if not named and not requested_name(question) and points_at_document(question):
            named = list(documents)
        return named[0] if len(named) == 1 else None


def _spread(chunks: Sequence[Chunk], most: int) -> list[Chunk]:
    """Return at most so many, the first among them and the others at equal distances."""
    if len(chunks) <= most:
        return list(chunks)
    return [chunks[at * len(chunks) // most] for at in range(most)]
