"""The built-in engine: a deterministic rule for every task, no model, no network."""

from core.llm.extractive.engine import ExtractiveLLM

__all__ = ["ExtractiveLLM"]
