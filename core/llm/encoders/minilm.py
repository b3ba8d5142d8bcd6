"""The packaged MiniLM, a small BERT: token ids in, hidden states out.

Its vectors equal those of sentence-transformers (`tests/llm/encoders/test_embedders.py` compares them).
OpenVINO computes the layers: it is imported in a tenth of the time of torch, and a whole pass runs without
the interpreter's lock.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.llm.encoders.minilm_graph import ADAPTED, NORMS, PARTS, Floats, graph
from core.llm.encoders.precision import Precision
from core.runtime.inference_runtime import openvino_core
from core.runtime.run_slots import CORES, threads_of_a_pass

GROUP = 128  # inputs of a product that share a scale in int8, of each token its own (arXiv 2206.01861)
FINE, COARSE, FINE_UP_TO = 8, 16, 64  # tokens: texts are filled up to a multiple, more coarsely where longer
# Kernels that are kept, each for one number of tokens: OpenVINO's own 5,000 take a megabyte a new length.
KERNELS = 512
MASKED = -1e4  # added to the attention on what fills a text up


class InputEmbeddings(NamedTuple):
    """What tokens are before the first layer; the same for all networks of these weights."""

    words: Floats  # (30522, 384)
    places: Floats  # (512, 384)
    segments: Floats  # (2, 384)


@lru_cache(maxsize=2)
def embeddings(weights: Path) -> InputEmbeddings:
    """Return the vectors of words, places and segments, read once a process."""
    names = ("word_embeddings", "position_embeddings", "token_type_embeddings")
    return InputEmbeddings(*_read(weights, [f"embeddings.{name}.weight" for name in names]))


class MiniLM:
    """all-MiniLM-L6-v2 in one number format. Safe to call from threads.

    An `adapter` (LoRA, arXiv 2106.09685) makes another model of it: `layer.N.PART.a` (r, inputs) and `.b`
    (outputs, r) are multiplied and added to the product PART of layer N; its norms and the vectors of the two
    segments are the adapter's own.

    Each text is computed by itself, filled up with masked tokens so that few lengths occur: its states do
    not depend on those computed beside it.
    """

    def __init__(
        self, weights: Path, precision: Precision = "float32", adapter: Mapping[str, Floats] | None = None
    ) -> None:
        self._embeddings = embeddings(weights)
        self._segments = self._embeddings.segments if adapter is None else _single(adapter["segments"])
        norm = _read(weights, [f"embeddings.LayerNorm.{kind}" for kind in ("weight", "bias")])
        made = graph(norm, list(_layers(weights, adapter)), GROUP if precision == "int8" else None)
        passes = _passes()
        compiled = openvino_core().compile_model(
            made,
            "CPU",
            {
                "INFERENCE_PRECISION_HINT": "bf16" if precision == "bfloat16" else "f32",
                "DYNAMIC_QUANTIZATION_GROUP_SIZE": GROUP if precision == "int8" else 0,
                "NUM_STREAMS": passes,
                "INFERENCE_NUM_THREADS": passes,
                "ENABLE_CPU_PINNING": False,
                "CPU_RUNTIME_CACHE_CAPACITY": KERNELS,
            },
        )
        self._requests: SimpleQueue[Any] = SimpleQueue()
        for _ in range(passes):
            self._requests.put(compiled.create_infer_request())

    def hidden(self, texts: Sequence[Sequence[int]], first: int | None = None) -> Iterator[Floats]:
        """Yield the last hidden states (t, 384) of each text of t >= 1 token ids, in order.

        From token `first` on a text is in the second segment. As many are computed side by side, by one
        thread each, as this run may have of the cores. Between two texts the caller asks nothing else of
        this model, whose passes it may hold.
        """
        inputs = (self._embedded(np.asarray(text), first) for text in texts)
        yield from self._computed(inputs, min(threads_of_a_pass(), _passes()))

    def _embedded(self, ids: NDArray[np.int64], first: int | None) -> Floats:
        x = self._embeddings.words[ids] + self._embeddings.places[: len(ids)]
        if first is None:
            first = len(ids)
        x[:first] += self._segments[0]
        x[first:] += self._segments[1]
        return x

    def _computed(self, inputs: Iterable[Floats], beside: int) -> Iterator[Floats]:
        """Yield what the layers make of each text (t, 384), `beside` of them at the same time."""
        begun: deque[tuple[Any, int]] = deque()
        try:
            for x in inputs:
                while (request := self._request(begun, beside)) is None:
                    yield self._finished(begun)
                begun.append((request, len(x)))
                _start(request, x)
            while begun:
                yield self._finished(begun)
        finally:
            for request, _ in begun:  # of a caller who takes no more
                with suppress(RuntimeError):
                    request.wait()
                self._requests.put(request)

    def _request(self, begun: Sequence[Any], beside: int) -> Any | None:
        """Return a request to begin another text with; None where one that is begun has to be finished first,
        which whoever holds one does before it waits for another caller's."""
        if not begun:
            return self._requests.get()
        if len(begun) >= beside:
            return None
        try:
            return self._requests.get_nowait()
        except Empty:
            return None

    def _finished(self, begun: deque[tuple[Any, int]]) -> Floats:
        request, tokens = begun.popleft()
        try:
            request.wait()
            states: Floats = request.get_output_tensor().data[0, :tokens].copy()
            return states
        finally:
            self._requests.put(request)


def _start(request: Any, x: Floats) -> None:
    tokens = len(x)
    step = FINE if tokens <= FINE_UP_TO else COARSE
    filled = -(-tokens // step) * step
    states = np.zeros((1, filled, x.shape[1]), np.float32)
    states[0, :tokens] = x
    bias = np.zeros((1, 1, 1, filled), np.float32)
    bias[..., tokens:] = MASKED
    request.start_async([states, bias])


def _passes() -> int:
    """Return how many passes of a network are computed at the same time at most, by a thread each."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(CORES, int(asked) if asked.isdecimal() else CORES))


def _read(weights: Path, names: Sequence[str]) -> list[Floats]:
    """Return these tensors of a file in single precision."""
    from safetensors import safe_open

    with safe_open(weights, framework="numpy") as file:
        return [_single(file.get_tensor(name)) for name in names]


def _single(values: Floats) -> Floats:
    return np.asarray(values, np.float32)


def _layers(weights: Path, adapter: Mapping[str, Floats] | None) -> Iterator[list[Floats]]:
    """Yield each layer's products and norms as `minilm_graph.graph` takes them, the adapter added."""
    from safetensors import safe_open

    with safe_open(weights, framework="numpy") as file:
        keys = set(file.keys())
    count = sum(name.endswith(".intermediate.dense.bias") for name in keys)
    for number in range(count):
        prefix = f"encoder.layer.{number}."
        names = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
        names += [prefix + part for part in PARTS]
        tensors = _read(weights, [f"{name}.{kind}" for name in names for kind in ("weight", "bias")])
        layer = [np.concatenate(tensors[0:6:2]), np.concatenate(tensors[1:6:2]), *tensors[6:]]
        if adapter is not None:
            _adapt(layer, adapter, f"layer.{number}.")
        yield layer


def _adapt(layer: list[Floats], adapter: Mapping[str, Floats], prefix: str) -> None:
    """Add an adapter's products to the weights of a layer, and put its norms in their place."""
    for part, at in ADAPTED.items():
        a, b = (_single(adapter[f"{prefix}{part}.{side}"]) for side in "ab")
        layer[at] = layer[at] + b @ a
    for norm, at in NORMS.items():
        for place, kind in enumerate(("weight", "bias")):
            layer[at + place] = _single(adapter[f"{prefix}{norm}.{kind}"])
