"""The command line: `strata COMMAND`, thin over the assistant; `--json` prints one JSON value."""

import logging
import os
import sys

import click

from core import memory  # noqa: F401 - first: it tells how memory is kept before anything is loaded
from core.cli.account_commands import accounts, audit
from core.cli.ask import ask, runs, show
from core.cli.documents import delete, documents, ingest
from core.cli.enrich import enrich
from core.cli.eval import evaluate
from core.cli.eval_answers import answers
from core.cli.eval_decomposer import decomposer
from core.cli.eval_judged import law, qa
from core.cli.learn import feedback, learn, self_test
from core.cli.learn_tags import learnt_tags
from core.cli.learn_words import learnt_words
from core.cli.localized_help import CHOICE, LocalizedGroup
from core.cli.machine_mapping import mapping
from core.cli.model_commands import models
from core.cli.operations import backup, doctor, restore, serve
from core.cli.reembed_command import reembed
from core.cli.rerun import compare, rerun, shares
from core.cli.train import train


@click.group(
    cls=LocalizedGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="strata", prog_name="strata")
@click.option(CHOICE, default="", help="Language of messages: en or zh; else that of LANG.")
def main(language: str) -> None:
    """Strata, a local research assistant that shows how it thinks."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )


for command in (
    serve,
    ingest,
    documents,
    delete,
    enrich,
    reembed,
    mapping,
    ask,
    runs,
    show,
    rerun,
    compare,
    shares,
    feedback,
    learn,
    evaluate,
    train,
    doctor,
    models,
    backup,
    restore,
    accounts,
    audit,
):
    main.add_command(command)
evaluate.add_command(answers)
evaluate.add_command(decomposer)
evaluate.add_command(qa)
evaluate.add_command(law)
evaluate.add_command(self_test)
learn.add_command(learnt_words)
learn.add_command(learnt_tags)

__all__ = ["main"]
