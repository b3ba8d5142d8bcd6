"""Chooses the model, the embedder and the reranker the settings name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from core.domain import BUILT_IN
from core.errors import SettingsError
from core.knowledge.base import KnowledgeBase
from core.learning.training.proposer import TrainedProposer
from core.llm import prompting
from core.llm.builtin import BuiltinLLM
from core.llm.cache import CachedLLM, InMemoryCachedLLM
from core.llm.delegation import DelegatingLLM
from core.llm.encoders.embedders import PackagedEmbedder, SentenceTransformerEmbedder
from core.llm.encoders.fact_reranker import FactReranker
from core.llm.encoders.path_reranker import PathReranker
from core.llm.encoders.rerankers import (
    CrossEncoderReranker,
    LateInteractionReranker,
    NoReranker,
)
from core.llm.encoders.second_hop import SecondHop
from core.llm.encoders.span_extractor import packaged_reader
from core.llm.fallback import FallbackLLM
from core.llm.ollama.embedder import OllamaEmbedder
from core.ports import LLM, Embedder, ModelProbe, Reranker
from core.settings import LLMSettings, RerankSettings, Settings
from core.tasks import ModelRole, ProposeNext
from core.work.checks.model_cards import ModelChecker
from core.work.checks.role_choices import RoleChoices

if TYPE_CHECKING:
    from core.llm.ollama.client import OllamaLLM
    from core.llm.ollama.probe import Prober, Probes
    from core.llm.ollama.server import OllamaServer


@dataclass(frozen=True)
class Engine:
    """What does the tasks: with Ollama behind it, or the built-in rules alone."""

    llm: LLM
    plain: LLM
    ollama: "OllamaLLM | None" = None
    served: LLM | None = None  # Ollama behind the cache, without the rules behind it
    serving: Callable[[str], LLM] | None = None  # the same as `llm` with a model of one's choice

    def roles(self) -> dict[str, str]:
        """Return the model of each role. Raises LLMError where the server does not answer."""
        if self.ollama is None:
            return {}
        return {str(role): model for role, model in self.ollama.server.choose(self.ollama.models).items()}

    def chosen(self, model: str) -> LLM:
        """Return the engine for a question whose reader chose this model, "" for the usual one."""
        if model == BUILT_IN:
            return self.plain
        return self.serving(model) if model and self.serving is not None else self.llm

    def named(self, model: str) -> str:
        """Return the name of the engine where the reader chose this model."""
        if self.llm is self.plain:
            return BUILT_IN
        return model if model == BUILT_IN or (model and self.serving) else "model server"


def engine_of(settings: Settings, library: KnowledgeBase, embedder: Embedder) -> Engine:
    """Build the engine of the settings: model or rules, cache, fallback, a trained decomposer if named."""
    engine = _untrained(settings, library, embedder)
    trained = trained_of(settings, library)
    if trained is None:
        return engine
    serving = engine.serving
    return replace(
        engine,
        llm=DelegatingLLM(engine.llm, ProposeNext, trained),
        serving=serving and (lambda model: DelegatingLLM(serving(model), ProposeNext, trained)),
    )


def trained_of(settings: Settings, library: KnowledgeBase) -> LLM | None:
    """Return the trained decomposer the settings name (a folder here, or a model of Ollama), or None.

    Raises SettingsError for a model of Ollama where no host is set.
    """
    named = settings.llm.decomposer
    if not named:
        return None
    plain = BuiltinLLM()
    if Path(named).is_dir():
        folder = Path(named).resolve()
        name = "/".join(folder.parts[-3:-1]) if folder.name == "adapter" else folder.name
        return FallbackLLM(TrainedProposer(folder, prompting.fill, engine=name), plain)
    host = settings.ollama_host()
    if host is None:
        raise SettingsError(
            f"STRATA_LLM__DECOMPOSER is {named}: no such folder, and no Ollama host is set.",
            hint="Name the folder of an adapter, or set OLLAMA_HOST.",
        )
    numbers = settings.llm
    served = _ollama(host, numbers, {"generation": named})
    return FallbackLLM(_cached(served, library), plain, numbers.cooldown)


def model_server(settings: Settings) -> "tuple[OllamaServer | None, Callable[[], dict[str, str]]]":
    """Return the model server of the settings and what names its roles, without a library."""
    host = settings.ollama_host()
    if host is None:
        return None, dict
    engine = Engine(BuiltinLLM(), BuiltinLLM(), _ollama(host, settings.llm, role_choices(settings)))
    assert engine.ollama is not None
    return engine.ollama.server, engine.roles


def _untrained(settings: Settings, library: KnowledgeBase, embedder: Embedder) -> Engine:
    plain = InMemoryCachedLLM(BuiltinLLM(embedder, packaged_reader()))
    host = settings.ollama_host()
    if host is None:
        return Engine(plain, plain)
    numbers = settings.llm
    ollama = _ollama(host, numbers, role_choices(settings), probes_of(settings))
    served = _cached(ollama, library)

    @cache  # so that a server which is away is remembered, and calls at once are counted
    def serving(model: str) -> LLM:
        words: dict[ModelRole, str] = {role: model for role in get_args(ModelRole) if role != "vision"}
        chosen = _ollama(host, numbers, {**role_choices(settings), **words}, probes_of(settings))
        return FallbackLLM(_cached(chosen, library), plain, numbers.cooldown)

    return Engine(FallbackLLM(served, plain, numbers.cooldown), plain, ollama, served, serving)


def _cached(ollama: "OllamaLLM", library: KnowledgeBase) -> CachedLLM:
    return CachedLLM(ollama, library.cache, ollama.version, lambda: ollama.server.known)


def _ollama(
    host: str, numbers: LLMSettings, models: Mapping[ModelRole, str], probes: "Probes | None" = None
) -> "OllamaLLM":
    from core.llm.ollama.client import OllamaLLM  # its client is slow to load, and often not needed

    return OllamaLLM(
        host,
        models,
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
        probed=lambda digest: probes.find(digest) if probes else None,
    )


def probes_of(settings: Settings) -> "Probes":
    """Return the store of probes of models, in the library's folder."""
    from core.llm.ollama.probe import Probes

    return Probes(settings.store.path / "models" / "probes.json")


def prober_of(settings: Settings, server: "OllamaServer") -> "Prober":
    """Return a prober of the server's models."""
    from core.llm.ollama.probe import Prober
    from core.llm.ollama.stream import Timeouts

    numbers = settings.llm
    timeouts = Timeouts(numbers.connect_timeout, numbers.load_timeout, numbers.gap_timeout)
    return Prober(server, numbers.num_ctx, timeouts)


def checker_of(settings: Settings) -> ModelChecker | None:
    """Return a checker of served models, None where no server is set."""
    host = settings.ollama_host()
    if host is None:
        return None
    probes = probes_of(settings)

    def serving(model: str) -> "OllamaLLM":
        roles: dict[ModelRole, str] = dict.fromkeys(get_args(ModelRole), model)
        return _ollama(host, settings.llm, roles, probes)

    def probe(model: str) -> ModelProbe:
        found = prober_of(settings, serving(model).server).probe(model)
        probes.keep(found)
        return found

    return ModelChecker(settings.store.path / "models" / "cards.json", probe, serving)


def judge_of(settings: Settings, model: str) -> LLM | None:
    """Return the judge of answers: the model named, or rules; None for a model where no server is set.

    Rules never replace a model here: a judge that is away judges nothing.
    """
    if model == BUILT_IN:
        return BuiltinLLM()
    host = settings.ollama_host()
    if host is None:
        return None
    return _ollama(host, settings.llm, dict.fromkeys(get_args(ModelRole), model), probes_of(settings))


def role_choices(settings: Settings) -> RoleChoices:
    """Return which model does which role, by the settings and by what was chosen for this library."""
    numbers = settings.llm
    named: dict[ModelRole, str | None] = {
        "routing": numbers.routing,
        "extraction": numbers.extraction,
        "generation": numbers.generation,
        "vision": numbers.vision,
    }
    found = {role: model for role, model in named.items() if model}
    return RoleChoices(settings.store.path / "models" / "roles.json", found)


def embedder_of(settings: Settings) -> Embedder:
    """Build the embedder the settings name. Raises SettingsError where its host or model is not set."""
    model = settings.embedding.model
    match settings.embedding.backend:
        case "packaged":
            return PackagedEmbedder()
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


def fact_reranker_of(settings: RerankSettings, library: KnowledgeBase, embedder: Embedder) -> Reranker | None:
    """Return the reranker for plain facts; None where one is set for all questions."""
    if settings.backend not in ("late-interaction", "learnt-path"):
        return None
    return FactReranker(embedder, library.tokens, library)


def reranker_of(settings: RerankSettings, library: KnowledgeBase, embedder: Embedder) -> Reranker:
    """Build the reranker the settings name. Raises SettingsError where a cross-encoder has no model."""

    def hops(chunks: Sequence[str]) -> Mapping[tuple[str, str], tuple[float, str]]:
        return library.hops(chunks)

    match settings.backend:
        case "late-interaction":  # chooses passages one by one, and hops while it does
            return LateInteractionReranker(embedder, library.tokens, hops=hops)
        case "learnt-path":
            return PathReranker(LateInteractionReranker(embedder, library.tokens, hops=hops), library)
        case "cross-encoder":
            if settings.model is None:
                raise SettingsError("STRATA_RERANK__MODEL is not set; a cross-encoder needs it.")
            return SecondHop(CrossEncoderReranker(settings.model), hops)
        case "none":
            return SecondHop(NoReranker(), hops)
