"""Flags prompt injections in retrieved documents; the text stays evidence, and the reader is warned."""

from collections.abc import Iterable

from core.domain import Passage
from core.text.prompt_injection import ORDERS


def flag_orders(passages: Iterable[Passage]) -> list[tuple[str, str]]:
    """Return (chunk id, the words) for each passage that addresses the assistant instead of a reader."""
    found: list[tuple[str, str]] = []
    for passage in passages:
        match = ORDERS.search(passage.chunk.text)
        if match:
            start, end = max(0, match.start() - 40), min(len(passage.chunk.text), match.end() + 80)
            found.append((passage.chunk.id, passage.chunk.text[start:end].strip()))
    return found
