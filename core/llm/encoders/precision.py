"""Number formats that a small network is computed in, and where each of them pays."""

from functools import cache
from pathlib import Path
from typing import Literal

Precision = Literal["float32", "bfloat16", "int8"]
_CPU = Path("/proc/cpuinfo")


@cache
def processor_flags() -> frozenset[str]:
    """Return vendor and instruction sets of the processor, none where the system does not say."""
    if not _CPU.is_file():
        return frozenset()
    lines = _CPU.read_text("utf-8").splitlines()
    values = [
        line.split(":", 1)[1] for line in lines if line.startswith(("flags", "vendor_id")) and ":" in line
    ]
    return frozenset(" ".join(values).split())


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

    It is bfloat16 where that gains: it is closer to float32 than int8 (cosine 0.9999, 0.998).
    """
    return "bfloat16" if gains_by_bfloat16(flags) else fast_precision(flags)
