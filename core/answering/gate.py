"""Is a question simple, or made of parts that must be looked up one by one?"""

from dataclasses import dataclass

from core.ports import LLM
from core.tasks import Gate, Gated


@dataclass(frozen=True)
class Gatekeeper:
    """Keeps simple questions away from the planner."""

    llm: LLM

    def decide(self, question: str, language: str) -> Gated:
        """Return whether the question is composite, and why. Raises LLMError."""
        return self.llm.run(Gate(question=question, language=language), Gated)
