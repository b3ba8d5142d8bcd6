"""Synchronises the library with folders: new and changed files are ingested, deleted ones removed."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.errors import NotFound
from core.ingest.folders import files_under
from core.knowledge.base import KnowledgeBase
from core.text.filenames import path_of, text_of
from core.work.jobs.job_queue import JobQueue

Stamp = tuple[int, int]  # modification time in nanoseconds, size in bytes


class Away(NamedTuple):
    """A watched path with nothing in it, as when a disk is not mounted: `kept` files of it stay."""

    path: Path
    kept: int


class FolderScan(NamedTuple):
    """One look at the folders: jobs queued for what is new or changed, paths taken out, and folders that
    have just been found away."""

    queued: Sequence[str]
    gone: Sequence[str]
    away: Sequence[Away] = ()


@dataclass
class _Root:
    """A watched folder, or the folder of a watched file; `device` is what it was on when it held a file."""

    path: Path
    home: Path
    device: int | None = None
    here: bool = False

    def look(self, files: Collection[Path]) -> None:
        """Note whether it is there. An empty folder is, if it is the one that held files before."""
        try:
            device = self.home.stat().st_dev
        except OSError:
            self.here = False
            return
        if files:
            self.device = device
        self.here = device == self.device


def watch(
    runner: JobQueue,
    knowledge: KnowledgeBase,
    paths: Sequence[Path],
    collection: str = "default",
    *,
    pause: Callable[[], bool],
    follow_links: bool = False,
) -> Iterator[FolderScan]:
    """Yield after every look. `pause` waits until the next look and says whether there is to be one.

    A file counts as changed by its time and size, and is read once both have stayed for one pause, so that
    a file is not read while another program writes it. What went while nobody watched is taken out too.
    From a watched folder that is missing, or empty when it is first looked at, nothing is taken out.
    """
    roots = [_Root(each, each.parent if each.is_file() else each) for each in map(Path.absolute, paths)]
    read: dict[Path, Stamp | None] = dict.fromkeys(_known_paths(knowledge, roots, collection))
    before: dict[Path, Stamp] | None = None
    reported: set[Path] = set()
    while True:
        now: dict[Path, Stamp] = {}
        for root in roots:
            files = _stamps(root.path, follow_links)
            root.look(files)
            now |= files
        ripe = [p for p, s in now.items() if read.get(p) != s and (before is None or before.get(p) == s)]
        read.update({path: now[path] for path in ripe})
        absent = [path for path in read if path not in now]
        missing = [root.path for root in roots if not root.here]
        away = [Away(each, sum(path.is_relative_to(each) for path in absent)) for each in missing]
        deleted = [path for path in absent if not any(map(path.is_relative_to, missing)) and _deleted(path)]
        for path in deleted:
            del read[path]
        yield FolderScan(
            runner.submit(ripe, collection) if ripe else (),
            _take_out(knowledge, deleted, collection),
            [each for each in away if each.kept and each.path not in reported],
        )
        reported = {each.path for each in away if each.kept}
        before = now
        if not pause():
            return


def _stamps(root: Path, follow_links: bool) -> dict[Path, Stamp]:
    """Return modification time and size of every file under the path."""
    found: dict[Path, Stamp] = {}
    for path in files_under([root] if root.exists() else [], follow_links=follow_links):
        if isinstance(path, Path) and path.exists():
            stat = path.stat()
            found[path.absolute()] = (stat.st_mtime_ns, stat.st_size)
    return found


def _known_paths(knowledge: KnowledgeBase, roots: Sequence[_Root], collection: str) -> Iterator[Path]:
    """Yield the paths under the roots that the library has."""
    for entry in knowledge.entries():
        path = path_of(entry.path)
        if entry.collection == collection and any(path.is_relative_to(root.path) for root in roots):
            yield path


def _deleted(path: Path) -> bool:
    """Say whether the file is no more; one that only cannot be reached is there."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _take_out(knowledge: KnowledgeBase, deleted: Sequence[Path], collection: str) -> list[str]:
    unlinked = []
    for path in deleted:
        try:
            knowledge.unlink(text_of(path), collection)
        except NotFound:  # it never came in, or was taken out by hand
            continue
        unlinked.append(text_of(path))
    return unlinked
