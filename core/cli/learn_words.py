"""strata learn words: what people say and what the library calls it, learnt from questions and answers."""

from pathlib import Path

import click

from core.cli.eval import read
from core.cli.output import command, emit, opened
from core.cli.terminal_escaping import echo
from core.i18n.messages import plain


@command("words")
@click.option(
    "--samples",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL of question and answer, from which pairs are learnt.",
)
def learnt_words(*, samples: Path | None, as_json: bool) -> None:
    """List how words are read ("heart races" as "palpitations"); with --samples, learn more first."""
    with opened() as assistant:
        if samples is not None:
            pairs = [(row["question"], str(row.get("answer", ""))) for row in read(samples, None)]
            assistant.learning.learn_words(pairs)
        learnt = assistant.learning.tag_pairs()
    if as_json:
        emit([pair.model_dump(mode="json") for pair in learnt])
        return
    lines = [f"{pair.said} -> {pair.meant}  ({pair.times}, {pair.teacher})" for pair in learnt]
    echo("\n".join(lines) or plain("Nothing was learnt yet."))
