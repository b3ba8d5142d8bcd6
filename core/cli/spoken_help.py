"""Commands whose help is in the language of the terminal: chosen by --language, else by LANG."""

import copy
import inspect
import itertools
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from core.text import messages
from core.text.messages import mark, plain, say_plain
from core.text.recorded_messages import translated_plain

CHOICE = "--language"
HEADINGS = (mark("Options"), mark("Commands"))
HELP = mark("Show this message and exit.")  # what click says of --help


class SpokenFormatter(click.HelpFormatter):
    """Writes click's own words of a help page in the language of the terminal."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or plain("Usage:") + " ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(next((say_plain(each) for each in HEADINGS if each == heading), heading))


class SpokenContext(click.Context):
    """A context whose help is written by it."""

    formatter_class = SpokenFormatter


class SpokenCommand(click.Command):
    """A command that tells its help from the catalogue; it is written in English where the command is."""

    context_class = SpokenContext

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        said = copy.copy(self)
        said.help = translated_plain(inspect.cleandoc(self.help or ""))
        said.params = [_spoken(each) for each in self.params]
        super(SpokenCommand, said).format_help(ctx, formatter)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = say_plain(HELP)
        return option

    def get_short_help_str(self, limit: int = 45) -> str:
        if messages.language() == messages.DEFAULT:
            return super().get_short_help_str(limit)
        return translated_plain(inspect.cleandoc(self.help or "")).partition("\n")[0].partition("。")[0]


class SpokenGroup(SpokenCommand, click.Group):
    """A group of such commands; the outermost one chooses the language."""

    def main(self, args: Sequence[str] | None = None, **options: Any) -> Any:  # type: ignore[override]
        with messages.speaking(_language(sys.argv[1:] if args is None else args)):
            return super().main(args, **options)


def _language(args: Sequence[str]) -> str:
    """Return the language the arguments choose, else that of the environment."""
    given = [each.partition("=")[2] for each in args if each.startswith(f"{CHOICE}=")]
    given += [after for each, after in itertools.pairwise(args) if each == CHOICE]
    return messages.choose(
        [*given, *(os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))]
    )


def _spoken(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    said = copy.copy(parameter)
    said.help = translated_plain(parameter.help)
    return said
