"""Dense layers of a small network in three number formats, and where each of them pays."""

import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from torch import Tensor, dtype

Precision = Literal["float32", "bfloat16", "int8"]
PACKED_FOR_ROWS = 64  # rows that oneDNN lays weights out for
MAX_INT8_ERROR = 0.05  # of a product of random numbers, as a share of its greatest value; 0.01 is usual
SMALLEST = 1e-6  # of a row's greatest value, and of the scale of weights
_CPU = Path("/proc/cpuinfo")


@cache
def processor_flags() -> frozenset[str]:
    """Return vendor and instruction sets of the processor, none where the system does not say.

    Asked without torch, which takes a second to import.
    """
    if not _CPU.is_file():
        return frozenset()
    lines = _CPU.read_text("utf-8").splitlines()
    said = [
        line.split(":", 1)[1] for line in lines if line.startswith(("flags", "vendor_id")) and ":" in line
    ]
    return frozenset(" ".join(said).split())


def gains_by_bfloat16(flags: frozenset[str]) -> bool:
    """Say whether products in bfloat16 take less time than in float32.

    They do by matrix instructions (AMX). By those of AVX-512 alone an Intel processor took twice as long
    (`bench.precision`); AMD's issue as many of them as of multiplications.
    """
    return "amx_bf16" in flags or {"avx512_bf16", "AuthenticAMD"} <= flags


def fast_precision(flags: frozenset[str]) -> Precision:
    """Return the format in which the products of a network that only ranks take the least time.

    It is bfloat16 by matrix instructions, else int8 where sums of 8-bit products do not overflow (VNNI).
    """
    if "amx_bf16" in flags:
        return "bfloat16"
    if not {"avx512_vnni", "avx_vnni"}.isdisjoint(flags):
        return "int8"
    return "bfloat16" if gains_by_bfloat16(flags) else "float32"


def vector_precision(flags: frozenset[str]) -> Precision:
    """Return the format in which vectors that are kept are computed.

    It is bfloat16 where that gains: it is closer to float32 than int8 (cosine 0.9999, 0.998) and no more than
    a fifth slower (`bench.precision`).
    """
    return "bfloat16" if gains_by_bfloat16(flags) else fast_precision(flags)


class DenseLayers(Protocol):
    """Products of rows (n, inputs) with weights (outputs, inputs)."""

    def pack(self, weight: "Tensor") -> Any:
        """Return the weights as `dense` reads them."""

    def dense(self, x: "Tensor", weight: Any, bias: "Tensor", then: str = "none") -> "Tensor":
        """Return the product of rows with packed weights, `then` ("none" or "gelu") applied to it."""


class PublicLayers:
    """Dense layers by what torch offers to everybody."""

    def pack(self, weight: "Tensor") -> "Tensor":
        """Return the weights (outputs, inputs) turned: few rows are multiplied with them a tenth faster."""
        return weight.t().contiguous()

    def dense(self, x: "Tensor", weight: "Tensor", bias: "Tensor", then: str = "none") -> "Tensor":
        """Return the product. GELU takes the place of it: new memory is slow."""
        import torch

        product = torch.addmm(bias, x, weight)
        if then == "gelu":
            torch.ops.aten.gelu_(product)
        return product


@dataclass(frozen=True)
class OneDNN:
    """Dense layers by torch's private operators over oneDNN. They may change with any release of torch."""

    operators: Any

    def works(self, kind: "dtype") -> bool:
        """Whether the operators are there and compute, in this precision, what torch's own layers do."""
        import torch

        if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
            return False
        generator = torch.Generator().manual_seed(0)
        x, weight, bias = (torch.randn(s, generator=generator).to(kind) for s in ((3, 32), (48, 32), (48,)))
        try:
            packed = self.pack(weight)
            found = [self.dense(x, packed, bias, then) for then in ("none", "gelu")]
        except (AttributeError, RuntimeError, TypeError):  # no such operator, or one with other arguments
            return False
        public = PublicLayers()
        expected = [public.dense(x, public.pack(weight), bias, then) for then in ("none", "gelu")]
        return all(torch.allclose(a, b, atol=0.1, rtol=0.02) for a, b in zip(found, expected, strict=True))

    def pack(self, weight: "Tensor") -> "Tensor":
        """Return the weights (outputs, inputs) as oneDNN's kernels read them."""
        laid_out: Tensor = self.operators._reorder_linear_weight(weight, PACKED_FOR_ROWS)
        return laid_out

    def dense(self, x: "Tensor", weight: "Tensor", bias: "Tensor", then: str = "none") -> "Tensor":
        """Return the product of rows with packed weights, `then` ("none" or "gelu") applied to it."""
        product: Tensor = self.operators._linear_pointwise(x, weight, bias, then, [], "none")
        return product


@dataclass(frozen=True)
class Int8Layers:
    """Dense layers in integers of 8 bits by FBGEMM (arXiv 2101.05615): each output's weights have a scale of
    their own and each row has, found when it comes (dynamic quantisation by token, arXiv 2206.01861).

    FBGEMM quantises all rows by one scale, found from the least and the greatest value. So they are brought
    to one range first, a third more time for a quarter of the error, and a row that holds both ends of the
    range goes with them: a row's product does not depend on those beside it.
    """

    operators: Any

    def works(self) -> bool:
        """Whether the operators are there and compute, within what 8 bits allow, what torch's own layers do.

        The largest numbers are among them: without VNNI their sums overflow.
        """
        import torch

        generator = torch.Generator().manual_seed(0)
        x, weight, bias = (torch.randn(s, generator=generator) for s in ((3, 64), (48, 64), (48,)))
        x[0], weight[0] = x.max(), weight.max()
        try:
            packed = self.pack(weight)
            found = [self.dense(x, packed, bias, then) for then in ("none", "gelu")]
        except (AttributeError, RuntimeError, TypeError):  # not built for this processor, or another release
            return False
        public = PublicLayers()
        expected = [public.dense(x, public.pack(weight), bias, then) for then in ("none", "gelu")]
        return all(
            float((a - b).abs().max()) <= MAX_INT8_ERROR * float(b.abs().max())
            for a, b in zip(found, expected, strict=True)
        )

    def pack(self, weight: "Tensor") -> Any:
        """Return the weights (outputs, inputs) in 8 bits, as FBGEMM's kernels read them."""
        import torch

        engine = torch.backends.quantized.engine
        try:
            torch.backends.quantized.engine = "fbgemm"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # torch will offer this elsewhere
                scales = weight.float().abs().amax(1).clamp(min=SMALLEST).double() / 127
                zeros = torch.zeros(len(weight), dtype=torch.long)
                eight = torch.quantize_per_channel(weight.float(), scales, zeros, 0, torch.qint8)
            return self.operators.linear_prepack(eight, None)
        finally:
            torch.backends.quantized.engine = engine

    def dense(self, x: "Tensor", weight: Any, bias: "Tensor", then: str = "none") -> "Tensor":
        """Return the product of rows with packed weights, `then` ("none" or "gelu") applied to it."""
        import torch

        rows = len(x)
        spread = torch.maximum(x.amax(1, keepdim=True), -x.amin(1, keepdim=True)).clamp_(min=SMALLEST)
        scaled = x.new_zeros((rows + 1, x.shape[1]))
        torch.div(x, spread, out=scaled[:rows])
        scaled[rows, 0], scaled[rows, 1] = -1, 1
        product: Tensor = self.operators.linear_dynamic(scaled, weight, False)[:rows].mul_(spread).add_(bias)
        if then == "gelu":
            torch.ops.aten.gelu_(product)
        return product
