"""strata rerun, compare, shares."""

from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from core.assistant import Assistant
from core.cli.ask import match
from core.cli.output import command, emit, opened, run_ids
from core.cli.run_json import report_json
from core.cli.terminal_escaping import echo
from core.domain import Edits, Level, Passage
from core.errors import QuestionError
from core.i18n.messages import plain, plain_n
from core.i18n.recorded_messages import translated_plain
from core.work.runs.run_changes import RunComparison


def _run(assistant: Assistant, prefix: str) -> str:
    return match(prefix, run_ids(assistant), "run")


@command("rerun")
@click.argument("run")
@click.option("--ban", "banned", multiple=True, metavar="CHUNK", help="A passage that must not be read.")
@click.option("--pin", "pinned", multiple=True, metavar="CHUNK", help="A passage that must be evidence.")
@click.option(
    "--level", type=click.Choice([level.value for level in Level]), help="Instead of the one before."
)
@click.option("--strategy", type=click.Choice(["auto", "plan", "loop"]), help="Instead of the one before.")
@click.option(
    "--edits",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help='A JSON file of edits: {"parts": [{"id": 1, "question": "…", "type": "factual", "depends_on": []}], '
    '"banned": [], "pinned": []}.',
)
def rerun(
    run: str,
    *,
    banned: tuple[str, ...],
    pinned: tuple[str, ...],
    level: str | None,
    strategy: Any,
    edits: Path | None,
    as_json: bool,
) -> None:
    """Work on a run's question again with changes; only what they touch is worked on anew."""
    try:
        wanted = Edits.model_validate_json(edits.read_bytes()) if edits else Edits()
    except ValidationError as error:
        raise QuestionError(
            f"{edits} holds no edits: {error}", hint="`strata rerun --help` shows one."
        ) from error
    wanted = wanted.model_copy(
        update={
            "banned": (*wanted.banned, *banned),
            "pinned": (*wanted.pinned, *pinned),
            "level": Level(level) if level else wanted.level,
            "strategy": strategy or wanted.strategy,
        }
    )
    with opened(to_ask=True) as assistant:
        before = _run(assistant, run)
        seen = assistant.questions.preview(before, wanted)
        report = assistant.questions.wait(assistant.questions.rerun(before, wanted))
        names = {document.id: document.name for document in assistant.library.contents.documents()}
        found = assistant.questions.compare(before, report.run)
    if as_json:
        reused = {"worked_on_again": list(seen.again), "taken_over": list(seen.kept), "because": seen.stale}
        emit({**report_json(report, names), "parent": before, **reused, "comparison": comparison_json(found)})
    else:
        echo("\n".join(_lines(found)))


@command("compare")
@click.argument("before")
@click.argument("after")
def compare(*, before: str, after: str, as_json: bool) -> None:
    """Say what differs between two runs, and why."""
    with opened() as assistant:
        found = assistant.questions.compare(_run(assistant, before), _run(assistant, after))
    if as_json:
        emit(comparison_json(found))
    else:
        echo("\n".join(_lines(found)))


@command("shares")
@click.argument("run")
def shares(run: str, *, as_json: bool) -> None:
    """Say how much of a run's answer rests on each document, by taking each away in turn."""
    with opened() as assistant:
        found = assistant.questions.shares(_run(assistant, run))
    if as_json:
        emit(found.model_dump(mode="json"))
        return
    for share in found.shares:
        passages = plain_n("{n} passage", "{n} passages", share.passages)
        echo(f"{share.share:6.0%}  {share.title}  ({passages})")
    echo(
        plain(
            "{method}; {supported} supported sentences; {left_out} documents not tried",
            method=found.method,
            supported=found.supported,
            left_out=found.left_out,
        )
    )


def comparison_json(found: RunComparison) -> dict[str, Any]:
    """Return the comparison as `compare --json` prints it; passages as chunk, document and place."""
    dumped = found.model_dump(mode="json", exclude={"gained", "lost"})
    gained, lost = [_passage(p) for p in found.gained], [_passage(p) for p in found.lost]
    return {"same": found.same, **dumped, "gained": gained, "lost": lost}


def _passage(passage: Passage) -> dict[str, Any]:
    return {
        "chunk": passage.chunk.id,
        "document": passage.document_title,
        "place": passage.chunk.location.label(),
        "pinned": passage.pinned,
    }


def _place(passage: Passage) -> str:
    return f"{passage.document_title}, {passage.chunk.location.in_words()}"


def _lines(found: RunComparison) -> list[str]:
    lines = [plain("Because: {why}", why=translated_plain(why)) for why in found.why]
    signs = {"same": " ", "changed": "~", "added": "+", "removed": "-"}
    for change in found.sentences:
        if change.change == "changed" and change.before is not None:
            lines.append(f"- {change.before.text}")
        sentence = change.after or change.before
        if sentence is not None:
            lines.append(f"{signs[change.change]} {sentence.text}")
    for passage in found.gained:
        lines.append(plain("Gained: {place}", place=_place(passage)))
    for passage in found.lost:
        lines.append(plain("Lost: {place}", place=_place(passage)))
    return lines
