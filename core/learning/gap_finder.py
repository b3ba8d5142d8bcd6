"""The gap backlog: what runs could not answer is read from their reports, and closed by a later answer."""

from dataclasses import dataclass

from core.domain import Outcome, Report
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.gaps import Gap, gap_id
from core.knowledge.stores.records import Run
from core.learning.change_drafts import scope_of

SEEN_KEY = "gaps seen"
UNANSWERED = (Outcome.NOTHING, Outcome.CLOSEST, Outcome.GAP)


def lacking(report: Report) -> bool:
    """Say whether an answer leaves something of its question open."""
    return (
        report.outcome in UNANSWERED or bool(report.missing) or any(not part.found for part in report.parts)
    )


@dataclass(frozen=True)
class Backlog:
    """Keeps the list of what is missing up to date, without a run having to wait for it."""

    knowledge: KnowledgeBase

    def collect(self) -> int:
        """Read the runs that ended since the last one read; return how many gaps were opened."""
        learned = self.knowledge.learned
        seen = int(learned.state(SEEN_KEY) or 0)
        opened = 0
        while runs := self.knowledge.runs.finished_since(seen):
            opened += sum(self._read(run) for _, run in runs)
            seen = runs[-1][0]
            learned.keep_state(SEEN_KEY, str(seen))
        return opened

    def _read(self, run: Run) -> bool:
        report = run.report
        if report is None or report.partial:
            return False
        question = report.read_as or run.question
        scope = scope_of(self.knowledge, run.id)
        key = gap_id(question, scope)
        gaps = self.knowledge.learned.gaps
        existing = next((gap for gap in gaps.list() if gap.id == key), None)
        if not lacking(report):
            if (
                existing is not None
                and existing.status == "open"
                and existing.reason in ("gap", "nothing found")
            ):
                gaps.put(existing.model_copy(update={"status": "closed", "closed_by": f"run {run.id}"}))
            return False
        if existing is not None and existing.status != "closed":
            return False
        nothing = report.outcome is Outcome.NOTHING
        gaps.put(
            Gap(
                id=key,
                question=question,
                scope=scope,
                missing=missing_of(report),
                reason="nothing found" if nothing else "gap",
                run=run.id,
                at=run.finished or run.started,
                answer="" if nothing else report.answer,
                outcome=report.outcome.value,
            )
        )
        return True

    def dismiss(self, key: str) -> Gap:
        """Take a gap off the list for good: it is not asked again. Raises NotFound."""
        gap = self.knowledge.learned.gaps.get(key).model_copy(update={"status": "dismissed"})
        self.knowledge.learned.gaps.put(gap)
        return gap

    def reopen(self, key: str) -> Gap:
        """Put a gap back onto the list. Raises NotFound."""
        gap = self.knowledge.learned.gaps.get(key).model_copy(update={"status": "open", "closed_by": ""})
        self.knowledge.learned.gaps.put(gap)
        return gap


def missing_of(report: Report) -> tuple[str, ...]:
    """Return the parts and facts an answer lacks, each once."""
    open_parts = (part.question for part in report.parts if not part.found)
    return tuple(dict.fromkeys((*report.missing, *open_parts)))
