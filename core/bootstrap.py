"""Builds the house from settings; the only module that names implementations."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.assistant import Assistant
from core.domain import Parsed
from core.errors import SettingsError
from core.flow.convening import council_over
from core.flow.nodes import Nodes
from core.forecast.forecaster import Forecaster
from core.ingest.chunker import Chunker
from core.ingest.distiller import Distiller
from core.ingest.ingestion import Ingestion
from core.ingest.limits import Limits
from core.ingest.sandbox import parse_in_worker
from core.knowledge.base import KnowledgeBase
from core.llm.budget import Budget, BudgetedLLM
from core.llm.cache import CachedLLM
from core.llm.embedders import PackagedEmbedder, SentenceTransformerEmbedder
from core.llm.extractive import ExtractiveLLM
from core.llm.fallback import FallbackLLM
from core.llm.ollama import OllamaLLM
from core.llm.ollama_embedder import OllamaEmbedder
from core.llm.rerankers import (
    CrossEncoderReranker,
    LateInteractionReranker,
    ListwiseReranker,
    NoReranker,
)
from core.ports import LLM, Embedder, Reranker, Tell
from core.settings import LLMSettings, RerankSettings, Settings, unknown_names
from core.steps.aggregator import Aggregator
from core.steps.direct import Directory
from core.steps.exporter import Exporter
from core.steps.extender import Extender
from core.steps.follow_up import FollowUpReader
from core.steps.gate import Gatekeeper
from core.steps.gatherer import Gatherer
from core.steps.illustrator import Illustrator
from core.steps.loop import KnowledgeLoop
from core.steps.planner import Planner
from core.steps.remembering import RememberingRetriever
from core.steps.router import Router
from core.steps.sufficiency import Sufficiency
from core.steps.suggester import Suggester
from core.steps.synthesiser import Synthesiser
from core.steps.verifier import Verifier
from core.steps.worker import Worker
from core.tasks import Role
from core.work.health import Doctor, Setting
from core.work.jobs import JobRunner
from core.work.runs import Runner

Compose = Callable[[LLM, Tell], Nodes]


@dataclass(frozen=True)
class Engine:
    """What does the tasks: with Ollama behind it, or the built-in rules alone."""

    llm: LLM
    plain: LLM
    ollama: OllamaLLM | None = None

    def roles(self) -> dict[str, str]:
        """Return the model of each role. Raises LLMError where the server does not answer."""
        if self.ollama is None:
            return {}
        return {str(role): model for role, model in self.ollama.server.choose(self.ollama.models).items()}


def build(settings: Settings, *, warm: bool = True) -> Assistant:
    """Return the assistant over the library in the settings' folder.

    Nothing heavy is loaded here: the embedder's weights come with its first use; `warm` lets a thread load
    them ahead of it.
    Raises SettingsError, LibraryBusy or KnowledgeError.
    """
    embedder = _embedder(settings)
    library = KnowledgeBase(settings.store.path, embedder.digest, settings.store.chroma_url)
    engine = _engine(settings, library)
    compose = flow(settings, library, embedder)
    budget = Budget(settings.budget.calls, settings.budget.tokens, settings.budget.seconds)
    runner = Runner(
        library.runs,
        limit=lambda stop: BudgetedLLM(engine.llm, budget, stop),
        plain=engine.plain,
        compose=compose,
        holdings=lambda: _holdings(library),
    )
    queue = JobRunner(
        library, _ingestion(settings, library, embedder, engine.llm), workers=settings.ingest.workers
    )
    warming = threading.Thread(target=embedder.embed, args=(["warm up"],), name="warm-up", daemon=True)
    if warm:
        warming.start()

    def close() -> None:
        if warm:
            warming.join()
        library.close()

    return Assistant(
        library=library,
        runner=runner,
        queue=queue,
        doctor=Doctor(
            library=library,
            server=engine.ollama.server if engine.ollama else None,
            roles=engine.roles,
            embedder=embedder.name,
            reranker=settings.rerank.backend,
            settings=effective(settings),
            unknown=unknown_names,
            folder=str(settings.store.path.resolve()),
        ),
        illustrator=Illustrator(library),
        exporter=Exporter(),
        suggester=Suggester(library),
        nodes=lambda tell: compose(engine.llm, tell),
        closing=close,
    )


def flow(settings: Settings, library: KnowledgeBase, embedder: Embedder) -> Compose:
    """Return what builds the nodes of one run around its model and its listener."""
    numbers = settings.retrieval
    # One for all runs: it remembers what was searched.
    retriever = RememberingRetriever(library, embedder, damping=numbers.damping, minimum=numbers.minimum)

    def compose(llm: LLM, tell: Tell) -> Nodes:
        reranker = _reranker(settings.rerank, library, embedder, llm)
        gatherer = Gatherer(
            retriever,
            library,
            reranker,
            llm,
            candidates=numbers.candidates,
            keyword=numbers.keyword,
            semantic=numbers.semantic,
            reranked=numbers.reranked,
        )
        return Nodes(
            tell=tell,
            follow_up=FollowUpReader(llm),
            router=Router(llm, library),
            gatekeeper=Gatekeeper(llm),
            planner=Planner(llm, most=settings.plan.most),
            directory=Directory(library, retriever),
            gatherer=gatherer,
            worker=Worker(gatherer, llm),
            loop=KnowledgeLoop(
                llm,
                library,
                retriever,
                rounds=settings.loop.rounds,
                proposals=settings.loop.proposals,
                top_k=settings.loop.top_k,
                threshold=settings.loop.threshold,
                exploration=settings.loop.exploration,
            ),
            aggregator=Aggregator(library, reranker, most=numbers.evidence),
            sufficiency=Sufficiency(library, numbers.minimum),
            synthesiser=Synthesiser(llm),
            verifier=Verifier(llm),
            extender=Extender(llm),
            forecaster=Forecaster(library),
            council=council_over(llm, library, retriever),
            second_round=settings.plan.second_round,
        )

    return compose


def effective(settings: Settings) -> tuple[Setting, ...]:
    """Return every knob with the value in effect and its default."""
    return tuple(
        Setting(
            name=f"STRATA_{group.upper()}__{knob.upper()}",
            value=str(getattr(getattr(settings, group), knob)),
            default=str(field.get_default(call_default_factory=True)),
            description=field.description or "",
        )
        for group in type(settings).model_fields
        for knob, field in type(getattr(settings, group)).model_fields.items()
    )


def _engine(settings: Settings, library: KnowledgeBase) -> Engine:
    plain = ExtractiveLLM()
    host = settings.ollama_host()
    if host is None:
        return Engine(plain, plain)
    numbers = settings.llm
    ollama = OllamaLLM(
        host,
        _models(numbers),
        num_ctx=numbers.num_ctx,
        num_predict=numbers.num_predict,
        temperature=numbers.temperature,
        seed=numbers.seed,
        keep_alive=numbers.keep_alive,
        connect_timeout=numbers.connect_timeout,
        load_timeout=numbers.load_timeout,
        gap_timeout=numbers.gap_timeout,
        parallel=numbers.parallel,
        retries=numbers.retries,
    )
    return Engine(FallbackLLM(CachedLLM(ollama, library.cache, ollama.version), plain), plain, ollama)


def _models(numbers: LLMSettings) -> dict[Role, str]:
    named: dict[Role, str | None] = {
        "routing": numbers.routing,
        "extraction": numbers.extraction,
        "generation": numbers.generation,
        "vision": numbers.vision,
    }
    return {role: model for role, model in named.items() if model}


def _embedder(settings: Settings) -> Embedder:
    model = settings.embedding.model
    match settings.embedding.backend:
        case "packaged":
            return PackagedEmbedder(bf16=_computes_bf16())
        case "sentence-transformers":
            return SentenceTransformerEmbedder(_named(model), batch=settings.embedding.batch)
        case "ollama":
            host = settings.ollama_host()
            if host is None:
                raise SettingsError("STRATA_EMBEDDING__BACKEND is ollama, but no host is set.")
            return OllamaEmbedder(host, _named(model))


def _named(model: str | None) -> str:
    if model is None:
        raise SettingsError("STRATA_EMBEDDING__MODEL is not set; this embedding backend needs it.")
    return model


def _computes_bf16() -> bool | None:
    """Return whether the processor computes in bfloat16, without torch, which takes seconds to load."""
    flags = Path("/proc/cpuinfo")
    return " avx512_bf16" in flags.read_text("utf-8") if flags.is_file() else None


def _reranker(settings: RerankSettings, library: KnowledgeBase, embedder: Embedder, llm: LLM) -> Reranker:
    match settings.backend:
        case "late-interaction":
            return LateInteractionReranker(embedder, library.tokens)
        case "cross-encoder":
            if settings.model is None:
                raise SettingsError("STRATA_RERANK__MODEL is not set; a cross-encoder needs it.")
            return CrossEncoderReranker(settings.model)
        case "listwise":
            return ListwiseReranker(llm)
        case "none":
            return NoReranker()


def _ingestion(settings: Settings, library: KnowledgeBase, embedder: Embedder, llm: LLM) -> Ingestion:
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


def _holdings(library: KnowledgeBase) -> str:
    counts = library.counts()
    return f"{counts.get('documents', 0)} documents, {counts.get('chunks', 0)} chunks"
