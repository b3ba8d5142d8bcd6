"""Puts the report together, in the language of the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.citations import in_order
from core.answering.comparison_table import comparison
from core.answering.same_rows import resting_on
from core.answering.wording import report_sentence
from core.domain import (
    BUILT_IN,
    CouncilReport,
    Forecast,
    Level,
    Outcome,
    PartAnswer,
    Passage,
    Plan,
    Report,
    Sentence,
    Verdict,
)
from core.tasks import Call

_WRITERS = frozenset({"Answer", "Perspectives", "Deliberate", "ExtractSeries"})  # not the review that follows


@dataclass(frozen=True)
class Findings:
    """Everything a run may have found by the time it is presented."""

    question: str
    read_as: str
    level: Level
    language: str
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    verdict: Verdict | None = None
    plan: Plan | None = None
    parts: tuple[PartAnswer, ...] = ()
    evidence: tuple[Passage, ...] = ()
    calls: tuple[Call, ...] = ()
    notes: tuple[str, ...] = ()
    forecast: Forecast | None = None
    council: CouncilReport | None = None
    partial: bool = False
    cut_short: str = ""  # why the run could not continue, "" if it could


@dataclass(frozen=True)
class Presenter:
    """Builds the report from the findings, and adds nothing to them."""

    def present(self, found: Findings) -> Report:
        """Return the report; the runner adds the run's id and its seconds."""
        verdict = found.verdict or Verdict(
            outcome=Outcome.GAP if found.text or any(p.found for p in found.parts) else Outcome.NOTHING,
            sentences=found.sentences,
        )
        nothing = verdict.outcome is Outcome.NOTHING
        table = comparison(found.plan, found.parts)
        numbers = {passage.chunk.id: n for n, passage in enumerate(found.evidence, 1)}
        shown = (*(table.chunks() if table else ()), *(found.council.chunks() if found.council else ()))
        above = [numbers[chunk] for chunk in shown if chunk in numbers]
        text, sentences, passages = in_order(found.text, verdict.sentences, found.evidence, above)
        unfinished = nothing and (found.partial or bool(found.cut_short))
        return Report(
            run="",
            question=found.question,
            read_as=found.read_as if found.read_as != found.question else "",
            level=found.level,
            engine=_engine(found.calls),
            outcome=Outcome.UNFINISHED if unfinished else verdict.outcome,
            confidence=verdict.confidence,
            answer=self._answer(found, nothing, text),
            sentences=() if nothing else sentences,
            plan=found.plan,
            parts=resting_on(found.parts, passages),
            passages=passages,
            missing=() if unfinished else verdict.missing or (found.read_as or found.question,) * nothing,
            conflicts=verdict.conflicts,
            notes=self._notes(found, verdict),
            forecast=found.forecast,
            council=found.council,
            partial=found.partial,
        )

    @staticmethod
    def _answer(found: Findings, nothing: bool, text: str) -> str:
        if not nothing or found.partial:
            return text
        return report_sentence("unfinished" if found.cut_short else "nothing", found.language)

    def _notes(self, found: Findings, verdict: Verdict) -> tuple[str, ...]:
        notes: list[str] = [*found.notes, *verdict.notes]
        if found.level in (Level.PREDICTIVE, Level.CREATIVE) and not (found.forecast or found.council):
            notes.insert(0, report_sentence(found.level.value, found.language))
        if found.partial:
            notes.insert(0, report_sentence("stopped", found.language))
        if found.cut_short:
            notes.insert(0, found.cut_short)
        notes += [
            report_sentence("failed", found.language, id=part.id, why=part.failure)
            for part in found.parts
            if part.failure
        ]
        quoted = verdict.outcome is Outcome.CLOSEST and found.council is None  # a council says so itself
        if quoted and _engine(found.calls) == BUILT_IN:
            notes.append(report_sentence("connect", found.language))
        stood_in = [call for call in found.calls if call.fallback]
        if stood_in:
            reasons = "; ".join(dict.fromkeys(call.fallback for call in stood_in))
            notes.append(
                report_sentence(
                    "fallback", found.language, n=len(stood_in), all=len(found.calls), why=reasons
                )
            )
        trimmed = max((call.trimmed for call in found.calls), default=0)
        if trimmed:
            notes.append(report_sentence("trimmed", found.language, n=trimmed))
        return tuple(dict.fromkeys(notes))


def _engine(calls: Sequence[Call]) -> str:
    """Return who wrote what is shown: the engine of the last call that writes, else of the last call."""
    writers = [call for call in calls if call.task in _WRITERS] or list(calls)
    return writers[-1].engine if writers else BUILT_IN
