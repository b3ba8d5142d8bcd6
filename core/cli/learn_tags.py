"""strata learn tags: the classes the library's tags fall into, learnt from its chunks, or from samples."""

from pathlib import Path

import click

from core.cli.eval import read
from core.cli.output import command, emit, opened
from core.cli.terminal_escaping import echo
from core.i18n.messages import plain, plain_n


@command("tags")
@click.option(
    "--samples",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL of question and answer: the tags of what answers them come first, and words are learnt too.",
)
def learnt_tags(*, samples: Path | None, as_json: bool) -> None:
    """Make the classes of tags anew from the library's chunks; what is enriched next is tagged by them.

    Answers that readers accepted or corrected count as samples, too.
    """
    with opened() as assistant:
        rows = read(samples, None) if samples is not None else []
        pairs = [(row["question"], str(row.get("answer", ""))) for row in rows]
        classes = assistant.learning.learn_tags(pairs)
        named = assistant.learning.factors()
    if as_json:
        emit([each.model_dump(mode="json") for each in classes])
        return
    lines = [
        f"{each.name}: {', '.join(each.terms)}" + (f" ({each.description})" if each.description else "")
        for each in classes
    ]
    if named:
        terms = len({term for each in named.values() for term in each})
        passages = plain_n("{n:,} passage", "{n:,} passages", len(named))
        lines.append(plain("{passages} read, {terms:,} key factors named", passages=passages, terms=terms))
    echo("\n".join(lines) or plain("The library's tags fall into no classes yet: there are too few."))
