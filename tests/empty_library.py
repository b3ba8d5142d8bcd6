"""An empty library, made once in a process and copied: making one takes twice as long as opening it."""

import atexit
import multiprocessing
import shutil
import tempfile
from functools import cache
from pathlib import Path

from core.knowledge.base import KnowledgeBase


def laid_out(folder: Path, digest: str) -> Path:
    """Lay an empty library for this embedder into the folder, unless something is there; return the folder.

    What opens it finds what a library leaves that was closed. Tests of how one is made open it themselves.
    """
    tests = multiprocessing.parent_process() is None  # a process that is killed would leave its copy behind
    if tests and not folder.exists():
        shutil.copytree(_made(digest), folder)
    return folder


@cache
def _made(digest: str) -> Path:
    place = Path(tempfile.mkdtemp(prefix="strata-empty-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    KnowledgeBase(place / "library", digest).close()
    return place / "library"
