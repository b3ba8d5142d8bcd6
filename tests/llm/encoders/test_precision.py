"""Each network is computed in the number format that the processor gains by."""

import pytest

from core.llm.encoders.precision import fast_precision, vector_precision


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
    result = frozenset(flags.split())
    assert (vector_precision(result), fast_precision(result)) == (embedder, reader)
