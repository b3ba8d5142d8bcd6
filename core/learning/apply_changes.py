"""Applies changes and undoes them: `undo` restores the state before `make`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.domain import Atom, Distilled, Plan, Relation, Tag
from core.errors import NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import Change, ChangeKind
from core.knowledge.learned.gaps import Gap
from core.knowledge.learned.plans import AcceptedPlan
from core.knowledge.learned.tag_pairs import LearntPair
from core.knowledge.learned.usefulness import UsefulnessCount
from core.knowledge.learned.verified_answers import VerifiedAnswer
from core.ports import Embedder
from core.retrieval.windows import question_vector


@dataclass(frozen=True)
class ChangeApplier:
    """Carries changes out."""

    knowledge: KnowledgeBase
    embedder: Embedder

    def make(self, change: Change) -> Change:
        """Carry the change out; return it with what undoing needs. Raises NotFound, KnowledgeError."""
        return self._handlers()[change.kind][0](change)

    def undo(self, change: Change) -> None:
        """Take the change back. Raises NotFound where what it changed is gone."""
        self._handlers()[change.kind][1](change)

    def _handlers(self) -> Mapping[ChangeKind, tuple[Callable[[Change], Change], Callable[[Change], None]]]:
        return {
            "verified answer": (self._verify, self._unverify),
            "usefulness": (self._judge, self._unjudge),
            "tag pair": (self._pair, self._unpair),
            "plan": (self._accept, self._withdraw),
            "tag removed": (self._untag, self._retag),
            "tag replaced": (self._rename, self._unrename),
            "relation removed": (self._unrelate, self._relate),
            "relation replaced": (self._reword, self._unword),
            "gap": (self._open, self._close),
        }

    # -- verified answers --------------------------------------------------------------------

    def _verify(self, change: Change) -> Change:
        answer = VerifiedAnswer.model_validate(change.after["answer"])
        answer = answer.model_copy(update={"change": change.id})
        self.place_atom(answer)
        self.knowledge.learned.verified.put(answer)
        return _after(change, answer=answer.model_dump(mode="json"))

    def place_atom(self, answer: VerifiedAnswer) -> None:
        """Put the answer's question into the distilled layer, on the first passage it rests on."""
        chunk_id = answer.grounds[0].chunk_id
        chunk = next(iter(self.knowledge.chunks(ids=[chunk_id])), None)
        if chunk is None:
            raise NotFound(f"the passage {chunk_id} is gone")
        atom = Atom(
            id=answer.id,
            chunk_id=chunk_id,
            kind="question",
            text=answer.question,
            by=answer.verified_by,
            verified_by=answer.verified_by,
        )
        vectors = question_vector(answer.question, self.embedder)[np.newaxis]
        self.knowledge.enrich(chunk.document_id, Distilled(atoms=(atom,)), {"atoms": vectors})

    def _unverify(self, change: Change) -> None:
        answer = VerifiedAnswer.model_validate(change.after["answer"])
        self.knowledge.learned.verified.drop(answer.id)
        self.knowledge.forget_atoms([answer.id])

    # -- passages, terms, plans ---------------------------------------------------------------

    def _judge(self, change: Change) -> Change:
        self.knowledge.learned.usefulness.add(UsefulnessCount(*row) for row in change.after["rows"])
        return change

    def _unjudge(self, change: Change) -> None:
        self.knowledge.learned.usefulness.add(
            UsefulnessCount(chunk, tag, kind, -good, -bad)
            for chunk, tag, kind, good, bad in change.after["rows"]
        )

    def _pair(self, change: Change) -> Change:
        self.knowledge.learn_tag_pair(change.after["said"], change.after["meant"], "feedback", change.run)
        return change

    def _unpair(self, change: Change) -> None:
        if change.before["pair"]:
            self.knowledge.pairs.restore(LearntPair.model_validate(change.before["pair"]))
        else:
            self.knowledge.unlearn_tag_pair(change.after["said"], change.after["meant"])

    def _accept(self, change: Change) -> Change:
        self._keep_plan(change.after["question"], Plan.model_validate(change.after["plan"]), change.run)
        return change

    def _withdraw(self, change: Change) -> None:
        plans = self.knowledge.learned.plans
        previous = change.before["plan"]
        if previous is None:
            plans.withdraw(change.after["id"])
        else:
            before = AcceptedPlan.model_validate(previous)
            self._keep_plan(before.question, before.plan, before.run)

    def _keep_plan(self, question: str, plan: Plan, run: str) -> None:
        vector = question_vector(question, self.embedder)
        self.knowledge.learned.plans.accept(question, plan, run, vector)

    # -- tags and relations -------------------------------------------------------------------

    def _untag(self, change: Change) -> Change:
        rows = self.knowledge.learned.take_tags(change.after["name"], change.after["chunk_id"])
        return _before(change, rows=[[place, tag.model_dump()] for place, tag in rows])

    def _retag(self, change: Change) -> None:
        self.knowledge.learned.put_tags(
            [(place, Tag.model_validate(tag)) for place, tag in change.before["rows"]]
        )

    def _rename(self, change: Change) -> Change:
        made = self._untag(change)
        wanted = [Tag.model_validate(tag) for tag in change.after["put"]]
        there = {(tag.chunk_id, tag.name) for row in wanted for tag in self.knowledge.tags(row.chunk_id)}
        new = [tag for tag in wanted if (tag.chunk_id, tag.name) not in there]
        if new:
            self.knowledge.learned.put_tags([(0, tag) for tag in new])
        return _after(made, put=[tag.model_dump() for tag in new])

    def _unrename(self, change: Change) -> None:
        for tag in change.after["put"]:
            self.knowledge.learned.take_tags(tag["name"], tag["chunk_id"])
        self._retag(change)

    def _unrelate(self, change: Change) -> Change:
        place, relation = self.knowledge.learned.take_relation(change.after["id"])
        return _before(change, place=place, relation=relation.model_dump(mode="json"))

    def _relate(self, change: Change) -> None:
        relation = Relation.model_validate(change.before["relation"])
        self.knowledge.learned.put_relation(change.before["place"], relation)

    def _reword(self, change: Change) -> Change:
        made = self._unrelate(change)
        self.knowledge.learned.put_relation(0, Relation.model_validate(change.after["put"]))
        return made

    def _unword(self, change: Change) -> None:
        self.knowledge.learned.take_relation(change.after["put"]["id"])
        self._relate(change)

    # -- questions to be asked again ------------------------------------------------------------

    def _open(self, change: Change) -> Change:
        self.knowledge.learned.gaps.put(Gap.model_validate(change.after["gap"]))
        return change

    def _close(self, change: Change) -> None:
        gaps = self.knowledge.learned.gaps
        if change.before["gap"]:
            gaps.put(Gap.model_validate(change.before["gap"]))
        else:
            gaps.drop(change.after["gap"]["id"])


def _after(change: Change, **more: Any) -> Change:
    return change.model_copy(update={"after": {**change.after, **more}})


def _before(change: Change, **more: Any) -> Change:
    return change.model_copy(update={"before": {**change.before, **more}})
