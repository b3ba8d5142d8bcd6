"""The terminal's door: `strata COMMAND`, thin over the assistant; `--json` prints one JSON value."""

import logging
import os
import sys

import click

from core.cli.asking import ask, runs, show
from core.cli.care import doctor, serve
from core.cli.library import delete, documents, ingest
from core.cli.scoring import evaluate


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="strata", prog_name="strata")
def main() -> None:
    """Strata, a local research assistant that shows how it thinks."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )


for command in (serve, ingest, documents, delete, ask, runs, show, evaluate, doctor):
    main.add_command(command)

__all__ = ["main"]
