"""A process of its own, forked from one that has imported everything: an import costs seconds.

It can be killed like any other. Only what must start the way everybody starts it is started another way.
"""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

PRELOAD = (  # what the app imports until its first answer, and what the tests beside it do
    "streamlit.web.cli", "uvicorn", "chromadb", "torch", "pandas", "plotly", "pytest", "core.bootstrap",
    "core.flow.graph", "core.ui.app_server", "core.ui.shared.frame", "core.ui.knowledge.knowledge_page",
)  # fmt: skip

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([*PRELOAD])


def forked(target: Callable[..., None], *given: object) -> ForkServerProcess:
    """Start the process: it calls the target, a function of a module, with what is given."""
    process = ForkServerProcess(target=target, args=given, daemon=True)
    process.start()
    return process


def telling(target: Callable[..., None], *given: object) -> tuple[ForkServerProcess, Connection]:
    """Start a process whose target takes, after what is given, a connection; return the end to read."""
    ours, theirs = _context.Pipe(duplex=False)
    process = forked(target, *given, theirs)
    theirs.close()  # so that reading ends with the process
    return process, ours
