"""Answers one part of a plan from its own evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import PartAnswer, Passage, Scope, SubQuestion
from core.errors import BudgetExceeded, Stopped, StrataError
from core.ports import LLM, Tell
from core.retrieval.citations import as_evidence
from core.retrieval.gatherer import Gatherer
from core.tasks import Bridge, Bridged, BridgedPart, PartAsked, TagPair


@dataclass(frozen=True)
class Worker:
    """Gathers and answers a part; a failure becomes part of the record, so siblings live."""

    gatherer: Gatherer
    llm: LLM
    carried: int = 2

    def work(
        self,
        part: SubQuestion,
        before: Sequence[Passage],
        scope: Scope,
        language: str,
        tell: Tell,
        proposed: Sequence[TagPair] = (),
    ) -> PartAnswer:
        """Answer the part, reading what it gathers and the best of what earlier parts rested on."""
        try:
            return self._work(part, before, scope, language, tell, proposed)
        except (Stopped, BudgetExceeded):
            raise
        except StrataError as error:
            failure = f"{type(error).__name__}: {error}"
            return PartAnswer(id=part.id, question=part.question, failure=failure)

    def _work(
        self,
        part: SubQuestion,
        before: Sequence[Passage],
        scope: Scope,
        language: str,
        tell: Tell,
        proposed: Sequence[TagPair],
    ) -> PartAnswer:
        gathered = self.gatherer.gather(part.question, scope, tell, part.type, part.id, language, proposed)
        return self.read(part, gathered.passages, before, language, gathered.sql)

    def read(
        self,
        part: SubQuestion,
        found: Sequence[Passage],
        before: Sequence[Passage],
        language: str,
        sql: str = "",
    ) -> PartAnswer:
        """Answer the part from passages already found; what is pinned is always read. Raises LLMError."""
        held = {passage.chunk.id for passage in found}
        new = [passage for passage in before if passage.chunk.id not in held]
        carried = [p for p in new if p.pinned] + [p for p in new if not p.pinned][: self.carried]
        pinned = {passage.chunk.id for passage in before if passage.pinned}
        found = [p.model_copy(update={"pinned": True}) if p.chunk.id in pinned else p for p in found]
        passages = [passage.model_copy(update={"sub_question": part.id}) for passage in (*found, *carried)]
        if not passages:
            return PartAnswer(id=part.id, question=part.question)
        numbered = tuple(range(1, len(passages) + 1))
        task = Bridge(
            question=part.question,
            parts=(PartAsked(id=part.id, question=part.question, evidence=numbered),),
            evidence=as_evidence(passages),
            language=language,
        )
        bridged = self.llm.run(task, Bridged)
        reply = next((one for one in bridged.parts if one.id == part.id), BridgedPart(id=part.id))
        cited = [n for n in dict.fromkeys(reply.citations) if 0 < n <= len(passages)]
        first = [passages[n - 1] for n in cited]
        rest = [passage for n, passage in enumerate(passages, 1) if n not in cited]
        return PartAnswer(
            id=part.id,
            question=part.question,
            answer=reply.answer.strip(),
            found=reply.found and bool(reply.answer.strip()),
            passages=(*first, *rest),
            engine=bridged.call.engine if bridged.call else "built-in",
            sql=sql,
            near_miss=reply.near_miss.strip(),
            search=reply.search.strip(),
        )
