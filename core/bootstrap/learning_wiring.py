"""Puts learning together: feedback, self-update and self-test over one library."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path

import core.llm
from core.answering.grounding import Grounder
from core.assistant.learning import Learning
from core.bootstrap.flow_wiring import Compose, without_events
from core.bootstrap.model_wiring import Engine
from core.domain import BUILT_IN, Passage, Report, Sentence
from core.flow.background_question import BackgroundAsker
from core.knowledge.base import KnowledgeBase
from core.learning.apply_changes import ChangeApplier
from core.learning.change_drafts import Drafter
from core.learning.effects import Effects
from core.learning.feedback import Learner
from core.learning.gap_finder import Backlog
from core.learning.self_update import Updater
from core.learning.selftest import SelfTester
from core.learning.tag_classes import TagClassifier
from core.learning.training_workspace import TrainingWorkspace
from core.llm.budget import Budget, BudgetedLLM
from core.llm.builtin import BuiltinLLM
from core.llm.fallback import FallbackLLM
from core.ports import LLM, Embedder
from core.settings import Settings
from core.work.runs.background_reasking import Reasker

EXTRA_PASSAGES = 5  # passages looked for beyond those of a run


def learning_of(
    settings: Settings,
    library: KnowledgeBase,
    embedder: Embedder,
    engine: Engine,
    compose: Compose,
    *,
    training_workspace: TrainingWorkspace,
    background: bool,
    asking: Callable[[], bool] = lambda: True,
    beside: Learning | None = None,
) -> Learning:
    """Return the learning side; with `background`, it measures, and asks again as long as `asking` says
    so, on its own thread; `beside` another it measures on that one's."""
    numbers = settings.budget

    def limit(seconds: float, stop: threading.Event) -> LLM:
        return BudgetedLLM(engine.llm, Budget(numbers.calls, numbers.tokens, seconds), stop)

    nodes = without_events(compose, engine.llm)

    def search(text: str, most: int) -> Sequence[Passage]:
        return nodes().gatherer.search(text, most)

    def ground(question: str, text: str, passages: Sequence[Passage]) -> tuple[Sentence, ...]:
        return Grounder(nodes().checker).ground(question, text, passages)

    def by_itself(question: str, count: int) -> Sequence[Passage]:
        return nodes().gatherer.search(question, count, without=("atom",))

    quiet = BackgroundAsker(limit, compose)
    effects = Effects(library, lambda question, seconds: quiet.ask(question, seconds=seconds))
    learner = Learner(
        library,
        Drafter(library, ground, lambda text: search(text, EXTRA_PASSAGES)),
        ChangeApplier(library, embedder),
        effects,
    )
    backlog = Backlog(library)
    updater = Updater(library, learner, backlog)
    reasker = Reasker(library, updater, quiet, seconds=numbers.seconds, by_itself=asking)
    learner = replace(learner, later=(beside.reasker if beside else reasker).later)
    updater = replace(updater, learner=learner)

    def ask(question: str) -> Report:
        return quiet.ask(question, seconds=numbers.seconds, verified=False)

    tester = SelfTester(library, by_itself, ask, fingerprint(settings, embedder, engine))
    if background:
        reasker.start()
    sorting: LLM = BuiltinLLM(embedder)  # terms are alike by their vectors
    namer: Callable[[], LLM] | None = None
    if engine.served is not None:
        sorting = FallbackLLM(engine.served, sorting)
        budget = Budget(numbers.calls, numbers.tokens, numbers.seconds)
        namer = partial(BudgetedLLM, engine.served, budget)
    return Learning(
        library,
        learner,
        updater,
        backlog,
        tester,
        reasker,
        training_workspace,
        gatherer=lambda: nodes().gatherer,
        tag_classes=TagClassifier(
            library,
            sorting,
            search,
            namer=namer,
        ),
    )


def fingerprint(settings: Settings, embedder: Embedder, engine: Engine) -> Callable[[], Mapping[str, str]]:
    """Return a function that gives what a self-test's scores depend on, as it is set when called.

    Keys: chunking, embedder, search, reranker, model, prompts.
    """

    def relevant_settings() -> dict[str, str]:
        ingest, retrieval = settings.ingest, settings.retrieval
        models = engine.roles()
        return {
            "chunking": f"{ingest.target_tokens} to {ingest.max_tokens} tokens",
            "embedder": f"{embedder.name} {embedder.digest[:8]}",
            "search": f"{retrieval.candidates} candidates, damping {retrieval.damping}",
            "reranker": " ".join(filter(None, (settings.rerank.backend, settings.rerank.model))),
            "model": ", ".join(f"{role} {name}" for role, name in sorted(models.items())) or BUILT_IN,
            "prompts": prompts_digest() if models else "built-in rules",
        }

    return relevant_settings


@cache
def prompts_digest() -> str:
    """Return the digest of every prompt there is."""
    digest = blake2b(digest_size=4)
    for path in sorted((Path(core.llm.__path__[0]) / "prompts").rglob("*.md")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
