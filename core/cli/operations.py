"""strata run, doctor, backup, restore."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

import core
from core.accounts.sign_in_policy import SignInPolicy
from core.cli.output import EXIT_FAILED, command, emit, opened
from core.cli.terminal_escaping import echo
from core.errors import SettingsError
from core.i18n.messages import plain
from core.i18n.recorded_messages import translated_plain
from core.knowledge.stores.folder_lock import must_be_usable
from core.settings import LOOPBACK, Settings

if TYPE_CHECKING:
    from core.knowledge.maintenance.compaction import Compacted
    from core.work.checks.health import Health

EVERYWHERE = ("0.0.0.0", "::")  # addresses to listen on, not to be reached under


@command("run")
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535))
@click.option("--address", default="127.0.0.1", show_default=True)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Another name the app answers to, beside its address and this machine's own.",
)
def serve(*, port: int, address: str, hosts: tuple[str, ...], as_json: bool) -> None:
    """Open the app in the browser."""
    app = Path(core.__path__[0]).parent / "app.py"
    if not app.is_file():
        raise SettingsError(
            "app.py is not beside the package.", hint="Run it from a checkout: `make install`, `make run`."
        )
    settings = Settings.load()
    SignInPolicy(settings).check_address(address)
    must_be_usable(settings.store.path)
    offer_demo(settings)
    url = f"http://{address}:{port}"
    if as_json:
        emit({"url": url})
        sys.stdout.flush()
    flags = [f"--server.port={port}", f"--server.address={address}", "--browser.gatherUsageStats=false"]
    names = dict.fromkeys((*LOOPBACK, *(() if address in EVERYWHERE else (address,)), *hosts))
    flags += [f"--server.allowedHosts={name}" for name in names]
    os.chdir(app.parent)
    # In place of this process, so that what ends the command (a service, Docker) ends the app, and cleanly.
    os.execv(
        sys.executable, [sys.executable, "-m", "core.ui.serving.server_process", "run", str(app), *flags]
    )


def offer_demo(settings: Settings) -> None:
    """Queue the demo documents where no library was used yet; the app reads them while it is already open.

    A library that was used is not opened for it: that would take seconds before the app begins to start.
    Raises KnowledgeError.
    """
    from core.knowledge.stores.folder_lock import claimed, unusable

    folder = settings.store.path
    try:
        if (folder / "originals").exists():
            return
        from core.knowledge.maintenance.unused import never_used  # slow to load

        if not never_used(folder) or claimed(folder):
            return
    except OSError as error:
        raise unusable(folder, error) from error
    with opened(settings) as assistant:
        if not assistant.library.contents.documents():
            assistant.library.add_demo()


@command("doctor")
@click.option("--repair", is_flag=True, help="Set aside what is damaged and rebuild it; deletes nothing.")
@click.option("--trust", is_flag=True, help="Take files as they are that you changed by hand.")
@click.option("--compact", is_flag=True, help="Give back the room that deleted documents left.")
@click.option("--settings", "whole", is_flag=True, help="List the settings at their defaults, too.")
def doctor(*, repair: bool, trust: bool, compact: bool, whole: bool, as_json: bool) -> None:
    """Say what is set, what is there, what is missing and how to mend it.

    Without an option it only reads: beside the open app too, and in a folder that cannot be written to.
    """
    from core.bootstrap import maintenance_wiring

    settings = Settings.load()
    if trust:
        maintenance_wiring.trust(settings)
    repaired = maintenance_wiring.repair(settings, _report) if repair else []
    compacted: list[Compacted] = []
    if compact:
        with opened(settings) as assistant:
            compacted = assistant.admin.compact()
    health = maintenance_wiring.health_of(settings)
    if as_json:
        sizes = [each.model_dump() for each in compacted]
        emit({**health.model_dump(mode="json"), "repaired": repaired, "compacted": sizes})
    else:
        for each in compacted:
            echo(
                plain(
                    "Compacted: {what} {before} -> {after}",
                    what=each.what,
                    before=_megabytes(each.before),
                    after=_megabytes(each.after),
                )
            )
        echo("\n".join(_lines(health, repaired, whole)))
    if any(finding.severity == "error" for finding in health.findings):
        sys.exit(EXIT_FAILED)


@command("backup")
@click.option("--to", "elsewhere", type=click.Path(path_type=Path), help="Keep backups in this folder.")
@click.option("--keep", default=3, show_default=True, type=click.IntRange(1), help="Backups that are kept.")
def backup(*, elsewhere: Path | None, keep: int, as_json: bool) -> None:
    """Copy the library, so that `strata restore` can bring it back.

    Beside the open app the catalog and the originals are copied: all else is rebuilt from them. Without --to
    backups are kept in the library's own folder: on the same disk.
    """
    from core.bootstrap import maintenance_wiring

    made = maintenance_wiring.back_up(Settings.load(), elsewhere, keep, _report)
    if as_json:
        emit(made.model_dump(mode="json", exclude={"files"}))
    else:
        echo(made.description())


@command("restore")
@click.argument("name", required=False, default="")
@click.option("--from", "elsewhere", type=click.Path(path_type=Path), help="The folder backups are kept in.")
@click.option("--list", "listed", is_flag=True, help="List the backups there are.")
def restore(name: str, *, elsewhere: Path | None, listed: bool, as_json: bool) -> None:
    """Bring a backup back, the newest where none is named; what stands there now is set aside."""
    from core.bootstrap import maintenance_wiring

    settings = Settings.load()
    if listed:
        there = maintenance_wiring.backups_of(settings, elsewhere)
        if as_json:
            emit([each.model_dump(mode="json", exclude={"files"}) for each in there])
        else:
            echo("\n".join(each.description() for each in there) or plain("There is no backup."))
        return
    done = maintenance_wiring.restore(settings, name, elsewhere, _report)
    if as_json:
        emit({"restored": done})
    else:
        echo("\n".join(map(translated_plain, done)))


def _report(text: str) -> None:
    echo(translated_plain(text), err=True)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _lines(health: "Health", repaired: list[str], whole: bool) -> list[str]:
    host = health.host or plain("not set")
    lines = [
        plain("Engine     {engine}", engine=health.engine),
        plain("Embedder   {embedder}", embedder=health.embedder),
        plain("Reranker   {reranker}", reranker=health.reranker),
        f"Ollama     {host} {health.server}".rstrip(),
        plain("Folder     {folder}", folder=health.folder),
        plain(
            "Library    {holds}",
            holds=", ".join(f"{n} {translated_plain(what)}" for what, n in health.counts.items())
            or plain("empty"),
        ),
        "",
    ]
    lines += [plain("Mended: {message}", message=translated_plain(message)) for message in repaired]
    for model in health.models:
        roles = ", ".join(model.roles)
        lines.append(
            plain(
                "  model {name}  {size:.1f} GB  {roles}", name=model.name, size=model.size / 1e9, roles=roles
            )
        )
    for finding in health.findings:
        lines.append(f"{finding.severity.upper():8} {translated_plain(finding.message)}")
        if finding.command:
            lines.append(f"         {finding.command}")
    changed = [setting for setting in health.settings if setting.value != setting.default]
    lines += ["", plain("Settings (those that differ from the default are marked *)")]
    for setting in health.settings if whole else changed:
        mark = "*" if setting in changed else " "
        lines.append(f"{mark} {setting.name}={setting.value}")
    if not whole:
        others = len(health.settings) - len(changed)
        lines.append(plain("  {n} others are at their defaults: strata doctor --settings", n=others))
    lines += ["", ", ".join(f"{name} {version}" for name, version in health.versions.items())]
    return lines
