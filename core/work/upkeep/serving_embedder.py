"""The embedder in use, while another may take its place."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from core.ports import Embedder, Encoded, Vectors
from core.retrieval.windows import windows


@runtime_checkable
class _HasTokenSpans(Protocol):
    def token_spans(self, text: str) -> Sequence[tuple[int, int]]: ...


class ServingEmbedder:
    """Passes everything on to the embedder that serves; `take` puts another in its place, between two calls.

    Chunks are cut for the window of one model and may be over that of another: a text over the window is
    read in pieces, and its vector is their mean.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._now = embedder
        self.name = embedder.name

    def take(self, embedder: Embedder) -> None:
        """Serve with another embedder from now on."""
        self._now = embedder
        self.name = embedder.name

    @property
    def english_only(self) -> bool:
        return self._now.english_only

    @property
    def digest(self) -> str:
        return self._now.digest

    @property
    def dimension(self) -> int:
        return self._now.dimension

    @property
    def window(self) -> int:
        return self._now.window

    def count(self, text: str) -> int:
        return self._now.count(text)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return self._now.count_many(texts)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return whole(self._now, texts, tokens=False).vectors

    def encode(self, texts: Sequence[str]) -> Encoded:
        return whole(self._now, texts)

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return the characters each token vector stands for, nothing where the embedder does not say."""
        return self._now.token_spans(text) if isinstance(self._now, _HasTokenSpans) else ()


def whole(embedder: Embedder, texts: Sequence[str], *, tokens: bool = True) -> Encoded:
    """Encode texts of any length: one over the window gives the mean of its windows, and all their tokens."""
    read = embedder.encode if tokens else lambda inputs: Encoded(embedder.embed(inputs))
    counts = embedder.count_many(texts) if texts else []
    if not counts or max(counts) <= embedder.window:
        return read(texts)
    pieces: list[str] = []
    owners: list[int] = []
    for place, (text, count) in enumerate(zip(texts, counts, strict=True)):
        own = [text] if count <= embedder.window else list(windows(text, embedder))
        pieces += own
        owners += [place] * len(own)
    encoded = read(pieces)
    rows = [[at for at, owner in enumerate(owners) if owner == place] for place in range(len(texts))]
    means = np.stack([encoded.vectors[own].mean(axis=0) for own in rows])
    vectors: Vectors = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
    if encoded.tokens is None:
        return Encoded(vectors)
    token_vectors = encoded.tokens
    return Encoded(vectors, tuple(np.concatenate([token_vectors[at] for at in own]) for own in rows))
