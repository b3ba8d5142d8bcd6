"""strata mapping: how machine files are read, checked and kept from the terminal."""

from pathlib import Path

import click

from core.cli.localized_help import LocalizedGroup
from core.cli.output import command, emit, opened
from core.cli.terminal_escaping import echo
from core.i18n.messages import plain
from core.ingest.cim_mappings import SAMPLE_BYTES, MappingPreview

_MAX_ROWS = 10  # rows


@click.group("mapping", cls=LocalizedGroup)
def mapping() -> None:
    """Say by a CIM mapping (a small YAML) what the lines of a machine's file mean."""


@command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("sample", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def check(file: Path, sample: Path | None, *, as_json: bool) -> None:
    """Check a mapping and show what it makes of a sample file."""
    with opened() as assistant:
        text = file.read_text(encoding="utf-8", errors="replace")
        checked = assistant.library.mappings.check(text, file.name)
        if sample is None:
            _report(
                plain("{file} is a mapping: {name}.", file=file.name, name=checked.name),
                {"mapping": checked.name},
                as_json,
            )
            return
        with sample.open("rb") as stream:
            tried = assistant.library.mappings.attempt(text, stream.read(SAMPLE_BYTES + 1), sample.name)
    if as_json:
        emit(tried.model_dump(mode="json"))
        return
    for line in _lines(tried):
        echo(line)


@command("add")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def add(file: Path, *, as_json: bool) -> None:
    """Keep a mapping in the library; files it fits are read by it from then on."""
    with opened() as assistant:
        text = file.read_text(encoding="utf-8", errors="replace")
        checked = assistant.library.mappings.check(text, file.name)
        assistant.library.mappings.save(text)
    patterns = ", ".join(checked.match)
    _report(
        plain("Kept {name}; it reads {patterns}.", name=checked.name, patterns=patterns),
        {"mapping": checked.name},
        as_json,
    )


@command("list")
def listed(*, as_json: bool) -> None:
    """List the mappings of the library."""
    with opened() as assistant:
        files = assistant.library.mappings.files()
    if as_json:
        emit([each.model_dump(mode="json") for each in files])
        return
    for each in files:
        summary = each.error or (
            f"{each.mapping.name}: {', '.join(each.mapping.match)}" if each.mapping else ""
        )
        echo(f"{each.file}  {summary}")


@command("delete")
@click.argument("file")
def delete(file: str, *, as_json: bool) -> None:
    """Take a mapping away, by the name of its file; what it has read stays."""
    with opened() as assistant:
        assistant.library.mappings.delete(file)
    _report(plain("Deleted {file}.", file=file), {"deleted": file}, as_json)


def _report(text: str, value: dict[str, str], as_json: bool) -> None:
    if as_json:
        emit(value)
    else:
        echo(text)


def _lines(tried: MappingPreview) -> list[str]:
    """Return the table a mapping makes of a sample, what its columns are above it."""
    table = tried.parsed.tables[0]
    facts = [
        ", ".join(filter(None, [c.type, c.unit, each.entity, plain("time") if each.time else ""]))
        for c, each in zip(table.columns, tried.columns, strict=True)
    ]
    rows = [[c.name for c in table.columns], facts]
    rows += [["" if cell is None else str(cell) for cell in row] for row in table.rows[:_MAX_ROWS]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(facts))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    if not tried.fits:
        lines.append(plain("The sample's name is none the mapping is for."))
    return [*lines, *tried.parsed.skipped]


for each in (check, add, listed, delete):
    mapping.add_command(each)
