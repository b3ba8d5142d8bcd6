"""Takes feedback and turns it into named changes that can be seen, measured and undone."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from core.domain import Feedback, Report
from core.errors import FeedbackError, NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import Change
from core.knowledge.learned.feedback_log import RecordedFeedback
from core.knowledge.learned.gaps import Gap, gap_id
from core.knowledge.learned.verified_answers import VerifiedAnswer, digest, question_key
from core.knowledge.stores.records import Run
from core.learning.apply_changes import ChangeApplier
from core.learning.change_drafts import Drafter, scope_of
from core.learning.effects import Effects, SavedAnswers
from core.learning.feedback_targets import FeedbackTarget, checked, target_of

Later = Callable[[Callable[[], None]], None]
Recorded = tuple[tuple[str, str], ...]  # id and state of every feedback and change
Due = tuple[tuple[Change, ...] | None, list[Change], Recorded]  # made before, to make, as seen then


def at_once(work: Callable[[], None]) -> None:
    """Do the work now."""
    work()


@dataclass(frozen=True)
class Learner:
    """The one place where feedback is taken. Safe to use from many threads: one feedback at a time.

    `later` does the measuring of a change's effect, now or in the background.
    """

    knowledge: KnowledgeBase
    drafter: Drafter
    changer: ChangeApplier
    effects: Effects
    later: Later = at_once
    _one: threading.RLock = field(default_factory=threading.RLock)

    # -- taking ------------------------------------------------------------------------------

    def take(self, feedback: Feedback) -> tuple[Change, ...]:
        """Keep the feedback and make the changes it asks for; saying the same twice changes nothing.

        Raises FeedbackError for feedback that is empty or says the opposite of what stands, NotFound for a
        run, passage, tag or relation that is not there.
        """
        feedback = checked(feedback)
        target = target_of(feedback)
        run = self.knowledge.runs.get(feedback.run) if feedback.run else None
        with self._one:
            known, drafts, seen = self._due(feedback, target, run)
        if known is not None:
            return known
        snapshot = self.effects.before() if drafts else None  # asks questions: nobody waits for that
        with self._one:
            if self._recorded() != seen:
                known, drafts, _ = self._due(feedback, target, run)
                if known is not None:
                    return known
            made = self._make(feedback, drafts)
        if snapshot is not None:
            answers_before = snapshot
            self.later(lambda: self._measure([change.id for change in made], answers_before))
        return tuple(self.knowledge.learned.changes.get(change.id) for change in made)

    def _due(self, feedback: Feedback, target: FeedbackTarget, run: Run | None) -> Due:
        """Return the changes this very feedback made before, else the drafts of those to make."""
        recorded = self._already_given(feedback)
        if recorded is not None:
            return tuple(self.knowledge.learned.changes.list(feedback=recorded.number)), [], ()
        drafts = self.drafter.draft(feedback, target, run)
        for draft in drafts:
            self._check(draft)
        if any(not self._known(draft) for draft in drafts):
            self.refresh()
        return None, [draft for draft in drafts if not self._known(draft)], self._recorded()

    def _recorded(self) -> Recorded:
        """Return the state of all feedback and changes; it changes with each of them."""
        recorded = self.knowledge.feedback.history()
        changes = self.knowledge.learned.changes.list()
        return (
            *((str(each.number), str(each.undone)) for each in recorded),
            *((change.id, change.status) for change in changes),
        )

    def _make(self, feedback: Feedback, drafts: Sequence[Change]) -> list[Change]:
        """Keep the feedback and make its changes: all, or nothing is kept and it can be said again."""
        with self.knowledge.atomically(), ExitStack() as undoing:
            number = self.knowledge.feedback.give(feedback)
            undoing.callback(self.knowledge.feedback.undo, number)
            source = {"feedback": number, "run": feedback.run, "target": feedback.target}
            made = [self._record(draft.model_copy(update=source), undoing) for draft in drafts]
            undoing.pop_all()
        return made

    def _record(self, draft: Change, undoing: ExitStack) -> Change:
        """Make a change and record it; `undoing` takes it back if what belongs to it fails."""
        change = self.changer.make(draft)
        undoing.callback(self._unmake, change)
        self.knowledge.learned.changes.put(change)
        return change

    def _unmake(self, change: Change) -> None:
        self.changer.undo(change)
        undone = change.model_copy(update={"status": "undone", "reason": "another change of it failed"})
        self.knowledge.learned.changes.put(undone)

    def adopt(self, question: str, report: Report, why: str, *, replaces: str = "") -> Change:
        """Verify an answer that came of asking again, in place of the one that a change verified before.

        Raises FeedbackError if it cites nothing; then, and after any failure, what was verified still is.
        """
        draft = self.drafter.confirmed(question, report)
        snapshot = self.effects.before()
        with self._one, self.knowledge.atomically(), ExitStack() as undoing:
            if replaces:
                self._replace(replaces, undoing)
            self._check(draft)
            change = self._record(draft.model_copy(update={"run": report.run, "target": why}), undoing)
            undoing.pop_all()
        self.later(lambda: self._measure([change.id], snapshot))
        return change

    def _replace(self, change_id: str, undoing: ExitStack) -> None:
        """Undo the change of a verified answer; a rollback does not restore its vector, `undoing` does."""
        old = VerifiedAnswer.model_validate(self.undo(change_id).after["answer"])
        undoing.callback(self._place_again, old)

    def _place_again(self, answer: VerifiedAnswer) -> None:
        with suppress(NotFound):  # its passage left the library
            self.changer.place_atom(answer)

    def _already_given(self, feedback: Feedback) -> RecordedFeedback | None:
        """Return the feedback that says just this already. Raises FeedbackError if one says otherwise."""
        for recorded in reversed(self.knowledge.feedback.history(feedback.run)):
            judged = recorded.feedback
            if recorded.undone or judged.target != feedback.target:
                continue
            if (judged.verdict, judged.correction) == (feedback.verdict, feedback.correction):
                return recorded
            before = f"“{judged.correction}”" if judged.verdict == "corrected" else judged.verdict
            now = f"“{feedback.correction}”" if feedback.verdict == "corrected" else feedback.verdict
            raise FeedbackError(
                f"This was already judged: {before}. Now it is to be {now}; both cannot hold.",
                hint="Take the first back (Undo, in Knowledge › Learning or with `strata learn undo`), "
                "then say it again.",
            )
        return None

    def _check(self, draft: Change) -> None:
        """Raise FeedbackError if a verified answer of the same question says otherwise and still holds."""
        if draft.kind == "gap":
            question = draft.after["gap"]["question"]
            verified = self.knowledge.learned.verified.find(question)
            if verified is not None and self.outdated_reason(verified) == "":
                raise FeedbackError(
                    f"“{question}” has a verified answer: {verified.answer}",
                    hint="Undo it in Knowledge › Learning first; then say that it is wrong, or correct it.",
                )
        if draft.kind != "verified answer":
            return
        answer = VerifiedAnswer.model_validate(draft.after["answer"])
        verified = self.knowledge.learned.verified.find(answer.question)
        if verified is not None and not _same(verified, answer) and self.outdated_reason(verified) == "":
            raise FeedbackError(
                f"“{answer.question}” has a verified answer that says otherwise: {verified.answer}",
                hint="Undo that one in Knowledge › Learning first, then correct the answer again.",
            )

    def _known(self, draft: Change) -> bool:
        """Say whether the very same answer is verified, or the very same plan an example, already."""
        if draft.kind == "plan":
            plan = self.knowledge.learned.plans.get(draft.after["id"])
            return plan is not None and plan.plan.model_dump(mode="json") == draft.after["plan"]
        if draft.kind != "verified answer":
            return False
        answer = VerifiedAnswer.model_validate(draft.after["answer"])
        verified = self.knowledge.learned.verified.find(answer.question)
        return verified is not None and _same(verified, answer) and self.outdated_reason(verified) == ""

    def _measure(self, ids: Sequence[str], before: SavedAnswers) -> None:
        effect = self.effects.compare(before, self.effects.take())
        with self._one:  # a change undone meanwhile stays undone
            for change_id in ids:
                change = self.knowledge.learned.changes.get(change_id)
                self.knowledge.learned.changes.put(change.model_copy(update={"effect": effect}))

    # -- taking back ---------------------------------------------------------------------------

    def undo(self, change_id: str) -> Change:
        """Take one change back, with the last of them its feedback. Raises NotFound, FeedbackError."""
        with self._one:
            change = self.knowledge.learned.changes.get(change_id)
            if change.status != "active":
                raise FeedbackError(
                    f"“{change.name}” is {change.status} already.", hint="Only active changes can be undone."
                )
            self.changer.undo(change)
            undone = change.model_copy(update={"status": "undone", "reason": "undone by the reader"})
            self.knowledge.learned.changes.put(undone)
            rest = self.knowledge.learned.changes.list("active", feedback=change.feedback)
            if change.feedback and not rest:
                self.knowledge.feedback.undo(change.feedback)
            return undone

    def retract(self, run: str, target: str) -> tuple[Change, ...]:
        """Take back what was said of something in a run, with every change it made. Raises NotFound."""
        with self._one:
            undone = []
            for recorded in self.knowledge.feedback.history(run):
                if recorded.undone or recorded.feedback.target != target:
                    continue
                for change in self.knowledge.learned.changes.list("active", feedback=recorded.number):
                    undone.append(self.undo(change.id))
                self.knowledge.feedback.undo(recorded.number)
            return tuple(undone)

    # -- keeping what was learnt true ------------------------------------------------------------

    def outdated_reason(self, answer: VerifiedAnswer) -> str:
        """Return "" while every passage says what it said, else what is different."""
        ids = [ground.chunk_id for ground in answer.grounds]
        chunks = {chunk.id: chunk for chunk in self.knowledge.chunks(ids=ids)}
        missing = sum(ground.chunk_id not in chunks for ground in answer.grounds)
        if missing:
            return f"{missing} of the {len(ids)} passages it rests on left the library"
        changed = sum(digest(chunks[ground.chunk_id]) != ground.digest for ground in answer.grounds)
        return f"{changed} of the {len(ids)} passages it rests on changed" if changed else ""

    def refresh(self) -> tuple[Change, ...]:
        """End verified answers whose evidence changed, and put those back that enriching anew lost.

        Returns the changes that became invalid; their questions are to be asked again.
        """
        ended = []
        with self._one:
            for answer in self.knowledge.learned.verified.list():
                reason = self.outdated_reason(answer)
                if reason:
                    ended.append(self._end(answer, reason))
                elif not self.knowledge.atoms_by_id([answer.id]):
                    self.changer.place_atom(answer)
        return tuple(ended)

    def _end(self, answer: VerifiedAnswer, reason: str) -> Change:
        learned = self.knowledge.learned
        learned.verified.drop(answer.id)
        self.knowledge.forget_atoms([answer.id])
        change = learned.changes.get(answer.change)
        ended = change.model_copy(update={"status": "invalid", "reason": reason})
        learned.changes.put(ended)
        scope = scope_of(self.knowledge, answer.run)
        learned.gaps.put(
            Gap(
                id=gap_id(answer.question, scope),
                question=answer.question,
                scope=scope,
                reason="evidence changed",
                run=answer.run,
                at=time.time(),
                answer=answer.answer,
                outcome="answer",
            )
        )
        return ended


def _same(one: VerifiedAnswer, other: VerifiedAnswer) -> bool:
    return question_key(one.question) == question_key(other.question) and one.answer == other.answer
