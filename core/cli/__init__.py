"""The command line: `strata COMMAND`, thin over the assistant; `--json` prints one JSON value."""

import logging
import os
import sys

import click

from core.cli.commands_on_demand import GroupOnDemand
from core.cli.localized_help import CHOICE
from core.runtime import memory  # noqa: F401 - first: it tells how memory is kept before anything is loaded

COMMANDS = {
    "run": "core.cli.operations:serve",
    "ingest": "core.cli.documents:ingest",
    "documents": "core.cli.documents:documents",
    "reread": "core.cli.reread_command:reread",
    "delete": "core.cli.documents:delete",
    "enrich": "core.cli.enrich:enrich",
    "reembed": "core.cli.reembed_command:reembed",
    "mapping": "core.cli.machine_mapping:mapping",
    "ask": "core.cli.ask:ask",
    "runs": "core.cli.ask:runs",
    "show": "core.cli.ask:show",
    "rerun": "core.cli.rerun:rerun",
    "compare": "core.cli.rerun:compare",
    "shares": "core.cli.rerun:shares",
    "feedback": "core.cli.learn:feedback",
    "learn": "core.cli.learn:learn",
    "eval": "core.cli.eval:evaluate",
    "train": "core.cli.train:train",
    "doctor": "core.cli.operations:doctor",
    "models": "core.cli.model_commands:models",
    "backup": "core.cli.operations:backup",
    "restore": "core.cli.operations:restore",
    "accounts": "core.cli.account_commands:accounts",
    "audit": "core.cli.account_commands:audit",
}


@click.group(
    cls=GroupOnDemand,
    on_demand=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="strata", prog_name="strata")
@click.option(CHOICE, default="", help="Language of messages: en or zh; else that of LANG.")
def main(language: str) -> None:
    """Strata, a local research assistant that shows how it thinks."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )


__all__ = ["main"]
