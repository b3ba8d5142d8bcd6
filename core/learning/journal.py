"""Files that grow a line at a time and survive being cut off: one JSON object a line, flushed to the disk."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from core.domain import Value
from core.errors import TrainingError

V = TypeVar("V", bound=Value)


def append(path: Path, value: Value) -> None:
    """Add a line and wait until it is on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(value.model_dump_json().encode("utf-8") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def write(path: Path, values: Sequence[Value]) -> None:
    """Write the whole file anew, all of it or none of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(b"".join(value.model_dump_json().encode("utf-8") + b"\n" for value in values))
    draft.replace(path)


def repair(path: Path) -> bool:
    """Cut away a last line that was only half written; return whether there was one."""
    if not path.is_file():
        return False
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) == len(data):
        return False
    with path.open("r+b") as file:
        file.truncate(len(whole))
    return True


def read(path: Path, kind: type[V], *, growing: bool = False) -> list[V]:
    """Return the values of a file, none where there is no file. Raises TrainingError for a broken line.

    In a file that is `growing`, a last line without its end is one that is just being written, and left out.
    """
    if not path.is_file():
        return []
    values: list[V] = []
    lines = path.read_text("utf-8", errors="replace").split("\n")
    if growing:
        lines.pop()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            values.append(kind.model_validate_json(line))
        except ValidationError as error:
            cut = number == len(lines)
            raise TrainingError(
                f"{path.name}, line {number} {'was cut short' if cut else 'is no ' + kind.__name__.lower()}.",
                hint=(
                    "Run the command that writes the file again: it takes the half line away and goes on."
                    if cut
                    else "Delete that line, or the file, and collect again; what is whole is kept."
                ),
            ) from error
    return values
