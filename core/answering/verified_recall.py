"""L0: answers a question whose answer a reader verified, as long as its passages say what they said then."""

from dataclasses import dataclass

from core.domain import Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.verified_answers import VerifiedAnswer, digest


@dataclass(frozen=True)
class Recalled:
    """A verified answer and the passages it cites, in the order of its citations."""

    answer: VerifiedAnswer
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Recaller:
    """Knows the questions that have a verified answer."""

    knowledge: KnowledgeBase

    def recall(self, question: str, scope: Scope) -> Recalled | None:
        """Return the verified answer of the same question; None if a passage changed or is out of scope."""
        held = self.knowledge.learned.verified.find(question)
        if held is None:
            return None
        chunks = {
            chunk.id: chunk
            for chunk in self.knowledge.chunks(ids=[ground.chunk_id for ground in held.grounds])
        }
        documents = {document.id: document for document in self.knowledge.documents(scope)}
        passages = []
        for rank, ground in enumerate(held.grounds, start=1):
            chunk = chunks.get(ground.chunk_id)
            if chunk is None or digest(chunk) != ground.digest or chunk.document_id not in documents:
                return None
            document = documents[chunk.document_id]
            passages.append(
                Passage(
                    chunk=chunk,
                    document_title=document.title,
                    date=document.date,
                    query=question,
                    score=1.0,
                    scores={"atom": 1.0},
                    why=(f"atom: {held.question}", f"verified by {held.verified_by}"),
                    rank_before=rank,
                    rank_after=rank,
                )
            )
        return Recalled(held, tuple(passages))
