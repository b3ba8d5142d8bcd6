"""Reads a follow-up ("and the year after?") as a question that stands alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Turn
from core.ports import LLM
from core.tasks import Resolved, ResolveFollowUp


@dataclass(frozen=True)
class FollowUpReader:
    """Resolves pronouns and ellipsis against the last turns of the conversation."""

    llm: LLM
    turns: int = 4

    def read(self, question: str, history: Sequence[Turn], language: str) -> Resolved:
        """Return the question as it is to be understood. Raises LLMError."""
        if not history:
            return Resolved(question=question)
        task = ResolveFollowUp(question=question, history=tuple(history[-self.turns :]), language=language)
        resolved = self.llm.run(task, Resolved)
        return resolved if resolved.question.strip() else resolved.model_copy(update={"question": question})
