"""Builds the house from settings; the only package that names implementations."""

import threading

from core.assistant import Assistant
from core.bootstrap.engines import embedder_of, engine_of
from core.bootstrap.ingestion import ingestion_of
from core.bootstrap.steps import flow as flow
from core.knowledge.base import KnowledgeBase
from core.llm.budget import Budget, BudgetedLLM
from core.settings import Settings, unknown_names
from core.steps.exporter import Exporter
from core.steps.illustrator import Illustrator
from core.steps.suggester import Suggester
from core.work.health import Doctor, Setting
from core.work.jobs import JobRunner
from core.work.runs import Runner


def build(settings: Settings, *, warm: bool = True) -> Assistant:
    """Return the assistant over the library in the settings' folder.

    Nothing heavy is loaded here: the embedder's weights come with its first use; `warm` lets a thread load
    them ahead of it.
    Raises SettingsError, LibraryBusy or KnowledgeError.
    """
    embedder = embedder_of(settings)
    library = KnowledgeBase(settings.store.path, embedder.digest, settings.store.chroma_url)
    engine = engine_of(settings, library)
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
        library, ingestion_of(settings, library, embedder, engine.llm), workers=settings.ingest.workers
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


def _holdings(library: KnowledgeBase) -> str:
    counts = library.counts()
    return f"{counts.get('documents', 0)} documents, {counts.get('chunks', 0)} chunks"
