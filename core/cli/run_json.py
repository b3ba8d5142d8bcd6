"""Runs and their reports as `--json` prints them."""

from typing import Any

from core.domain import Passage, Plan, Report
from core.knowledge.stores.records import Run, RunCard


def report_json(report: Report, names: dict[str, str]) -> dict[str, Any]:
    """Return the report as `ask --json` prints it. Pages, rows and lines count from 1."""
    return {
        "question": report.question,
        "read_as": report.read_as or report.question,
        "answer": report.answer,
        "level": report.level.value,
        "engine": report.engine,
        "outcome": report.outcome.value,
        "confidence": report.confidence,
        "sentences": [
            {
                "text": s.text,
                "citations": list(s.citations),
                "support": s.support.value,
                "made": s.made,
            }
            for s in report.sentences
        ],
        "plan": _plan_json(report.plan, report),
        "passages": [
            _passage_json(n, passage, names.get(passage.chunk.document_id, ""))
            for n, passage in enumerate(report.passages, 1)
        ],
        "forecast": None if report.forecast is None else report.forecast.model_dump(mode="json"),
        "missing": list(report.missing),
        "conflicts": list(report.conflicts),
        "notes": list(report.notes),
        "council": _council_json(report),
        "partial": report.partial,
        "run": report.run,
        "seconds": report.seconds,
    }


def _council_json(report: Report) -> dict[str, Any] | None:
    """Return the council; `citations` are numbers of the passages, beside the chunks they stand for."""
    if report.council is None:
        return None
    numbers = {passage.chunk.id: n for n, passage in enumerate(report.passages, 1)}

    def numbered(value: Any) -> Any:
        if isinstance(value, list):
            return [numbered(item) for item in value]
        if not isinstance(value, dict):
            return value
        found = {name: numbered(item) for name, item in value.items()}
        if "chunks" in found:
            found["citations"] = [numbers[chunk] for chunk in found["chunks"] if chunk in numbers]
        return found

    dumped: dict[str, Any] = numbered(report.council.model_dump(mode="json"))
    for proposal, made in zip(dumped["proposals"], report.council.proposals, strict=True):
        proposal["survived"] = made.survived
    return dumped


def _plan_json(plan: Plan | None, report: Report) -> dict[str, Any]:
    answers = {part.id: part for part in report.parts}
    if plan is None:
        return {"sub_questions": []}
    return {
        "intent": plan.intent,
        "known": list(plan.known),
        "unknown": list(plan.unknown),
        "repairs": list(plan.repairs),
        "by": plan.by,
        "sub_questions": [
            {
                "id": part.id,
                "question": part.question,
                "asked_as": answers[part.id].question if part.id in answers else part.question,
                "type": part.type,
                "depends_on": list(part.depends_on),
                "answer": answers[part.id].answer if part.id in answers else "",
                "found": part.id in answers and answers[part.id].found,
            }
            for part in plan.parts
        ],
    }


def _passage_json(n: int, passage: Passage, name: str) -> dict[str, Any]:
    place = passage.chunk.location
    return {
        "n": n,
        "document": passage.document_title,
        "document_id": passage.chunk.document_id,
        "file": name,
        "chunk": passage.chunk.id,
        "heading": list(passage.chunk.heading_path),
        "page": None if place.page is None else place.page + 1,
        "rows": None if place.rows is None else [place.rows[0] + 1, place.rows[1] + 1],
        "lines": None if place.lines is None else [place.lines[0] + 1, place.lines[1] + 1],
        "place": place.label(),
        "text": passage.chunk.text,
        "score": passage.score,
        "scores": passage.scores,
        "why": list(passage.why),
        "rank_before": passage.rank_before,
        "rank_after": passage.rank_after,
        "sub_question": passage.sub_question,
    }


def run_json(run: Run) -> dict[str, Any]:
    report = run.report
    return {
        "run": run.id,
        "conversation": run.conversation,
        "question": run.question,
        "status": run.status,
        "started": run.started,
        "outcome": report.outcome.value if report else None,
        "level": report.level.value if report else None,
        "engine": report.engine if report else None,
        "seconds": report.seconds if report else None,
    }


def card_json(card: RunCard) -> dict[str, Any]:
    """Return what `run_json` says of the run."""
    fields = card.model_dump(include={"conversation", "question", "status", "started"})
    report = {name: getattr(card, name) or None for name in ("outcome", "level", "engine")}
    seconds = round(card.seconds, 3) if card.outcome and card.seconds is not None else None
    return {"run": card.id, **fields, **report, "seconds": seconds}
