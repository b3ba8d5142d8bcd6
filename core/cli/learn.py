"""strata feedback, learn: say what was right or wrong, see what that taught, undo it, ask again."""

from typing import Any

import click

from core.cli.commands_on_demand import GroupOnDemand
from core.cli.output import command, emit, opened
from core.cli.terminal_escaping import echo
from core.domain import Feedback
from core.i18n.messages import plain, plain_n
from core.knowledge.learned.changes import Change
from core.knowledge.learned.gaps import Update


@command("feedback")
@click.argument("run")
@click.argument("verdict", type=click.Choice(["right", "wrong", "corrected"]))
@click.option(
    "--target",
    default="answer",
    show_default=True,
    help="answer, plan, sentence:N, part:N, passage:ID, tag:NAME or relation:ID.",
)
@click.option("--correction", default="", help="What it should have said, with corrected.")
def feedback(*, run: str, verdict: Any, target: str, correction: str, as_json: bool) -> None:
    """Judge the answer of RUN, or a piece of it; - as RUN for tags and relations."""
    entry = Feedback(run="" if run == "-" else run, target=target, verdict=verdict, correction=correction)
    with opened() as assistant:
        made = assistant.learning.give_feedback(entry)
    if as_json:
        emit([change.model_dump(mode="json") for change in made])
        return
    echo("\n".join(map(_line, made)) or plain("Kept. It changes nothing by itself."))


@click.group(
    "learn",
    cls=GroupOnDemand,
    on_demand={"words": "core.cli.learn_words:learnt_words", "tags": "core.cli.learn_tags:learnt_tags"},
)
def learn() -> None:
    """See what was learnt, undo it, ask gaps and verified answers again."""


@command("list")
@click.option("--all", "everything", is_flag=True, help="Also what was undone or no longer holds.")
def listed(*, everything: bool, as_json: bool) -> None:
    """List the changes that feedback made, newest first."""
    with opened() as assistant:
        changes = assistant.learning.changes(None if everything else "active")
    if as_json:
        emit([change.model_dump(mode="json") for change in changes])
        return
    echo("\n".join(map(_line, changes)) or plain("Nothing was learnt yet."))


@command("undo")
@click.argument("change")
def undo(*, change: str, as_json: bool) -> None:
    """Take a change back."""
    with opened() as assistant:
        undone = assistant.learning.undo(change)
    if as_json:
        emit(undone.model_dump(mode="json"))
        return
    echo(plain("Undone: {name}", name=undone.name))


@command("gaps")
def gaps(*, as_json: bool) -> None:
    """List what the library could not answer."""
    with opened() as assistant:
        open_gaps = assistant.learning.gaps("open")
    if as_json:
        emit([gap.model_dump(mode="json") for gap in open_gaps])
        return
    echo("\n".join(f"{gap.id}  {gap.reason:16}  {gap.question}" for gap in open_gaps) or plain("No gaps."))


@command("update")
def update(*, as_json: bool) -> None:
    """Ask gaps and verified answers again now, and say what came out differently."""
    with opened() as assistant:
        done = assistant.learning.update()
    if as_json:
        emit(
            None
            if done is None
            else done.model_dump(mode="json", exclude={"differences": {"__all__": {"report"}}})
        )
        return
    echo(plain("Nothing is to be asked again.") if done is None else _update_text(done))


@command("accept")
@click.argument("number", type=int)
@click.argument("difference")
def accept(*, number: int, difference: str, as_json: bool) -> None:
    """Let the new answer of update NUMBER be the verified one."""
    with opened() as assistant:
        change = assistant.learning.accept(number, difference)
    if as_json:
        emit(change.model_dump(mode="json"))
        return
    echo(_line(change))


@command("reject")
@click.argument("number", type=int)
@click.argument("difference")
def reject(*, number: int, difference: str, as_json: bool) -> None:
    """Keep what was before update NUMBER."""
    with opened() as assistant:
        assistant.learning.reject(number, difference)
    if as_json:
        emit({"rejected": difference})
        return
    echo(plain("Kept as it was."))


@command("questions")
@click.option("--set", "questions", multiple=True, help="A question of the new set; give it once for each.")
def questions(*, questions: tuple[str, ...], as_json: bool) -> None:
    """Show the question set asked before and after each change, or replace it."""
    with opened() as assistant:
        if questions:
            assistant.learning.keep_questions(questions)
        current = assistant.learning.questions()
    if as_json:
        emit(current)
        return
    echo("\n".join(current) or plain("No question was saved or asked yet."))


@command("self")
@click.option(
    "--count", default=40, show_default=True, type=click.IntRange(1), help="Questions of a new set."
)
@click.option("--renew", is_flag=True, help="Make the questions anew from what is distilled now.")
def self_test(*, count: int, renew: bool, as_json: bool) -> None:
    """Test the library with questions made from its own atoms, and say what fell since the last time."""
    with opened() as assistant:
        result, fell = assistant.learning.self_test(count, renew)
    if as_json:
        emit({**result.model_dump(mode="json"), "falls": [fall.model_dump(mode="json") for fall in fell]})
        return
    shown = "  ".join(f"{name} {value:.3f}" for name, value in result.scores.items())
    asked = plain_n("{n} question", "{n} questions", result.questions)
    echo(f"{asked}  {shown}")
    for fall in fell:
        cause = "; ".join(fall.changed) or plain("nothing that is recorded")
        echo(
            plain(
                "{measure} fell from {before:.3f} to {after:.3f}. Different: {cause}",
                measure=fall.measure,
                before=fall.before,
                after=fall.after,
                cause=cause,
            )
        )


def _line(change: Change) -> str:
    return f"{change.id}  {change.status:8}  {change.name}"


def _update_text(done: Update) -> str:
    lines = [
        plain(
            "Update {number}: asked {asked}, {other} came out differently.",
            number=done.number,
            asked=done.asked,
            other=len(done.differences),
        )
    ]
    for difference in done.differences:
        because = (
            plain(" (because of {what})", what=", ".join(difference.because)) if difference.because else ""
        )
        lines += [
            f"{difference.id}  {difference.question}{because}",
            plain("  before: {text}", text=difference.before),
            plain("  now:    {text}", text=difference.after),
        ]
    return "\n".join(lines)


for made in (listed, undo, gaps, update, accept, reject, questions):
    learn.add_command(made)
