"""Gathers the evidence of a plan's parts, and answers the parts of a wave together."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from core.answering.thing_facts import facts_of
from core.domain import BUILT_IN, Effort, PartAnswer, Passage, Scope, SubQuestion, Value
from core.errors import BudgetExceeded, Stopped, StrataError
from core.ports import LLM, Emit
from core.retrieval.evidence_pieces import as_evidence
from core.retrieval.gatherer import Gatherer
from core.tasks import Bridge, Bridged, BridgedPart, PartAsked, TagPair
from core.text.proper_names import names_in
from core.text.thing_questions import everything_of

MAX_LISTED_FACTS = 6  # facts in a part's own answer; the table of a comparison shows more
_BETWEEN = re.compile(r"\bor\b|还是", re.IGNORECASE)
_CHOICE = re.compile(r"^(?:which|who)\b|哪|谁", re.IGNORECASE)


class PartGathered(Value):
    """What was found for a part, best first, or why nothing could be."""

    part: SubQuestion
    passages: tuple[Passage, ...] = ()
    sql: str = ""
    failure: str = ""


@dataclass
class _NumberedPassages:
    """Passages numbered for one call, those read before first, for the server's prefix cache."""

    passages: list[Passage] = field(default_factory=list)

    def best(self, found: Sequence[Passage], most: int | None) -> Sequence[Passage]:
        """Return the best `most` of what was found, with what is pinned and what was read before."""
        seen = {passage.chunk.id for passage in self.passages}
        limit = len(found) if most is None else most
        return [p for n, p in enumerate(found) if n < limit or p.pinned or p.chunk.id in seen]

    def numbers(self, found: Sequence[Passage]) -> tuple[int, ...]:
        """Return the passages' numbers; those that are new come behind the others."""
        known = {passage.chunk.id: n for n, passage in enumerate(self.passages, 1)}
        for passage in found:
            if passage.chunk.id not in known:
                self.passages.append(passage)
                known[passage.chunk.id] = len(self.passages)
        return tuple(known[passage.chunk.id] for passage in found)


@dataclass(frozen=True)
class PartWorker:
    """Gathers a part; answers parts. A failure is recorded in the part's answer, so that the others continue.

    `llm` answers the parts that others depend on, all of a wave in one call that reads `most` passages of
    each; `carried` is how many passages a part takes over from those it depends on. `rules`, where given, try
    the other parts; what they leave open is left to the answer as a whole. Where a model writes that answer
    (`writes`), rules contribute only results of queries: passages they merely quote mislead it.
    """

    gatherer: Gatherer
    llm: LLM
    rules: LLM | None = None
    carried: int = 2
    most: int = 5
    writes: bool = False

    def for_effort(self, effort: Effort) -> "PartWorker":
        """Return a worker whose search asks a model in thorough effort only, and whose rules find what other
        parts wait for in quick effort, where no model does."""
        return replace(
            self, gatherer=self.gatherer.for_effort(effort), writes=self.writes and effort == "balanced"
        )

    def gather(
        self,
        part: SubQuestion,
        before: Sequence[Passage],
        scope: Scope,
        language: str,
        emit: Emit,
        proposed: Sequence[TagPair] = (),
    ) -> PartGathered:
        """Return the passages found for the part and the best of those that earlier parts rest on (`before`).

        An error is returned as `failure`. Raises Stopped, BudgetExceeded.
        """
        try:
            found = self.gatherer.gather(part.question, scope, emit, part.type, part.id, language, proposed)
        except (Stopped, BudgetExceeded):
            raise
        except StrataError as error:
            return PartGathered(part=part, failure=f"{type(error).__name__}: {error}")
        return PartGathered(
            part=part, passages=self._with_carried(part, found.passages, before), sql=found.sql
        )

    def bridge(
        self,
        question: str,
        found: Sequence[PartGathered],
        language: str,
        asked: Collection[int] | None = None,
        read: Sequence[Passage] = (),
    ) -> tuple[PartAnswer, ...]:
        """Answer gathered parts: those numbered in `asked` (None: all) by the model, in one call.

        `read` is what earlier calls of the run read; it is read first again. Raises Stopped, BudgetExceeded.
        """
        asked = {one.part.id for one in found} if asked is None or self.rules is None else set(asked)
        put = [one for one in found if one.passages and one.part.id in asked]
        rest = [one for one in found if one.passages and one.part.id not in asked]
        answers = {one.part.id: PartAnswer(id=one.part.id, question=one.part.question, failure=one.failure)
                   for one in found}  # fmt: skip
        sheet = _NumberedPassages(list(read))
        if put:
            for answer in self._by_model(question, put, sheet, language):
                answers[answer.id] = answer
        known = {one.part.id: one for one in rest if everything_of(one.part.question)}
        by_rules = [one for one in rest if (one.sql or not self.writes) and one.part.id not in known]
        for one in rest:
            answers[one.part.id] = PartAnswer(
                id=one.part.id, question=one.part.question, passages=one.passages, open=True
            )
        for one in known.values():
            answers[one.part.id] = self._known(one)
        if by_rules and self.rules is not None:
            for answer in self._answered(self.rules, question, by_rules, _NumberedPassages(), language):
                answers[answer.id] = answer.model_copy(update={"open": not answer.found})
        return tuple(answers.values())

    def _known(self, one: PartGathered) -> PartAnswer:
        """Return what is known of a thing, fact by fact; left out where a model writes the answer."""
        facts = facts_of(everything_of(one.part.question), one.passages)
        cited = {fact.chunk for fact in facts}
        first = tuple(passage for passage in one.passages if passage.chunk.id in cited)
        found = bool(facts) and not self.writes
        return PartAnswer(
            id=one.part.id,
            question=one.part.question,
            answer="; ".join(f"{fact.label}: {fact.value}" for fact in facts[:MAX_LISTED_FACTS])
            if found
            else "",
            found=found,
            passages=(*first, *(p for p in one.passages if p.chunk.id not in cited)),
            open=not found,
            facts=facts,
        )

    def read(
        self, part: SubQuestion, found: Sequence[Passage], before: Sequence[Passage], language: str
    ) -> PartAnswer:
        """Answer one part from passages already found; what is pinned is always read."""
        gathered = PartGathered(part=part, passages=self._with_carried(part, found, before))
        return self.bridge(part.question, (gathered,), language)[0]

    def _with_carried(
        self, part: SubQuestion, found: Sequence[Passage], before: Sequence[Passage]
    ) -> tuple[Passage, ...]:
        found_ids = {passage.chunk.id for passage in found}
        compares = part.type == "comparative"  # else what was computed for another question says nothing here
        new = [
            passage
            for passage in before
            if passage.chunk.id not in found_ids
            and (compares or passage.pinned or "table" not in passage.scores)
        ]
        carried = [p for p in new if p.pinned] + [p for p in new if not p.pinned][: self.carried]
        pinned = {passage.chunk.id for passage in before if passage.pinned}
        found = [p.model_copy(update={"pinned": True}) if p.chunk.id in pinned else p for p in found]
        return tuple(p.model_copy(update={"sub_question": part.id}) for p in (*found, *carried))

    def _by_model(
        self, question: str, found: Sequence[PartGathered], sheet: _NumberedPassages, language: str
    ) -> list[PartAnswer]:
        """Return the parts' answers; where the call fails, what rules find, and else the failure."""
        try:
            return self._answered(self.llm, question, found, sheet, language, self.most)
        except (Stopped, BudgetExceeded):
            raise
        except StrataError as error:
            failure = f"{type(error).__name__}: {error}"
        if self.rules is None:
            return [PartAnswer(id=one.part.id, question=one.part.question, failure=failure) for one in found]
        answers = self._answered(self.rules, question, found, _NumberedPassages(), language)
        return [one if one.found else one.model_copy(update={"failure": failure}) for one in answers]

    def _answered(
        self,
        llm: LLM,
        question: str,
        found: Sequence[PartGathered],
        sheet: _NumberedPassages,
        language: str,
        most: int | None = None,
    ) -> list[PartAnswer]:
        """Return the parts' answers by one call. Raises LLMError, Stopped, BudgetExceeded.

        With `most`, a model reads so many passages of each part, and a comparison with its sides filled in;
        without it, rules read all.
        """
        chosen = {one.part.id: sheet.best(one.passages, most) for one in found}
        parts = tuple(
            PartAsked(
                id=one.part.id,
                question=(one.part.resolved if most is not None else "") or one.part.question,
                evidence=sheet.numbers(chosen[one.part.id]),
            )
            for one in found
        )
        task = Bridge(question=question, parts=parts, evidence=as_evidence(sheet.passages), language=language)
        bridged = llm.run(task, Bridged)
        engine = bridged.call.engine if bridged.call else BUILT_IN
        replies = {reply.id: reply for reply in bridged.parts}
        answers = [
            _answer(one, replies.get(one.part.id) or BridgedPart(id=one.part.id), sheet.passages, engine)
            for one in found
        ]
        if most is None:
            return answers
        read = {number: tuple(p.chunk.id for p in passages) for number, passages in chosen.items()}
        return [answer.model_copy(update={"read": read[answer.id]}) for answer in answers]


def read_for(answers: Sequence[PartAnswer]) -> tuple[Passage, ...]:
    """Return the passages a model has read for the parts so far, in the order it read them."""
    read: dict[str, Passage] = {}
    for answer in answers:
        own = {passage.chunk.id: passage for passage in answer.passages}
        for chunk in answer.read:
            read.setdefault(chunk, own[chunk])
    return tuple(read.values())


def _answer(one: PartGathered, reply: BridgedPart, sheet: Sequence[Passage], engine: str) -> PartAnswer:
    """Return a part's answer, the passages it cites first.

    A quotation by rules that mentions one side of a comparison only leaves the part open.
    """
    if (
        engine == BUILT_IN
        and one.part.type == "comparative"
        and not _compares(one.part.question, reply.answer)
    ):
        return PartAnswer(
            id=one.part.id, question=one.part.question, passages=one.passages, engine=engine, open=True
        )
    cited = [sheet[n - 1].chunk.id for n in dict.fromkeys(reply.citations) if 0 < n <= len(sheet)]
    known = {passage.chunk.id: passage for passage in sheet} | {p.chunk.id: p for p in one.passages}
    first = [known[number].model_copy(update={"sub_question": one.part.id}) for number in cited]
    return PartAnswer(
        id=one.part.id,
        question=one.part.question,
        answer=reply.answer.strip(),
        found=bool(reply.answer.strip()),
        passages=(*first, *(p for p in one.passages if p.chunk.id not in set(cited))),
        engine=engine,
        sql=one.sql,
        near_miss=reply.near_miss.strip(),
        search=reply.search.strip(),
    )


def _compares(question: str, answer: str) -> bool:
    """Say whether an answer compares: it names all the things, or the one that is chosen between two.

    A row of one thing ("A: 14 weeks") chooses nothing.
    """
    folded = answer.casefold()
    named = {name.text.casefold() for name in names_in(question)}
    mentioned = {name for name in named if name in folded}
    if named and mentioned == named:
        return True
    if _BETWEEN.search(question):
        return bool(mentioned) and ":" not in folded
    return bool(folded.strip()) and _CHOICE.search(question) is not None
