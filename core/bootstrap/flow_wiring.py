"""Puts the steps of a question together."""

from collections.abc import Callable, Sequence
from pathlib import Path

from core.answering.aggregate import Aggregator
from core.answering.answer import Synthesiser
from core.answering.answer_checking import AnswerChecker
from core.answering.knowledge_loop import KnowledgeLoop
from core.answering.known_corrections import KnownCorrections
from core.answering.library_overview import LibraryOverview
from core.answering.part_worker import PartWorker
from core.answering.second_round import SecondRound
from core.answering.sufficiency import Sufficiency
from core.answering.understand import Understander
from core.answering.verified_recall import Recaller
from core.bootstrap.model_wiring import fact_reranker_of, reranker_of
from core.domain import Plan, Scope
from core.errors import SettingsError
from core.flow.nodes import Nodes
from core.flow.viewpoints_step import council_over
from core.forecast.forecaster import Forecaster
from core.knowledge.base import KnowledgeBase
from core.learning.usefulness_prior import LearntReranker
from core.llm.builtin import BuiltinLLM
from core.llm.builtin.questions.corrected_values import repeats_corrected_value
from core.llm.builtin.questions.equivalent_questions import are_equivalent
from core.llm.builtin.understand.understand_rule import asks, built_alike, kind_of
from core.llm.call_log import ContextCallLog
from core.ports import LLM, Embedder, Emit, Reranker
from core.retrieval.direct_lookup import DirectLookup
from core.retrieval.gatherer import Gatherer
from core.retrieval.hybrid_retriever import HybridRetriever
from core.retrieval.search_cache import CachingReranker, CachingRetriever, SearchCache
from core.retrieval.windows import question_vector
from core.settings import Settings
from core.text.vocabulary import OWN_FILE, Vocabulary, vocabulary_of

SIMPLE_PASSAGES = 6  # passages of a simple question a model reads: each costs it a second on a laptop
Compose = Callable[[LLM, Emit], Nodes]


def without_events(compose: Compose, llm: LLM) -> Callable[[], Nodes]:
    """Return a factory of nodes whose events are dropped."""
    return lambda: compose(llm, lambda event: None)


def flow(
    settings: Settings,
    library: KnowledgeBase,
    embedder: Embedder,
    rules: LLM | None = None,
    memory: SearchCache | None = None,
) -> Compose:
    """Return a factory of one run's nodes, given its model and the receiver of its events.

    `rules` write table queries, judge what they can, and check the facts of perspectives; none: new ones.
    """
    rules = rules or BuiltinLLM(embedder)
    numbers = settings.retrieval
    # One for all runs: it remembers what was searched and how it was ordered.
    memory = memory or SearchCache()
    plain = HybridRetriever(library, embedder, damping=numbers.damping, cosine_threshold=numbers.min_cosine)
    retriever = CachingRetriever(plain, memory)

    def examples(question: str) -> tuple[Plan, ...]:
        """Return accepted plans: those of questions built alike first, then those nearest in meaning."""
        accepted = library.learned.plans.list()
        if not accepted:
            return ()
        near = library.learned.plans.nearest(question_vector(question, embedder), settings.plan.examples)
        alike = built_alike(question, [one.plan for one in accepted])
        return tuple(dict.fromkeys((*alike, *(one.plan for one, _ in near))))

    def compose(llm: LLM, emit: Emit) -> Nodes:
        log = ContextCallLog()
        llm, judge = log.around(llm), log.around(rules)
        remembering = CachingReranker(reranker_of(settings.rerank, library, embedder), library, memory)
        reranker = learnt_reranker(remembering, library, numbers.feedback_weight)
        facts = fact_reranker_of(settings.rerank, library, embedder)
        gatherer = Gatherer(
            retriever,
            library,
            reranker,
            llm,
            candidates=numbers.candidates,
            keyword=numbers.keyword,
            semantic=numbers.semantic,
            reranked=numbers.reranked,
            rules=judge,
            facts=facts
            and learnt_reranker(CachingReranker(facts, library, memory), library, numbers.feedback_weight),
            vocabulary=_vocabulary(settings.store.path),  # read anew: a reader may have changed it
        )
        return Nodes(
            emit=log.recording(emit),
            call_log=log,
            understander=Understander(
                llm,
                judge,
                library,
                gatherer.term_mapper,
                retriever.snapshots,
                settings.plan.most,
                asks=asks,
                kind_of=kind_of,
                examples=examples,
                plans_loop=settings.ollama_host() is None,
            ),
            directory=DirectLookup(library, retriever),
            overview=LibraryOverview(library),
            gatherer=gatherer,
            worker=PartWorker(gatherer, llm, judge, writes=settings.ollama_host() is not None),
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
            aggregator=Aggregator(
                library,
                reranker,
                most=numbers.evidence,
                reading=numbers.reading if settings.ollama_host() else None,
            ),
            sufficiency=Sufficiency(library, numbers.min_cosine),
            synthesiser=Synthesiser(llm, SIMPLE_PASSAGES if settings.ollama_host() else 0),
            checker=AnswerChecker(llm, judge, KnownCorrections(library, repeats_corrected_value)),
            extender=SecondRound(lambda text: retriever.search(text, numbers.candidates, Scope())),
            forecaster=Forecaster(library, judge, llm if settings.ollama_host() else None),
            council=council_over(llm, library, retriever),
            second_round=settings.plan.second_round,
            effort=settings.plan.effort,
            recaller=Recaller(library, are_equivalent),
        )

    return compose


def _vocabulary(folder: Path) -> Vocabulary:
    """Return the words of the library's trade. Raises SettingsError for a file that cannot be read."""
    try:
        return vocabulary_of(folder)
    except ValueError as error:
        raise SettingsError(str(error), hint=f"Mend {folder / OWN_FILE}, or take it away.") from error


def learnt_reranker(inner: Reranker, library: KnowledgeBase, most: float) -> LearntReranker:
    """Return the reranker that also uses what readers said of passages."""

    def tags(chunk_ids: Sequence[str]) -> dict[str, Sequence[str]]:
        return {chunk: [tag.name for tag in library.tags(chunk)] for chunk in chunk_ids}

    return LearntReranker(inner, library.learned.usefulness.of, tags, most)
