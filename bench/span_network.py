"""The network of the span extractor while it is fitted: the packaged MiniLM, frozen, with a LoRA adapter.

`core/llm/encoders/minilm.py` computes the same from the adapter that `adapter_of` writes.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from core.llm.encoders.embedders import packaged_folder
from core.llm.encoders.minilm_graph import ADAPTED, EPSILON, HEADS, NORMS, PARTS

RANK = 64  # of an adapter that begins anew; one that continues another has its rank
SCALE = 2.0  # of the adapter's products


class ReaderNetwork(nn.Module):
    """Token ids in, logits of start and end out; only adapter, norms, segments and head learn."""

    def __init__(self, kind: torch.dtype = torch.bfloat16, adapter: Path | None = None) -> None:
        """Begin at `adapter`, a file as `adapter_of` gives it, or anew."""
        super().__init__()
        held = load_file(adapter) if adapter else None
        self.rank = len(held["layer.0.qkv.a"]) if held else RANK
        weights = load_file(packaged_folder() / "model.safetensors")
        w = {name: value.to(kind) for name, value in weights.items() if value.is_floating_point()}
        self.kind = kind
        self.words = w["embeddings.word_embeddings.weight"]
        self.places = w["embeddings.position_embeddings.weight"]
        self.first = (w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        self.segments = nn.Parameter(w["embeddings.token_type_embeddings.weight"].float().clone())
        self.layers: list[list[Tensor]] = []
        self.lora = nn.ParameterDict()
        self.norms = nn.ParameterDict()
        while (prefix := f"encoder.layer.{len(self.layers)}.") + "output.dense.weight" in w:
            parts = [f"{prefix}attention.self.{part}." for part in ("query", "key", "value")]
            layer = [torch.cat([w[part + kind] for part in parts]) for kind in ("weight", "bias")]
            layer += [w[f"{prefix}{part}.{kind}"] for part in PARTS for kind in ("weight", "bias")]
            self._learn(layer)
            self.layers.append(layer)
        self.head = nn.Linear(self.words.shape[1], 2)
        if held:
            self._begin_at(held)

    def _begin_at(self, held: Mapping[str, Tensor]) -> None:
        """Set what learns to what `adapter_of` gave."""
        with torch.no_grad():
            for name, value in (*self.lora.items(), *self.norms.items()):
                number, part, side = name.split("_")
                value.copy_(held[f"layer.{number}.{part}.{side}"] / (SCALE if side == "b" else 1.0))
            self.segments.copy_(held["segments"])
            self.head.weight.copy_(held["head.weight"])
            self.head.bias.copy_(held["head.bias"])

    def _learn(self, layer: Sequence[Tensor]) -> None:
        number = len(self.layers)
        for part, at in ADAPTED.items():
            outputs, inputs = layer[at].shape
            self.lora[f"{number}_{part}_a"] = nn.Parameter(torch.randn(self.rank, inputs) / math.sqrt(inputs))
            self.lora[f"{number}_{part}_b"] = nn.Parameter(torch.zeros(outputs, self.rank))
        for norm, at in NORMS.items():
            for place, kind in enumerate(("weight", "bias")):
                self.norms[f"{number}_{norm}_{kind}"] = nn.Parameter(layer[at + place].float().clone())

    def forward(self, ids: Tensor, second: Tensor, mask: Tensor) -> Tensor:
        """Return logits (n, t, 2) for ids (n, t); `second` marks the passage's tokens, `mask` all tokens."""
        n, t = ids.shape
        width = self.words.shape[1]
        x = self.words[ids] + self.places[:t] + self.segments[second.long()].to(self.kind)
        x = F.layer_norm(x, (width,), *self.first, eps=EPSILON)
        for number in range(len(self.layers)):
            heads = self._dense(x, number, "qkv").view(n, t, 3, HEADS, width // HEADS)
            q, k, v = heads.permute(2, 0, 3, 1, 4).unbind()
            mixed = self._attend(q, k, v, mask).transpose(1, 2).reshape(n, t, width)
            x = self._normed(x + self._dense(mixed, number, "out"), number, "norm")
            inner = F.gelu(self._dense(x, number, "up"))
            x = self._normed(x + self._dense(inner, number, "down"), number, "norm2")
        logits: Tensor = self.head(x.float())
        return logits

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        """Attend in plain products: torch's fused attention is slow backwards on a processor."""
        scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(2, 3)
        mixed: Tensor = (scores + (mask[:, None, None, :].to(q.dtype) - 1) * 1e4).softmax(-1) @ v
        return mixed

    def _dense(self, x: Tensor, number: int, part: str) -> Tensor:
        at = ADAPTED[part]
        a, b = (self.lora[f"{number}_{part}_{side}"].to(x.dtype) for side in "ab")
        return F.linear(x, *self.layers[number][at : at + 2]) + SCALE * F.linear(F.linear(x, a), b)

    def _normed(self, x: Tensor, number: int, norm: str) -> Tensor:
        weight, bias = (self.norms[f"{number}_{norm}_{kind}"].to(x.dtype) for kind in ("weight", "bias"))
        return F.layer_norm(x, x.shape[-1:], weight, bias, EPSILON)


def adapter_of(network: ReaderNetwork) -> Mapping[str, Tensor]:
    """Return what was learnt as `core/llm/encoders/minilm.py` reads it, in half precision."""
    found: dict[str, Tensor] = {}
    for name, value in network.lora.items():
        number, part, side = name.split("_")
        found[f"layer.{number}.{part}.{side}"] = value * (SCALE if side == "b" else 1.0)
    for name, value in network.norms.items():
        number, norm, kind = name.split("_")
        found[f"layer.{number}.{norm}.{kind}"] = value
    found |= {
        "segments": network.segments,
        "head.weight": network.head.weight,
        "head.bias": network.head.bias,
    }
    return {name: value.detach().half().contiguous().clone() for name, value in found.items()}
