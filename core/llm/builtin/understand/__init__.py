"""The rule for Understand: a question read by its grammar, in English and Chinese."""

from core.llm.builtin.understand.understand_rule import understand

__all__ = ["understand"]
