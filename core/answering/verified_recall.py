"""L0: repeats an answer that a reader verified, as long as the passages it cites are unchanged."""

from collections.abc import Callable
from dataclasses import dataclass

from core.domain import Passage, Scope
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.verified_answers import VerifiedAnswer, digest


@dataclass(frozen=True)
class Recalled:
    """A verified answer and the passages it cites, in the order of its citations."""

    answer: VerifiedAnswer
    passages: tuple[Passage, ...]
    reworded: bool = False  # the question was asked in other words


@dataclass(frozen=True)
class Recaller:
    """Finds the verified answer of a question; `same` decides which questions are the same.

    A correction also answers its question in other words. What a reader only confirmed does not: worked out
    anew it comes to the same.
    """

    knowledge: KnowledgeBase
    same: Callable[[str, str], bool] = lambda one, other: False

    def recall(self, question: str, scope: Scope) -> Recalled | None:
        """Return the verified answer of the same question, else the one correction of the same question in
        other words; None if a passage changed or is out of scope."""
        exact = self.knowledge.learned.verified.find(question)
        verified = exact or self._corrected(question)
        if verified is None:
            return None
        chunks = {
            chunk.id: chunk
            for chunk in self.knowledge.chunks(ids=[ground.chunk_id for ground in verified.grounds])
        }
        documents = {document.id: document for document in self.knowledge.documents(scope)}
        passages = []
        for rank, ground in enumerate(verified.grounds, start=1):
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
                    why=(f"atom: {verified.question}", f"verified by {verified.verified_by}"),
                    rank_before=rank,
                    rank_after=rank,
                )
            )
        return Recalled(verified, tuple(passages), reworded=exact is None)

    def _corrected(self, question: str) -> VerifiedAnswer | None:
        """Return the only correction whose question is the same in other words; of several none is sure."""
        found = [
            answer
            for answer in self.knowledge.learned.verified.list()
            if answer.corrected and self.same(question, answer.question)
        ]
        return found[0] if len(found) == 1 else None
