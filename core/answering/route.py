"""Which of the five levels is a question (PIKE-RAG, section 3)?"""

from dataclasses import dataclass

from core.domain import Scope
from core.knowledge.base import KnowledgeBase
from core.ports import LLM
from core.tasks import Route, Routed
from core.text.tokens import content_words


@dataclass(frozen=True)
class Router:
    """Chooses the level, knowing which titles and tables the question touches."""

    llm: LLM
    knowledge: KnowledgeBase
    cards: int = 8

    def route(self, question: str, scope: Scope, language: str) -> Routed:
        """Return level and reason. Raises LLMError."""
        task = Route(question=question, library=self._touched(question, scope), language=language)
        return self.llm.run(task, Routed)

    def _touched(self, question: str, scope: Scope) -> tuple[str, ...]:
        """Return table cards and titles that share most words with the question."""
        asked = set(content_words(question))
        texts = [table.card() for table in self.knowledge.tables(scope=scope)]
        texts += [document.title for document in self.knowledge.documents(scope)]
        shared = [(len(asked & set(content_words(text))), text) for text in texts]
        best = sorted((pair for pair in shared if pair[0]), key=lambda pair: (-pair[0], pair[1]))
        return tuple(text for _, text in best[: self.cards])
