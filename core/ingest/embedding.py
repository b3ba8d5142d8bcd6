"""Vectors for the chunks of many documents at once, in batches of equal length, kept as they are made."""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.ingest.chunk_packing import CountMany
from core.ports import Embedder, Encoded, Vectors

Half = NDArray[np.float16]
_MAX_LENGTH_RATIO = 1.2  # the longest text of a slice over its shortest, lest most of a pass be padding:
_MIN_SLICE_TOKENS = 512  # tokens a slice has at least, however unlike its texts
_RECORD = struct.Struct("<III")  # texts, rows of token vectors (0: none), dimension


@dataclass
class Batch:
    """The texts of one document with their lengths in tokens; filled with vectors in any order.

    `spool` is a file that keeps what is done of a long document: after an interruption it is read back.
    """

    texts: Sequence[str]
    lengths: Sequence[int]
    spool: Path | None = None
    vectors: Vectors | None = None
    tokens: list[Half] | None = None
    made: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        self.made = [False] * len(self.texts)

    @property
    def done(self) -> int:
        return sum(self.made)


def embed(
    batches: Sequence[Batch], embedder: Embedder, slice_tokens: int, on_progress: Callable[[int], None]
) -> None:
    """Fill in the vectors of the batches, in slices of about `slice_tokens` tokens.

    `on_progress(i)` is called after each slice for every batch i that has grown, and may raise; calling
    `embed` again then does the rest. Short documents share slices, sorted by length over all of them;
    a document with a spool has slices of its own in a fixed order, so that spooled vectors are found again.
    """
    shared = [i for i, batch in enumerate(batches) if batch.spool is None]
    for i, batch in enumerate(batches):
        if batch.vectors is None:
            batch.vectors = np.zeros((len(batch.texts), embedder.dimension), np.float32)
        if batch.spool is not None:
            _embed_long(batch, batch.spool, embedder, slice_tokens, partial(on_progress, i))
    places = [(i, at) for i in shared for at, made in enumerate(batches[i].made) if not made]
    places.sort(key=lambda place: batches[place[0]].lengths[place[1]])
    for piece in _slices(places, [batches[i].lengths[at] for i, at in places], slice_tokens):
        encoded = embedder.encode([batches[i].texts[at] for i, at in piece])
        for row, (i, at) in enumerate(piece):
            _put(batches[i], at, encoded, row)
        for i in dict.fromkeys(i for i, _ in piece):
            on_progress(i)


def shortened(texts: Sequence[str], count_many: CountMany, window: int) -> list[str]:
    """Return the texts, of those over the window only the beginning."""
    fitting = list(texts)
    over = [(at, count) for at, count in enumerate(count_many(fitting)) if count > window]
    while over:
        for at, count in over:
            fitting[at] = fitting[at][: len(fitting[at]) * window * 9 // (count * 10)]
        counts = count_many([fitting[at] for at, _ in over])
        over = [(at, count) for (at, _), count in zip(over, counts, strict=True) if count > window]
    return fitting


def _slices(
    places: Sequence[tuple[int, int]], lengths: Sequence[int], most: int
) -> Iterator[Sequence[tuple[int, int]]]:
    """Yield places in slices of at most `most` tokens and about one length; `lengths` are sorted."""
    start = total = 0
    for at, length in enumerate(lengths):
        unlike = total >= _MIN_SLICE_TOKENS and length > _MAX_LENGTH_RATIO * lengths[start]
        if at > start and (unlike or total + length > most):
            yield places[start:at]
            start, total = at, 0
        total += length
    if places[start:]:
        yield places[start:]


def _put(batch: Batch, at: int, encoded: Encoded, row: int) -> None:
    assert batch.vectors is not None
    batch.vectors[at] = encoded.vectors[row]
    if encoded.tokens is not None:
        if batch.tokens is None:
            batch.tokens = [np.zeros((0, encoded.vectors.shape[1]), np.float16)] * len(batch.texts)
        batch.tokens[at] = encoded.tokens[row].astype(np.float16)
    batch.made[at] = True


def _embed_long(
    batch: Batch, spool: Path, embedder: Embedder, slice_tokens: int, on_progress: Callable[[], None]
) -> None:
    order = sorted(range(len(batch.texts)), key=lambda at: (batch.lengths[at], at))
    spool.parent.mkdir(parents=True, exist_ok=True)
    with spool.open("a+b") as file:
        done = _read_back(batch, order, file, embedder.dimension)
        if done:
            on_progress()
        left = [(0, at) for at in order[done:]]
        for piece in _slices(left, [batch.lengths[at] for _, at in left], slice_tokens):
            encoded = embedder.encode([batch.texts[at] for _, at in piece])
            _append(file, encoded)
            _fill(batch, [at for _, at in piece], encoded.vectors)
            on_progress()
    _map_tokens(batch, order, spool, embedder.dimension)


def _append(file: BinaryIO, encoded: Encoded) -> None:
    """Write one slice whole; a torn end is recognised by its length when it is read back."""
    count, dimension = encoded.vectors.shape
    tokens = encoded.tokens or ()
    sizes = np.asarray([len(each) for each in tokens], np.uint32)
    parts = [_RECORD.pack(count, int(sizes.sum()), dimension), encoded.vectors.tobytes(), sizes.tobytes()]
    parts += [each.astype(np.float16).tobytes() for each in tokens]
    file.write(b"".join(parts))
    file.flush()


def _records(file: BinaryIO, dimension: int) -> Iterator[tuple[Vectors, NDArray[np.uint32], int]]:
    """Yield (vectors, token rows per text, where the token vectors start); cut off what is torn."""
    end = file.seek(0, 2)
    at = 0
    while at + _RECORD.size <= end:
        file.seek(at)
        count, rows, width = _RECORD.unpack(file.read(_RECORD.size))
        sizes_at = at + _RECORD.size + count * width * 4
        tokens_at = sizes_at + (count * 4 if rows else 0)
        if width != dimension or tokens_at + rows * width * 2 > end:
            break
        vectors = np.frombuffer(file.read(count * width * 4), np.float32).reshape(count, width)
        sizes = np.frombuffer(file.read(count * 4 if rows else 0), np.uint32)
        yield vectors, sizes, tokens_at
        at = tokens_at + rows * width * 2
    if at < end and file.writable():
        file.truncate(at)


def _fill(batch: Batch, places: Sequence[int], vectors: Vectors) -> None:
    assert batch.vectors is not None
    batch.vectors[list(places)] = vectors
    for at in places:
        batch.made[at] = True


def _read_back(batch: Batch, order: Sequence[int], file: BinaryIO, dimension: int) -> int:
    """Fill in what an earlier, interrupted try has made; return how many texts that are."""
    done = 0
    for vectors, _, _ in _records(file, dimension):
        if done + len(vectors) > len(order):
            file.truncate(0)
            return 0
        _fill(batch, order[done : done + len(vectors)], vectors)
        done += len(vectors)
    return done


def _map_tokens(batch: Batch, order: Sequence[int], spool: Path, dimension: int) -> None:
    """Let the token vectors be read from the spool as they are asked for: they are too many for memory."""
    if not spool.stat().st_size:
        return
    mapped = np.memmap(spool, np.uint8, "r")
    found: list[Half] = []
    with spool.open("rb") as file:
        for _, sizes, start in _records(file, dimension):
            at = start
            for rows in sizes.tolist():
                size = rows * dimension * 2
                found.append(mapped[at : at + size].view(np.float16).reshape(rows, dimension))
                at += size
    if len(found) == len(order):
        batch.tokens = [found[0]] * len(order)
        for place, each in zip(order, found, strict=True):
            batch.tokens[place] = each
