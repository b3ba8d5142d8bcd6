"""The rule for Understand: a question read by its grammar, in English and Chinese."""

from core.llm.builtin.understand.rule import understand

__all__ = ["understand"]
