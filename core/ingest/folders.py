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


def files_under(paths: Iterable[Path], *, follow_links: bool = False) -> Iterator[Path | LeftOut]:
    """Yield the files under the paths in order, each once, and what is left out.

    What is named outright is always read. A symbolic link found on the way is read only where it leads to a
    file within the folder named: whoever may write there could else have any file of this machine read.
    With `follow_links` every link is followed, to a folder once only, so that none is read endlessly.
    """
    seen: set[Path] = set()
    for path in paths:
        folder = _Folder(path.resolve(), follow_links) if path.is_dir() else None
        for found in folder.under(path) if folder else _named(path):
            if isinstance(found, LeftOut):
                yield found
            elif (real := found.absolute()) not in seen:
                seen.add(real)
                yield found


def _named(path: Path) -> Iterator[Path | LeftOut]:
    odd = path.exists() and not path.is_file()
    yield LeftOut(path, "it is a device or a pipe, not a file") if odd else path


class _Folder:
    """What lies below one folder, `root`, whose links have been followed."""

    def __init__(self, root: Path, follow_links: bool) -> None:
        self._root = root
        self._follow_links = follow_links
        self._entered = {root}

    def under(self, folder: Path) -> Iterator[Path | LeftOut]:
        """Yield what lies in the folder and below it."""
        open_folders = [_children(folder)]  # a stack: folders nest deeper than calls may
        while open_folders:
            child = next(open_folders[-1], None)
            if child is None:
                open_folders.pop()
            elif isinstance(child, LeftOut):
                yield child
            elif reason := left_out(child) or self._leads_out(child):
                yield LeftOut(child, reason)
            elif child.is_dir():
                open_folders.append(_children(child))
            elif child.is_file():
                yield child

    def _leads_out(self, path: Path) -> str:
        """Return why a path that may be a link is not followed, "" if it is."""
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return "it cannot be opened"
        if path.is_dir():
            if path.is_symlink() and not self._follow_links:
                return "a link to another folder"
            if target in self._entered:
                return "a link to a folder that is read already"
            self._entered.add(target)
            return ""
        if path.is_symlink() and not self._follow_links and not target.is_relative_to(self._root):
            return "a link to a file outside the folder; `strata ingest --follow-links` reads such files"
        return ""


def _children(folder: Path) -> Iterator[Path | LeftOut]:
    try:
        children: Sequence[Path] = sorted(folder.iterdir())
    except OSError as error:
        yield LeftOut(folder, f"it cannot be opened: {error.strerror or error}")
        return
    yield from children
