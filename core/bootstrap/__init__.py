"""Builds the assistant from settings; the only package that names implementations."""

from collections.abc import Callable

from core.accounts.sign_in_policy import SignInPolicy
from core.answering.suggestions import Suggester
from core.assistant import Admin, Assistant, Library, Questions
from core.bootstrap.access_findings import access_findings
from core.bootstrap.flow_wiring import Compose, without_events
from core.bootstrap.flow_wiring import flow as flow
from core.bootstrap.ingest_wiring import background_enrichment_of, cluster_of, ingestion_of, mappings_of
from core.bootstrap.learning_wiring import learning_of
from core.bootstrap.library_wiring import findings, open_library
from core.bootstrap.model_wiring import Engine, checker_of, engine_of, role_choices
from core.bootstrap.person_wiring import MakeRunner, PersonalAssistants, SharedParts
from core.bootstrap.training_wiring import training_workspace_of
from core.bootstrap.warm_up import WarmUp
from core.evaluation.retrieval_scores import evaluator_of
from core.export.page_image import Illustrator
from core.export.run_export import Exporter
from core.i18n.messages import mark
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.activity.audit import AuditStore
from core.learning.apply_changes import ChangeApplier
from core.llm.budget import Budget, BudgetedLLM
from core.llm.builtin.questions.similar_questions import SimilarQuestions
from core.retrieval.gatherer import Gatherer
from core.settings import Settings, unknown_names
from core.work.checks.answer_records import AnswerRecords
from core.work.checks.evaluation_records import EvaluationRecords
from core.work.checks.evaluations import Evaluator
from core.work.checks.health import SAMPLE_PASSAGES, Doctor, Setting, wrong
from core.work.jobs.job_queue import JobQueue
from core.work.runs.runner import Runner
from core.work.upkeep.chunk_editing import ChunkEditor
from core.work.upkeep.rereading import Rereading
from core.work.upkeep.store_rebuild import changes_again
from core.work.upkeep.trash import Trash


def build(settings: Settings, *, warm: bool = True) -> Assistant:
    """Return the assistant over the library in the settings' folder.

    Nothing heavy is loaded here: the embedder's weights come with its first use, or with `warm_up`. `warm`
    lets the workers run that look for work by themselves.
    Raises SettingsError, LibraryBusy or KnowledgeError.
    """
    opened = open_library(settings)
    library, embedder = opened.library, opened.embedder
    engine = engine_of(settings, library, embedder)
    compose = flow(settings, library, embedder, engine.plain)
    runner_of = _runners(settings, engine, lambda hidden: queue.coming(hidden))
    runner = runner_of(library, compose, frozenset(), None)
    gate, audit = SignInPolicy(settings), AuditStore(settings.store.path)
    people = PersonalAssistants(SharedParts(settings, library, embedder, engine, runner_of, audit), gate)
    cluster = cluster_of(settings)
    ingestion = ingestion_of(settings, library, embedder, engine.llm, engine.plain, cluster)
    queue = JobQueue(
        library,
        ingestion,
        workers=settings.scale.at_once if cluster else settings.ingest.workers,
        teach_again=lambda: changes_again(library, ChangeApplier(library, embedder)),
    )
    reembedding = (
        opened.change(lambda act: _idle(library) and queue.when_idle(act)) if opened.change else None
    )
    if warm and reembedding is not None:
        reembedding.start()
    background_enrichment = background_enrichment_of(
        settings,
        library,
        ingestion,
        engine,
        busy=lambda: not _idle(library) or queue.reading(),
        background=warm,
    )
    warming = WarmUp(embedder)

    steps = without_events(compose, engine.llm)

    def gatherer() -> Gatherer:
        return steps().gatherer

    evaluator = Evaluator(
        lambda: evaluator_of(gatherer()),
        EvaluationRecords(settings.store.path / "evaluations"),
    )

    learning = learning_of(
        settings,
        library,
        embedder,
        engine,
        compose,
        training_workspace=training_workspace_of(settings),
        background=warm,
        asking=lambda: not gate.demanded(),
    )

    def close() -> None:
        people.close()
        audit.close()
        for worker in (evaluator, background_enrichment, reembedding):
            if worker is not None:
                worker.close()
        warming.join()
        if cluster is not None:
            cluster.close()
        library.close()

    rereading = Rereading(library, queue)
    doctor = Doctor(
        findings=lambda: [*wrong(library.check()), *access_findings(settings.store.path)],
        counts=library.counts,
        server=engine.ollama.server if engine.ollama else None,
        roles=engine.roles,
        embedder=lambda: embedder.name,
        english_only=lambda: embedder.english_only,
        indexing=lambda: findings(opened, reembedding),
        reranker=settings.rerank.backend,
        settings=effective(settings),
        unknown=unknown_names,
        folder=str(settings.store.path.resolve()),
        texts=lambda: library.sample_texts(SAMPLE_PASSAGES),
        coming=queue.coming,
        earlier=lambda: len(rereading.earlier().ready),
        cluster=cluster.check if cluster else None,
    )
    alike = SimilarQuestions(embedder).alike
    whole = Assistant(
        library=Library(
            library,
            queue,
            Illustrator(library),
            Suggester(library, alike),
            mappings_of(settings),
            reembedding,
            gatherer,
            Trash(library, queue),
            ChunkEditor(library, ingestion, embedder),
            rereading,
            background_enrichment,
        ),
        questions=Questions(runner, library.runs, Exporter(), steps),
        learning=learning,
        admin=Admin(
            library,
            doctor,
            evaluator,
            gatherer,
            AnswerRecords(settings.store.path / "evaluations" / "answers"),
            role_choices(settings),
            checker_of(settings),
        ),
        closing=close,
        people=lambda person: people.assistant(whole, person),
        warm_up=warming.begin,
    )
    return whole


def _runners(settings: Settings, engine: Engine, coming: Callable[[frozenset[str]], int]) -> MakeRunner:
    """Return a factory of runners: for a whole library, or for one person's view of it."""
    budget = Budget(settings.budget.calls, settings.budget.tokens, settings.budget.seconds)

    def runner_of(
        seen: KnowledgeBase, compose: Compose, hidden: frozenset[str], beside: Runner | None
    ) -> Runner:
        return Runner(
            seen.runs,
            limit=lambda stop, model: BudgetedLLM(engine.chosen(model), budget, stop),
            plain=engine.plain,
            compose=compose,
            overview=lambda: _overview(seen),
            coming=lambda: coming(hidden),
            generation=seen.generation,
            made_with=lambda model: _made_with(settings, engine.named(model)),
            beside=beside,
        )

    return runner_of


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


HOLDINGS = mark("documents: {documents}, chunks: {chunks}")
# Groups of settings that shape an answer, and the settings in them that do not: addresses and waiting times.
SHAPING = ("llm", "embedding", "rerank", "retrieval", "loop", "plan")
PLUMBING = (
    "HOST",
    "PARALLEL",
    "RETRIES",
    "KEEP_ALIVE",
    "CONNECT_TIMEOUT",
    "LOAD_TIMEOUT",
    "GAP_TIMEOUT",
    "BATCH",
)


def _made_with(settings: Settings, engine: str) -> dict[str, str]:
    """Return what an answer depends on beside library and question: the engine, and changed settings."""
    changed: dict[str, str] = {}
    for knob in effective(settings):
        group, name = knob.name.removeprefix("STRATA_").split("__")
        if knob.value != knob.default and group.lower() in SHAPING and name not in PLUMBING:
            changed[knob.name] = knob.value
    return {"engine": engine, **changed}


def _idle(library: KnowledgeBase) -> bool:
    """Say whether no question is being answered."""
    return not library.runs.interrupted()  # not those begun last: clocks are set back


def _overview(library: KnowledgeBase) -> str:
    counts = library.counts()
    return HOLDINGS.format(documents=counts.get("documents", 0), chunks=counts.get("chunks", 0))
