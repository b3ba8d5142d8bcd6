"""Reads a question once: what it asks, at which level, in which parts, and what to search for it.

How much this may cost is the reader's effort: `quick` reads by rules, `balanced` asks a model only where the
rules are not sure, `thorough` always asks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import shorten

from core.answering.plan_repair import repair
from core.domain import (
    BUILT_IN,
    AnswerKind,
    Document,
    Effort,
    Level,
    Plan,
    Scope,
    SubQuestion,
    SubQuestionType,
    Turn,
)
from core.knowledge.base import KnowledgeBase
from core.ports import LLM
from core.retrieval.snapshot import Snapshots
from core.retrieval.term_mapping import TermMapper
from core.retrieval.topics import topics_of
from core.tasks import PartDraft, TagPair, Understand, Understood
from core.text.proper_names import names_in
from core.text.tokens import IS_CJK, content_words, is_cjk

TABLE_CARD_LETTERS = 240  # letters of a table's card: what it is called and its first columns
MAX_TAGS = 20  # tags of the library a model reads, the most used: the same for every question
# Certainty of a rule's plan from which balanced effort asks no model; see bench/gate_plan.py
PLAN_CERTAINTY = 0.75
# The same of a question read as simple; lower, since the answer reads all that was found anyway
SIMPLE_CERTAINTY = 0.5
_EVIDENCE: dict[AnswerKind, SubQuestionType] = {
    "summary": "global",
    "overview": "global",
    "cause": "reasoning",
    "comparison": "reasoning",
}


@dataclass(frozen=True)
class QuestionAnalysis:
    """How a question is read. `search` pairs its words with terms the library may use for them."""

    question: str
    plan: Plan
    level: Level = Level.FACTUAL
    reason: str = ""
    kind: AnswerKind = "fact"
    composite: bool = False
    search: tuple[TagPair, ...] = ()
    replaced: tuple[TagPair, ...] = ()  # learnt words that are in the question in place of the reader's
    topics: tuple[str, ...] = ()

    @property
    def seeks(self) -> SubQuestionType:
        """What kind of evidence the question as a whole needs."""
        return _EVIDENCE.get(self.kind, "factual")


@dataclass(frozen=True)
class Understander:
    """Reads by rules or by a model, repairs what comes back, and adds what the library's own words say.

    `asks` says whether a text is a question: a plan with a part that is none is discarded. `kind_of` gives
    the type of a part among all parts, which neither model nor rules return. `turns` of the history and
    `cards` of tables and titles are read along.
    """

    llm: LLM
    rules: LLM
    knowledge: KnowledgeBase
    term_mapper: TermMapper
    snapshots: Snapshots
    max_parts: int  # of a plan
    asks: Callable[[str], bool] = field(default=lambda text: bool(text.strip()))
    kind_of: Callable[[SubQuestion, Sequence[SubQuestion]], SubQuestionType] = lambda part, parts: part.type
    examples: Callable[[str], tuple[Plan, ...]] = field(default=lambda question: ())
    turns: int = 4
    cards: int = 8
    plans_loop: bool = False  # of the loop's question, too: rules read no two passages together

    def read(
        self, question: str, history: Sequence[Turn], scope: Scope, language: str, effort: Effort = "balanced"
    ) -> QuestionAnalysis:
        """Return the reading. Raises LLMError where a model is asked and fails."""
        tags = self.snapshots.now().tags
        documents = self.knowledge.documents(scope)
        task = Understand(
            question=question,
            history=tuple(history[-self.turns :]),
            languages=tuple(sorted({document.language for document in documents})),
            tags=tags[:MAX_TAGS],
            library=self._touched(question, scope, documents),
            examples=self.examples(question),
            most=self.max_parts,
            language=language,
        )
        reply = self._reply(task, effort)
        read_as, replaced = self.term_mapper.read(reply.question.strip() or question)
        plan = self._plan(reply, read_as)
        return QuestionAnalysis(
            question=read_as,
            level=_level(reply.level or Level.FACTUAL, plan),
            reason=reply.reason or f"as {plan.by} read it",
            kind=reply.kind,
            composite=reply.composite or len(plan.parts) > 1,
            plan=plan,
            search=reply.search,
            replaced=tuple(replaced),
            topics=topics_of(read_as, tags, reply.topics),
        )

    def _reply(self, task: Understand, effort: Effort) -> Understood:
        if effort != "thorough":
            reply = self.rules.run(task, Understood)
            if effort == "quick" or suffices(reply):
                return _without_weak_plan(reply)
        reply = self.llm.run(task, Understood)
        if reply.level is None:  # what it says of parts, if only that there is nothing to take apart, counts
            reply = reply.model_copy(update={"level": self.rules.run(task, Understood).level})
        return reply

    def _plan(self, reply: Understood, question: str) -> Plan:
        """Return a plan that can be worked on; one part, the question itself, where a part is no question."""
        parts, repairs = repair(reply.parts, question, self.max_parts)
        wrong = [part.id for part in parts if not self.asks(part.question)] if len(parts) > 1 else []
        if wrong:
            note = f"Part {wrong[0]} is not built as a question; the whole question is asked instead."
            parts, _ = repair((PartDraft(id=1, question=question),), question, self.max_parts)
            repairs = (*repairs, note)
        elif len(parts) == 1:
            parts = (parts[0].model_copy(update={"question": question}),)
        else:
            parts = tuple(part.model_copy(update={"type": self.kind_of(part, parts)}) for part in parts)
        needed = {number for part in parts for number in part.depends_on}
        return Plan(
            question=question,
            parts=parts,
            intent=reply.intent or reply.kind,
            known=reply.known or tuple(dict.fromkeys(named.text for named in names_in(question))),
            unknown=reply.unknown or tuple(part.question for part in parts if part.id in needed),
            repairs=repairs,
            by=reply.call.engine if reply.call else BUILT_IN,
        )

    def _touched(self, question: str, scope: Scope, documents: Sequence[Document]) -> tuple[str, ...]:
        """Return cards of tables and titles that share two words or more with the question, the nearest."""
        asked = set(content_words(question))
        texts = [table.card() for table in self.knowledge.tables(scope=scope)]
        texts += [document.title for document in documents]
        skip = None if any(map(is_cjk, asked)) else IS_CJK  # cutting Chinese loads a dictionary for a second
        shared = [
            (len(asked & set(content_words(skip.sub(" ", text) if skip else text))), text) for text in texts
        ]
        least = min(2, len(asked))
        best = sorted((pair for pair in shared if pair[0] >= least > 0), key=lambda pair: (-pair[0], pair[1]))
        return tuple(shorten(text, TABLE_CARD_LETTERS, placeholder=" …") for _, text in best[: self.cards])


def suffices(reply: Understood) -> bool:
    """Say whether a rule's reading is certain enough to ask no model.

    A forecast or a search for ideas is asked for explicitly, and needs no plan.
    """
    if reply.certainty == 0.0:  # a follow-up that could not be resolved
        return False
    if reply.level in (Level.PREDICTIVE, Level.CREATIVE):
        return True
    return reply.certainty >= (PLAN_CERTAINTY if reply.composite else SIMPLE_CERTAINTY)


def _without_weak_plan(reply: Understood) -> Understood:
    """Return the reading of a forecast or a search for ideas without a plan that the rule is not sure of."""
    if reply.level not in (Level.PREDICTIVE, Level.CREATIVE) or reply.certainty >= PLAN_CERTAINTY:
        return reply
    whole = (PartDraft(id=1, question=reply.question),)
    return reply.model_copy(update={"parts": whole, "composite": False})


def _level(level: Level, plan: Plan) -> Level:
    """Return the level; several parts are no look-up of one fact."""
    several = len(plan.parts) > 1 and level in (Level.DIRECT, Level.FACTUAL)
    return Level.LINKING if several else level
