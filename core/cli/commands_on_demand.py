"""A group of commands whose modules are imported when a command is called, or all are listed.

`strata run` starts the app in place of its own process: what the other commands import would be loaded for
nothing first, for a second and a half.
"""

import importlib
from collections.abc import Mapping
from typing import Any, NoReturn

import click

from core.cli.localized_help import LocalizedGroup
from core.cli.terminal_escaping import echo
from core.runtime.process_exit import end_process


class GroupOnDemand(LocalizedGroup):
    """Knows a command by the module and the name it is defined under, "core.cli.ask:ask"."""

    def __init__(self, *args: Any, on_demand: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._on_demand = on_demand

    def __call__(self, *args: Any, **settings: Any) -> NoReturn:
        """Run as the process's own command, and end the process."""
        try:
            code = super().__call__(*args, **settings)
        except SystemExit as ended:
            code = ended.code
        end_process(_status(code))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *self._on_demand})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._on_demand and cmd_name not in self.commands:
            module, _, name = self._on_demand[cmd_name].partition(":")
            self.add_command(getattr(importlib.import_module(module), name), cmd_name)
        return super().get_command(ctx, cmd_name)


def _status(code: object) -> int:
    """Return the exit status for what `sys.exit` was given, and say it where it is a message."""
    if code is None or isinstance(code, int):
        return code or 0
    echo(str(code), err=True)
    return 1
