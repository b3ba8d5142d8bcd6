"""Which files a folder holds, and which of them are left out and why."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.text.tokens import word_set

_JUNK = word_set(
    "thumbs.db desktop.ini ehthumbs.db icon\r $recycle.bin __macosx node_modules __pycache__ lost+found"
)
_SCRAPS = (".tmp", ".part", ".partial", ".crdownload", ".swp", ".lock", ".bak~")


class LeftOut(NamedTuple):
    """A path that is not read, and why."""

    path: Path
    reason: str


def left_out(path: Path) -> str:
    """Return why a file or folder found on the way is not read, "" if it is."""
    name = path.name.lower()
    if name in _JUNK:
        return "a file of the system, not of yours"
    if name.startswith("."):
        return "hidden"
    if name.startswith("~$") or name.endswith((*_SCRAPS, "~")):
        return "a scratch file of another program"
    if path.is_symlink() and not path.exists():
        return "a link to nothing"
    return ""


def walk(paths: Iterable[Path]) -> Iterator[Path | LeftOut]:
    """Yield the files under the paths in order, each once, and what is left out.

    A file named outright is always read. Links to folders are not followed, so no walk is endless.
    """
    seen: set[Path] = set()
    for path in paths:
        for found in _under(path) if path.is_dir() else [path]:
            if isinstance(found, LeftOut):
                yield found
            elif (real := found.absolute()) not in seen:
                seen.add(real)
                yield found


def _under(folder: Path) -> Iterator[Path | LeftOut]:
    try:
        children: Sequence[Path] = sorted(folder.iterdir())
    except OSError as error:
        yield LeftOut(folder, f"it cannot be opened: {error.strerror or error}")
        return
    for child in children:
        if reason := left_out(child):
            yield LeftOut(child, reason)
        elif child.is_dir():
            if child.is_symlink():
                yield LeftOut(child, "a link to another folder")
            else:
                yield from _under(child)
        elif child.is_file():
            yield child
