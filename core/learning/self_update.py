"""Self-update: after documents came or went, gaps and verified answers are asked again and compared."""

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain import Outcome, Report, Scope
from core.errors import FeedbackError, NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import Change
from core.knowledge.learned.gaps import Difference, Gap, Update
from core.knowledge.learned.learned_store import GrowthMark
from core.knowledge.learned.verified_answers import VerifiedAnswer
from core.learning.effects import cited_titles
from core.learning.feedback import Learner
from core.learning.gap_finder import Backlog, lacking
from core.text.tokens import single_spaced

MARKS_KEY = "update marks"
NOT_ANSWERED = (Outcome.NOTHING, Outcome.UNFINISHED)
Ask = Callable[[str, Scope], Report]


@dataclass(frozen=True)
class Updater:
    """Decides what to ask again and compares the answers; it asks nothing by itself."""

    knowledge: KnowledgeBase
    learner: Learner
    backlog: Backlog
    most: int = 40  # questions in one update

    # -- what to ask ---------------------------------------------------------------------------

    def due(self) -> Update | None:
        """Return the update that is to be worked on: one left unfinished, or a new one, or None."""
        learned = self.knowledge.learned
        self.backlog.collect()
        open_one = learned.updates.unfinished()
        if open_one is not None:
            return open_one
        stored, now = learned.state(MARKS_KEY), learned.marks()
        if stored is None:
            learned.keep_state(MARKS_KEY, now.model_dump_json())
            return None
        before = GrowthMark.model_validate_json(stored)
        if before == now:
            return None
        came, removed = learned.since(before)
        self.learner.refresh()
        learned.keep_state(MARKS_KEY, now.model_dump_json())
        if not came and not removed:
            return None
        return self._new(came, removed)

    def now(self) -> Update | None:
        """Return an update of everything, whether or not documents came; None if nothing is to be asked."""
        learned = self.knowledge.learned
        self.backlog.collect()
        stored = learned.state(MARKS_KEY)
        came, removed = learned.since(GrowthMark.model_validate_json(stored)) if stored else ((), 0)
        self.learner.refresh()
        learned.keep_state(MARKS_KEY, learned.marks().model_dump_json())
        return learned.updates.unfinished() or self._new(came, removed)

    def _new(self, came: Sequence[str], removed: int) -> Update | None:
        learned = self.knowledge.learned
        wanted = [f"gap {gap.id}" for gap in learned.gaps.list("open")]
        wanted += [f"verified {answer.id}" for answer in learned.verified.list()]
        if not wanted:
            return None
        return learned.updates.start(
            Update(
                status="waiting",
                at=time.time(),
                new=tuple(came),
                gone=removed,
                pending=tuple(wanted[: self.most]),
                skipped=max(0, len(wanted) - self.most),
            )
        )

    # -- asking --------------------------------------------------------------------------------

    def step(self, update: Update, ask: Ask) -> Update:
        """Ask the next question of the update and write down what came of it.

        What `ask` raises leaves the question pending, so it is asked again. Returns the update, done once
        nothing is pending.
        """
        if update.pending:
            kind, _, key = update.pending[0].partition(" ")
            found = self._again(update, kind, key, ask)
            update = update.model_copy(
                update={
                    "status": "running",
                    "pending": update.pending[1:],
                    "asked": update.asked + 1,
                    "differences": (*update.differences, *([found] if found else [])),
                }
            )
        if not update.pending:
            update = update.model_copy(update={"status": "done", "finished": time.time()})
        if self.knowledge.learned.updates.get(update.number).status != "cancelled":
            self.knowledge.learned.updates.put(update)
        return update

    def cancel(self, number: int) -> Update:
        """End an update; what was found so far is kept. Raises NotFound."""
        update = self.knowledge.learned.updates.get(number)
        if update.status in ("waiting", "running"):
            update = update.model_copy(update={"status": "cancelled", "finished": time.time()})
            self.knowledge.learned.updates.put(update)
        return update

    def _again(self, update: Update, kind: str, key: str, ask: Ask) -> Difference | None:
        learned = self.knowledge.learned
        if kind == "gap":
            gap = next((gap for gap in learned.gaps.list("open") if gap.id == key), None)
            return None if gap is None else self._gap(update, gap, ask(gap.question, gap.scope))
        answer = next((verified for verified in learned.verified.list() if verified.id == key), None)
        return None if answer is None else self._verified(update, answer, ask(answer.question, Scope()))

    def _gap(self, update: Update, gap: Gap, report: Report) -> Difference | None:
        now: dict[str, object] = {"asked": gap.asked + 1, "last_asked": time.time()}
        answered = not lacking(report)
        differs = (
            single_spaced(report.answer) != single_spaced(gap.answer) and report.outcome not in NOT_ANSWERED
        )
        differs = differs and (answered or bool(self._because(update, report)))
        if answered and differs:
            now |= {"status": "closed", "closed_by": f"update {update.number}"}
        self.knowledge.learned.gaps.put(gap.model_copy(update=now))
        if not differs:
            return None
        return self._difference(update, "gap", gap.id, gap.answer, gap.outcome, report, gap.question)

    def _verified(self, update: Update, answer: VerifiedAnswer, report: Report) -> Difference | None:
        """Return what new documents say otherwise; a verified answer differs from the rest by intent."""
        same = single_spaced(report.answer) == single_spaced(answer.answer)
        if same or report.outcome in NOT_ANSWERED or not self._because(update, report):
            return None
        return self._difference(
            update, "verified answer", answer.id, answer.answer, "verified", report, answer.question
        )

    def _difference(
        self,
        update: Update,
        of: Literal["gap", "verified answer"],
        source: str,
        before: str,
        outcome: str,
        report: Report,
        question: str,
    ) -> Difference:
        return Difference(
            id=uuid.uuid4().hex[:12],
            question=question,
            of=of,
            source=source,
            before=before,
            after=report.answer,
            outcome_before=outcome,
            outcome_after=report.outcome.value,
            because=self._because(update, report),
            report=report,
        )

    def _because(self, update: Update, report: Report) -> tuple[str, ...]:
        titles = self.knowledge.titles()
        new = {titles[key] for key in update.new if key in titles}
        return tuple(title for title in cited_titles(report) if title in new)

    # -- deciding ------------------------------------------------------------------------------

    def accept(self, number: int, difference_id: str) -> Change:
        """Let the new answer be the verified one. Raises NotFound, FeedbackError."""
        update, difference = self._open(number, difference_id)
        if difference.report is None:
            raise NotFound(f"the answer of {difference.id} was not kept")
        verified = self.knowledge.learned.verified.list() if difference.of == "verified answer" else []
        replaces = next((answer.change for answer in verified if answer.id == difference.source), "")
        change = self.learner.adopt(
            difference.question, difference.report, f"update:{number}", replaces=replaces
        )
        if difference.of == "gap":
            gap = self.knowledge.learned.gaps.get(difference.source)
            closed = {"status": "closed", "closed_by": f"update {number}"}
            self.knowledge.learned.gaps.put(gap.model_copy(update=closed))
        self._decide(update, difference, "accepted")
        return change

    def reject(self, number: int, difference_id: str) -> None:
        """Keep what was before: a verified answer stays, a gap stays open. Raises NotFound, FeedbackError."""
        update, difference = self._open(number, difference_id)
        if difference.of == "gap":
            self.backlog.reopen(difference.source)
        self._decide(update, difference, "rejected")

    def _open(self, number: int, difference_id: str) -> tuple[Update, Difference]:
        update = self.knowledge.learned.updates.get(number)
        difference = next((row for row in update.differences if row.id == difference_id), None)
        if difference is None:
            raise NotFound(f"update {number} has no difference {difference_id}")
        if difference.decision:
            raise FeedbackError(
                f"This difference was {difference.decision} already.",
                hint="Undo the verified answer in Knowledge › Learning to decide anew.",
            )
        return update, difference

    def _decide(self, update: Update, difference: Difference, decision: str) -> None:
        rows = tuple(
            row.model_copy(update={"decision": decision}) if row.id == difference.id else row
            for row in update.differences
        )
        self.knowledge.learned.updates.put(update.model_copy(update={"differences": rows}))
