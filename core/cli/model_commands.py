"""strata models: what served models really do, and what they are good for."""

import click

from core.cli.output import command, emit, opened
from core.cli.terminal_escaping import echo
from core.errors import ModelMissing
from core.evaluation.model_check import KIND_NAMES, KINDS, ModelCard, behaviour, strengths
from core.i18n.messages import plain, say_plain
from core.work.checks.health import RECOMMENDED


@command("models")
@click.argument("what", type=click.Choice(["check", "cards"]))
@click.argument("names", nargs=-1)
def models(what: str, names: tuple[str, ...], *, as_json: bool) -> None:
    """Check served models, or show the cards of those that were checked.

    `strata models check [NAME ...]` finds out whether a model keeps to a schema and does not think where it
    is told not to, how fast it is, and asks it forty small tasks; without a name, the model that answers.
    """
    with opened() as assistant:
        admin = assistant.admin
        cards = list(admin.model_cards())
        if what == "check":
            health = admin.health()
            cards = []
            chosen = health.roles.get("generation", "")
            if health.server and not (names or chosen):
                raise ModelMissing(
                    f"The server at {health.host} has no model that can chat.",
                    hint=f"Get one, for example `ollama pull {RECOMMENDED}`, then run this again.",
                )
            for name in names or (chosen,):
                for step in admin.check_model(name):
                    if step.card is not None:
                        cards.append(step.card)
                    elif not as_json:
                        echo(
                            plain("\r{name}: {done} of {of}", name=name, done=step.done, of=step.of),
                            nl=False,
                            err=True,
                        )
    if as_json:
        emit([card.model_dump(mode="json") for card in cards])
        return
    echo("\n\n".join(map(card_text, cards)) or plain("No model was checked yet: strata models check"))


def card_text(card: ModelCard) -> str:
    """Return a card as text."""
    lines = [
        plain(
            "{model}: good for {tasks}",
            model=card.model,
            tasks=strengths(card) or plain("nothing asked here"),
        )
    ]
    lines += [
        plain(
            "  {kind:14} {right} of {of}",
            kind=say_plain(KIND_NAMES[kind]),
            right=card.right.get(kind, 0),
            of=card.of.get(kind, 0),
        )
        for kind in KINDS
    ]
    lines.append(
        plain(
            "  {seconds:.1f} s a task; {repairs} replies had to be asked for again",
            seconds=card.seconds,
            repairs=card.repairs,
        )
    )
    if card.probe is not None:
        lines.append(f"  {behaviour(card.probe)}")
    lines += [
        plain("  wrong: {question} ({why})", question=one.question, why=one.wrong) for one in card.wrong
    ]
    return "\n".join(lines)
