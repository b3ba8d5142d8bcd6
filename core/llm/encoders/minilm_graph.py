"""The layers of a small BERT as OpenVINO's graph (arXiv 1810.04805; opset 13)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.inference_runtime import openvino

Floats = NDArray[np.float32]
HEADS = 12
EPSILON = 1e-12
PARTS = (  # of a layer, behind the weights of attention
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)
ADAPTED = {"qkv": 0, "out": 2, "up": 6, "down": 8}  # where a layer's products stand
NORMS = {"norm": 4, "norm2": 10}  # ... and its norms: weight, then bias


def graph(norm: Sequence[Floats], layers: Sequence[Sequence[Floats]], group: int | None) -> Any:
    """Return the `openvino.Model` of all layers.

    It takes the sums of embeddings (1, t, d) and what is added to the attention on each token (1, 1, 1, t),
    and gives the last hidden states (1, t, d). `norm` is the weight and bias of the first norm (d), a layer
    its weight and bias of qkv (3 d, d), attention's output, its norm, the inner product up and down, and the
    last norm. With `group`, weights are held in 8 bits, so many inputs of an output by one scale.
    """
    from openvino import opset13 as op

    width = len(norm[0])
    of = _Layers(op, group, width)
    inputs = op.parameter([1, -1, width], np.float32)
    bias = op.parameter([1, 1, 1, -1], np.float32)
    x = of.norm(inputs, *norm)
    for qkv, qkv_b, out, out_b, norm1, norm1_b, up, up_b, down, down_b, norm2, norm2_b in layers:
        mixed = of.attention(x, qkv, qkv_b, bias)
        x = of.norm(op.add(of.dense(mixed, out, out_b), x), norm1, norm1_b)
        inner = op.gelu(of.dense(x, up, up_b), "erf")
        x = of.norm(op.add(of.dense(inner, down, down_b), x), norm2, norm2_b)
    return openvino().Model([x], [inputs, bias], "minilm")


class _Layers:
    """The parts of a layer, in the operators `op`."""

    def __init__(self, op: Any, group: int | None, width: int) -> None:
        self._op, self._group, self._width = op, group, width

    def norm(self, x: Any, weight: Floats, bias: Floats) -> Any:
        op = self._op
        normed = op.mvn(x, op.constant(np.array([-1])), True, EPSILON, "inside_sqrt")
        return op.add(op.multiply(normed, op.constant(weight)), op.constant(bias))

    def dense(self, x: Any, weight: Floats, bias: Floats) -> Any:
        op = self._op
        matrix = op.constant(weight) if self._group is None else self._in_eight_bits(weight)
        return op.add(op.matmul(x, matrix, False, True), op.constant(bias))

    def attention(self, x: Any, weight: Floats, bias: Floats, mask: Any) -> Any:
        op = self._op
        size = self._width // HEADS
        heads = []
        for part in range(3):
            rows = slice(part * self._width, (part + 1) * self._width)
            # The division by the root of the size is in the weights of the query.
            scale = np.float32(size**-0.5 if part == 0 else 1)
            dense = self.dense(x, weight[rows] * scale, bias[rows] * scale)
            apart = op.reshape(dense, op.constant(np.array([0, 0, HEADS, size])), True)
            heads.append(op.transpose(apart, op.constant(np.array([0, 2, 1, 3]))))
        scores = op.add(op.matmul(heads[0], heads[1], False, True), mask)
        mixed = op.matmul(op.softmax(scores, -1), heads[2], False, False)
        together = op.transpose(mixed, op.constant(np.array([0, 2, 1, 3])))
        return op.reshape(together, op.constant(np.array([0, 0, self._width])), True)

    def _in_eight_bits(self, weight: Floats) -> Any:
        """Return weights (outputs, inputs) as integers of 8 bits times the scale of their output.

        OpenVINO keeps them so, and makes 8 bits of each token's inputs, group by group, when they come.
        """
        op = self._op
        scale = np.maximum(np.abs(weight).max(axis=1, keepdims=True), np.float32(1e-9)) / np.float32(127)
        eight = op.constant(np.round(weight / scale).astype(np.int8))
        return op.multiply(op.convert(eight, np.float32), op.constant(scale.astype(np.float32)))
