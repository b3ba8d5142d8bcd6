"""Keeps the library in step with folders: what appears or changes there is read, what goes is taken out."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.errors import NotFound
from core.ingest.walking import walk
from core.knowledge.base import KnowledgeBase
from core.work.jobs import JobRunner


class Seen(NamedTuple):
    """One look at the folders: jobs queued for what is new or changed, paths taken out."""

    queued: Sequence[str]
    gone: Sequence[str]


def watch(
    runner: JobRunner,
    knowledge: KnowledgeBase,
    paths: Sequence[Path],
    collection: str = "default",
    *,
    pause: Callable[[], bool],
) -> Iterator[Seen]:
    """Yield after every look. `pause` waits until the next look and says whether there is to be one.

    A file counts as changed by its time and size, and is read once both have stayed for one pause, so that
    a file is not read while another program writes it.
    """
    read: dict[Path, tuple[int, int]] = {}
    before: dict[Path, tuple[int, int]] | None = None
    while True:
        now = _stamps(paths)
        ripe = [p for p, s in now.items() if read.get(p) != s and (before is None or before.get(p) == s)]
        read.update({path: now[path] for path in ripe})
        gone = [path for path in read if path not in now]
        for path in gone:
            del read[path]
        yield Seen(runner.submit(ripe, collection) if ripe else (), _take_out(knowledge, gone, collection))
        before = now
        if not pause():
            return


def _stamps(paths: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Return modification time and size of every file under the paths."""
    found: dict[Path, tuple[int, int]] = {}
    for path in walk(path for path in paths if path.exists()):
        if isinstance(path, Path) and path.exists():
            stat = path.stat()
            found[path.absolute()] = (stat.st_mtime_ns, stat.st_size)
    return found


def _take_out(knowledge: KnowledgeBase, gone: Sequence[Path], collection: str) -> list[str]:
    taken = []
    for path in gone:
        try:
            knowledge.unlink(str(path), collection)
        except NotFound:  # it never came in, or was taken out by hand
            continue
        taken.append(str(path))
    return taken
