"""Puts the steps of a question together."""

from collections.abc import Callable, Sequence

from core.answering.aggregate import Aggregator
from core.answering.answer import Synthesiser
from core.answering.extend import Extender
from core.answering.follow_up import FollowUpReader
from core.answering.gate import Gatekeeper
from core.answering.knowledge_loop import KnowledgeLoop
from core.answering.plan import Planner
from core.answering.review import Verifier
from core.answering.route import Router
from core.answering.sufficiency import Sufficiency
from core.answering.verified_recall import Recaller
from core.answering.work import Worker
from core.bootstrap.model_wiring import reranker_of
from core.domain import Plan
from core.flow.nodes import Nodes
from core.flow.perspectives import council_over
from core.forecast.forecaster import Forecaster
from core.knowledge.base import KnowledgeBase
from core.learning.usefulness_prior import LearntReranker
from core.llm.extractive.planning import lessons
from core.ports import LLM, Embedder, Reranker, Tell
from core.retrieval.direct_lookup import Directory
from core.retrieval.gatherer import Gatherer
from core.retrieval.search_cache import Memory, RememberingReranker, RememberingRetriever
from core.settings import Settings

Compose = Callable[[LLM, Tell], Nodes]


def flow(settings: Settings, library: KnowledgeBase, embedder: Embedder, rules: LLM | None = None) -> Compose:
    """Return what builds the nodes of one run around its model and its listener.

    `rules` check the facts of perspectives, which are read beside ideas; none: the model does.
    """
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
        reranker = reranker_of(settings.rerank, library, embedder, llm)
        if settings.rerank.backend != "listwise":  # which asks the model: its replies are kept one by one
            reranker = RememberingReranker(reranker, library, memory)
        reranker = learnt_reranker(reranker, library, numbers.learnt)
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
            verifier=Verifier(llm),
            extender=Extender(llm),
            forecaster=Forecaster(library),
            council=council_over(llm, library, retriever),
            fact_checker=Verifier(rules) if rules is not None else None,
            second_round=settings.plan.second_round,
            recaller=Recaller(library),
        )

    return compose


def learnt_reranker(inner: Reranker, library: KnowledgeBase, most: float) -> LearntReranker:
    """Return the reranker that also heeds what readers said of passages."""

    def tags(chunk_ids: Sequence[str]) -> dict[str, Sequence[str]]:
        return {chunk: [tag.name for tag in library.tags(chunk)] for chunk in chunk_ids}

    return LearntReranker(inner, library.learned.usefulness.of, tags, most)
