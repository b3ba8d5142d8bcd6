"""strata run, doctor."""

import subprocess
import sys
from pathlib import Path

import click

import core
from core.cli.output import FAILED, command, emit, opened
from core.errors import SettingsError
from core.work.health import Health


@command("run")
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535))
@click.option("--address", default="127.0.0.1", show_default=True)
def serve(*, port: int, address: str, as_json: bool) -> None:
    """Open the app in the browser."""
    app = Path(core.__path__[0]).parent / "app.py"
    if not app.is_file():
        raise SettingsError(
            "app.py is not beside the package.", hint="Run it from a checkout: `make install`, `make run`."
        )
    _offer_demo(app.parent / "examples" / "fab")
    url = f"http://{address}:{port}"
    if as_json:
        emit({"url": url})
    flags = [f"--server.port={port}", f"--server.address={address}", "--browser.gatherUsageStats=false"]
    sys.exit(subprocess.call([sys.executable, "-m", "streamlit", "run", str(app), *flags], cwd=app.parent))


def _offer_demo(folder: Path) -> None:
    """Queue the demo documents if the library is empty; the app reads them while it is already open."""
    with opened() as assistant:
        if folder.is_dir() and not assistant.library.documents():
            assistant.ingest([folder])


@command("doctor")
@click.option("--repair", is_flag=True, help="Compare the stores and mend what differs.")
@click.option("--compact", is_flag=True, help="Give back the room that deleted documents left.")
def doctor(*, repair: bool, compact: bool, as_json: bool) -> None:
    """Say what is set, what is there, what is missing and how to mend it."""
    with opened() as assistant:
        mended = assistant.library.repair() if repair else []
        compacted = assistant.library.compact() if compact else []
        health = assistant.health()
    if as_json:
        sizes = [each.model_dump() for each in compacted]
        emit({**health.model_dump(mode="json"), "repaired": mended, "compacted": sizes})
    else:
        for each in compacted:
            click.echo(f"Compacted: {each.what} {_megabytes(each.before)} -> {_megabytes(each.after)}")
        click.echo("\n".join(_lines(health, mended)))
    if any(finding.severity == "error" for finding in health.findings):
        sys.exit(FAILED)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _lines(health: Health, mended: list[str]) -> list[str]:
    lines = [
        f"Engine     {health.engine}",
        f"Embedder   {health.embedder}",
        f"Reranker   {health.reranker}",
        f"Ollama     {health.host or 'not set'} {health.server}".rstrip(),
        f"Folder     {health.folder}",
        f"Library    {', '.join(f'{n} {what}' for what, n in health.counts.items()) or 'empty'}",
        "",
    ]
    lines += [f"Mended: {message}" for message in mended]
    for model in health.models:
        lines.append(f"  model {model.name}  {model.size / 1e9:.1f} GB  {', '.join(model.roles)}".rstrip())
    for finding in health.findings:
        lines.append(f"{finding.severity.upper():8} {finding.message}")
        if finding.command:
            lines.append(f"         {finding.command}")
    lines += ["", "Settings (those that differ from the default are marked *)"]
    for setting in health.settings:
        mark = "*" if setting.value != setting.default else " "
        lines.append(f"{mark} {setting.name}={setting.value}")
    lines += ["", ", ".join(f"{name} {version}" for name, version in health.versions.items())]
    return lines
