"""Cuts a question that is longer than the embedder's window into pieces it can read whole."""

from collections.abc import Iterator

import numpy as np

from core.ports import Embedder, Vectors
from core.text.sentences import sentence_spans

SPECIAL_TOKENS = 8  # at most, that a tokenizer puts around a text


def question_vector(text: str, embedder: Embedder) -> Vectors:
    """Return the vector (d,) of norm 1 of a text; of one over the embedder's window that of its pieces."""
    mean: Vectors = embedder.embed(list(windows(text, embedder))).mean(axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-12)


def windows(text: str, embedder: Embedder) -> Iterator[str]:
    """Yield the text in pieces the embedder can read whole, cut at sentences, then anywhere."""
    plain = text.isascii() and len(text) <= embedder.window - SPECIAL_TOKENS  # no token is less than a letter
    if plain or embedder.count(text) <= embedder.window:
        yield text
        return
    piece = ""
    for start, end in sentence_spans(text):
        for part in _short(text[start:end], embedder):
            joined = f"{piece} {part}".strip()
            if embedder.count(joined) <= embedder.window:
                piece = joined
            else:
                yield piece
                piece = part
    if piece:
        yield piece


def _short(sentence: str, embedder: Embedder) -> Iterator[str]:
    """Yield a sentence whole, or in halves until each fits."""
    if embedder.count(sentence) <= embedder.window or len(sentence) < 2:
        yield sentence
        return
    middle = len(sentence) // 2
    yield from _short(sentence[:middle], embedder)
    yield from _short(sentence[middle:], embedder)
