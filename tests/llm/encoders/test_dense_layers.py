"""Products in three number formats: each where the processor gains by it and torch computes it right."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core.llm.encoders.dense_layers import (
    Int8Layers,
    OneDNN,
    PublicLayers,
    fast_precision,
    processor_flags,
    vector_precision,
)
from core.llm.encoders.embedders import packaged_folder
from core.llm.encoders.minilm import MiniLM


@pytest.mark.parametrize("rows", [1, 3])
def test_packed_weights_compute_what_plain_ones_do(rows):
    ids = torch.arange(1000, 1000 + rows * 9).reshape(rows, 9)
    mask = torch.arange(9)[None, :] < torch.tensor([[9], [5], [7]][:rows])
    weights = packaged_folder() / "model.safetensors"
    models = [MiniLM(weights, operators=each) for each in (torch.ops.mkldnn, SimpleNamespace())]
    assert [isinstance(model.layers, OneDNN) for model in models] == [
        torch.backends.mkldnn.is_available(),
        False,
    ]
    packed, plain = (model.forward(ids, mask) for model in models)
    np.testing.assert_allclose(packed[mask], plain[mask], atol=2e-5)
    assert packed.shape == (rows, 9, 384)


class OtherArguments:
    """A torch whose private operators take what they took in another release."""

    def _reorder_linear_weight(self, weight: torch.Tensor) -> torch.Tensor:
        return weight

    def _linear_pointwise(self, x, weight, bias, attr):
        return x @ weight.T + bias


class OtherResults(OtherArguments):
    """A torch whose private operators mean something else by the same arguments."""

    def _reorder_linear_weight(self, weight: torch.Tensor, rows: int) -> torch.Tensor:
        return weight

    def _linear_pointwise(self, x, weight, bias, attr, scalars, algorithm):
        return x @ weight.T + bias  # never the GELU that was asked for


def test_in_single_precision_torch_s_public_operators_are_used():
    assert isinstance(MiniLM(packaged_folder() / "model.safetensors").layers, PublicLayers)


def test_private_operators_are_used_only_where_they_compute_the_layer():
    assert OneDNN(torch.ops.mkldnn).works(torch.float32) == torch.backends.mkldnn.is_available()
    for kind in (torch.float32, torch.bfloat16):
        for other in (SimpleNamespace(), OtherArguments(), OtherResults()):
            assert not OneDNN(other).works(kind)


@dataclass(frozen=True)
class Stopping:
    """Operators of 8 bits in which the sum of two products stops at `most`: at 16 bits without VNNI."""

    most: float

    def linear_prepack(self, weight, bias):
        return weight

    def linear_dynamic(self, x, weight, reduced):
        scale = x.abs().max() / 127
        left, right = (x / scale).round() + 128, weight.int_repr().float()
        pairs = (left[:, None, ::2] * right[:, ::2] + left[:, None, 1::2] * right[:, 1::2]).clamp(
            -self.most, self.most
        )
        return scale * weight.q_per_channel_scales().float() * (pairs.sum(-1) - 128 * right.sum(-1))


def test_eight_bits_are_used_only_where_they_compute_the_layer():
    assert Int8Layers(Stopping(float("inf"))).works()
    assert not any(Int8Layers(one).works() for one in (SimpleNamespace(), OtherArguments(), Stopping(2**15)))
    if fast_precision(processor_flags()) == "int8":
        assert Int8Layers(torch.ops.quantized).works()
    assert isinstance(
        MiniLM(packaged_folder() / "model.safetensors", "int8", SimpleNamespace()).layers, PublicLayers
    )


def test_in_eight_bits_a_row_does_not_depend_on_those_beside_it():
    layers = Int8Layers(torch.ops.quantized)
    if not layers.works():
        pytest.skip("8 bits are not computed on this processor")
    generator = torch.Generator().manual_seed(1)
    rows, weight, bias = (torch.randn(s, generator=generator) for s in ((5, 64), (48, 64), (48,)))
    rows[0] = rows[0].abs()  # without a value below zero, where the others have some
    packed = layers.pack(weight)
    together = layers.dense(rows, packed, bias)
    alone = torch.cat([layers.dense(row[None], packed, bias) for row in rows])
    assert torch.equal(together, alone)


@pytest.mark.parametrize(
    ("flags", "embedder", "reader"),
    [
        ("GenuineIntel avx2", "float32", "float32"),
        ("GenuineIntel avx2 avx_vnni", "int8", "int8"),
        ("GenuineIntel avx512_bf16 avx512_vnni", "int8", "int8"),
        ("GenuineIntel avx512_bf16 avx512_vnni amx_bf16", "bfloat16", "bfloat16"),
        ("AuthenticAMD avx512_bf16 avx512_vnni", "bfloat16", "int8"),
        ("", "float32", "float32"),
    ],
)
def test_the_number_format_is_the_one_the_processor_gains_by(flags, embedder, reader):
    said = frozenset(flags.split())
    assert (vector_precision(said), fast_precision(said)) == (embedder, reader)
