"""Commands whose help is in the language of the terminal: chosen by --language, else by LANG."""

import copy
import inspect
import itertools
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

import click

from core.cli.terminal_escaping import echo
from core.i18n import messages
from core.i18n.messages import mark, plain, say_plain
from core.i18n.recorded_messages import translated_plain

CHOICE = "--language"
HEADINGS = (mark("Options"), mark("Commands"))
HELP = mark("Show this message and exit.")  # what click says of --help
VERSION = mark("Show the version and exit.")
USAGE = (mark("[OPTIONS]"), mark("COMMAND [ARGS]..."))
FAULTS = (
    mark("Missing argument {name}."),
    mark("Missing option {name}."),
    mark("No such option {name}."),
    mark("Missing argument {name}. Choose from:{choices}"),
    mark("No such command {name}."),
    mark("Option {name} requires an argument."),
    mark("Got unexpected extra argument ({name})"),
    mark("Got unexpected extra arguments ({names})"),
    mark("{value} is not one of {choices}."),
    mark("{value} is not a valid integer."),
    mark("{value} is not a valid float."),
    mark("{value} is not in the range {range}."),
    mark("Path {name} does not exist."),
    mark("File {name} does not exist."),
)  # what click says of arguments, recognised by translated_plain
_DEFAULT = re.compile(r"\[default: (?P<value>[^\]]*)\]")


class LocalizedFormatter(click.HelpFormatter):
    """Writes click's own words of a help page in the language of the terminal."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or plain("Usage:") + " ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(next((say_plain(each) for each in HEADINGS if each == heading), heading))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        localized = [(name, _DEFAULT.sub(_default, text)) for name, text in rows]
        super().write_dl(localized, col_max, col_spacing)


class LocalizedUsageError(click.UsageError):
    """A usage error, reported in the language of the terminal."""

    def show(self, file: IO[str] | None = None) -> None:
        if self.ctx is not None:
            echo(self.ctx.get_usage(), file=file, err=True)
            option = self.ctx.help_option_names[-1]
            hint = plain("Try '{command} {option}' for help.", command=self.ctx.command_path, option=option)
            echo(f"{hint}\n", file=file, err=True)
        echo(plain("Error: {message}", message=self.format_message()), file=file, err=True)


@contextmanager
def _localized_errors() -> Iterator[None]:
    try:
        yield
    except LocalizedUsageError:
        raise
    except click.UsageError as error:
        message = translated_plain(error.format_message())
        if isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
            name = error.param.get_error_hint(error.ctx) if error.param and error.ctx else error.param_hint
            message = plain(
                "Invalid value for {name}: {reason}", name=name, reason=translated_plain(error.message)
            )
        raise LocalizedUsageError(message, error.ctx) from error


class LocalizedContext(click.Context):
    """A context whose help is written by it."""

    formatter_class = LocalizedFormatter


class LocalizedCommand(click.Command):
    """A command whose help, written in English beside it, is looked up in the catalogue."""

    context_class = LocalizedContext

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        clone = copy.copy(self)
        clone.help = translated_plain(inspect.cleandoc(self.help or ""))
        clone.params = [_localized(each) for each in self.params]
        super(LocalizedCommand, clone).format_help(ctx, formatter)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)
        return [next((say_plain(text) for text in USAGE if text == piece), piece) for piece in pieces]

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = say_plain(HELP)
        return option

    def get_short_help_str(self, limit: int = 45) -> str:
        if messages.language() == messages.DEFAULT:
            return super().get_short_help_str(limit)
        return translated_plain(inspect.cleandoc(self.help or "")).partition("\n")[0].partition("。")[0]


class LocalizedGroup(LocalizedCommand, click.Group):
    """A group of such commands; the outermost one chooses the language."""

    def main(self, args: Sequence[str] | None = None, **options: Any) -> Any:  # type: ignore[override]
        with messages.speaking(_language(sys.argv[1:] if args is None else args)):
            return super().main(args, **options)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with _localized_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _localized_errors():
            return super().invoke(ctx)


def _default(found: re.Match[str]) -> str:
    return plain("[default: {value}]", value=found["value"])


def _language(args: Sequence[str]) -> str:
    """Return the language the arguments choose, else that of the environment."""
    chosen = [each.partition("=")[2] for each in args if each.startswith(f"{CHOICE}=")]
    chosen += [after for each, after in itertools.pairwise(args) if each == CHOICE]
    return messages.choose(
        [*chosen, *(os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))]
    )


def _localized(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    clone = copy.copy(parameter)
    clone.help = translated_plain(parameter.help)
    return clone
