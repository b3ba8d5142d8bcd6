"""The built-in engine: every task has its rule here, found by the type of the task."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from core.domain import BUILT_IN
from core.llm.builtin.answer.answering import answer, bridge
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.review_rule import review
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.classify_tags import classify
from core.llm.builtin.enrich import enrich
from core.llm.builtin.enrich.enrich_rule import name_factors
from core.llm.builtin.extract_series_rule import extract_series
from core.llm.builtin.judge_rule import judge
from core.llm.builtin.propose_rule import propose, propose_next, select
from core.llm.builtin.tables.writing import write_query
from core.llm.builtin.understand.understand_rule import understand
from core.llm.builtin.viewpoint_quotes import sort_by_viewpoint
from core.llm.encoders.span_extractor import SpanExtractor
from core.ports import Embedder, Listener, R
from core.tasks import (
    Answer,
    Bridge,
    Call,
    ClassifyTags,
    Deliberate,
    Deliberated,
    Describe,
    Described,
    Enrich,
    Examine,
    ExtractSeries,
    Judge,
    NameFactors,
    Perspectives,
    Propose,
    ProposeNext,
    Reply,
    Review,
    Select,
    Task,
    Understand,
    WriteQuery,
    Written,
)
from core.text.sentences import sentence_spans


class BuiltinLLM:
    """An LLM made of rules. With an embedder it also scores by meaning, with an extractor it finds spans."""

    def __init__(self, embedder: Embedder | None = None, extractor: SpanExtractor | None = None) -> None:
        embed = embedder.embed if embedder else None
        scorer = Scorer(Meaning(embedder), extractor)
        self._rules: dict[type[Task], Callable[[Any], Reply]] = {
            Understand: understand,
            Propose: partial(propose, scorer=scorer),
            ProposeNext: partial(propose_next, scorer=scorer),
            Select: partial(select, embed=embed),
            Bridge: partial(bridge, scorer=scorer),
            Answer: partial(answer, scorer=scorer),
            Review: partial(review, scorer=scorer),
            WriteQuery: partial(write_query, meaning=scorer.meaning),
            Enrich: enrich,
            NameFactors: name_factors,
            ClassifyTags: partial(classify, embed=embed),
            ExtractSeries: extract_series,
            Perspectives: sort_by_viewpoint,
            Deliberate: _keep_order,
            Judge: judge,
            Examine: _quote_first,
            Describe: _leave_undescribed,
        }

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task. Raises TypeError for a task without a rule, and what the listener's check raises."""
        if listener is not None:
            listener.check()
        started = time.perf_counter()
        rule = self._rules.get(type(task))
        if rule is None:
            raise TypeError(f"the built-in engine has no rule for {type(task).__name__}")
        reply = rule(task)
        if not isinstance(reply, into):
            raise TypeError(
                f"{type(task).__name__} is answered by {type(reply).__name__}, not {into.__name__}"
            )
        seconds = time.perf_counter() - started
        if task.prose and listener is not None:
            _read_out(str(getattr(reply, "text", "")), listener)
        call = Call(task=type(task).__name__, engine=BUILT_IN, seconds=seconds)
        return reply.model_copy(update={"call": call})


def _keep_order(task: Deliberate) -> Deliberated:
    """Rules propose nothing, so they have nothing to deliberate on: the order stays as it is."""
    return Deliberated(order=tuple(idea.id for idea in task.ideas))


def _quote_first(task: Examine) -> Written:
    """Quote the piece that ranks first: rules know nothing, and an examination knows no refusal."""
    return Written(text=task.evidence[0].text if task.evidence else "")


def _leave_undescribed(task: Describe) -> Described:
    """Return no text: what a picture shows is left to a model that sees."""
    return Described(text="")


def _read_out(text: str, listener: Listener) -> None:
    """Pass the text to the listener sentence by sentence, every character of it."""
    sent = 0
    for _, end in [*sentence_spans(text)[:-1], (0, len(text))]:
        listener.check()
        if end > sent:
            listener.received(text[sent:end])
            sent = end
