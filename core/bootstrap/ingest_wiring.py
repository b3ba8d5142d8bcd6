"""Puts ingestion together: limits, parser processes, chunker, enricher."""

from collections.abc import Callable, Sequence
from pathlib import Path

from core.bootstrap.model_wiring import Engine
from core.domain import Parsed
from core.errors import MalformedReply
from core.ingest.chunk_enrichment import ChunkEnricher
from core.ingest.chunker import Chunker
from core.ingest.cim_mappings import Mappings
from core.ingest.dask_cluster import Cluster
from core.ingest.ingestion import Ingestion
from core.ingest.limits import Limits
from core.ingest.parsers.fab import Mapping
from core.ingest.picture_descriptions import Describer
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.llm.builtin import BuiltinLLM
from core.llm.fallback import FallbackLLM
from core.ports import LLM, Embedder
from core.settings import Settings
from core.work.jobs.background_enrichment import BackgroundEnrichment

CHUNKS_PER_CALL = 3  # short neighbouring chunks that share a call


def background_enrichment_of(
    settings: Settings,
    library: KnowledgeBase,
    ingestion: Ingestion,
    engine: Engine,
    busy: Callable[[], bool],
    *,
    background: bool,
) -> BackgroundEnrichment | None:
    """Return the enrichment by a served model, None without one; where a reply cannot be read, the rules
    do what was asked. `background`: it begins at once."""
    if engine.served is None:
        return None
    enricher = ChunkEnricher(
        FallbackLLM(engine.served, engine.plain, cooldown=0.0, only=MalformedReply),
        engine.plain,
        classes=library.enrichment.classes,
        parallel=settings.llm.parallel,
        together=CHUNKS_PER_CALL,
    )
    background_enrichment = BackgroundEnrichment(
        library, ingestion, enricher, busy=busy, everywhere=settings.ingest.enrich
    )
    if background:
        background_enrichment.start()
    return background_enrichment


def cluster_of(settings: Settings) -> Cluster | None:
    """Return the Dask cluster of the settings; it is asked for nothing yet."""
    return Cluster(settings.scale.dask, BuiltinLLM()) if settings.scale.dask else None


def mappings_of(settings: Settings, cluster: Cluster | None = None) -> Mappings:
    """Return the library's CIM mappings; what they read is read within the limits of the settings."""
    numbers = settings.ingest
    limits = Limits(
        seconds=numbers.seconds,
        memory_mb=numbers.memory_mb,
        output_mb=numbers.output_mb,
        file_mb=numbers.file_mb,
        pages=numbers.pages,
        pixels=numbers.pixels,
        frames=numbers.frames,
        ocr_pages=numbers.ocr_pages,
        unpacked_mb=numbers.unpacked_mb,
        nesting=numbers.nesting,
        pictures=numbers.described if settings.llm.vision and settings.ollama_host() else 0,
        audio_model=str(numbers.audio_model or ""),
    )

    def read(path: Path, name: str, mappings: Sequence[Mapping]) -> Parsed:
        if cluster is not None:
            return cluster.parse(path, name, limits, mappings)
        return parse_in_worker(path, name, limits, mappings)

    return Mappings(settings.store.path / "mappings", read)


def ingestion_of(
    settings: Settings,
    library: KnowledgeBase,
    embedder: Embedder,
    llm: LLM,
    rules: LLM,
    cluster: Cluster | None = None,
) -> Ingestion:
    """Return ingestion; pictures are described by `llm`, what is read in is enriched by `rules`."""
    numbers = settings.ingest
    mappings = mappings_of(settings, cluster)
    describer = Describer(llm)

    def parse(path: Path, name: str) -> Parsed:
        return describer.describe(mappings.read(path, name, mappings.usable()))

    return Ingestion(
        library,
        embedder,
        Chunker(
            embedder.count, embedder.window, numbers.target_tokens, numbers.max_tokens, embedder.count_many
        ),
        # By rules: what a model adds, it adds in the background, where a collection is switched on for it.
        ChunkEnricher(
            rules,
            rules,
            classes=library.enrichment.classes,
            elsewhere=cluster.facts if cluster is not None else None,
        ),
        parse,
        scratch=settings.store.path / "scratch",
    )
