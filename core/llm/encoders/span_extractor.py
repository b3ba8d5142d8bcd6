"""Reads a question and a passage together and tells where the answer is in it, if it stands there.

Extractive reading with a null answer, as BERT reads SQuAD 2.0 (arXiv 1810.04805, 1806.03822): of each token
of the passage how likely the answer starts and ends there, and of the first token that it stands nowhere.
The network is the packaged MiniLM with a LoRA adapter, fitted by `bench/fit_span_extractor.py` on questions
and near misses over public passages. It reads English. Several networks, fitted from other beginnings, read
the same and their logits are averaged (deep ensembles, arXiv 1612.01474): where they disagree the answer is
less sure, so that what it is sure of is right more often. A passage in which those before see next to no
chance is not read by the next (a cascade, as Viola and Jones 2001): most passages end at the first.

Each passage is a pass of its own: nothing is computed for padding.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.llm.encoders.embedders import packaged_folder
from core.llm.encoders.precision import Precision, fast_precision, processor_flags

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from core.llm.encoders.minilm import MiniLM

ADAPTERS = tuple(sorted(Path(__file__).parent.glob("span_extractor_*.safetensors")))
QUESTION_TOKENS, WINDOW_TOKENS = 40, 288  # tokens of the question, and of both together, that are read
MAX_SPAN_TOKENS = 30  # tokens of an answer
CACHED_READINGS = 512  # readings that are kept: a question is read for its answer and again for its review
HOPELESS_SCORE = -6.0  # of the networks so far (logits; a chance of 5 %), up to which the next does not read
Floats = NDArray[np.float32]
# -inf where an answer would end before it starts, or be too long, else 0: (start, end) in tokens
_FORBIDDEN: Floats = np.where(
    np.triu(np.ones((WINDOW_TOKENS,) * 2, bool)) & np.tri(WINDOW_TOKENS, k=MAX_SPAN_TOKENS - 1, dtype=bool),
    np.float32(0),
    np.float32(-np.inf),
)


@dataclass(frozen=True)
class AnswerSpan:
    """An answer: characters [start, end) of the passage, and how far it is ahead of "not here" (logits)."""

    start: int
    end: int
    score: float


@dataclass(frozen=True)
class SpanLogits:
    """What reading a passage for a question gave: per token (t) the characters it stands for and its logits
    of starting and ending the answer, less those of the null answer."""

    places: tuple[tuple[int, int], ...]
    starts: Floats
    ends: Floats

    def best(self, start: int = 0, end: int | None = None) -> AnswerSpan | None:
        """Return the likeliest answer inside the characters [start, end), None where no token is."""
        inside = [
            at for at, (a, b) in enumerate(self.places) if a >= start and (end is None or b <= end) and b > a
        ]
        if not inside:
            return None
        first, last = inside[0], inside[-1] + 1
        joint = self.starts[first:last, None] + self.ends[None, first:last]
        joint += _FORBIDDEN[: last - first, : last - first]
        a, b = np.unravel_index(int(joint.argmax()), joint.shape)
        return AnswerSpan(self.places[first + a][0], self.places[first + b][1], float(joint[a, b]))


class SpanExtractor:
    """Reads passages for a question, by one network for each adapter. Safe to call from threads."""

    def __init__(self, precision: Precision = "float32", adapters: Sequence[Path] = ADAPTERS) -> None:
        self._precision = precision
        self._adapters = adapters
        self._lock = threading.Lock()
        self._cache: OrderedDict[tuple[str, str], SpanLogits] = OrderedDict()

    def read(self, question: str, passages: Sequence[str]) -> list[SpanLogits]:
        """Return a reading of each passage; what is over the window is not read."""
        with self._lock:
            found = {
                text: self._cache[question, text] for text in passages if (question, text) in self._cache
            }
            new = [text for text in dict.fromkeys(passages) if text not in found]
            if new:
                _ = self._models, self._tokenizer  # loaded once, whoever comes first
        found |= zip(new, self._read(question, new), strict=True)
        with self._lock:
            for text in passages:
                self._cache[question, text] = found[text]
                self._cache.move_to_end((question, text))
            while len(self._cache) > CACHED_READINGS:
                self._cache.popitem(last=False)
        return [found[text] for text in passages]

    def _read(self, question: str, passages: Sequence[str]) -> list[SpanLogits]:
        asked = self._tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION_TOKENS]
        first = [self._first, *asked, self._separator]
        room = WINDOW_TOKENS - len(first) - 1
        encoded = self._tokenizer.encode_batch(list(passages), add_special_tokens=False)
        ids = [[*first, *each.ids[:room], self._separator] for each in encoded]
        offsets = [tuple(each.offsets[:room]) for each in encoded]
        logits: dict[int, list[Floats]] = {at: [] for at in range(len(ids))}
        reading = list(logits)
        for model in self._models:
            hidden = model.encoder.hidden([ids[at] for at in reading], len(first))
            for at, states in zip(reading, hidden, strict=True):
                row = states @ model.weight.T + model.bias
                logits[at].append(row[len(first) : len(ids[at]) - 1] - row[0])
            reading = [at for at in reading if _hopeful(SpanLogits(offsets[at], *_mean(logits[at])))]
        return [SpanLogits(places, *_mean(logits[at])) for at, places in enumerate(offsets)]

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _first(self) -> int:
        return self._tokenizer.get_vocab()["[CLS]"]

    @cached_property
    def _separator(self) -> int:
        return self._tokenizer.get_vocab()["[SEP]"]

    @cached_property
    def _models(self) -> "list[_Network]":
        from safetensors.numpy import load_file

        from core.llm.encoders.minilm import MiniLM

        weights = packaged_folder() / "model.safetensors"
        return [
            _Network(
                MiniLM(weights, self._precision, adapter),
                adapter["head.weight"].astype(np.float32),
                adapter["head.bias"].astype(np.float32),
            )
            for adapter in map(load_file, self._adapters)
        ]


@cache
def packaged_reader() -> SpanExtractor:
    """Return the reader of this processor, one a process: what it read applies to every library."""
    return SpanExtractor(fast_precision(processor_flags()))


class _Network(NamedTuple):
    """An encoder with weights (2, 384) and biases (2) of start and end."""

    encoder: "MiniLM"
    weight: Floats
    bias: Floats


def _hopeful(reading: SpanLogits) -> bool:
    best = reading.best()
    return best is not None and best.score > HOPELESS_SCORE


def _mean(logits: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the mean logits (t) of start and of end, of several (t, 2)."""
    mean = np.mean(logits, axis=0)
    return mean[:, 0], mean[:, 1]
