"""The demo library's tables and texts, read by the ordinary path, for questions about the future."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunker import Chunker
from core.ingest.ingestion import Ingestion
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from tests.ingest.ingestion_parts import WordEmbedder

FILES = (
    "yield-2021-2025.xlsx",
    "alarm-log-2025-H1.csv",
    "sensor-log-ETCH-03.jsonl",
    "meeting-notes-2025-03-18.md",
    "良率周会纪要-2025-04-15.txt",
)
APPROVALS = """# Approvals

Isavuconazole was approved on 6 March 2015. Ceritinib was approved on 29 April 2014.
Osimertinib was approved on 13 November 2015. Venetoclax was approved on 11 April 2016.
Olaratumab was approved on 19 October 2016. Niraparib was approved on 27 March 2017.
Ribociclib was approved on 13 March 2017. Abemaciclib was approved on 28 September 2017.
"""
OUTPUT = """# Output of the pilot line

In 2019 the output of LINE-9 was 1,200 wafers. In 2020 the output of LINE-9 was 1,350 wafers.
In 2021 the output of LINE-9 was 1,480 wafers. In 2022 the output of LINE-9 was 1,600 wafers.
In 2023 the output of LINE-9 was 1,730 wafers. In 2024 the output of LINE-9 was 1,850 wafers.
"""
RECOUNT = "month,product,yield_percent\n2025-10,A77,92.0\n2025-11,A77,90.0\n2025-12,A77,91.7\n"
AUDIT = """# Audit

The audit counted again: in 2022 the output of LINE-9 was 1,590 wafers and in 2023 1,730 wafers.
"""


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("forecast")
    embedder = WordEmbedder()  # a forecast reads tables and texts, not vectors
    knowledge = KnowledgeBase(folder / "data", embedder.digest)
    ingestion = Ingestion(
        knowledge,
        embedder,
        Chunker(embedder.count, embedder.window),
        ChunkEnricher(BuiltinLLM(), BuiltinLLM()),
        parse_in_worker,
        scratch=folder / "scratch",
    )
    for name, text in (
        ("approvals.md", APPROVALS),
        ("output.md", OUTPUT),
        ("audit.md", AUDIT),
        ("recount.csv", RECOUNT),
    ):
        (folder / name).write_text(text, "utf-8")
    for path in (
        *(fab / name for name in FILES),
        *(folder / n for n in ("approvals.md", "output.md", "audit.md", "recount.csv")),
    ):
        for _ in ingestion.ingest(path):
            pass
    yield knowledge
    knowledge.close()
