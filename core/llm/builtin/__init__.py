"""The built-in engine: a deterministic rule for every task, no model, no network."""

from core.llm.builtin.engine import BuiltinLLM

__all__ = ["BuiltinLLM"]
