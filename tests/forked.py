"""A process of its own, forked from one that has imported everything: an import costs seconds.

It can be killed like any other. Only what must start the way everybody starts it is started another way.
"""

import multiprocessing
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from types import ModuleType

PRELOAD = (  # what the app imports until its first answer, and what the tests beside it do
    "streamlit.web.cli", "uvicorn", "chromadb", "pandas", "plotly", "pytest", "core.bootstrap",
    "core.flow.graph", "core.ui.serving.app_server", "core.ui.shared.frame",
    "core.ui.knowledge.knowledge_page", "tests.dictionaries", "tests.component_manifests",
)  # fmt: skip

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([*PRELOAD])


def forked(target: Callable[..., None], *given: object) -> ForkServerProcess:
    """Start the process: it calls the target, a function of a module, with what is given."""
    process = ForkServerProcess(target=target, args=given, daemon=True)
    main = sys.modules["__main__"]  # a page that was tested here before may have taken its place
    sys.modules["__main__"] = ModuleType("__main__")  # which the child would run
    try:
        process.start()
    finally:
        sys.modules["__main__"] = main
    return process


def telling(target: Callable[..., None], *given: object) -> tuple[ForkServerProcess, Connection]:
    """Start a process whose target takes, after what is given, a connection; return the end to read."""
    ours, theirs = _context.Pipe(duplex=False)
    process = forked(target, *given, theirs)
    theirs.close()  # so that reading ends with the process
    return process, ours
