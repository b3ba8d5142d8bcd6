"""strata ask, runs, show."""

import time
from typing import Any

import click

from core.cli.output import command, emit, opened, run_ids
from core.cli.run_json import card_json, report_json, run_json
from core.cli.terminal_escaping import echo
from core.domain import Level, Outcome, Report, Scope
from core.errors import NotFound, StrataError
from core.i18n.messages import mark, plain, say_plain
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.records import RunFilter
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
            documents=tuple(match(prefix, known, "document") for prefix in documents), collections=collections
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
        found, _ = assistant.questions.find_runs(RunFilter(), limit=limit)
    if as_json:
        emit([card_json(card) for card in found])
        return
    for run in found:
        outcome = say_plain(OUTCOMES[Outcome(run.outcome)]) if run.outcome else ""
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
        emit({**run_json(found), "report": report, "events": TRACE.dump_python(events, mode="json")})
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


def match(prefix: str, known: list[str], what: str) -> str:
    """Return the id that is given, whole or by its first characters. Raises NotFound or StrataError."""
    if prefix in known:
        return prefix
    found = [one for one in known if prefix and one.startswith(prefix)]
    if not found:
        raise NotFound(f"There is no {what} {prefix!r}.")
    if len(found) > 1:
        raise StrataError(f"{len(found)} {what}s begin with {prefix!r}.", hint="Give more of its characters.")
    return found[0]


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
