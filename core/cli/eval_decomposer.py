"""strata eval decomposer: the loop with three calls a round against a trained decomposer's one."""

from pathlib import Path

import click

from core.cli.eval import read
from core.cli.interrupted_evaluation import nothing_stored_when_interrupted
from core.cli.output import command, emit, opened, opened_beside
from core.cli.terminal_escaping import echo
from core.settings import Settings


@command("decomposer")
@click.option(
    "--questions",
    "file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL: question, answer, gold_ids.",
)
@click.option(
    "--corpus",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL of passages, read into a library of its own beside yours; without it, yours is searched.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many.")
@click.option("--adapter", help="Trained decomposer, if not that of STRATA_LLM__DECOMPOSER.")
@nothing_stored_when_interrupted()
def decomposer(
    *, file: Path, corpus: Path | None, limit: int | None, adapter: str | None, as_json: bool
) -> None:
    """Compare the trained decomposer with the untrained one (fields: question, answer, gold_ids)."""
    from core.bootstrap.training_wiring import compare_decomposers, untrained
    from core.bootstrap.trajectory_wiring import known_of

    settings = Settings.load()
    if adapter:
        llm = settings.llm.model_copy(update={"decomposer": adapter})
        settings = settings.model_copy(update={"llm": llm})
    rows = read(file, limit)
    plain = untrained(settings)
    with opened_beside(corpus, plain) if corpus else opened(plain) as assistant:
        standings = compare_decomposers(assistant, settings, known_of(assistant, rows, corpus))
    if as_json:
        emit({name: one.model_dump() for name, one in standings.items()})
        return
    for name, one in standings.items():
        shown = "  ".join(f"{key} {value}" for key, value in one.model_dump().items())
        echo(f"{name:20} {shown}")
