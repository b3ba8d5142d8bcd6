"""The built-in engine: every task has its rule here, found by the type of the task."""

import time
from functools import singledispatchmethod

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
        self._embed = embedder.embed if embedder else None
        self._scorer = Scorer(Meaning(embedder), extractor)

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        """Do the task. Raises TypeError for a task without a rule, and what the listener's check raises."""
        if listener is not None:
            listener.check()
        started = time.perf_counter()
        reply = self.do(task)
        if not isinstance(reply, into):
            raise TypeError(
                f"{type(task).__name__} is answered by {type(reply).__name__}, not {into.__name__}"
            )
        seconds = time.perf_counter() - started
        if task.prose and listener is not None:
            _read_out(str(getattr(reply, "text", "")), listener)
        call = Call(task=type(task).__name__, engine=BUILT_IN, seconds=seconds)
        return reply.model_copy(update={"call": call})

    @singledispatchmethod
    def do(self, task: Task) -> Reply:
        """Return the reply of the rule for this type of task."""
        raise TypeError(f"the built-in engine has no rule for {type(task).__name__}")

    @do.register
    def _(self, task: Understand) -> Reply:
        return understand(task)

    @do.register
    def _(self, task: Propose) -> Reply:
        return propose(task, self._scorer)

    @do.register
    def _(self, task: ProposeNext) -> Reply:
        return propose_next(task, self._scorer)

    @do.register
    def _(self, task: Select) -> Reply:
        return select(task, self._embed)

    @do.register
    def _(self, task: Bridge) -> Reply:
        return bridge(task, self._scorer)

    @do.register
    def _(self, task: Answer) -> Reply:
        return answer(task, self._scorer)

    @do.register
    def _(self, task: Review) -> Reply:
        return review(task, self._scorer)

    @do.register
    def _(self, task: WriteQuery) -> Reply:
        return write_query(task, self._scorer.meaning)

    @do.register
    def _(self, task: Enrich) -> Reply:
        return enrich(task)

    @do.register
    def _(self, task: NameFactors) -> Reply:
        return name_factors(task)

    @do.register
    def _(self, task: ClassifyTags) -> Reply:
        return classify(task, self._embed)

    @do.register
    def _(self, task: ExtractSeries) -> Reply:
        return extract_series(task)

    @do.register
    def _(self, task: Perspectives) -> Reply:
        return sort_by_viewpoint(task)

    @do.register
    def _(self, task: Deliberate) -> Reply:
        """Rules propose nothing, so they have nothing to deliberate on: the order stays as it is."""
        return Deliberated(order=tuple(idea.id for idea in task.ideas))

    @do.register
    def _(self, task: Judge) -> Reply:
        return judge(task)

    @do.register
    def _(self, task: Examine) -> Reply:
        """Quote the piece that ranks first: rules know nothing, and an examination knows no refusal."""
        return Written(text=task.evidence[0].text if task.evidence else "")

    @do.register
    def _(self, task: Describe) -> Reply:
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
