"""The built-in engine and evidence from a believable fab."""

import pytest

from core.domain import Evidence
from core.llm.builtin import BuiltinLLM
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.span_extractor import SpanExtractor


@pytest.fixture(scope="session")
def engine() -> BuiltinLLM:
    return BuiltinLLM()


@pytest.fixture(scope="session")
def reading_engine() -> BuiltinLLM:
    """The engine with an embedder, which knows words of near meaning."""
    return BuiltinLLM(PackagedEmbedder())


@pytest.fixture(scope="session")
def reader() -> BuiltinLLM:
    """The engine with its networks: an embedder, and those that read for an answer."""
    return BuiltinLLM(PackagedEmbedder(), SpanExtractor())


@pytest.fixture(scope="session")
def evidence() -> tuple[Evidence, ...]:
    return (
        Evidence(
            n=1,
            source="PE-300 manual",
            date="2023-01-01",
            text="Pump\nThe dry pump is mounted in the sub-fab. It must be serviced every 3000 h. "
            "If the pressure rises above 12 mTorr, stop the pump and check for a leak.",
        ),
        Evidence(
            n=2, source="SOP-112", date="2024-05-01", text="The dry pump must be serviced every 2500 h."
        ),
        Evidence(
            n=3,
            source="Alarm log",
            text="Tool: ETCH-03; Alarm: E-217; Downtime: 56\nTool: ETCH-04; Alarm: E-305; Downtime: 63",
        ),
        Evidence(
            n=4,
            source="Yield meeting",
            text="ETCH-03 raised alarm E-217 eighteen times since 24 February. Jonas Weber suspects the "
            "electrostatic chuck. The alarm was caused by a worn seal band.",
        ),
        Evidence(
            n=5,
            source="良率周会纪要",
            text="更换之后，ETCH-03 的氦气泄漏量稳定在 0.6 sccm。ETCH-05 的静电吸盘与 ETCH-03 属于同一批次。",
        ),
    )
