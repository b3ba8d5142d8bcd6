"""Notes beside an answer that gives what a reader corrected, where it rests on the same passages."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.answering.wording import report_sentence
from core.domain import Chunk, Passage, Sentence
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.verified_answers import VerifiedAnswer, digest

# (question, what its answer says, corrected question, correction, what it replaced)
Repeats = Callable[[str, Sequence[str], str, str, Sequence[str]], bool]


@dataclass(frozen=True)
class KnownCorrections:
    """Finds the corrections an answer goes against; `repeats` decides whether it gives the old value."""

    knowledge: KnowledgeBase
    repeats: Repeats

    def notes(
        self, question: str, sentences: Sequence[Sentence], evidence: Sequence[Passage], language: str
    ) -> list[str]:
        """Return a note for each correction whose passages are among the evidence and unchanged."""
        corrections = [a for a in self.knowledge.learned.verified.list() if a.corrected and sentences]
        texts = [sentence.text for sentence in sentences]
        return [
            report_sentence(
                "against",
                language,
                question=answer.question,
                answer=_corrected_text(answer),
                day=f"{datetime.fromtimestamp(answer.at, UTC):%Y-%m-%d}",
            )
            for answer in corrections
            if self.repeats(question, texts, answer.question, _corrected_text(answer), answer.replaced)
            and self._rests_on(answer, evidence)
        ]

    def _rests_on(self, answer: VerifiedAnswer, evidence: Sequence[Passage]) -> bool:
        """Say whether a passage the correction rests on is among the evidence, and all of these may be seen
        and stand as they did."""
        held = {ground.chunk_id: ground.digest for ground in answer.grounds}
        grounds = self.knowledge.chunks(ids=list(held))
        if len(grounds) < len(held) or any(digest(chunk) != held[chunk.id] for chunk in grounds):
            return False
        return _overlap(grounds, (passage.chunk for passage in evidence))


def _corrected_text(answer: VerifiedAnswer) -> str:
    return " ".join(sentence.text for sentence in answer.sentences)


def _overlap(grounds: Sequence[Chunk], chunks: Iterable[Chunk]) -> bool:
    """Say whether a chunk is a ground or holds rows of its table; a query puts these together anew."""
    ids = {ground.id for ground in grounds}
    tables = {ground.table_id for ground in grounds if ground.table_id is not None}
    return any(chunk.id in ids or chunk.table_id in tables for chunk in chunks)
