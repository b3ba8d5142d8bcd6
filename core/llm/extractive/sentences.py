"""Sentences of a text by position; the one splitter of the house, under the name this room uses."""

from core.text.tokens import sentence_spans as sentences

__all__ = ["sentences"]
