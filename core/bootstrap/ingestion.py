"""Puts ingestion together: limits, parser processes, chunker, distiller."""

from pathlib import Path

from core.domain import Parsed
from core.ingest.chunker import Chunker
from core.ingest.distiller import Distiller
from core.ingest.ingestion import Ingestion
from core.ingest.limits import Limits
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.ports import LLM, Embedder
from core.settings import Settings


def ingestion_of(settings: Settings, library: KnowledgeBase, embedder: Embedder, llm: LLM) -> Ingestion:
    numbers = settings.ingest
    limits = Limits(
        seconds=numbers.seconds,
        memory_mb=numbers.memory_mb,
        file_mb=numbers.file_mb,
        pages=numbers.pages,
        pixels=numbers.pixels,
        unpacked_mb=numbers.unpacked_mb,
        nesting=numbers.nesting,
    )

    def parse(path: Path, name: str) -> Parsed:
        return parse_in_worker(path, name, limits)

    return Ingestion(
        library,
        embedder,
        Chunker(
            embedder.count, embedder.window, numbers.target_tokens, numbers.max_tokens, embedder.count_many
        ),
        # Threads help where a server answers; they only slow the built-in engine.
        Distiller(llm, parallel=settings.llm.parallel if settings.ollama_host() else 1),
        parse,
        scratch=settings.store.path / "scratch",
    )
