"""Compresses token vectors: projected to their principal directions, as int8 of one scale."""

import mmap
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.ports import Vectors

DIMENSIONS = 128  # dimensions kept
MAX_FITTED_VECTORS = 10_000  # most token vectors the projection is fitted on
BLOCK_VECTORS = 16_384  # token vectors that are reduced at once
Bytes = NDArray[np.int8]


def blocks(vectors: Iterable[Vectors]) -> Iterator[Vectors]:
    """Join arrays of rows to blocks, so that the rows of a whole library are never in memory at once."""
    block: list[Vectors] = []
    rows = 0
    for each in vectors:
        block.append(each)
        rows += len(each)
        if rows >= BLOCK_VECTORS:
            yield np.concatenate(block)
            _release(block[0])
            block, rows = [], 0
    if block:
        yield np.concatenate(block)


def _release(vectors: Vectors) -> None:
    """Release the pages of the mapped file these lie in: it is read once and may be larger than memory."""
    base: object = vectors
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)


def sample(vectors: Sequence[Vectors]) -> Vectors:
    """Return at most about SAMPLE of the rows, evenly taken."""
    step = max(1, sum(map(len, vectors)) // MAX_FITTED_VECTORS)
    sampled: list[Vectors] = []
    offset = 0
    for each in vectors:
        sampled.append(np.asarray(each[offset::step], np.float32))
        offset = (offset - len(each)) % step
    return np.concatenate(sampled)


def fitted(sample: Vectors) -> tuple[Vectors, float]:
    """Return the projection (d, WIDTH) and the largest step worth keeping."""
    _, directions = np.linalg.eigh(sample.T @ sample)
    projection = np.ascontiguousarray(directions[:, ::-1][:, :DIMENSIONS], np.float32)
    return projection, float(np.quantile(np.abs(sample[::4] @ projection), 0.9999)) or 1.0


def as_bytes(vectors: Vectors, scale: float) -> Bytes:
    """Return projected vectors (n, WIDTH) as steps from -127 to 127, where `scale` is 127 of them."""
    stepped: Vectors = vectors * np.float32(127.0 / scale)
    np.rint(stepped, out=stepped)
    return np.clip(stepped, -127, 127, out=stepped).astype(np.int8)
