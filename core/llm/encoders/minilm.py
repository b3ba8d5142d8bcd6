"""The forward pass of a small BERT, with torch alone: importing it costs a third of a model library.

Its vectors equal those of sentence-transformers (`tests/llm/encoders/test_embedders.py` compares them).
"""

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.llm.encoders.dense_layers import DenseLayers, Int8Layers, OneDNN, Precision, PublicLayers
from core.run_slots import CORES, threads_of_a_pass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

HEADS = 12
EPSILON = 1e-12
QUESTION_TOKENS = 64  # tokens of a question
PARTS = (  # of a layer, behind the weights of attention
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)
ADAPTED = {"qkv": 0, "out": 2, "up": 6, "down": 8}  # where a layer's products stand
NORMS = {"norm": 4, "norm2": 10}  # ... and its norms: weight, then bias
# Kernels that torch keeps, one a shape; its own thousand take a third of a gigabyte for texts of all lengths.
KERNELS = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "64"}
_MOST_BESIDE = 4  # passes of one caller side by side: each takes 30 MB while it lasts

_PASSES = threading.BoundedSemaphore(CORES)  # passes at once, of whichever model


class MiniLM:
    """all-MiniLM-L6-v2: token ids in, hidden states out.

    Where `operators` (by default torch's private ones over oneDNN, in bfloat16) compute what this module asks
    of them, weights lie as oneDNN's kernels read them, and GELU is computed where a product is: a seventh to
    a third faster than with torch's public ones, and the same but for rounding. In float32 the public ones
    are a seventh faster: oneDNN's GELU takes as long as half a product there. In int8 the products alone
    are: what lies between them stays in float32, as all does where torch or the processor cannot.

    An `adapter` (LoRA, arXiv 2106.09685) makes another model of it: `layer.N.PART.a` (r, inputs) and `.b`
    (outputs, r) are multiplied and added to the product PART of layer N; its norms and the vectors of the two
    segments are the adapter's own. Models of one base share what no adapter changes where they are given the
    same `base_weights`.
    """

    def __init__(
        self,
        weights: "Path | Mapping[str, Tensor]",
        precision: Precision = "float32",
        operators: Any = None,
        adapter: "Mapping[str, Tensor] | None" = None,
    ) -> None:
        for name, most in KERNELS.items():
            os.environ.setdefault(name, most)  # read by torch when it computes first
        with one_thread():
            self._load(weights, precision, operators, adapter)

    def _load(
        self,
        weights: "Path | Mapping[str, Tensor]",
        precision: Precision,
        operators: Any,
        adapter: "Mapping[str, Tensor] | None",
    ) -> None:
        import torch

        self._type = torch.bfloat16 if precision == "bfloat16" else torch.float32
        self.layers = layers = _layers(precision) if operators is None else _layers_by(precision, operators)
        self._dense = layers.dense
        w = base_weights(weights, precision) if isinstance(weights, Path) else weights
        self._words = w["embeddings.word_embeddings.weight"]
        segments = w["embeddings.token_type_embeddings.weight"]
        if adapter is not None:
            segments = adapter["segments"].to(self._type)
        self._places = w["embeddings.position_embeddings.weight"] + segments[0]
        self._second = segments[1] - segments[0]
        self._norm = (w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        self._layers: list[list[Tensor]] = []
        while (prefix := f"encoder.layer.{len(self._layers)}.") + "output.dense.weight" in w:
            parts = [f"{prefix}attention.self.{part}." for part in ("query", "key", "value")]
            layer = [torch.cat([w[part + kind] for part in parts]) for kind in ("weight", "bias")]
            layer += [w[f"{prefix}{part}.{kind}"] for part in PARTS for kind in ("weight", "bias")]
            if adapter is not None:
                _adapt(layer, adapter, f"layer.{len(self._layers)}.")
            self._layers.append([layers.pack(each) if each.dim() == 2 else each for each in layer])

    def forward(self, ids: "Tensor", mask: "Tensor", second: "Tensor | None" = None) -> "Tensor":
        """Return the last hidden states (n, t, 384), float32; `mask` (n, t) is True where a token is,
        `second` (n, t) where one of a second segment is.

        A question is computed by one thread: sharing so little work costs more than it saves. So is all else
        while several runs compute: passes beside each other take less than passes that share the cores.
        """
        with _PASSES:
            threads = 1 if ids.numel() <= QUESTION_TOKENS else min(most_threads(), threads_of_a_pass())
            return self._computed(threads, ids, mask, second)

    def forward_each(self, inputs: "Sequence[tuple[Tensor, ...]]") -> "Iterator[Tensor]":
        """Yield the last hidden states of each (ids, mask) or (ids, mask, second).

        Some are computed side by side, each by its share of the threads, which then waits for fewer others
        between two products. Together they count as one pass.
        """
        at = 0
        while at < len(inputs):
            threads = min(most_threads(), threads_of_a_pass())
            beside = inputs[at : at + min(threads, _MOST_BESIDE)]
            at += len(beside)
            if len(beside) == 1:
                yield self.forward(*beside[0])
                continue
            with _PASSES:
                computed = partial(self._computed, threads // len(beside))
                done = list(_pool().map(computed, *zip(*beside, strict=True)))
            yield from done

    def _computed(
        self, threads: int, ids: "Tensor", mask: "Tensor", second: "Tensor | None" = None
    ) -> "Tensor":
        import torch

        torch.set_num_threads(threads)  # of this thread, and of those that compute first after it
        try:
            return self._forward(ids, mask, second)
        finally:
            torch.set_num_threads(most_threads())

    def _forward(self, ids: "Tensor", mask: "Tensor", second: "Tensor | None") -> "Tensor":
        import torch
        from torch.nn.functional import layer_norm, scaled_dot_product_attention

        n, t = ids.shape
        width = self._words.shape[1]
        # No mask where nothing is padded: attention without one is faster.
        seen = None if bool(mask.all()) else mask[:, None, None, :]
        with torch.inference_mode():
            x = self._words[ids] + self._places[:t]
            if second is not None:
                x = x + second[..., None].to(x.dtype) * self._second
            x = layer_norm(x, (width,), *self._norm, eps=EPSILON).view(n * t, width)
            for qkv, qkv_b, out, out_b, norm, norm_b, up, up_b, down, down_b, norm2, norm2_b in self._layers:
                heads = self._dense(x, qkv, qkv_b).view(n, t, 3, HEADS, width // HEADS)
                q, k, v = heads.permute(2, 0, 3, 1, 4).unbind()
                a = scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2)
                a = a.reshape(n * t, width)
                x = layer_norm(self._dense(a, out, out_b).add_(x), (width,), norm, norm_b, EPSILON)
                inner = self._dense(x, up, up_b, "gelu")
                x = layer_norm(self._dense(inner, down, down_b).add_(x), (width,), norm2, norm2_b, EPSILON)
            return x.view(n, t, width).float()


@cache
def _layers(precision: Precision) -> DenseLayers:
    """Return what computes the products, tried once a process: torch's private operators where they gain."""
    import torch

    if precision == "float32":
        return PublicLayers()
    return _layers_by(precision, torch.ops.quantized if precision == "int8" else torch.ops.mkldnn)


def _layers_by(precision: Precision, operators: Any) -> DenseLayers:
    """Return layers by these operators where they do it right, else torch's public ones."""
    import torch

    if precision == "int8":
        eight = Int8Layers(operators)
        return eight if eight.works() else PublicLayers()
    onednn = OneDNN(operators)
    kind = torch.bfloat16 if precision == "bfloat16" else torch.float32
    return onednn if onednn.works(kind) else PublicLayers()


def base_weights(file: Path, precision: Precision) -> "Mapping[str, Tensor]":
    """Return the weights of the encoder in the precision its norms and sums are computed in."""
    import torch
    from safetensors.torch import load_file

    kind = torch.bfloat16 if precision == "bfloat16" else torch.float32
    with one_thread():
        return {
            name: value.to(kind)
            for name, value in load_file(file).items()
            if value.is_floating_point() and not name.startswith("pooler.")
        }


@contextmanager
def one_thread() -> Iterator[None]:
    """Let this thread alone do what follows: weights are many and small, and threads that wait for each other
    at each of them take eight times as long."""
    import torch

    most_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(most_threads())


@cache
def most_threads() -> int:
    """Return how many threads torch takes by itself: asked before any pass sets them."""
    import torch

    return torch.get_num_threads()


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the threads that passes are computed in side by side."""
    return ThreadPoolExecutor(_MOST_BESIDE, thread_name_prefix="pass")


def _adapt(layer: "list[Tensor]", adapter: "Mapping[str, Tensor]", prefix: str) -> None:
    """Add an adapter's products to the weights of a layer, and put its norms in their place."""
    for part, at in ADAPTED.items():
        change = adapter[f"{prefix}{part}.b"].float() @ adapter[f"{prefix}{part}.a"].float()
        layer[at] = (layer[at].float() + change).to(layer[at].dtype)
    for norm, at in NORMS.items():
        for place, kind in enumerate(("weight", "bias")):
            layer[at + place] = adapter[f"{prefix}{norm}.{kind}"].to(layer[at].dtype)
