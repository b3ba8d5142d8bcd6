"""What the ingestion measurements share: an embedder with a clock, and the ordinary way into a library."""

import time
from collections.abc import Sequence
from pathlib import Path

from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunker import Chunker
from core.ingest.ingestion import Ingestion
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from core.llm.encoders.embedders import PackagedEmbedder
from core.ports import Embedder, Encoded, Vectors


class TimedEmbedder(PackagedEmbedder):
    """The packaged embedder, with the seconds spent in it."""

    seconds = 0.0

    def embed(self, texts: Sequence[str]) -> Vectors:
        start = time.perf_counter()
        vectors = super().embed(texts)
        self.seconds += time.perf_counter() - start
        return vectors

    def encode(self, texts: Sequence[str]) -> Encoded:
        start = time.perf_counter()
        encoded = super().encode(texts)
        self.seconds += time.perf_counter() - start
        return encoded


class Clock:
    """Seconds between laps."""

    def __init__(self) -> None:
        self.start = self.last = time.perf_counter()
        self.laps: dict[str, float] = {}

    @property
    def total(self) -> float:
        return self.last - self.start

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name], self.last = now - self.last, now


def way_in(library: Path, embedder: Embedder) -> Ingestion:
    """Open a library in the folder, with the parts and numbers of the app. The caller closes `.knowledge`."""
    return Ingestion(
        KnowledgeBase(library, embedder.digest),
        embedder,
        Chunker(embedder.count, embedder.window, count_many=embedder.count_many),
        ChunkEnricher(BuiltinLLM(), BuiltinLLM()),
        parse_in_worker,
        scratch=library / "scratch",
    )
