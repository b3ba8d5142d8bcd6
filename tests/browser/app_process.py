"""The app in a process of its own, forked from one that has imported everything: an import costs seconds.

Only test_direct_loads.py starts it the way everybody does.
"""

import multiprocessing
import os
import sys
from multiprocessing.context import ForkServerProcess as AppProcess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PRELOAD = (  # what the app imports until its first answer
    "streamlit.web.cli", "uvicorn", "chromadb", "torch", "pandas", "plotly", "core.bootstrap",
    "core.flow.graph", "core.ui.app_server", "core.ui.shared.frame", "core.ui.knowledge.knowledge_page",
)  # fmt: skip

multiprocessing.get_context("forkserver").set_forkserver_preload([*PRELOAD])


def app_process(port: int, environment: dict[str, str], log: Path) -> AppProcess:
    """Start the app on the port and return its process."""
    process = AppProcess(target=_run, args=(port, environment, log), daemon=True)
    process.start()
    return process


def _run(port: int, environment: dict[str, str], log: Path) -> None:
    from streamlit.web import cli

    with log.open("wb") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = ["streamlit", "run", "app.py", "--server.port", str(port)]
    cli.main()
