"""Opens the library with the embedder its vectors come from, and says which other one should take over."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from core.bootstrap.model_wiring import embedder_of
from core.errors import LLMError, SettingsError, StrataError
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.vector_index.embeddings import EmbeddingModel
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.precision import Precision
from core.ports import Embedder
from core.settings import Settings
from core.work.checks.health import HealthFinding
from core.work.upkeep.reembed import Change, Reembedding
from core.work.upkeep.serving_embedder import ServingEmbedder

UNKNOWN = "unknown"  # the digest a library is opened with while its settings' embedder cannot be loaded


@dataclass(frozen=True)
class Opened:
    """The library and what it is embedded with; `change` waits to be started where another takes over."""

    library: KnowledgeBase
    embedder: Embedder
    change: Callable[[Change], Reembedding] | None = None
    warning: str = ""


def open_library(settings: Settings, *, repairing: bool = False) -> Opened:
    """Return the library of the settings with the embedder that serves it; `repairing`: also where stores are
    missing, which are then made anew and empty.

    Raises SettingsError, LLMError (no embedder can be loaded), LibraryBusy or KnowledgeError.
    """
    wanted = embedder_of(settings)
    failure: SettingsError | LLMError | None = None
    digest = UNKNOWN
    try:
        digest = wanted.digest
    except (SettingsError, LLMError) as error:
        failure = error
        if not (settings.store.path / "catalog.sqlite").exists():
            raise
    library = KnowledgeBase(settings.store.path, digest, settings.store.chroma_url, repairing=repairing)
    try:
        return _served(settings, library, wanted, failure)
    except BaseException:
        library.close()
        raise


def _served(
    settings: Settings, library: KnowledgeBase, wanted: Embedder, failure: SettingsError | LLMError | None
) -> Opened:
    serving = library.embeddings.serving() or _model_of_existing(settings, library, wanted, failure)
    if failure is not None:
        return _without(settings, library, serving, failure)
    model = _model(settings, wanted)
    if serving.digest == model.digest or _same_weights(serving, model):
        if not library.embeddings.unfinished():
            return Opened(library, wanted)
        serving_embedder = ServingEmbedder(wanted)
        return Opened(
            library,
            serving_embedder,
            lambda rest: Reembedding(library, serving_embedder, wanted, serving, rest),
        )
    try:
        serving_embedder = ServingEmbedder(_loaded(settings, serving))
    except StrataError as error:
        library.embeddings.switch(model, whole=False)
        serving_embedder = ServingEmbedder(wanted)
        warning = (
            f"The library's vectors are of {serving.name}, which cannot be loaded ({error}). "
            f"Until those of {model.name} are made, it is searched by words."
        )
        return Opened(
            library,
            serving_embedder,
            lambda rest: Reembedding(library, serving_embedder, wanted, model, rest),
            warning,
        )
    return Opened(
        library, serving_embedder, lambda rest: Reembedding(library, serving_embedder, wanted, model, rest)
    )


def _model(settings: Settings, embedder: Embedder) -> EmbeddingModel:
    return EmbeddingModel(
        digest=embedder.digest,
        backend=settings.embedding.backend,
        model=settings.embedding.model or "",
        name=embedder.name,
    )


def _model_of_existing(
    settings: Settings, library: KnowledgeBase, wanted: Embedder, failure: StrataError | None
) -> EmbeddingModel:
    """Find out whose vectors a library holds that never wrote it down, and write it down."""
    models = [model for model in _packaged() if library.embeddings.vector_count(model.digest)]
    if failure is None:
        own = _model(settings, wanted)
        if not library.counts().get("chunks") or library.embeddings.vector_count(own.digest) or not models:
            models = [own]
    elif not models:
        raise failure
    library.embeddings.serve(models[0])
    return models[0]


def _packaged() -> list[EmbeddingModel]:
    """Return the packaged model in the precisions it may have been used in."""
    made = (PackagedEmbedder(precision=each) for each in get_args(Precision))
    return [EmbeddingModel(digest=e.digest, backend="packaged", name=e.name) for e in made]


def _same_weights(one: EmbeddingModel, other: EmbeddingModel) -> bool:
    """Say whether two differ in precision alone: the packaged model in bfloat16, int8 and float32."""
    packaged = one.backend == other.backend == "packaged"
    return packaged and one.digest.split("-")[::2] == other.digest.split("-")[::2]


def _loaded(settings: Settings, model: EmbeddingModel) -> Embedder:
    """Load the embedder a library remembers. Raises SettingsError, LLMError."""
    named = settings.embedding.model_copy(update={"backend": model.backend, "model": model.model or None})
    embedder = embedder_of(settings.model_copy(update={"embedding": named}))
    if model.backend != "packaged" and embedder.digest != model.digest:
        raise SettingsError(f"{model.name} is not the model it was when the library was made")
    return embedder


def _without(
    settings: Settings, library: KnowledgeBase, serving: EmbeddingModel, failure: SettingsError | LLMError
) -> Opened:
    """Serve with the model of the library's vectors where that of the settings cannot be loaded."""
    try:
        embedder = _loaded(settings, serving)
    except (SettingsError, LLMError):
        raise failure from None
    warning = f"{failure} Until that is mended, the library is searched with {serving.name}. {failure.hint}"
    return Opened(library, embedder, None, warning)


def findings(opened: Opened, change: Reembedding | None) -> tuple[HealthFinding, ...]:
    """Say which vectors serve where that is not simply those of the settings."""
    reported: list[HealthFinding] = []
    if opened.warning:
        reported.append(HealthFinding(severity="warning", message=opened.warning))
    serving = opened.library.embeddings.serving()
    if change is not None and serving is not None and change.job().status != "done":
        job = change.job()
        state = {"queued": "are to be made", "paused": "wait: paused", "failed": f"failed: {job.reason}"}
        made = state.get(job.status) or f"are being made, {job.done:,} of {job.total:,}"
        reported.append(
            HealthFinding(
                severity="warning" if job.status == "failed" else "note",
                message=f"The vectors of {serving.name} serve. {job.name} {made}.",
                command="strata reembed",
            )
        )
    for model in opened.library.embeddings.old():
        reported.append(
            HealthFinding(
                severity="note",
                message=f"The vectors of {model.name or model.model} serve no more and take up room.",
                command="strata reembed --drop",
            )
        )
    return tuple(reported)
