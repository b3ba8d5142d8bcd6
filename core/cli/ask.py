"""strata ask, runs, show."""

import time
from typing import Any

import click

from core.cli.output import command, emit, opened, run_ids
from core.cli.terminal_escaping import echo
from core.domain import Level, Outcome, Passage, Plan, Report, Scope
from core.errors import NotFound, StrataError
from core.i18n.messages import mark, plain, say_plain
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import Run
from core.trace import TRACE

STATUSES = {
    "queued": mark("queued"),
    "running": mark("running"),
    "done": mark("done"),
    "stopped": mark("stopped"),
    "failed": mark("failed"),
}
OUTCOMES = {
    Outcome.ANSWER: mark("answer"),
    Outcome.CAVEAT: mark("answer with caveat"),
    Outcome.CONFLICT: mark("conflict"),
    Outcome.GAP: mark("gap"),
    Outcome.CLOSEST: mark("closest passages"),
    Outcome.NOTHING: mark("nothing found"),
    Outcome.UNFINISHED: mark("not finished"),
}


@command("ask")
@click.argument("question")
@click.option(
    "--level",
    type=click.Choice([level.value for level in Level]),
    help="Instead of the one read from the question.",
)
@click.option("--document", "documents", multiple=True, metavar="ID", help="Read only this document.")
@click.option("--collection", "collections", multiple=True, help="Read only this collection.")
@click.option("--strategy", type=click.Choice(["auto", "plan", "loop"]), default="auto", show_default=True)
@click.option(
    "--effort",
    type=click.Choice(["quick", "balanced", "thorough"]),
    help="Who reads the question. quick: rules; balanced: rules, or a model if unsure; thorough: a model.",
)
@click.option("--model", default="", help='That answers this question: a served one, or "built-in".')
@click.option(
    "--role",
    "roles",
    multiple=True,
    help='A voice of the council (L4): "safety", or "Name: what it cares about".',
)
@click.option("--conversation", metavar="ID", help="Ask as a follow-up in this conversation.")
def ask(
    question: str,
    *,
    level: str | None,
    documents: tuple[str, ...],
    collections: tuple[str, ...],
    strategy: Any,
    effort: Any,
    model: str,
    roles: tuple[str, ...],
    conversation: str | None,
    as_json: bool,
) -> None:
    """Ask the library a question."""
    with opened(to_ask=True) as assistant:
        known = [document.id for document in assistant.library.contents.documents()]
        scope = Scope(
            documents=tuple(match(given, known, "document") for given in documents), collections=collections
        )
        run = assistant.questions.ask(
            question,
            level=Level(level) if level else None,
            scope=scope,
            conversation=conversation,
            strategy=strategy,
            effort=effort,
            model=model,
            roles=roles,
        )
        report = assistant.questions.wait(run)
        names = {document.id: document.name for document in assistant.library.contents.documents()}
    if as_json:
        emit(report_json(report, names))
    else:
        echo("\n".join(_lines(report)))


@command("runs")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1))
def runs(*, limit: int, as_json: bool) -> None:
    """List the questions that were asked, newest first."""
    with opened() as assistant:
        found = assistant.questions.runs(limit=limit)
    if as_json:
        emit([_run_json(run) for run in found])
        return
    for run in found:
        outcome = say_plain(OUTCOMES[run.report.outcome]) if run.report else ""
        asked = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
        echo(f"{run.id}  {asked}  {say_plain(STATUSES[run.status]):8} {outcome:20} {run.question}")


@command("show")
@click.argument("run")
@click.option("--markdown", is_flag=True, help="Print the run as Markdown.")
@click.option("--html", is_flag=True, help="Print the run as one HTML file that opens offline.")
def show(run: str, *, markdown: bool, html: bool, as_json: bool) -> None:
    """Show a run: its report and everything that happened."""
    with opened() as assistant:
        number = match(run, run_ids(assistant), "run")
        found, events = assistant.questions.run(number), assistant.questions.events(number)
        names = {document.id: document.name for document in assistant.library.contents.documents()}
        exported = (
            assistant.questions.export_html(number) if html else assistant.questions.export_markdown(number)
        )
    if as_json:
        report = report_json(found.report, names) if found.report else None
        emit({**_run_json(found), "report": report, "events": TRACE.dump_python(events, mode="json")})
    elif html or markdown:
        echo(exported)
    else:
        echo(
            "\n".join(_lines(found.report))
            if found.report
            else plain("Run {number} is {status}.", number=number, status=say_plain(STATUSES[found.status]))
        )
        for stamped in events:
            echo(f"{stamped.at:8.3f} s  {stamped.event.name}", err=True)


def match(given: str, known: list[str], what: str) -> str:
    """Return the id that is given, whole or by its first characters. Raises NotFound or StrataError."""
    if given in known:
        return given
    found = [one for one in known if given and one.startswith(given)]
    if not found:
        raise NotFound(f"There is no {what} {given!r}.")
    if len(found) > 1:
        raise StrataError(f"{len(found)} {what}s begin with {given!r}.", hint="Give more of its characters.")
    return found[0]


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

    held: dict[str, Any] = numbered(report.council.model_dump(mode="json"))
    for proposal, made in zip(held["proposals"], report.council.proposals, strict=True):
        proposal["survived"] = made.survived
    return held


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


def _run_json(run: Run) -> dict[str, Any]:
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


def _marked(report: Report) -> str:
    """Return the answer's sentences with their citations, on the lines they stand on in the answer."""
    marked, rest = "", report.answer
    for sentence in report.sentences:
        before, found, behind = rest.partition(sentence.text)
        rest = behind if found else rest
        joint = "\n" if found and "\n" in before else " "
        marked += (joint if marked else "") + sentence.text + "".join(f" [{n}]" for n in sentence.citations)
    return marked


def _lines(report: Report) -> list[str]:
    """Return the report as a terminal shows it."""
    lines = [_marked(report) or report.answer, ""]
    lines.append(
        f"{say_plain(OUTCOMES[report.outcome])} · {report.level.value} · {report.engine}"
        f" · {report.seconds:.2f} s · {report.run}"
    )
    lines += [plain("Note: {note}", note=translated_plain(note)) for note in report.notes]
    lines += [plain("Missing: {missing}", missing=missing) for missing in report.missing]
    lines += [plain("Disagreement: {conflict}", conflict=conflict) for conflict in report.conflicts]
    used = sorted({n for sentence in report.sentences for n in sentence.citations})
    for n in used:
        passage = report.passages[n - 1]
        place = ", ".join(filter(None, (passage.document_title, passage.chunk.location.in_words())))
        lines.append(f"[{n}] {place}")
    return lines
