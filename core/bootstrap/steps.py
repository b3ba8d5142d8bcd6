"""Puts the steps of a question together."""

from collections.abc import Callable, Sequence

from core.bootstrap.engines import reranker_of
from core.domain import Plan, Scope
from core.flow.convening import council_over
from core.flow.nodes import Nodes
from core.forecast.forecaster import Forecaster
from core.knowledge.base import KnowledgeBase
from core.learning.usefulness import LearntReranker
from core.llm.extractive.planning import lessons
from core.ports import LLM, Embedder, Reranker, Tell
from core.settings import Settings
from core.steps.aggregator import Aggregator
from core.steps.direct import Directory
from core.steps.extender import Extender
from core.steps.follow_up import FollowUpReader
from core.steps.gate import Gatekeeper
from core.steps.gatherer import Gatherer
from core.steps.loop import KnowledgeLoop
from core.steps.planner import Planner
from core.steps.recaller import Recaller
from core.steps.remembering import Memory, RememberingReranker, RememberingRetriever
from core.steps.router import Router
from core.steps.sufficiency import Sufficiency
from core.steps.synthesiser import Synthesiser
from core.steps.verifier import Verifier
from core.steps.worker import Worker

Compose = Callable[[LLM, Tell], Nodes]


def flow(settings: Settings, library: KnowledgeBase, embedder: Embedder, rules: LLM) -> Compose:
    """Return what builds the nodes of one run around its model and its listener."""
    numbers = settings.retrieval
    # One for all runs: it remembers what was searched and how it was ordered.
    memory = Memory()
    retriever = RememberingRetriever(
        library, embedder, damping=numbers.damping, minimum=numbers.minimum, memory=memory
    )

    def examples(question: str) -> tuple[Plan, ...]:
        """Return accepted plans: those that are built like the question, and those nearest in meaning."""
        kept = library.learned.plans.list()
        if not kept:
            return ()
        near = library.learned.plans.nearest(embedder.embed([question])[0], settings.plan.examples)
        taught = lessons(question, [one.plan for one in kept])
        return tuple(dict.fromkeys((*taught, *(one.plan for one, _ in near))))

    def compose(llm: LLM, tell: Tell) -> Nodes:
        remembering = RememberingReranker(reranker_of(settings.rerank, library, embedder), library, memory)
        reranker = learnt_reranker(remembering, library, numbers.learnt)
        gatherer = Gatherer(
            retriever,
            library,
            reranker,
            llm,
            candidates=numbers.candidates,
            keyword=numbers.keyword,
            semantic=numbers.semantic,
            reranked=numbers.reranked,
            rules=rules,
        )
        return Nodes(
            tell=tell,
            follow_up=FollowUpReader(llm),
            router=Router(llm, library),
            gatekeeper=Gatekeeper(llm),
            planner=Planner(llm, most=settings.plan.most, examples=examples),
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
                one_call=settings.llm.decomposer is not None,
            ),
            aggregator=Aggregator(library, reranker, most=numbers.evidence),
            sufficiency=Sufficiency(library, numbers.minimum),
            synthesiser=Synthesiser(llm),
            verifier=Verifier(llm, rules),
            extender=Extender(lambda text: retriever.search(text, numbers.candidates, Scope())),
            forecaster=Forecaster(library),
            council=council_over(llm, library, retriever),
            second_round=settings.plan.second_round,
            recaller=Recaller(library),
        )

    return compose


def learnt_reranker(inner: Reranker, library: KnowledgeBase, most: float) -> LearntReranker:
    """Return the reranker that also heeds what readers said of passages."""

    def tags(chunk_ids: Sequence[str]) -> dict[str, Sequence[str]]:
        return {chunk: [tag.name for tag in library.tags(chunk)] for chunk in chunk_ids}

    return LearntReranker(inner, library.learned.usefulness.of, tags, most)
